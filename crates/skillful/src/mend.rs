//! Applies the fixes that diagnostics offer, again and again until none is left.

use std::collections::BTreeSet;

use skillmd::edit::apply_fixes;
use skillmd::limits::FIX_ROUNDS;
use skillmd::{Code, Diagnostic, Document, Encoding, parse_text};

use crate::check::{Rules, Subject};

/// A text after all fixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mended {
    /// The decoded text before.
    pub before: String,
    /// The text afterwards.
    pub text: String,
    /// How the text is to be written: as before, unless that was mended.
    pub encoding: Encoding,
    /// What was done, in order.
    pub applied: Vec<AppliedFix>,
    /// What is left for a person.
    pub remaining: Vec<Diagnostic>,
}

impl Mended {
    /// The bytes afterwards.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.encoding.encode(&self.text)
    }
}

/// A fix that was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedFix {
    /// The diagnostic that offered it.
    pub code: Code,
    /// What it did, as an order.
    pub title: String,
}

/// Mends a document. With `only`, fixes of other codes are left alone.
///
/// A fix may uncover what was hidden before, so the text is read and checked anew after each round.
pub fn mend(document: Document, subject: &Subject, only: &BTreeSet<Code>) -> Mended {
    let before = document.text().to_owned();
    let mut applied = Vec::new();
    let mut document = document;
    let rules = Rules::default();
    let mut remaining = subject.diagnostics(&document, &rules);
    for _ in 0..FIX_ROUNDS {
        let wanted: Vec<Diagnostic> = remaining
            .iter()
            .filter(|found| only.is_empty() || only.contains(&found.code))
            .cloned()
            .collect();
        let recoded = wanted.iter().filter(|found| is_about_encoding(found));
        applied.extend(recoded.filter_map(AppliedFix::of));
        let encoding = if wanted.iter().any(is_about_encoding) {
            Encoding::Utf8
        } else {
            document.encoding()
        };
        let fixes = apply_fixes(document.text(), &wanted);
        let done = fixes.applied.iter().filter_map(|&index| wanted.get(index));
        applied.extend(done.filter_map(AppliedFix::of));
        if fixes.applied.is_empty() && encoding == document.encoding() {
            break;
        }
        document = parse_text(fixes.text, encoding);
        remaining = subject.diagnostics(&document, &rules);
    }
    Mended {
        before,
        encoding: document.encoding(),
        text: document.into_text(),
        applied,
        remaining,
    }
}

/// Whether a diagnostic is mended by writing the file in UTF-8, which no edit of its text can do.
fn is_about_encoding(found: &Diagnostic) -> bool {
    matches!(found.code, Code::ByteOrderMark | Code::Utf16)
}

impl AppliedFix {
    fn of(found: &Diagnostic) -> Option<Self> {
        Some(Self {
            code: found.code,
            title: found.fix.as_ref()?.title.clone(),
        })
    }
}
