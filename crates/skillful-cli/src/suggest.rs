//! "Did you mean": the known name that is nearest to what was typed.

use skillful::similar_names;

/// The nearest of `known`, when one is near enough to have been meant.
pub(crate) fn nearest<'a>(typed: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    similar_names(typed, known).into_iter().next()
}
