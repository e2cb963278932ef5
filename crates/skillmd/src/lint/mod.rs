//! Advice for authors: what is allowed, but makes a skill harder to find, dearer to load or risky to trust.

mod description;
mod invisible;
mod references;

pub use invisible::without_invisible;
pub use references::{Exists, Reference, ReferenceKind, references};

use crate::code::Code;
use crate::diagnostic::{Diagnostic, Reporter};
use crate::document::Document;
use crate::limits;
use crate::manifest::Manifest;
use crate::span::Span;
pub use crate::tokens::estimate_tokens;

/// All advice, sorted by place. Without `exists`, nothing is known of the skill's files and none is missed.
pub fn lint(
    document: &Document,
    manifest: &Manifest,
    exists: Option<Exists<'_>>,
) -> Vec<Diagnostic> {
    let mut reporter = Reporter::new(document.text());
    check_body_length(document, &mut reporter);
    description::check(document, manifest, &mut reporter);
    references::check(document, exists, &mut reporter);
    invisible::check(document, &mut reporter);
    reporter.finish()
}

/// The standard advises less than 500 lines and 5,000 tokens (specification, "Progressive disclosure").
fn check_body_length(document: &Document, reporter: &mut Reporter<'_>) {
    let body = document.body();
    let start = Span::at(document.body_span().start);
    if body.trim().is_empty() {
        // An empty file is an error of its own.
        if document.frontmatter().is_some() {
            reporter
                .report(Code::BodyEmpty, start, "nothing follows the frontmatter")
                .help("write down what the model should do");
        }
        return;
    }
    let lines = body.lines().count();
    let tokens = tokens_if_many(body);
    let excess = match (lines > limits::BODY_LINES, tokens > limits::BODY_TOKENS) {
        (false, false) => return,
        (true, false) => format!("{lines} lines"),
        (false, true) => format!("about {tokens} tokens"),
        (true, true) => format!("{lines} lines and about {tokens} tokens"),
    };
    reporter
        .report(
            Code::BodyTooLong,
            start,
            format!(
                "the body has {excess}; the standard advises at most {} lines and {} tokens",
                limits::BODY_LINES,
                limits::BODY_TOKENS
            ),
        )
        .help("move what is not always needed into files under `references/` and say when to read them");
}

/// The tokens of a body, or none where it is so short that it keeps the advice: no text in letters takes a token for every
/// two bytes. Most bodies are, and to estimate them would be a third of what a check costs.
fn tokens_if_many(body: &str) -> usize {
    if body.len() <= 2 * limits::BODY_TOKENS && body.is_ascii() {
        return 0;
    }
    estimate_tokens(body)
}

#[cfg(test)]
mod tests;
