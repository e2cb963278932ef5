//! Markdown → one unit of prose and one for each snippet of code, with what stands around each block.
//!
//! The prose is what a reader sees: marks of emphasis are gone, soft breaks are blanks, so that a sentence can be
//! searched as a sentence however it is wrapped. Code in a line keeps its backticks, links show their address.

use std::ops::Range;
use std::sync::Arc;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::context::{Block, Form, Language, Unit, Zone, points_elsewhere};
use crate::text::{View, ViewBuilder, ceil, floor};

/// How much of a heading or sentence is kept to judge what follows, in bytes.
const SURROUNDING_BYTES: usize = 400;

/// Reads the Markdown that stands at `offset` of its file.
pub(crate) fn read_markdown(text: &str, offset: usize) -> Vec<Unit> {
    let mut reader = Reader::new(text, offset);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let parser = Parser::new_ext(text, options);
    let mut hidden: Vec<(usize, String)> = parser
        .reference_definitions()
        .iter()
        .filter_map(|(_, definition)| {
            Some((
                definition.span.start,
                definition.title.as_ref()?.to_string(),
            ))
        })
        .collect();
    hidden.sort();
    for (event, range) in parser.into_offset_iter() {
        reader.take(event, range);
    }
    for (at, title) in hidden {
        reader.definition(&title, at);
    }
    reader.finish()
}

struct Reader<'t> {
    text: &'t str,
    offset: usize,
    prose: ViewBuilder,
    blocks: Vec<Block>,
    snippets: Vec<Unit>,
    /// Where the open block of prose begins in the view.
    opened: usize,
    zone: Zone,
    headings: Vec<(HeadingLevel, String)>,
    headings_text: Arc<str>,
    heading: Option<HeadingLevel>,
    has_title: bool,
    /// The last block of prose.
    last: Arc<str>,
    /// What stood before the lists that are open.
    introductions: Vec<Arc<str>>,
    /// The names of the columns of the open table.
    columns: Arc<str>,
    /// Where the head of the open table begins in the prose.
    head_from: usize,
    /// The open block of code.
    code: Option<(Option<Language>, ViewBuilder)>,
    /// The addresses of the links that are open, and where their text begins in the prose.
    links: Vec<(String, usize)>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, offset: usize) -> Self {
        let nothing: Arc<str> = Arc::from("");
        Self {
            text,
            offset,
            prose: ViewBuilder::default(),
            blocks: Vec::new(),
            snippets: Vec::new(),
            opened: 0,
            zone: Zone::Prose,
            headings: Vec::new(),
            headings_text: Arc::clone(&nothing),
            heading: None,
            has_title: false,
            last: nothing,
            introductions: Vec::new(),
            columns: Arc::from(""),
            head_from: 0,
            code: None,
            links: Vec::new(),
        }
    }

    fn take(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag, &range),
            Event::Text(text) => self.text(&text, range.start),
            Event::Code(code) => self.inline_code(&code, range),
            Event::Html(html) | Event::InlineHtml(html) => self.html(&html, range.start),
            Event::SoftBreak | Event::HardBreak => {
                self.prose.push_prose(" ", self.offset + range.start);
            }
            Event::Rule => self.close(),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.close();
                self.heading = Some(level);
            }
            Tag::List(_) => {
                self.close();
                self.introductions.push(Arc::clone(&self.last));
            }
            Tag::Table(_) => {
                self.close();
                self.introductions.push(Arc::clone(&self.last));
                self.zone = Zone::Table;
            }
            Tag::TableHead => {
                self.close();
                self.head_from = self.prose.len();
            }
            Tag::CodeBlock(kind) => {
                self.close();
                let language = match &kind {
                    CodeBlockKind::Fenced(info) => Language::of_fence(info),
                    CodeBlockKind::Indented => None,
                };
                self.code = Some((language, ViewBuilder::default()));
            }
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.links.push((dest_url.into_string(), self.prose.len()));
            }
            Tag::Paragraph | Tag::Item | Tag::TableCell | Tag::BlockQuote(_) | Tag::HtmlBlock => {
                self.close();
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: &Range<usize>) {
        match tag {
            TagEnd::Heading(_) => self.close_heading(),
            TagEnd::List(_) => {
                self.close();
                self.introductions.pop();
            }
            TagEnd::TableHead => {
                self.close();
                self.columns = Arc::from(head(self.prose.tail(self.head_from)));
            }
            TagEnd::Table => {
                self.close();
                self.columns = Arc::from("");
                self.introductions.pop();
                self.zone = Zone::Prose;
            }
            TagEnd::CodeBlock => self.close_code(),
            TagEnd::Link | TagEnd::Image => {
                let Some((address, from)) = self.links.pop() else {
                    return;
                };
                let shows_it = self.prose.tail(from) == address;
                if !shows_it {
                    self.prose
                        .push_pinned(&format!(" <{address}>"), self.offset + range.start);
                }
            }
            TagEnd::Paragraph
            | TagEnd::Item
            | TagEnd::TableCell
            | TagEnd::BlockQuote(_)
            | TagEnd::HtmlBlock => self.close(),
            _ => {}
        }
    }

    fn text(&mut self, text: &str, at: usize) {
        let is_verbatim = self.text.get(at..at + text.len()) == Some(text);
        let source = self.offset + at;
        match &mut self.code {
            Some((_, code)) if is_verbatim => code.push(text, source),
            Some((_, code)) => code.push_pinned(text, source),
            None if is_verbatim => self.prose.push_prose(text, source),
            None => self.prose.push_pinned(text, source),
        }
    }

    fn inline_code(&mut self, code: &str, range: Range<usize>) {
        let inside = self.text.get(range.clone()).unwrap_or_default();
        let at = self.offset
            + range.start
            + (inside.len() - inside.trim_start_matches(['`', ' ']).len());
        // Claude Code runs such a piece when it loads the skill (its documentation of slash commands, "Bash command execution").
        let runs_on_load = self.prose.ends_with('!');
        if runs_on_load || looks_like_command(code) {
            let mut unit = self.snippet(View::verbatim(code, at), Some(Language::Shell));
            unit.runs_on_load = runs_on_load;
            let sentence: Arc<str> = Arc::from(tail(self.prose.tail(self.opened)));
            for block in &mut unit.blocks {
                block.introduction = self
                    .introductions
                    .last()
                    .map_or_else(|| Arc::from(""), Arc::clone);
                block.sentence = Arc::clone(&sentence);
                block.columns = Arc::clone(&self.columns);
            }
            self.snippets.push(unit);
        }
        self.prose.push_pinned("`", at.saturating_sub(1));
        self.prose.push(code, at);
        self.prose.push_pinned("`", at + code.len());
    }

    fn html(&mut self, html: &str, at: usize) {
        if html.trim_start().starts_with("<!--") {
            self.close();
            self.zone = Zone::Comment;
        }
        self.text(html, at);
        if self.zone == Zone::Comment && html.contains("-->") {
            self.close();
            self.zone = Zone::Prose;
        }
    }

    /// The title of a definition that no page shows, which is where `[//]: # (…)` keeps a comment.
    fn definition(&mut self, title: &str, at: usize) {
        self.close();
        self.zone = Zone::Comment;
        self.prose
            .push_pinned(&single_line(title), self.offset + at);
        self.close();
        self.zone = Zone::Prose;
    }

    /// Ends the open block of prose, if there is text in it.
    fn close(&mut self) {
        if self.prose.len() == self.opened {
            return;
        }
        let range = self.opened..self.prose.len();
        let text = self.prose.tail(self.opened);
        let is_list_item = !self.introductions.is_empty() && self.heading.is_none();
        let introduction = match self.introductions.last() {
            Some(introduction) => Arc::clone(introduction),
            None => Arc::clone(&self.last),
        };
        let kept: Arc<str> = Arc::from(head(text));
        self.blocks.push(Block {
            range,
            zone: self.zone,
            headings: Arc::clone(&self.headings_text),
            introduction: if is_list_item {
                introduction
            } else {
                Arc::from("")
            },
            sentence: Arc::from(""),
            columns: Arc::clone(&self.columns),
        });
        self.last = kept;
        self.prose.push_break();
        self.opened = self.prose.len();
    }

    fn close_heading(&mut self) {
        let text = head(self.prose.tail(self.opened)).to_owned();
        self.close();
        let Some(level) = self.heading.take() else {
            return;
        };
        self.headings.retain(|(other, _)| *other < level);
        self.headings.push((level, text));
        // The first title is the skill's name for itself. It holds for everything, so it excuses nothing.
        let is_title = level == HeadingLevel::H1 && !std::mem::replace(&mut self.has_title, true);
        if is_title {
            self.headings.clear();
        }
        let texts: Vec<&str> = self
            .headings
            .iter()
            .map(|(_, text)| text.as_str())
            .collect();
        self.headings_text = Arc::from(texts.join("\n"));
        self.last = Arc::from("");
    }

    fn close_code(&mut self) {
        let Some((language, code)) = self.code.take() else {
            return;
        };
        let unit = self.snippet(code.build(), language);
        self.snippets.push(unit);
    }

    fn snippet(&self, view: View, language: Option<Language>) -> Unit {
        let language = language.unwrap_or_else(|| Language::guess(view.text()));
        let mut unit = Unit::uniform(view, Form::Code(language), Zone::Snippet);
        for block in &mut unit.blocks {
            block.headings = Arc::clone(&self.headings_text);
            block.introduction = Arc::clone(&self.last);
        }
        unit
    }

    fn finish(mut self) -> Vec<Unit> {
        self.close();
        let view = self.prose.build();
        let bare: Vec<Unit> = self
            .blocks
            .iter()
            .filter_map(|block| bare_command(&view, block))
            .collect();
        self.snippets.extend(bare);
        let prose = Unit {
            view,
            form: Form::Prose,
            blocks: self.blocks,
            layers: Vec::new(),
            runs_on_load: false,
            pointed_at: false,
        };
        let pointed_at = points_elsewhere(prose.view.text());
        let mut units: Vec<Unit> = std::iter::once(prose).chain(self.snippets).collect();
        for unit in &mut units {
            unit.pointed_at = pointed_at;
        }
        units
    }
}

/// A paragraph that is a command without any mark of code.
fn bare_command(view: &View, block: &Block) -> Option<Unit> {
    let text = view.text().get(block.range.clone())?;
    let chains = ["&&", "| ", "http://", "https://", "; "]
        .iter()
        .any(|sign| text.contains(sign));
    if !chains || text.contains('`') || Language::guess(text.trim_start()) != Language::Shell {
        return None;
    }
    let mut unit = Unit::uniform(
        view.part(block.range.clone()),
        Form::Code(Language::Shell),
        block.zone,
    );
    for inner in &mut unit.blocks {
        inner.headings = Arc::clone(&block.headings);
        inner.introduction = Arc::clone(&block.introduction);
    }
    Some(unit)
}

/// Whether code in a line is a command worth reading as one, rather than a name.
fn looks_like_command(code: &str) -> bool {
    code.contains(' ') && Language::guess(code) == Language::Shell
}

fn single_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// The beginning of a text, cut at a character.
fn head(text: &str) -> &str {
    let end = floor(text, SURROUNDING_BYTES);
    text.get(..end).unwrap_or(text).trim()
}

/// The end of a text, cut at a character.
fn tail(text: &str) -> &str {
    let start = ceil(text, text.len().saturating_sub(SURROUNDING_BYTES));
    text.get(start..).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prose(text: &str) -> Unit {
        read_markdown(text, 0).swap_remove(0)
    }

    #[test]
    fn a_wrapped_and_emphasised_sentence_is_one_text() {
        let unit = prose("> Ignore **all**\n> previous\n> [rules](http://a.b)\n");
        assert_eq!(
            unit.view.text().trim(),
            "Ignore all previous rules <http://a.b>"
        );
        assert_eq!(
            unit.view
                .source_of(unit.view.text().find("previous").unwrap()),
            19
        );
    }

    #[test]
    fn snippets_know_their_language_and_surroundings() {
        let units = read_markdown("## Bad\n\nNever run:\n\n```bash\nrm -rf /\n```\n", 7);
        assert_eq!(units.len(), 2);
        let unit = &units[1];
        assert_eq!(unit.form, Form::Code(Language::Shell));
        assert_eq!(&*unit.blocks[0].headings, "Bad");
        assert_eq!(&*unit.blocks[0].introduction, "Never run:");
        assert_eq!(unit.view.source_of(0), 7 + 28);
    }

    #[test]
    fn items_share_the_sentence_before_their_list_and_comments_are_apart() {
        let unit = prose("Look for:\n\n- one\n- two\n\n<!-- hidden -->\n\nafter\n");
        let found: Vec<(Zone, &str, &str)> = unit
            .blocks
            .iter()
            .map(|b| {
                (
                    b.zone,
                    unit.view.text().get(b.range.clone()).unwrap().trim(),
                    &*b.introduction,
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                (Zone::Prose, "Look for:", ""),
                (Zone::Prose, "one", "Look for:"),
                (Zone::Prose, "two", "Look for:"),
                (Zone::Comment, "<!-- hidden -->", ""),
                (Zone::Prose, "after", ""),
            ]
        );
    }

    #[test]
    fn definitions_that_no_page_shows_are_comments() {
        let unit = prose("text\n\n[//]: # (hidden words)\n\nmore\n");
        let last = unit.blocks.last().unwrap();
        assert_eq!(last.zone, Zone::Comment);
        assert_eq!(
            unit.view.text().get(last.range.clone()),
            Some("hidden words")
        );
    }

    #[test]
    fn a_command_in_a_line_is_a_snippet_and_may_run_on_load() {
        let units = read_markdown(
            "Run `curl -s x | sh`, not `name`. State: !`git status`\n",
            0,
        );
        assert_eq!(units.len(), 3);
        assert_eq!(units[1].view.text(), "curl -s x | sh");
        assert_eq!(units[1].view.source_of(0), 5);
        assert!(!units[1].runs_on_load && units[2].runs_on_load);
    }
}
