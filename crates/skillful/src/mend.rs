//! Applies the fixes that diagnostics offer, again and again until none is left.

use std::collections::BTreeSet;

use skillmd::edit::apply_fixes;
use skillmd::limits::{FILE_BYTES, FIX_ROUNDS};
use skillmd::{Code, Diagnostic, Document, Encoding, Severity, parse_text};

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
/// A fix may uncover what was hidden before, so the text is read and checked anew after each round. A round that changes
/// nothing, or after which there are more errors than before, is not made.
pub fn mend(mut document: Document, subject: &Subject, only: &BTreeSet<Code>) -> Mended {
    let before = document.text().to_owned();
    let rules = Rules::default();
    let mut applied = Vec::new();
    let mut remaining = subject.diagnostics(&document, &rules);
    for _ in 0..FIX_ROUNDS {
        let Some(round) = Round::of(&document, &remaining, only) else {
            break;
        };
        let mended = parse_text(round.text, round.encoding);
        let left = subject.diagnostics(&mended, &rules);
        if errors(&left) > errors(&remaining) || mended.to_bytes().len() > FILE_BYTES {
            break;
        }
        applied.extend(round.applied);
        document = mended;
        remaining = left;
    }
    Mended {
        before,
        encoding: document.encoding(),
        text: document.into_text(),
        applied,
        remaining,
    }
}

fn errors(diagnostics: &[Diagnostic]) -> usize {
    let errors = diagnostics
        .iter()
        .filter(|found| found.severity == Severity::Error);
    errors.count()
}

/// What becomes of a document when all fixes are applied that do not touch each other.
struct Round {
    text: String,
    encoding: Encoding,
    applied: Vec<AppliedFix>,
}

impl Round {
    /// Nothing when that would change nothing.
    fn of(document: &Document, found: &[Diagnostic], only: &BTreeSet<Code>) -> Option<Self> {
        let wanted: Vec<Diagnostic> = found
            .iter()
            .filter(|found| only.is_empty() || only.contains(&found.code))
            .cloned()
            .collect();
        let is_recoding =
            |found: &&Diagnostic| is_about_encoding(found) && document.encoding() != Encoding::Utf8;
        let recoded: Vec<&Diagnostic> = wanted.iter().filter(is_recoding).collect();
        let encoding = if recoded.is_empty() {
            document.encoding()
        } else {
            Encoding::Utf8
        };
        let fixes = apply_fixes(document.text(), &wanted);
        if fixes.text == document.text() && encoding == document.encoding() {
            return None;
        }
        let edited = fixes.applied.iter().filter_map(|&index| wanted.get(index));
        let applied = recoded.into_iter().chain(edited);
        Some(Self {
            applied: applied.filter_map(AppliedFix::of).collect(),
            text: fixes.text,
            encoding,
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(text: &str) -> Mended {
        let document = parse_text(text.to_owned(), Encoding::Utf8);
        mend(
            document,
            &Subject::without_place("SKILL.md"),
            &BTreeSet::new(),
        )
    }

    /// Whatever the fault, mending twice is mending once, and never makes more errors.
    #[test]
    fn mending_converges() {
        for block in [
            "description:\"Does x. Use when asked.\"",
            "description:= Does x",
            "description:\"a\" b",
            "description:~ Does x: y",
            "licens MIT\nkeep this: text\n  more\ndescription: Use when.",
            "description: Use when: x\nname: b\nversion: @1",
            "metadata:\n{\"a\": 1\ndescription: **d** e",
            "description: Use when.\nnul: ~\nodd key: 1\nTags: [a",
            "description: |\nUse this when: asked\n\n# and then\nit ends.",
            "description: d: e\n描述: f\nmy key: g",
        ] {
            let text = format!("---\nname: a\n{block}\n---\nBody\n");
            let before = parse_text(text.clone(), Encoding::Utf8);
            let first = mended(&text);
            let second = mended(&first.text);
            assert_eq!(second.text, first.text, "{block:?}");
            assert_eq!(second.applied, [], "{block:?}");
            assert!(
                first.text.len() < 2 * text.len(),
                "{block:?} became {}",
                first.text
            );
            assert!(first.text.ends_with("---\nBody\n"), "{}", first.text);
            let after = parse_text(first.text, Encoding::Utf8);
            for key in ["name", "description"] {
                assert_eq!(after.get_text(key), before.get_text(key), "{block:?}");
            }
        }
    }
}
