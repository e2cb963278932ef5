//! How many tokens a text is likely to have.
//!
//! A tokenizer's tables are large and slow to load, so that the number is estimated from what tokenizers do with runs
//! of characters: a short word is one token with the blank before it, a long one two, three digits are one, and so on.
//! The weights were fitted to the tokenizer `o200k_base` over four thousand published skills, and then raised by a twelfth
//! and, for scripts that other tokenizers know less well, by more: an estimate that is too low breaks a budget.

/// How many tokens a model is likely to need for a text, rather too many than too few.
pub fn estimate_tokens(text: &str) -> usize {
    let mut hundredths = 0;
    let mut run = Run::Blanks(0);
    for character in text.chars() {
        if let Some(longer) = run.extended(character) {
            run = longer;
        } else {
            hundredths += run.hundredths();
            run = Run::of(character);
        }
    }
    hundredths += run.hundredths();
    hundredths.div_ceil(100)
}

/// A run of characters of one kind, and its length in characters.
#[derive(Clone, Copy)]
enum Run {
    Blanks(usize),
    Lines(usize),
    /// Small letters, the first of them maybe a capital.
    Word(usize),
    Capitals(usize),
    Digits(usize),
    Signs(usize),
    /// Letters of alphabets with two bytes a letter in UTF-8.
    Letters(usize),
    /// Letters and syllables of scripts without blanks, and Hangul.
    Dense(usize),
    /// Other characters with three bytes.
    Symbols(usize),
    /// Characters with four bytes, emoji mostly.
    Pictures(usize),
}

impl Run {
    fn of(character: char) -> Self {
        match character {
            '\n' | '\r' => Self::Lines(1),
            ' ' | '\t' => Self::Blanks(1),
            'a'..='z' => Self::Word(1),
            'A'..='Z' => Self::Capitals(1),
            '0'..='9' => Self::Digits(1),
            _ if character.is_ascii() => Self::Signs(1),
            '\u{2E80}'..='\u{9FFF}'
            | '\u{AC00}'..='\u{D7A3}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{FF00}'..='\u{FFEF}' => Self::Dense(1),
            _ => match character.len_utf8() {
                2 => Self::Letters(1),
                3 => Self::Symbols(1),
                _ => Self::Pictures(1),
            },
        }
    }

    /// The run with one more character, if it belongs to it.
    fn extended(self, character: char) -> Option<Self> {
        match (self, Self::of(character)) {
            (Self::Blanks(length), Self::Blanks(_)) => Some(Self::Blanks(length + 1)),
            (Self::Lines(length), Self::Lines(_)) => Some(Self::Lines(length + 1)),
            (Self::Word(length), Self::Word(_)) => Some(Self::Word(length + 1)),
            (Self::Capitals(1), Self::Word(_)) => Some(Self::Word(2)),
            (Self::Capitals(length), Self::Capitals(_)) => Some(Self::Capitals(length + 1)),
            (Self::Digits(length), Self::Digits(_)) => Some(Self::Digits(length + 1)),
            (Self::Signs(length), Self::Signs(_)) => Some(Self::Signs(length + 1)),
            (Self::Letters(length), Self::Letters(_)) => Some(Self::Letters(length + 1)),
            (Self::Dense(length), Self::Dense(_)) => Some(Self::Dense(length + 1)),
            (Self::Symbols(length), Self::Symbols(_)) => Some(Self::Symbols(length + 1)),
            (Self::Pictures(length), Self::Pictures(_)) => Some(Self::Pictures(length + 1)),
            _ => None,
        }
    }

    /// Hundredths of a token.
    fn hundredths(self) -> usize {
        match self {
            // A single blank is part of the word after it.
            Self::Blanks(0..=1) => 0,
            Self::Blanks(_) => 45,
            Self::Lines(length) => 76 + 10 * length,
            Self::Word(1) => 60,
            Self::Word(2..=7) => 105,
            Self::Word(length @ 8..=12) => 123 + 4 * (length - 8),
            Self::Word(length) => 139 + 30 * (length - 12),
            Self::Capitals(1) => 75,
            Self::Capitals(length) => 100 + 20 * (length - 1),
            Self::Digits(length) => 162 * length.div_ceil(3),
            Self::Signs(length) => 82 + 18 * (length - 1),
            Self::Letters(length) => 50 * length,
            Self::Dense(length) => 100 * length,
            Self::Symbols(length) => 60 * length,
            Self::Pictures(length) => 300 * length,
        }
    }
}
