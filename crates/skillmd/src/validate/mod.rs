//! The standard's rules, strictly and all of them (Agent Skills specification, "SKILL.md format").
//!
//! Reading forgives what clients forgive; here it counts. Where the specification's text is silent its reference
//! library decides, except where that library stumbles over YAML that the specification allows: flow style, anchors,
//! tags, a `---` inside a value.
//!
//! A skill is valid when neither reading nor validation found an error: [`merge`] puts both together and [`is_valid`]
//! answers.

mod fields;
mod unknown_keys;

use crate::code::Code;
use crate::diagnostic::{Diagnostic, Edit, Fix, Reporter, Severity, sort};
use crate::document::{Document, Frontmatter};
use crate::manifest::Manifest;
use crate::span::Span;

/// What is known of the place that a document was read from. What is not known is not judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The name of the directory that holds the file.
    pub directory: Option<String>,
    /// The name of the file.
    pub file_name: Option<String>,
    /// How many levels the skill's directory lies below the root that was searched, from 1.
    pub depth: Option<usize>,
}

/// All ways in which the document breaks the standard, sorted by place.
///
/// Faults that the parser reported are not repeated, with one exception: what reading only notes (see
/// [`Code::checked_severity`]) comes again as an error. [`merge`] drops the note.
pub fn validate(document: &Document, manifest: &Manifest, context: &Context) -> Vec<Diagnostic> {
    let mut reporter = Reporter::new(document.text());
    check_file_name(context, &mut reporter);
    // Without a frontmatter, or with an empty one, the parser has said all there is to say.
    if let Some(frontmatter) = document.frontmatter()
        && !document.entries().is_empty()
    {
        let mut rules = Rules {
            document,
            manifest,
            context,
            frontmatter,
            reporter: &mut reporter,
        };
        rules.check_fields();
        rules.check_unknown_keys();
    }
    let mut diagnostics = reporter.finish();
    diagnostics.extend(raised_notes(document));
    sort(&mut diagnostics);
    diagnostics
}

/// What reading (parser and manifest) and validation found, as one sorted list without what they say twice.
pub fn merge(reading: Vec<Diagnostic>, validation: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let is_repeated = |note: &Diagnostic| {
        validation.iter().any(|found| {
            found.span == note.span
                && (found.code == note.code
                    || note.code == Code::WrongType
                    || note.code == Code::KeySpelling)
        })
    };
    let mut merged: Vec<_> = reading
        .into_iter()
        .filter(|note| !is_repeated(note))
        .collect();
    merged.extend(validation);
    sort(&mut merged);
    merged
}

/// Whether there is no error among the diagnostics.
pub fn is_valid(diagnostics: &[Diagnostic]) -> bool {
    diagnostics
        .iter()
        .all(|diagnostic| diagnostic.severity != Severity::Error)
}

/// A document with a frontmatter, under the rules.
struct Rules<'d, 'r> {
    document: &'d Document,
    manifest: &'d Manifest,
    context: &'d Context,
    frontmatter: &'d Frontmatter,
    reporter: &'r mut Reporter<'d>,
}

/// The specification asks for `SKILL.md`; the reference library also finds `skill.md`.
fn check_file_name(context: &Context, reporter: &mut Reporter<'_>) {
    let Some(file_name) = context.file_name.as_deref() else {
        return;
    };
    let severity = match file_name {
        "SKILL.md" => return,
        "skill.md" => Severity::Warning,
        _ => Severity::Error,
    };
    reporter
        .report(
            Code::FileNameCase,
            Span::at(0),
            format!("the file is named `{file_name}`, not `SKILL.md`"),
        )
        .severity(severity)
        .help("rename it: many clients look for exactly `SKILL.md`");
}

/// The parser's notes about what the standard does not allow, as errors.
fn raised_notes(document: &Document) -> Vec<Diagnostic> {
    let mut raised: Vec<_> = document
        .diagnostics()
        .iter()
        .filter(|note| note.code.checked_severity() > note.severity)
        .cloned()
        .collect();
    for note in &mut raised {
        note.severity = note.code.checked_severity();
        if note.code == Code::FrontmatterNotFirst && note.fix.is_none() {
            note.fix = comment_below(document, note.span);
        }
    }
    raised
}

/// Moves a comment above the frontmatter to the top of the body, so that its text (often a licence) is kept.
fn comment_below(document: &Document, comment: Span) -> Option<Fix> {
    document.frontmatter()?.closer?;
    let text = comment.slice(document.text());
    let line_break = if text.ends_with('\n') { "" } else { "\n" };
    Some(Fix {
        title: "move the comment below the frontmatter".to_owned(),
        edits: vec![
            Edit::delete(comment),
            Edit::insert(document.body_span().start, format!("{text}{line_break}")),
        ],
    })
}

#[cfg(test)]
mod tests;
