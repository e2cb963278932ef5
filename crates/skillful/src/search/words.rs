//! Text → words: what counts as one word, before any of them is brought into its basic form.
//!
//! A word is a run of letters, digits and marks. Scripts that put no blanks between words are cut into overlapping
//! pairs of characters instead, which finds every word of two characters or more without a dictionary. Words that are
//! glued together as programmers do it (`camelCase`, `HTTPServer`, `oauth2`) also count as their parts.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Longest word that is kept, in bytes. What is longer is a digest, a key or encoded data, and nobody looks for it.
const WORD_BYTES: usize = 40;

/// A piece of text that is looked up as a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'t> {
    /// A word as it is written, of a script with blanks between words.
    Word(&'t str),
    /// Two neighbouring characters of a script without blanks, or one that stands alone.
    Pair(&'t str),
}

/// The beginning of a text, of at most this many bytes.
pub(crate) fn beginning(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or(text)
}

/// Calls `visit` for every piece of a text, in order.
pub(crate) fn pieces<'t>(text: &'t str, mut visit: impl FnMut(Piece<'t>)) {
    let mut rest = text;
    while !rest.is_empty() {
        // Nearly all text is ASCII, where a look at the bytes is enough.
        let ascii = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let is_all = rest.as_bytes().get(ascii).is_none_or(u8::is_ascii);
        let (kind, length) = match ascii {
            1.. if is_all => (Kind::Word, ascii),
            0 if is_all => (Kind::Gap, 1),
            _ => run(rest),
        };
        let (piece, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        match kind {
            Kind::Word if piece.len() <= WORD_BYTES => visit(Piece::Word(piece)),
            Kind::Dense => pairs(piece, &mut visit),
            Kind::Word | Kind::Gap => {}
        }
        rest = after;
    }
}

/// Of which kind a text begins, and how many bytes of it are of that kind.
fn run(text: &str) -> (Kind, usize) {
    let kind = text.chars().next().map_or(Kind::Gap, Kind::of);
    let end = text
        .char_indices()
        .find(|(_, character)| Kind::of(*character) != kind);
    (kind, end.map_or(text.len(), |(offset, _)| offset))
}

fn pairs<'t>(run: &'t str, visit: &mut impl FnMut(Piece<'t>)) {
    let mut starts = run.char_indices().map(|(offset, _)| offset).peekable();
    let mut found = false;
    while let Some(start) = starts.next() {
        if starts.peek().is_none() && found {
            return;
        }
        let end = run[start..]
            .char_indices()
            .nth(2)
            .map_or(run.len(), |(offset, _)| start + offset);
        found = true;
        visit(Piece::Pair(&run[start..end]));
    }
}

/// What a character belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    /// A script without blanks between words.
    Dense,
    Gap,
}

impl Kind {
    fn of(character: char) -> Self {
        if character.is_ascii() {
            return if character.is_ascii_alphanumeric() {
                Self::Word
            } else {
                Self::Gap
            };
        }
        if is_dense(character) {
            Self::Dense
        } else if character.is_alphanumeric() || is_combining_mark(character) {
            Self::Word
        } else {
            Self::Gap
        }
    }
}

/// Whether a character belongs to a word of a script with blanks between words.
pub(crate) fn is_word(character: char) -> bool {
    Kind::of(character) == Kind::Word
}

/// Han, kana, Hangul, and the scripts of South-East Asia that are written without blanks.
pub(crate) fn is_dense(character: char) -> bool {
    matches!(character,
        '\u{0E00}'..='\u{0EFF}' // Thai, Lao
        | '\u{1000}'..='\u{109F}' // Myanmar
        | '\u{1780}'..='\u{17FF}' // Khmer
        | '\u{3005}'..='\u{3007}' // iteration mark, closing mark, zero
        | '\u{3041}'..='\u{309F}' // Hiragana
        | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' // Katakana without the middle dot
        | '\u{3105}'..='\u{312F}' // Bopomofo
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{AC00}'..='\u{D7AF}' // Hangul
        | '\u{20000}'..='\u{3FFFF}')
}

/// The word in lower case, without accents, compatibility characters replaced by the ordinary ones.
pub(super) fn folded(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    word.nfkc()
        .flat_map(char::to_lowercase)
        .nfd()
        .filter(|character| !matches!(character, '\u{0300}'..='\u{036F}'))
        .collect::<String>()
        .replace('ß', "ss")
}

/// The parts of a word that is glued together, or nothing when it is not.
pub(super) fn parts(word: &str) -> Vec<&str> {
    let mut borders = vec![0];
    let mut characters = word.char_indices().peekable();
    let mut before: Option<char> = None;
    while let Some((offset, character)) = characters.next() {
        let after = characters.peek().map(|(_, after)| *after);
        if before.is_some_and(|before| is_border(before, character, after)) {
            borders.push(offset);
        }
        before = Some(character);
    }
    if borders.len() == 1 {
        return Vec::new();
    }
    borders.push(word.len());
    borders
        .windows(2)
        .filter_map(|pair| word.get(*pair.first()?..*pair.last()?))
        .filter(|part| part.len() > 1)
        .collect()
}

/// Whether a new part begins with `here`: `camel|Case`, `HTTP|Server`, `oauth|2`.
fn is_border(before: char, here: char, after: Option<char>) -> bool {
    let climbs = before.is_lowercase() && here.is_uppercase();
    let ends_capitals =
        before.is_uppercase() && here.is_uppercase() && after.is_some_and(char::is_lowercase);
    let meets_number = before.is_ascii_digit() != here.is_ascii_digit();
    climbs || ends_capitals || meets_number
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        pieces(text, |piece| match piece {
            Piece::Word(word) => found.push(folded(word)),
            Piece::Pair(pair) => found.push(pair.to_owned()),
        });
        found
    }

    #[test]
    fn words_end_where_letters_and_digits_do() {
        assert_eq!(all("Fill PDF-forms, v2!"), ["fill", "pdf", "forms", "v2"]);
        assert_eq!(all("Größe über naïve"), ["grosse", "uber", "naive"]);
        assert_eq!(
            all("ＰＤＦ ﬁle"),
            ["pdf", "file"],
            "compatibility characters"
        );
        assert!(all(" — 🎉 \u{202e}").is_empty());
    }

    #[test]
    fn scripts_without_blanks_become_pairs() {
        assert_eq!(all("压缩PDF文件"), ["压缩", "pdf", "文件"]);
        assert_eq!(all("天气预报"), ["天气", "气预", "预报"]);
        assert_eq!(all("猫"), ["猫"]);
        assert_eq!(all("データ・構成"), ["デー", "ータ", "構成"]);
    }

    #[test]
    fn glued_words_have_parts() {
        assert_eq!(parts("camelCase"), ["camel", "Case"]);
        assert_eq!(parts("HTTPServer"), ["HTTP", "Server"]);
        assert_eq!(parts("oauth2"), ["oauth"]);
        assert_eq!(parts("GitHub"), ["Git", "Hub"]);
        assert!(parts("word").is_empty());
        assert!(parts("WORD").is_empty());
    }

    #[test]
    fn what_nobody_types_is_left_out() {
        assert!(all(&"a1".repeat(40)).is_empty());
    }

    proptest! {
        #[test]
        fn any_text_is_taken(text in ".*") {
            pieces(&text, |piece| {
                let (Piece::Word(piece) | Piece::Pair(piece)) = piece;
                assert!(!piece.is_empty());
                parts(piece);
            });
        }

        #[test]
        fn folding_twice_is_folding_once(word in "\\PC{0,12}") {
            let once = folded(&word);
            prop_assert_eq!(folded(&once), once);
        }
    }
}
