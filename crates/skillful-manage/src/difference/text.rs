//! Two texts line by line. How long the comparison takes grows with the product of lines and differences, so that both
//! are bounded, by number and not by the clock.

use similar::TextDiff;

use super::Comparison;
use crate::limits;

/// The unified diff from one text to another, with three lines around each difference.
pub(super) fn compare(path: &str, before: &str, after: &str) -> Comparison {
    let is_long = |text: &str| text.lines().count() > limits::COMPARED_LINES;
    if is_long(before) || is_long(after) {
        return Comparison::TooLong;
    }
    let diff = TextDiff::from_lines(before, after);
    let unified = diff
        .unified_diff()
        .header(&format!("a/{path}"), &format!("b/{path}"))
        .to_string();
    Comparison::Lines(unified)
}

/// How much of two texts is the same, line by line, from 0 to 1.
pub(crate) fn likeness(a: &str, b: &str) -> f32 {
    let is_long = |text: &str| text.lines().count() > limits::COMPARED_LINES;
    if is_long(a) || is_long(b) {
        return if a == b { 1.0 } else { 0.0 };
    }
    TextDiff::from_lines(a, b).ratio()
}
