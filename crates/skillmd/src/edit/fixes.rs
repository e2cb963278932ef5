//! Applies the fixes that diagnostics carry.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::span::Span;

/// A text after some of its fixes were applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedFixes {
    /// The mended text.
    pub text: String,
    /// Which fixes were applied: indices of their diagnostics, in order of their place.
    pub applied: Vec<usize>,
}

/// Applies the fixes of `diagnostics`, whose places are those of `text`, from the top; of two that touch each other the
/// first.
///
/// One fix may make way for another, so that callers read the text again and repeat until none is applied, at most as
/// often as [`FIX_ROUNDS`](crate::limits::FIX_ROUNDS) says. A fix whose edits do not fit the text is left out.
pub fn apply_fixes(text: &str, diagnostics: &[Diagnostic]) -> AppliedFixes {
    let mut fixes: Vec<(usize, &Fix)> = diagnostics
        .iter()
        .enumerate()
        .filter_map(|(index, diagnostic)| Some((index, diagnostic.fix.as_ref()?)))
        .filter(|(_, fix)| fits(text, fix))
        .collect();
    fixes.sort_by_key(|(_, fix)| fix.edits.first().map(|edit| edit.span));
    let mut accepted: BTreeMap<Span, &Edit> = BTreeMap::new();
    let mut applied = Vec::new();
    for (index, fix) in fixes {
        let collides = |edit: &Edit| {
            let before = accepted.range(..=edit.span).next_back();
            let after = accepted.range(edit.span..).next();
            let mut neighbours = before.into_iter().chain(after);
            neighbours.any(|(span, _)| touches(*span, edit.span))
        };
        if !fix.edits.iter().any(collides) {
            accepted.extend(fix.edits.iter().map(|edit| (edit.span, edit)));
            applied.push(index);
        }
    }
    let mut mended = String::with_capacity(text.len());
    let mut offset = 0;
    for edit in accepted.values() {
        mended.push_str(Span::new(offset, edit.span.start).slice(text));
        mended.push_str(&edit.replacement);
        offset = edit.span.end;
    }
    mended.push_str(text.get(offset..).unwrap_or_default());
    AppliedFixes {
        text: mended,
        applied,
    }
}

/// Whether the edits are in order, do not overlap, and stand on characters of the text.
fn fits(text: &str, fix: &Fix) -> bool {
    let on_characters = |edit: &Edit| text.get(edit.span.start..edit.span.end).is_some();
    let in_order =
        |pair: &[Edit]| !touches(pair[0].span, pair[1].span) && pair[0].span < pair[1].span;
    !fix.edits.is_empty()
        && fix.edits.iter().all(on_characters)
        && fix.edits.windows(2).all(in_order)
}

/// Whether the order of two edits matters: they overlap, or begin at the same place.
fn touches(a: Span, b: Span) -> bool {
    a.start == b.start || (a.start < b.end && b.start < a.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Code;

    fn diagnostic(edits: Vec<Edit>) -> Diagnostic {
        let mut diagnostic = Diagnostic::about_file(Code::YamlInvalid, "x");
        diagnostic.fixes("mend it", edits);
        diagnostic
    }

    fn replace(start: usize, end: usize, replacement: &str) -> Edit {
        Edit::replace(Span::new(start, end), replacement)
    }

    #[test]
    fn fixes_apply_together_whatever_their_order() {
        let fixes = [
            diagnostic(vec![replace(4, 5, "E")]),
            diagnostic(vec![Edit::insert(0, ">"), Edit::delete(Span::new(2, 3))]),
        ];
        let applied = apply_fixes("abcdef", &fixes);
        assert_eq!(applied.text, ">abdEf");
        assert_eq!(applied.applied, [1, 0]);
    }

    #[test]
    fn of_fixes_that_touch_the_first_is_applied_whole() {
        let fixes = [
            diagnostic(vec![replace(1, 3, "X")]),
            diagnostic(vec![replace(2, 4, "Y"), replace(5, 6, "Z")]),
            diagnostic(vec![Edit::insert(1, "I")]),
        ];
        let applied = apply_fixes("abcdef", &fixes);
        assert_eq!(
            (applied.text.as_str(), applied.applied.len()),
            ("aIbYeZ", 2)
        );
        let applied = apply_fixes("abcdef", &fixes[..2]);
        assert_eq!((applied.text.as_str(), applied.applied.len()), ("aXdef", 1));
    }

    #[test]
    fn fixes_that_do_not_fit_are_left_out() {
        let fixes = [
            diagnostic(vec![replace(2, 99, "X")]),
            diagnostic(vec![replace(1, 2, "X")]),
            diagnostic(vec![replace(3, 4, "X"), replace(0, 1, "Y")]),
            diagnostic(vec![]),
        ];
        // Byte 1 is inside the first character.
        let applied = apply_fixes("äbcd", &fixes);
        assert_eq!((applied.text.as_str(), applied.applied.len()), ("äbcd", 0));
    }
}
