//! Text from a skill inside a message: short, on one line, and without characters that a terminal would obey.

/// Longest excerpt, in characters.
const CHARS: usize = 60;

/// The beginning of `text` with control characters spelt out.
pub(crate) fn excerpt(text: &str) -> String {
    let mut shown = String::new();
    for (index, character) in text.chars().enumerate() {
        if index == CHARS {
            shown.push('…');
            break;
        }
        if character.is_control() {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_short_and_harmless() {
        assert_eq!(excerpt("plain ö"), "plain ö");
        assert_eq!(excerpt("a\nb\u{1b}[2J"), "a\\nb\\u{1b}[2J");
        assert_eq!(excerpt(&"x".repeat(61)), format!("{}…", "x".repeat(60)));
        assert_eq!(excerpt(&"x".repeat(60)), "x".repeat(60));
    }
}
