//! What a skill is activated with: one text, and the words that it is made of.
//!
//! The text is what the invoker typed, to the character. The words are split as a shell splits them, with quotes and
//! backslashes, but nothing else of a shell: no variables, no commands, no comments, so that `#12` stays a word.

use crate::limits;

/// Arguments of an activation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    text: String,
    words: Vec<String>,
}

/// More arguments than an activation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the arguments have {bytes} bytes; the limit is {} bytes",
    limits::ARGUMENT_BYTES
)]
pub struct ArgumentsTooLong {
    /// How many they have.
    pub bytes: usize,
}

impl Arguments {
    /// The arguments that were typed as one text. Where a quote is not closed, the words are those between blanks.
    ///
    /// # Errors
    ///
    /// [`ArgumentsTooLong`] for more than [`limits::ARGUMENT_BYTES`] bytes.
    pub fn parse(text: &str) -> Result<Self, ArgumentsTooLong> {
        check_length(text)?;
        let text = text.trim();
        let words =
            split(text).unwrap_or_else(|| text.split_whitespace().map(str::to_owned).collect());
        Ok(Self {
            text: text.to_owned(),
            words,
        })
    }

    /// The arguments that were given one by one; their text is one that these words are read from.
    ///
    /// # Errors
    ///
    /// [`ArgumentsTooLong`] for more than [`limits::ARGUMENT_BYTES`] bytes.
    pub fn from_words<W: AsRef<str>>(words: &[W]) -> Result<Self, ArgumentsTooLong> {
        let quoted: Vec<String> = words.iter().map(|word| quote(word.as_ref())).collect();
        let text = quoted.join(" ");
        check_length(&text)?;
        Ok(Self {
            text,
            words: words.iter().map(|word| word.as_ref().to_owned()).collect(),
        })
    }

    /// All of them, as they were typed, without blanks around.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The words.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

fn check_length(text: &str) -> Result<(), ArgumentsTooLong> {
    if text.len() > limits::ARGUMENT_BYTES {
        return Err(ArgumentsTooLong { bytes: text.len() });
    }
    Ok(())
}

/// The words of a text; nothing when a quote is not closed or the text ends in a backslash.
fn split(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character.is_whitespace() {
            words.extend(word.take());
            continue;
        }
        let word = word.get_or_insert_default();
        match character {
            '\'' => loop {
                match characters.next()? {
                    '\'' => break,
                    quoted => word.push(quoted),
                }
            },
            '"' => loop {
                match characters.next()? {
                    '"' => break,
                    '\\' => match characters.next()? {
                        escaped @ ('"' | '\\') => word.push(escaped),
                        other => word.extend(['\\', other]),
                    },
                    quoted => word.push(quoted),
                }
            },
            '\\' => word.push(characters.next()?),
            _ => word.push(character),
        }
    }
    words.extend(word);
    Some(words)
}

/// The word, in quotes where it would be read otherwise without.
fn quote(word: &str) -> String {
    let is_plain =
        |character: char| !character.is_whitespace() && !matches!(character, '\'' | '"' | '\\');
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> Vec<String> {
        Arguments::parse(text).unwrap().words
    }

    #[test]
    fn words_are_split_as_a_shell_does() {
        assert_eq!(words("  fix  #12 now "), ["fix", "#12", "now"]);
        assert_eq!(
            words(r#"a "b c" 'd "e"' f\ g"#),
            ["a", "b c", "d \"e\"", "f g"]
        );
        assert_eq!(words(r#""a\"b\n" x''y ''"#), ["a\"b\\n", "xy", ""]);
        assert_eq!(
            words("$HOME $(id) `id` ; a|b"),
            ["$HOME", "$(id)", "`id`", ";", "a|b"]
        );
        assert!(words(" \n\t").is_empty());
    }

    #[test]
    fn an_open_quote_is_a_letter() {
        assert_eq!(words("it's fine"), ["it's", "fine"]);
        assert_eq!(words("a\\"), ["a\\"]);
    }

    #[test]
    fn the_text_is_what_was_typed() {
        let arguments = Arguments::parse("  a 'b  c' ").unwrap();
        assert_eq!(arguments.text(), "a 'b  c'");
        assert!(!arguments.is_empty());
        assert!(Arguments::parse(&"x".repeat(limits::ARGUMENT_BYTES + 1)).is_err());
    }

    proptest! {
        #[test]
        fn words_are_read_back(words in prop::collection::vec("(?s)[ a'\"\\\\\n$é]{0,5}", 0..5)) {
            let arguments = Arguments::from_words(&words).unwrap();
            prop_assert_eq!(split(arguments.text()), Some(words));
        }
    }
}
