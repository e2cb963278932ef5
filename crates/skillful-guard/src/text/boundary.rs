//! Cutting texts where no character is cut.

/// The last border of a character at or before an offset.
pub(crate) fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at)
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}

/// The first border of a character at or after an offset.
pub(crate) fn ceil(text: &str, at: usize) -> usize {
    (at..text.len())
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_move_to_borders() {
        assert_eq!((floor("aä", 2), ceil("aä", 2)), (1, 3));
        assert_eq!((floor("a", 9), ceil("a", 9)), (1, 1));
    }
}
