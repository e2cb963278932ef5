//! Finds the frontmatter: which lines open and close it, and what stands in their way.
//!
//! A fence is a whole line, `---` for YAML or `+++` for TOML; blanks may follow it. Only a fence at the first column
//! closes. What authors do instead (no closer, text glued to it, a comment first, no opener) is read as they meant it
//! and reported.

use crate::code::Code;
use crate::diagnostic::{Edit, Reporter};
use crate::document::{Frontmatter, Language};
use crate::key_line::{is_key_line, is_toml_key_line, key_of, toml_key};
use crate::keys::known_top_level;
use crate::lines::Line;
use crate::span::Span;

/// A frontmatter block that may be the one meant, with the body that follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) frontmatter: Frontmatter,
    pub(crate) body: Span,
    pub(crate) ending: Ending,
}

/// What ends a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// A fence on a line of its own.
    Fence,
    /// `---# Title` or `------`: what was meant as the fence.
    Spoilt,
    /// No fence: the first line that cannot belong to an entry.
    Missing,
}

/// Where a frontmatter may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Opening {
    language: Language,
    opener: Span,
    block_start: usize,
}

/// Finds the line that opens the frontmatter and reports what is odd about it; without one, reports what there is instead.
pub(crate) fn opening(reporter: &mut Reporter<'_>) -> Option<Opening> {
    let text = reporter.text();
    let first = first_content(text);
    let line = Line::at(text, first)?;
    whole_opening(line, reporter)
        .or_else(|| ruled_opening(line, reporter))
        .or_else(|| glued_opening(line, reporter))
        .or_else(|| missing_opening(line, reporter))
        .or_else(|| {
            report_missing(first, reporter);
            None
        })
}

/// What an editor or a web page leaves around a fence unseen: zero-width characters, and a second byte order mark.
const UNSEEN: [char; 5] = ['\u{200B}', '\u{200C}', '\u{200D}', '\u{2060}', '\u{FEFF}'];

/// What is to be seen of a line, and where it stands.
fn seen(line: Line<'_>) -> (&str, Span) {
    let is_unseen = |c: char| c.is_whitespace() || UNSEEN.contains(&c);
    let from_start = line.text.trim_start_matches(is_unseen);
    let start = line.start + (line.text.len() - from_start.len());
    let content = from_start.trim_end_matches(is_unseen);
    (content, Span::new(start, start + content.len()))
}

/// Offset of the first line that is neither blank nor part of an HTML comment.
fn first_content(text: &str) -> usize {
    let mut offset = 0;
    while let Some(line) = Line::at(text, offset) {
        let (content, _) = seen(line);
        if content.is_empty() {
            offset = line.next;
        } else if content.starts_with("<!--") {
            let Some(length) = text[offset..].find("-->") else {
                break;
            };
            match Line::at(text, offset + length + 3) {
                Some(rest) if rest.is_blank() => offset = rest.next,
                _ => break,
            }
        } else {
            break;
        }
    }
    offset
}

/// A fence on a line of its own, whatever is not seen around it.
fn whole_opening(line: Line<'_>, reporter: &mut Reporter<'_>) -> Option<Opening> {
    let (content, opener) = seen(line);
    let language = [Language::Yaml, Language::Toml]
        .into_iter()
        .find(|language| content == language.fence())?;
    if opener.start > 0 {
        note_not_first(reporter, opener.start);
    }
    let after = Span::new(opener.end, line.span().end);
    if !after.slice(reporter.text()).trim().is_empty() {
        let message = format!("an invisible character follows `{content}`");
        reporter
            .report(Code::FrontmatterOpenerGlued, after, message)
            .help("the fence must stand alone on its line")
            .fix("delete it", Edit::delete(after));
    }
    Some(Opening {
        language,
        opener,
        block_start: line.next,
    })
}

fn note_not_first(reporter: &mut Reporter<'_>, end: usize) {
    let before = &reporter.text()[..end];
    let comment = before.contains("<!--");
    let what = if comment {
        "a comment"
    } else if before.trim().is_empty() {
        "blank space"
    } else {
        "an invisible character"
    };
    let diagnostic = reporter.report(
        Code::FrontmatterNotFirst,
        Span::new(0, end),
        format!("{what} stands before the frontmatter"),
    );
    diagnostic.help("many clients look for the opening fence in the first bytes of the file only");
    if !comment {
        diagnostic.fix("begin with the fence", Edit::delete(Span::new(0, end)));
    }
}

/// `----`: too many or too few hyphens, above a key that clients know and a line that closes.
fn ruled_opening(line: Line<'_>, reporter: &mut Reporter<'_>) -> Option<Opening> {
    let (content, opener) = seen(line);
    let text = reporter.text();
    let below = Line::within(text, Span::new(line.next, text.len()))
        .find(|line| !line.is_blank() && !line.text.starts_with('#'))?;
    let (language, key) = match content.chars().next()? {
        '+' => (Language::Toml, toml_key(below.text)?),
        _ => (Language::Yaml, key_of(below.text)?.0),
    };
    let closes =
        |line: Line<'_>| is_rule(line.text) && line.text.chars().next() == content.chars().next();
    let is_closed = Line::within(text, Span::new(below.next, text.len())).any(closes);
    if !is_rule(content) || known_top_level(key).is_none() || !is_closed {
        return None;
    }
    if opener.start > 0 {
        note_not_first(reporter, opener.start);
    }
    let fence = language.fence();
    reporter
        .report(
            Code::FrontmatterOpenerGlued,
            opener,
            format!("this line should be `{fence}`"),
        )
        .help("most clients do not see this fence and find no frontmatter")
        .fix(format!("write `{fence}`"), Edit::replace(opener, fence));
    Some(Opening {
        language,
        opener,
        block_start: line.next,
    })
}

/// `---name: x`: the first entry stands on the fence's line.
fn glued_opening(line: Line<'_>, reporter: &mut Reporter<'_>) -> Option<Opening> {
    let language = [Language::Yaml, Language::Toml]
        .into_iter()
        .find(|language| line.text.starts_with(language.fence()))?;
    let rest = line.text[3..].trim_start();
    let is_comment = rest.starts_with('#') && line.text[3..].starts_with([' ', '\t']);
    if !is_key_line(rest) && !is_comment {
        return None;
    }
    let opener = Span::new(line.start, line.start + 3);
    reporter
        .report(
            Code::FrontmatterOpenerGlued,
            line.span(),
            format!("text follows `{}` on the opening line", language.fence()),
        )
        .help("the fence must stand alone on its line")
        .fix("break the line", Edit::insert(opener.end, "\n"));
    Some(Opening {
        language,
        opener,
        block_start: opener.end + (line.text.len() - 3 - rest.len()),
    })
}

/// `name: x` on the first line, and a line of hyphens below: the opener was forgotten.
fn missing_opening(line: Line<'_>, reporter: &mut Reporter<'_>) -> Option<Opening> {
    if !(line.text.starts_with("name:") || line.text.starts_with("description:")) {
        return None;
    }
    reporter
        .report(
            Code::FrontmatterOpenerMissing,
            line.span(),
            "the line `---` above the first key is missing",
        )
        .help("clients find no frontmatter and skip the skill")
        .fix("add the line", Edit::insert(line.start, "---\n"));
    Some(Opening {
        language: Language::Yaml,
        opener: Span::at(line.start),
        block_start: line.start,
    })
}

fn report_missing(first: usize, reporter: &mut Reporter<'_>) {
    let text = reporter.text();
    let Some(line) = Line::at(text, first) else {
        return;
    };
    reporter
        .report(
            Code::FrontmatterMissing,
            line.span(),
            "the file does not begin with a frontmatter",
        )
        .help("begin the file with `---`, a line `name: …`, a line `description: …` and another `---`");
    if let Some((code, span)) = frontmatter_elsewhere(text, first) {
        let message = match code {
            Code::FrontmatterInCodeFence => "this frontmatter is wrapped in a code block",
            _ => "this block looks like the frontmatter, but is not at the top",
        };
        reporter
            .report(code, span, message)
            .help("move it to the first line of the file");
    }
}

/// How far down a misplaced frontmatter is looked for, in lines.
const MISPLACED_LINES: usize = 200;

/// A later `---` whose next line is a `name:` or `description:`, and whether a Markdown code fence opens above it.
fn frontmatter_elsewhere(text: &str, first: usize) -> Option<(Code, Span)> {
    let mut previous: Option<Line<'_>> = None;
    let mut in_code = false;
    let lines = Line::within(text, Span::new(first, text.len()));
    for line in lines.take(MISPLACED_LINES) {
        let is_start = line.text.starts_with("name:") || line.text.starts_with("description:");
        if let Some(above) = previous {
            let fenced = above.text.trim() == Language::Yaml.fence();
            let code_above = above.text.trim_start().starts_with("```");
            if is_start && (fenced || (code_above && in_code)) {
                let code = if in_code {
                    Code::FrontmatterInCodeFence
                } else {
                    Code::FrontmatterFurtherDown
                };
                return Some((code, above.span()));
            }
        }
        if line.text.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if !line.is_blank() {
            previous = Some(line);
        }
    }
    None
}

impl Opening {
    /// The blocks that closing fences at the first column make, nearest first. More than one is of use only where
    /// a fence can stand inside a value (a TOML multi-line string).
    pub(crate) fn closed_blocks(self, text: &str) -> impl Iterator<Item = Block> + '_ {
        let all = Span::new(self.block_start, text.len());
        Line::within(text, all)
            .filter(move |line| line.text.trim_end() == self.language.fence())
            .map(move |line| {
                let closer = Span::new(line.start, line.start + 3);
                self.block(text, line.start, Some(closer), line.next, Ending::Fence)
            })
    }

    /// The block that a spoilt fence would close, when one stands before byte `limit`: a fence with text glued to it, or
    /// a line of too many or too few hyphens.
    pub(crate) fn spoilt_block(self, text: &str, limit: usize) -> Option<Block> {
        let fence = self.language.fence();
        let is_glued = |line: &str| {
            line.strip_prefix(fence)
                .is_some_and(|rest| !rest.trim().is_empty() && !rest.starts_with(['-', '+', ' ']))
        };
        let line = Line::within(text, Span::new(self.block_start, limit))
            .find(|line| is_glued(line.text) || (is_rule(line.text) && line.indent() == 0))?;
        let (closer, body) = if is_rule(line.text) {
            (line.span(), line.next)
        } else {
            (Span::new(line.start, line.start + 3), line.start + 3)
        };
        Some(self.block(text, line.start, Some(closer), body, Ending::Spoilt))
    }

    /// The block up to the first line that cannot belong to an entry, for want of a closing fence.
    pub(crate) fn unclosed_block(self, text: &str) -> Block {
        let mut end = self.block_start;
        let mut after_blank = false;
        for line in Line::within(text, Span::new(self.block_start, text.len())) {
            if line.is_blank() {
                after_blank = true;
                continue;
            }
            if is_rule(line.text) {
                return self.block(text, end, None, line.next, Ending::Missing);
            }
            let heading = line.text.starts_with('#') && after_blank && !is_above_key(text, line);
            if heading || !may_belong(self.language, line.text) {
                break;
            }
            after_blank = false;
            end = line.next;
        }
        self.block(text, end, None, end, Ending::Missing)
    }

    fn block(
        self,
        text: &str,
        block_end: usize,
        closer: Option<Span>,
        body_start: usize,
        ending: Ending,
    ) -> Block {
        Block {
            frontmatter: Frontmatter {
                language: self.language,
                opener: self.opener,
                block: Span::new(self.block_start, block_end),
                closer,
            },
            body: Span::new(body_start, text.len()),
            ending,
        }
    }

    /// Whether an unclosed block ends where a frontmatter must have ended: above a Markdown heading, or anywhere when
    /// the opener is missing as well. Other stray lines may continue the value above them.
    pub(crate) fn ends_for_certain(self, text: &str, unclosed: &Block) -> bool {
        let next = Line::within(text, unclosed.body).find(|line| !line.is_blank());
        self.opener.is_empty() || next.is_some_and(|line| line.text.starts_with('#'))
    }

    pub(crate) fn language(self) -> Language {
        self.language
    }
}

impl Block {
    /// Reports how the block ends, when not by a fence on its own line.
    pub(crate) fn report_ending(&self, reporter: &mut Reporter<'_>) {
        let Frontmatter {
            language,
            opener,
            block,
            closer,
        } = self.frontmatter;
        let fence = language.fence();
        match self.ending {
            Ending::Fence => {}
            Ending::Spoilt => {
                let closer = closer.unwrap_or(Span::at(block.end));
                let is_glued = closer.slice(reporter.text()) == fence;
                let (message, fix) = if is_glued {
                    (
                        format!("text follows the closing `{fence}` on its line"),
                        Edit::insert(closer.end, "\n"),
                    )
                } else {
                    (
                        format!("this line should be `{fence}`"),
                        Edit::replace(closer, fence),
                    )
                };
                reporter
                    .report(Code::FrontmatterCloserGlued, closer, message)
                    .help("most clients do not see this fence and find no frontmatter")
                    .fix("put the fence on a line of its own", fix);
            }
            Ending::Missing => {
                let text = reporter.text();
                // A line of hyphens where the fence should be gives way to it.
                let replaced = Span::new(block.end, self.body.start);
                let open_line = !text[..block.end].is_empty() && !text[..block.end].ends_with('\n');
                let line_break = if open_line { "\n" } else { "" };
                reporter
                    .report(
                        Code::FrontmatterUnclosed,
                        opener,
                        format!("no line `{fence}` closes the frontmatter"),
                    )
                    .help("the entries end at the first line that cannot be one")
                    .fix(
                        format!("add the line `{fence}`"),
                        Edit::replace(replaced, format!("{line_break}{fence}\n")),
                    );
            }
        }
    }
}

/// Whether the next line that is not blank is a key's: a comment above an entry looks like a heading.
fn is_above_key(text: &str, line: Line<'_>) -> bool {
    Line::within(text, Span::new(line.next, text.len()))
        .find(|line| !line.is_blank())
        .is_some_and(|line| is_key_line(line.text))
}

/// Whether the line is nothing but two or more hyphens or plus signs, blanks around allowed.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 2
        && (line.bytes().all(|byte| byte == b'-') || line.bytes().all(|byte| byte == b'+'))
}

/// Whether a line can be part of a frontmatter's entries.
fn may_belong(language: Language, line: &str) -> bool {
    match language {
        Language::Yaml => {
            line.starts_with([' ', '\t', '#'])
                || line.starts_with("- ")
                || line == "-"
                || line.starts_with(['}', ']'])
                || is_key_line(line)
        }
        Language::Toml => {
            line.starts_with([' ', '\t', '#', '[', ']', '}']) || is_toml_key_line(line)
        }
    }
}
