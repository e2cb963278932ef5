//! Lines and columns of many places in one text, without counting from its beginning each time: a file of a megabyte can
//! have a hundred thousand keys.

use skillmd::Position;

/// How many bytes are counted at most for one place.
const STEP: usize = 1024;

/// A text with the positions of places in regular distances.
#[derive(Debug)]
pub(super) struct Positions<'t> {
    text: &'t str,
    marks: Vec<(usize, Position)>,
}

impl<'t> Positions<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let mut positions = Self {
            text,
            marks: vec![(0, Position::START)],
        };
        for place in (STEP..text.len()).step_by(STEP) {
            // Neither a character nor a CR LF is taken apart.
            let is_border = |place: &usize| {
                text.is_char_boundary(*place) && text.as_bytes().get(*place) != Some(&b'\n')
            };
            if let Some(mark) = (place..text.len()).find(is_border) {
                let position = positions.at(mark);
                positions.marks.push((mark, position));
            }
        }
        positions
    }

    /// The position of byte `offset`; past the end it is the end.
    pub(super) fn at(&self, offset: usize) -> Position {
        let following = self.marks.partition_point(|(mark, _)| *mark <= offset);
        let mark = following
            .checked_sub(1)
            .and_then(|index| self.marks.get(index));
        let (mark, from) = mark.copied().unwrap_or((0, Position::START));
        let rest = self.text.get(mark..).unwrap_or_default();
        let beyond = Position::of(rest, offset - mark);
        if beyond.line == 1 {
            let column = from.column + beyond.column - 1;
            Position { column, ..from }
        } else {
            let line = from.line + beyond.line - 1;
            Position { line, ..beyond }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn they_are_those_of_counting(
            text in prop_oneof!["[ab\\né\\r]{0,4000}", "(\\r\\n){0,1600}", "é{0,2000}"],
            offset in 0..5_000_usize,
        ) {
            prop_assert_eq!(Positions::of(&text).at(offset), Position::of(&text, offset));
        }
    }
}
