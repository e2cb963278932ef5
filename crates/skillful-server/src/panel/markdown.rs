//! A skill's Markdown as HTML that can do nothing.
//!
//! Safe by construction: no markup of the text survives, because every piece of raw HTML is shown as the text that it is
//! (which is also what a model reads, comments included), and the only tags and attributes in the result are those that
//! are written here and in the library's own writer. Nothing in the result loads anything: a picture becomes a link.
//! Links lead to the web, to a mailbox, or, when they are relative, to another file of the skill; the address of any
//! other is shown beside its text. Characters that hide or reorder text are named.

use std::fmt::Write;

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use crate::limits;

/// The body of a skill as HTML.
///
/// ```
/// use skillful_server::panel::markdown::render;
///
/// assert_eq!(render("*Hi* <b>all</b>").trim(), "<p><em>Hi</em> &lt;b&gt;all&lt;/b&gt;</p>");
/// ```
pub fn render(markdown: &str) -> String {
    let (text, is_cut) = limited(markdown);
    let text = name_invisible(text);
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut out = String::with_capacity(text.len() * 2);
    let events = Harmless::new(Parser::new_ext(&text, options));
    html::push_html(&mut out, events);
    if is_cut {
        out.push_str(
            "<p><em>The rest is too long to be shown here; the file has all of it.</em></p>\n",
        );
    }
    out
}

/// The part that is rendered, and whether there is more.
fn limited(text: &str) -> (&str, bool) {
    let mut end = limits::RENDERED_BYTES.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    (&text[..end], end < text.len())
}

/// Names characters that a reader does not see, or that make text stand in another order than it is read in.
fn name_invisible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if is_invisible(character) {
            // Writing to a text never fails.
            let _ = write!(out, "[U+{:04X}]", u32::from(character));
        } else {
            out.push(character);
        }
    }
    out
}

/// Controls, marks of direction, blanks without width, tags. A joiner stays: scripts and emoji need it.
const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{7F}'..='\u{9F}'
            | '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}'
            | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}'
            | '\u{E0000}'..='\u{E007F}'
    )
}

/// Where an address leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Address {
    /// To the web, or to a mailbox.
    Out,
    /// To another file of the skill.
    File,
    /// Nowhere that a reader should be sent to by a click.
    Nowhere,
}

impl Address {
    fn of(text: &str) -> Self {
        let text = text.trim();
        let lower = text.to_ascii_lowercase();
        let is_out = ["https://", "http://", "mailto:"];
        if is_out.iter().any(|scheme| lower.starts_with(scheme)) {
            return Self::Out;
        }
        let path = lower.split(['?', '#']).next().unwrap_or_default();
        let is_plain = !path.contains([':', '\\']) && !path.contains(char::is_control);
        if path.is_empty() || path.starts_with('/') || !is_plain {
            Self::Nowhere
        } else {
            Self::File
        }
    }
}

/// The same events with nothing in them that could do anything.
struct Harmless<'a, I: Iterator<Item = Event<'a>>> {
    events: I,
    /// What the links and pictures that are open end with, the innermost last.
    ends: Vec<String>,
    /// How many blocks are open.
    depth: usize,
}

impl<'a, I: Iterator<Item = Event<'a>>> Harmless<'a, I> {
    const fn new(events: I) -> Self {
        Self {
            events,
            ends: Vec::new(),
            depth: 0,
        }
    }

    /// Opens a link, and remembers how it ends. A picture inside a link is only a name.
    fn open(&mut self, address: &str, before: &str) -> Event<'a> {
        if !self.ends.is_empty() {
            self.ends.push(String::new());
            return Event::InlineHtml(CowStr::from(before.to_owned()));
        }
        let href = escaped(address.trim());
        let (start, end) = match Address::of(address) {
            Address::Out => (
                format!(
                    "<a href=\"{href}\" rel=\"noopener noreferrer nofollow\" target=\"_blank\">"
                ),
                "</a>".to_owned(),
            ),
            Address::File => (format!("<a href=\"{href}\">"), "</a>".to_owned()),
            Address::Nowhere => (String::new(), format!(" <code>{href}</code>")),
        };
        self.ends.push(end);
        Event::InlineHtml(CowStr::from(format!("{start}{before}")))
    }

    fn close(&mut self) -> Event<'a> {
        let end = self.ends.pop().unwrap_or_default();
        Event::InlineHtml(CowStr::from(end))
    }

    fn start(&mut self, tag: Tag<'a>) -> Option<Event<'a>> {
        if is_block(tag.to_end()) {
            self.depth += 1;
            if self.depth > limits::RENDERED_DEPTH {
                return None;
            }
        }
        Some(match tag {
            Tag::Link { dest_url, .. } => self.open(&dest_url, ""),
            Tag::Image { dest_url, .. } => self.open(&dest_url, "Picture: "),
            // The library writes `style` for the alignment of columns, which the page does not allow.
            Tag::Table(columns) => Event::Start(Tag::Table(vec![
                pulldown_cmark::Alignment::None;
                columns.len()
            ])),
            // Below the heading of the page.
            Tag::Heading { level, .. } => Event::Start(Tag::Heading {
                level: lower(level),
                id: None,
                classes: Vec::new(),
                attrs: Vec::new(),
            }),
            Tag::HtmlBlock => Event::InlineHtml(CowStr::from("<pre>")),
            Tag::MetadataBlock(_) | Tag::FootnoteDefinition(_) => return None,
            tag => Event::Start(tag),
        })
    }

    fn end(&mut self, tag: TagEnd) -> Option<Event<'a>> {
        if is_block(tag) {
            self.depth = self.depth.saturating_sub(1);
            if self.depth >= limits::RENDERED_DEPTH {
                return None;
            }
        }
        Some(match tag {
            TagEnd::Link | TagEnd::Image => self.close(),
            TagEnd::Heading(level) => Event::End(TagEnd::Heading(lower(level))),
            TagEnd::HtmlBlock => Event::InlineHtml(CowStr::from("</pre>\n")),
            TagEnd::MetadataBlock(_) | TagEnd::FootnoteDefinition => return None,
            tag => Event::End(tag),
        })
    }
}

impl<'a, I: Iterator<Item = Event<'a>>> Iterator for Harmless<'a, I> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        loop {
            let harmless = match self.events.next()? {
                Event::Start(tag) => self.start(tag),
                Event::End(tag) => self.end(tag),
                Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
                event => Some(event),
            };
            if harmless.is_some() {
                return harmless;
            }
        }
    }
}

const fn is_block(tag: TagEnd) -> bool {
    matches!(tag, TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item)
}

/// One level below, so that the name of the skill is above all of its headings.
const fn lower(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H2,
        HeadingLevel::H2 => HeadingLevel::H3,
        HeadingLevel::H3 => HeadingLevel::H4,
        HeadingLevel::H4 => HeadingLevel::H5,
        HeadingLevel::H5 | HeadingLevel::H6 => HeadingLevel::H6,
    }
}

/// A text as the value of an attribute, or as text.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests;
