//! Long documents in parts, so that what is held of a document does not grow with it.

use std::ops::Range;

use super::boundary::{ceil, floor};
use crate::limits::{PART_BYTES, PATTERN_WINDOW};

/// The parts of a document, in order. A part ends before a heading, else after an empty line, else after a line; only a
/// line that is longer than a part is cut, and then the next part repeats its end, so that no sentence is lost at the cut.
pub(crate) fn parts(text: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    while text.len() - start > PART_BYTES {
        let limit = floor(text, start + PART_BYTES);
        // A part keeps at least a half of its room, so that hostile headings cannot make parts of a line each.
        let earliest = ceil(text, start + PART_BYTES / 2);
        let room = text.get(earliest..limit).unwrap_or_default();
        let end = ["\n#", "\n\n", "\n"]
            .iter()
            .find_map(|border| room.rfind(border))
            .map(|at| earliest + at + 1);
        parts.push(start..end.unwrap_or(limit));
        start = match end {
            Some(end) => end,
            None => floor(text, limit - PATTERN_WINDOW),
        };
    }
    parts.push(start..text.len());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        parts(text)
            .into_iter()
            .map(|range| text.get(range).unwrap())
            .collect()
    }

    #[test]
    fn a_short_document_is_one_part() {
        assert_eq!(cut("# A\n\ntext\n"), ["# A\n\ntext\n"]);
        assert_eq!(cut(""), [""]);
    }

    #[test]
    fn parts_end_before_headings_and_lose_nothing() {
        let text = "# A\n\nsome words\n\nmore\n".repeat(PART_BYTES / 8);
        let parts = cut(&text);
        assert!(parts.len() > 2 && parts.iter().all(|part| part.starts_with("# A")));
        assert_eq!(parts.concat(), text);
    }

    #[test]
    fn a_line_without_end_is_cut_with_an_overlap() {
        let text = "ä".repeat(PART_BYTES);
        let parts = parts(&text);
        assert!(parts.len() > 1);
        for pair in parts.windows(2) {
            assert!(pair[1].start < pair[0].end && pair[1].start > pair[0].start);
        }
        assert_eq!(parts.last().unwrap().end, text.len());
    }
}
