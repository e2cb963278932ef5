//! Findings of the guard for people: what was found, the line with a caret, why it matters, what to do.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use skillful::scanner::report::FindingReport;
use skillful::scanner::{Lowering, Rule, Severity};

use crate::terminal::{cut, printable};

/// Characters of a line that are drawn, and how many of them stand before the place in a longer one.
const DRAWN: usize = 120;
const BEFORE: usize = 40;
/// Characters of a reason, which is a paragraph on the rule's page.
const WHY: usize = 240;

/// A line as it is drawn, nothing hostile in it, and where in it the finding stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    text: String,
    /// A byte of `text`.
    start: usize,
    end: usize,
}

impl Place {
    /// The place at a column, in characters from 1; nothing when the line has no such column.
    pub(crate) fn in_line(line: &str, column: usize) -> Option<Self> {
        let at = column.checked_sub(1)?;
        let indent = line.chars().take_while(|c| c.is_whitespace()).count();
        let is_long = line.chars().count() > DRAWN;
        let skipped = if is_long && at > BEFORE {
            at - BEFORE
        } else {
            indent.min(at)
        };
        let mut text = String::new();
        let mut span = None;
        for (index, character) in line.chars().enumerate().skip(skipped).take(DRAWN) {
            let start = text.len();
            text.push_str(&printable(character.encode_utf8(&mut [0; 4])));
            if index == at {
                span = Some((start, text.len()));
            }
        }
        let (start, end) = span?;
        let text = text.trim_end().to_owned();
        (end <= text.len()).then_some(Self { text, start, end })
    }
}

/// A finding with what its report does not hold.
pub(crate) struct Drawing<'d> {
    /// The file's path, printable.
    pub(crate) path: &'d str,
    /// The rule that was met.
    pub(crate) rule: Option<&'d Rule>,
    pub(crate) finding: &'d FindingReport,
    /// The line, where it could be read from the file.
    pub(crate) place: Option<&'d Place>,
    /// A remark of the caller, printable.
    pub(crate) note: Option<&'d str>,
}

/// Draws findings in one look, with or without colours.
pub(crate) struct FindingRenderer {
    renderer: Renderer,
}

impl FindingRenderer {
    pub(crate) fn new(styled: bool) -> Self {
        let renderer = if styled {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        Self {
            renderer: renderer.decor_style(DecorStyle::Ascii),
        }
    }

    /// One finding, without a final line break.
    pub(crate) fn render(&self, drawing: &Drawing<'_>) -> String {
        let finding = drawing.finding;
        let level = match finding.severity {
            Severity::Critical | Severity::High => Level::ERROR,
            Severity::Medium => Level::WARNING,
            Severity::Low | Severity::Info => Level::INFO,
        };
        let title = drawing.rule.map_or("", |rule| &*rule.title);
        let title = level
            .with_name(finding.severity.as_str())
            .primary_title(title)
            .id(finding.rule.as_str());
        let excerpt = printable(&finding.excerpt);
        let (text, span) = match drawing.place {
            Some(place) => (&*place.text, place.start..place.end),
            None => (&*excerpt, 0..excerpt.len()),
        };
        let label = format!("{} confidence", finding.confidence);
        let mut group = if text.is_empty() {
            let origin = Origin::path(drawing.path);
            title.element(origin.line(finding.line).char_column(finding.column))
        } else {
            let annotation = AnnotationKind::Primary.span(span).label(label.as_str());
            let snippet = Snippet::source(text).path(drawing.path);
            title.element(snippet.line_start(finding.line).annotation(annotation))
        };
        let lowered = lowered(finding);
        let why = drawing.rule.map(|rule| first_sentences(&rule.why));
        let note = finding
            .note
            .as_deref()
            .map(|note| cut(&printable(note), WHY));
        let notes = [
            ("found", note),
            ("why", why),
            ("less sure", lowered),
            ("note", drawing.note.map(str::to_owned)),
        ];
        for (name, text) in notes {
            if let Some(text) = text {
                group = group.element(Level::NOTE.with_name(name).message(text));
            }
        }
        group = group.element(Level::HELP.message(finding.help.as_str()));
        self.renderer.render(&[group])
    }
}

/// Why the finding counts for less.
fn lowered(finding: &FindingReport) -> Option<String> {
    let reasons: Vec<&str> = finding.lowered.iter().copied().map(in_words).collect();
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

const fn in_words(reason: Lowering) -> &'static str {
    match reason {
        Lowering::Negated => "the sentence forbids it",
        Lowering::Quoted => "it stands in quotation marks",
        Lowering::QuotedItem => "an item that is nothing but a quotation",
        Lowering::Table => "it stands in a table",
        Lowering::TeachingHeading => "the headings above speak of risks",
        Lowering::TeachingIntroduction => "the sentence before says that bad examples follow",
        Lowering::AttackNamed => "the text before names it as an attack",
        Lowering::Comment => "it is a comment",
        Lowering::TestFile => "it is in a file of tests or fixtures",
        Lowering::Fixture => "in a fixture of tests",
        Lowering::TestText => "it is a sentence for a test to read",
        Lowering::PatternList => "it is in a list of patterns that a program looks for",
    }
}

/// As many whole sentences as there is room for, in one line; at least a part of the first.
fn first_sentences(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut end = 0;
    for (at, _) in line.match_indices(". ") {
        if line[..=at].chars().count() <= WHY {
            end = at + 1;
        }
    }
    if line.chars().count() <= WHY {
        line
    } else if end > 0 {
        line[..end].to_owned()
    } else {
        cut(&line, WHY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The drawn line and what is marked in it.
    fn place(line: &str, column: usize) -> Vec<String> {
        let place = Place::in_line(line, column);
        let marked = |place: Place| {
            let marked = place.text[place.start..place.end].to_owned();
            vec![place.text, marked]
        };
        place.map(marked).unwrap_or_default()
    }

    #[test]
    fn a_caret_stands_under_its_character() {
        assert_eq!(place("  öab", 4), ["öab", "a"]);
        assert_eq!(place("a\u{1b}[2Jb", 6), ["a\\u{1b}[2Jb", "b"]);
        assert_eq!(place("a\u{200b}", 2), ["a\\u{200b}", "\\u{200b}"]);
        for (line, column) in [("ab", 3), ("a  ", 3), ("", 1), ("a", 0)] {
            assert!(place(line, column).is_empty(), "{line:?}");
        }
        let long = format!("{}x{}", "a".repeat(500), "b".repeat(500));
        let drawn = place(&long, 501);
        assert_eq!((drawn[0].len(), &*drawn[1]), (DRAWN, "x"));
    }

    #[test]
    fn a_reason_is_cut_after_a_sentence() {
        assert_eq!(first_sentences("a\nb. c."), "a b. c.");
        let long = format!("First. Second. {}.", "word ".repeat(80));
        assert_eq!(first_sentences(&long), "First. Second.");
        assert!(first_sentences(&"x".repeat(400)).ends_with('…'));
    }
}
