//! How many tokens a text is likely to have.
//!
//! A tokenizer's tables are large and slow to load, so that the number is estimated from what tokenizers do with runs
//! of characters: a short word is one token with the blank before it, a long one two, three digits are one, and so on.
//! The weights were fitted to the tokenizer `o200k_base` over four thousand published skills, and then raised by a twelfth
//! and, for scripts that other tokenizers know less well, by more: an estimate that is too low breaks a budget.

/// How many tokens a model is likely to need for a text, rather too many than too few.
pub fn estimate_tokens(text: &str) -> usize {
    let mut hundredths = 0;
    let (mut kind, mut length) = (Kind::Blanks, 0);
    for character in text.chars() {
        let next = Kind::of(character);
        if next == kind {
            length += 1;
        } else if kind == Kind::Capitals && length == 1 && next == Kind::Word {
            (kind, length) = (next, 2);
        } else {
            hundredths += kind.hundredths(length);
            (kind, length) = (next, 1);
        }
    }
    hundredths += kind.hundredths(length);
    hundredths.div_ceil(100)
}

/// What the characters of a run have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Blanks,
    Lines,
    /// Small letters, the first of them maybe a capital.
    Word,
    Capitals,
    Digits,
    Signs,
    /// Letters of alphabets with two bytes a letter in UTF-8.
    Letters,
    /// Letters and syllables of scripts without blanks, and Hangul.
    Dense,
    /// Other characters with three bytes.
    Symbols,
    /// Characters with four bytes, emoji mostly.
    Pictures,
}

/// The kinds of the ASCII characters: nearly all of a text, so that a table pays.
const ASCII: [Kind; 128] = {
    let mut kinds = [Kind::Signs; 128];
    let mut byte = 0_u8;
    while byte < 128 {
        kinds[byte as usize] = match byte {
            b'\n' | b'\r' => Kind::Lines,
            b' ' | b'\t' => Kind::Blanks,
            b'a'..=b'z' => Kind::Word,
            b'A'..=b'Z' => Kind::Capitals,
            b'0'..=b'9' => Kind::Digits,
            _ => Kind::Signs,
        };
        byte += 1;
    }
    kinds
};

impl Kind {
    fn of(character: char) -> Self {
        if let Some(kind) = ASCII.get(character as usize) {
            return *kind;
        }
        match character {
            '\u{2E80}'..='\u{9FFF}'
            | '\u{AC00}'..='\u{D7A3}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{FF00}'..='\u{FFEF}' => Self::Dense,
            _ => match character.len_utf8() {
                2 => Self::Letters,
                3 => Self::Symbols,
                _ => Self::Pictures,
            },
        }
    }

    /// Hundredths of a token that a run of so many characters costs.
    fn hundredths(self, length: usize) -> usize {
        match (self, length) {
            // A single blank is part of the word after it.
            (_, 0) | (Self::Blanks, 1) => 0,
            (Self::Blanks, _) => 45,
            (Self::Lines, _) => 76 + 10 * length,
            (Self::Word, 1) => 60,
            (Self::Word, 2..=7) => 105,
            (Self::Word, 8..=12) => 123 + 4 * (length - 8),
            (Self::Word, _) => 139 + 30 * (length - 12),
            (Self::Capitals, 1) => 75,
            (Self::Capitals, _) => 100 + 20 * (length - 1),
            (Self::Digits, _) => 162 * length.div_ceil(3),
            (Self::Signs, _) => 82 + 18 * (length - 1),
            (Self::Letters, _) => 50 * length,
            (Self::Dense, _) => 100 * length,
            (Self::Symbols, _) => 60 * length,
            (Self::Pictures, _) => 300 * length,
        }
    }
}
