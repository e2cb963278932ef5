//! Parts of a text, for readers that cannot take it whole: by lines, or by characters.
//!
//! A part never splits a character, and says where the next one begins.

/// Which part is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Range {
    /// Everything.
    #[default]
    Whole,
    /// Whole lines.
    Lines {
        /// The first one, counted from 1.
        first: usize,
        /// Most lines; nothing = up to the end.
        limit: Option<usize>,
    },
    /// Characters (Unicode scalar values); of content that is no text, bytes.
    Characters {
        /// How many come before the part.
        offset: usize,
        /// Most characters; nothing = up to the end.
        limit: Option<usize>,
    },
}

/// What a part is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Lines, from 1.
    Lines,
    /// Characters, from 0.
    Characters,
    /// Bytes, from 0.
    Bytes,
}

impl Unit {
    /// The word used in every output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Characters => "characters",
            Self::Bytes => "bytes",
        }
    }
}

/// Where a part lies in the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// What the numbers count.
    pub unit: Unit,
    /// Where it begins: the number of its first line, or how many characters or bytes come before it.
    pub start: usize,
    /// How many it has.
    pub length: usize,
    /// How many the whole has.
    pub total: usize,
    /// Where the next part begins; nothing at the end.
    pub next: Option<usize>,
}

impl Part {
    /// Whether it is all there is.
    pub fn is_whole(&self) -> bool {
        self.length == self.total
    }

    fn new(unit: Unit, start: usize, before: usize, length: usize, total: usize) -> Self {
        Self {
            unit,
            start,
            length,
            total,
            next: (before + length < total).then_some(start + length),
        }
    }
}

/// A part begins where there is nothing more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RangeError {
    /// It begins behind the end.
    #[error("the part begins at {start}, but there are only {total} {}", .unit.as_str())]
    BeyondEnd {
        /// What is counted.
        unit: Unit,
        /// Where the part was to begin.
        start: usize,
        /// How many there are.
        total: usize,
    },
    /// Lines are counted from 1.
    #[error("lines are counted from 1")]
    LineZero,
    /// Content that is no text has no lines.
    #[error(
        "the file is not text and has no lines; take a part of it by offset and limit, in bytes"
    )]
    NoLines,
}

/// The wanted part of a text. An empty text has an empty part at its beginning.
///
/// # Errors
///
/// [`RangeError`] when the part would begin behind the end.
pub fn of_text(text: &str, range: Range) -> Result<(&str, Part), RangeError> {
    match range {
        Range::Whole => {
            let count = text.chars().count();
            Ok((text, Part::new(Unit::Characters, 0, 0, count, count)))
        }
        Range::Characters { offset, limit } => {
            let total = text.chars().count();
            check_start(Unit::Characters, offset, offset, total)?;
            let length = limit.unwrap_or(usize::MAX).min(total - offset);
            let start = byte_of_character(text, offset);
            let end = byte_of_character(text, offset + length);
            let part = Part::new(Unit::Characters, offset, offset, length, total);
            Ok((text.get(start..end).unwrap_or_default(), part))
        }
        Range::Lines { first, limit } => {
            let before = first.checked_sub(1).ok_or(RangeError::LineZero)?;
            let total = text.split_inclusive('\n').count();
            check_start(Unit::Lines, first, before, total)?;
            let length = limit.unwrap_or(usize::MAX).min(total - before);
            let start = byte_of_line(text, before);
            let end = byte_of_line(text, before + length);
            let part = Part::new(Unit::Lines, first, before, length, total);
            Ok((text.get(start..end).unwrap_or_default(), part))
        }
    }
}

/// The wanted part of content that is no text, counted in bytes.
///
/// # Errors
///
/// [`RangeError`] when lines are wanted, or the part would begin behind the end.
pub fn of_bytes(bytes: &[u8], range: Range) -> Result<(&[u8], Part), RangeError> {
    let total = bytes.len();
    let (offset, limit) = match range {
        Range::Whole => (0, None),
        Range::Characters { offset, limit } => (offset, limit),
        Range::Lines { .. } => return Err(RangeError::NoLines),
    };
    check_start(Unit::Bytes, offset, offset, total)?;
    let length = limit.unwrap_or(usize::MAX).min(total - offset);
    let part = Part::new(Unit::Bytes, offset, offset, length, total);
    let bytes = bytes.get(offset..offset + length).unwrap_or_default();
    Ok((bytes, part))
}

/// The very end is the beginning of an empty part only where there is nothing at all.
fn check_start(unit: Unit, start: usize, before: usize, total: usize) -> Result<(), RangeError> {
    if before < total || before == 0 {
        return Ok(());
    }
    Err(RangeError::BeyondEnd { unit, start, total })
}

fn byte_of_character(text: &str, index: usize) -> usize {
    text.char_indices()
        .nth(index)
        .map_or(text.len(), |(byte, _)| byte)
}

fn byte_of_line(text: &str, index: usize) -> usize {
    text.split_inclusive('\n').take(index).map(str::len).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn characters(offset: usize, limit: impl Into<Option<usize>>) -> Range {
        Range::Characters {
            offset,
            limit: limit.into(),
        }
    }

    fn lines(first: usize, limit: impl Into<Option<usize>>) -> Range {
        Range::Lines {
            first,
            limit: limit.into(),
        }
    }

    #[test]
    fn characters_are_not_split() {
        let (text, part) = of_text("aäö😀b", characters(1, 3)).unwrap();
        assert_eq!(text, "äö😀");
        assert_eq!((part.length, part.total, part.next), (3, 5, Some(4)));
        let (text, part) = of_text("aäö😀b", characters(4, 9)).unwrap();
        assert_eq!((text, part.next), ("b", None));
    }

    #[test]
    fn lines_are_counted_from_one() {
        let text = "one\ntwo\r\nthree";
        let (found, part) = of_text(text, lines(2, 1)).unwrap();
        assert_eq!((found, part.next, part.total), ("two\r\n", Some(3), 3));
        assert_eq!(of_text(text, lines(3, None)).unwrap().0, "three");
        assert_eq!(of_text(text, lines(0, 1)), Err(RangeError::LineZero));
        let error = of_text(text, lines(4, 1)).unwrap_err().to_string();
        assert_eq!(error, "the part begins at 4, but there are only 3 lines");
    }

    #[test]
    fn an_empty_text_has_an_empty_part() {
        for range in [Range::Whole, characters(0, 5), lines(1, None)] {
            let (text, part) = of_text("", range).unwrap();
            assert!(text.is_empty() && part.is_whole() && part.next.is_none());
        }
        assert!(of_text("", characters(1, 5)).is_err());
    }

    #[test]
    fn bytes_have_no_lines() {
        let (bytes, part) = of_bytes(&[1, 2, 3], characters(1, 1)).unwrap();
        assert_eq!(
            (bytes, part.next, part.unit),
            (&[2][..], Some(2), Unit::Bytes)
        );
        assert_eq!(of_bytes(&[1], lines(1, 1)), Err(RangeError::NoLines));
        assert!(of_bytes(&[1], characters(usize::MAX, usize::MAX)).is_err());
    }

    proptest! {
        #[test]
        fn the_parts_make_up_the_whole(text in "(?s).{0,60}", limit in 1_usize..9, by_lines: bool) {
            let range = |at| if by_lines { lines(at, limit) } else { characters(at, limit) };
            let mut whole = String::new();
            let mut next = Some(usize::from(by_lines));
            while let Some(at) = next {
                let (found, part) = of_text(&text, range(at)).unwrap();
                whole.push_str(found);
                prop_assert!(part.length <= limit);
                next = part.next;
            }
            prop_assert_eq!(whole, text);
        }
    }
}
