//! Lists written as one text: separated by commas, or by commas and blanks, with parentheses respected.
//!
//! The standard separates `allowed-tools` by blanks, clients by commas as well, and a rule such as `Bash(git add:*)` has
//! either inside its parentheses.

/// The words of a text, separated by commas or white space: `Bash(git add:*), Read Write` has three.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    split(text, |character| {
        character == ',' || character.is_whitespace()
    })
}

/// The phrases of a text, separated by commas or line breaks: `machine learning, maths` has two.
pub fn phrases(text: &str) -> impl Iterator<Item = &str> {
    split(text, |character| matches!(character, ',' | '\n'))
}

/// Whether the text is one word: no blank or comma stands outside its parentheses.
pub fn is_one_word(text: &str) -> bool {
    words(text).eq([text])
}

/// How far the parentheses of `text` are open at its end; negative when one closes that was not open.
pub(crate) fn open_parentheses(text: &str) -> isize {
    text.bytes().fold(0, |depth, byte| match byte {
        b'(' => depth + 1,
        b')' => depth - 1,
        _ => depth,
    })
}

/// Splits outside parentheses; where they do not pair up, they are characters like any other.
fn split(text: &str, is_separator: impl Fn(char) -> bool) -> impl Iterator<Item = &str> {
    let pairs = open_parentheses(text) == 0;
    let mut depth = 0_usize;
    text.split(move |character| {
        match character {
            '(' if pairs => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && is_separator(character)
    })
    .map(str::trim)
    .filter(|item| !item.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_of(text: &str) -> Vec<&str> {
        words(text).collect()
    }

    #[test]
    fn words_are_separated_by_commas_and_blanks() {
        assert_eq!(words_of("Read Write"), ["Read", "Write"]);
        assert_eq!(words_of("Read, Write"), ["Read", "Write"]);
        assert_eq!(words_of(" Read ,,\n Write,"), ["Read", "Write"]);
        assert_eq!(words_of("  "), [""; 0]);
    }

    #[test]
    fn parentheses_hold_together() {
        assert_eq!(
            words_of("Bash(git add:*, git commit:*), Read Bash(ls (x) y)"),
            ["Bash(git add:*, git commit:*)", "Read", "Bash(ls (x) y)"]
        );
    }

    #[test]
    fn parentheses_that_do_not_pair_up_are_characters() {
        assert_eq!(words_of("Bash(git Read"), ["Bash(git", "Read"]);
        assert_eq!(words_of("a) b, c"), ["a)", "b", "c"]);
    }

    #[test]
    fn one_word_may_have_blanks_in_parentheses() {
        assert!(is_one_word("Bash(git add:*, x)"));
        assert!(!is_one_word("two words"));
        assert!(!is_one_word(" Read"));
        assert!(!is_one_word(""));
    }

    #[test]
    fn phrases_keep_their_blanks() {
        assert_eq!(
            phrases("machine learning, maths (a, b)\nart").collect::<Vec<_>>(),
            ["machine learning", "maths (a, b)", "art"]
        );
    }
}
