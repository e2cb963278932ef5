//! A text as words that can be left out one by one.
//!
//! Words are parted by blanks, commas and slashes; Chinese and Japanese, which have no blanks, by the kind of writing
//! and by the small words between others. What stands between two words belongs to neither: it is printed when both
//! are. Every border lies between graphemes.

use unicode_segmentation::UnicodeSegmentation;

use super::common;

/// A word, and what stands before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// Where it begins in the text, in bytes.
    pub(super) start: usize,
    /// Where it ends.
    pub(super) end: usize,
    /// The number of its clause.
    pub(super) clause: usize,
    /// What it does in its sentence.
    pub(super) role: Role,
    /// Whether a blank stands before it.
    pub(super) is_spaced: bool,
    /// Whether it is part of a text that is written without blanks.
    pub(super) is_dense: bool,
}

/// What a word does in its sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It holds others together.
    Glue,
    /// It says something.
    Content,
    /// It is part of something that somebody says, between quotation marks.
    Quotation,
}

impl Word {
    pub(super) fn text(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

/// The words of a text, in order.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut reader = Reader {
        text,
        words: Vec::with_capacity(text.len() / 6),
        clause: 0,
        end: 0,
        quote: None,
        has_addresses: text.contains("://"),
    };
    let mut start = 0;
    for (index, byte) in text.bytes().enumerate() {
        // All of these are ASCII, so that the borders are those of characters.
        if matches!(byte, b' ' | b'\n' | b'\t') {
            reader.chunk(start, index);
            start = index + 1;
        }
    }
    reader.chunk(start, text.len());
    if reader.words.is_empty() && !text.trim().is_empty() {
        reader.whole();
    }
    reader.words
}

struct Reader<'t> {
    text: &'t str,
    words: Vec<Word>,
    clause: usize,
    /// Where the last word ends.
    end: usize,
    /// The mark that ends the quotation.
    quote: Option<char>,
    /// Whether it is worth looking for addresses at all.
    has_addresses: bool,
}

impl Reader<'_> {
    /// A text of nothing but signs is one word.
    fn whole(&mut self) {
        let blanks = self.text.len() - self.text.trim_start().len();
        self.words.push(Word {
            start: blanks,
            end: self.text.trim_end().len(),
            clause: 0,
            role: Role::Content,
            is_spaced: false,
            is_dense: false,
        });
    }

    /// What stands between two blanks.
    fn chunk(&mut self, start: usize, end: usize) {
        let chunk = self.text.get(start..end).unwrap_or_default();
        if chunk.is_ascii() {
            self.ascii(start, chunk);
        } else {
            self.graphemes(start, chunk);
        }
    }

    /// A chunk of ASCII: one word, or several between commas, slashes and bars.
    fn ascii(&mut self, start: usize, chunk: &str) {
        let is_address = self.has_addresses && chunk.contains("://");
        let mut from = 0;
        for (index, byte) in chunk.bytes().enumerate() {
            let parts = match byte {
                b',' | b'|' => !is_address,
                // A link in Markdown: its text, then an address.
                b'[' | b']' => true,
                // A slash parts words in `create/edit`, and nothing in a path or a command.
                b'/' => {
                    !is_address && index > from && !chunk.starts_with(['/', '.', '~', '@', '`'])
                }
                _ => false,
            };
            if parts {
                self.word(start + from, start + index, false);
                from = index + 1;
            }
        }
        self.word(start + from, start + chunk.len(), false);
    }

    /// A chunk with characters of other scripts, parted where the kind of writing changes.
    fn graphemes(&mut self, start: usize, chunk: &str) {
        let mut from = 0;
        let mut length = 0;
        let mut last = Writing::Other;
        for (index, grapheme) in chunk.grapheme_indices(true) {
            let writing = Writing::of(grapheme);
            let parts = writing != last
                || matches!(writing, Writing::Mark | Writing::Small)
                || (writing == Writing::Ideographs && length == IDEOGRAPHS);
            if parts {
                self.word(start + from, start + index, last.is_dense());
                from = index;
                length = 0;
            }
            length += 1;
            last = writing;
        }
        self.word(start + from, start + chunk.len(), last.is_dense());
    }

    /// Takes a word without the punctuation around it.
    fn word(&mut self, start: usize, end: usize, is_dense: bool) {
        let whole = self.text.get(start..end).unwrap_or_default();
        let tail = whole.trim_start_matches(is_lead);
        let core = tail.trim_end_matches(is_tail);
        if !core.contains(char::is_alphanumeric) {
            return;
        }
        let start = start + whole.len() - tail.len();
        let end = start + core.len();
        let before = self.text.get(self.end..start).unwrap_or_default();
        let mut begins_clause = false;
        for character in before.chars() {
            begins_clause |= ends_clause(character);
            self.quote = match self.quote {
                Some(mark) if character == mark => None,
                None => closing(character),
                open => open,
            };
        }
        if begins_clause && !self.words.is_empty() {
            self.clause += 1;
        }
        self.words.push(Word {
            start,
            end,
            clause: self.clause,
            role: match self.quote {
                _ if is_glue(core, is_dense) => Role::Glue,
                Some(_) => Role::Quotation,
                None => Role::Content,
            },
            is_spaced: before.contains(char::is_whitespace),
            is_dense,
        });
        self.end = end;
    }
}

/// Longest word of ideographs; most Chinese words have two.
const IDEOGRAPHS: usize = 4;

/// How a grapheme is written, as far as words are told apart by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Writing {
    Ideographs,
    Katakana,
    Hiragana,
    /// An ideograph that only holds others together.
    Small,
    /// Punctuation of texts without blanks.
    Mark,
    Other,
}

impl Writing {
    fn of(grapheme: &str) -> Self {
        match grapheme.chars().next() {
            Some(character) if common::is_small_ideograph(character) => Self::Small,
            Some(
                '\u{3400}'..='\u{4DBF}'
                | '\u{4E00}'..='\u{9FFF}'
                | '\u{F900}'..='\u{FAFF}'
                | '\u{20000}'..='\u{3FFFF}',
            ) => Self::Ideographs,
            Some('\u{3041}'..='\u{309F}') => Self::Hiragana,
            Some('\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' | '\u{FF66}'..='\u{FF9F}') => {
                Self::Katakana
            }
            Some(
                '\u{3000}'..='\u{303F}'
                | '\u{30FB}'
                | '\u{FF01}'..='\u{FF0F}'
                | '\u{FF1A}'..='\u{FF20}'
                | '\u{FF5B}'..='\u{FF65}'
                | '\u{2010}'..='\u{2027}',
            ) => Self::Mark,
            _ => Self::Other,
        }
    }

    const fn is_dense(self) -> bool {
        !matches!(self, Self::Mark | Self::Other)
    }
}

/// Hiragana are mostly endings and particles.
fn is_glue(word: &str, is_dense: bool) -> bool {
    if is_dense {
        return word.chars().all(|character| {
            matches!(character, '\u{3041}'..='\u{309F}') || common::is_small_ideograph(character)
        });
    }
    common::is_function_word(word)
}

/// What stands before a word without being part of it. A dot, a slash or a sign may be: `.pdf`, `/review`, `--force`.
fn is_lead(character: char) -> bool {
    !character.is_alphanumeric()
        && !matches!(
            character,
            '.' | '/' | '-' | '@' | '#' | '$' | '~' | '_' | '+'
        )
}

/// What stands after a word without being part of it: `C++` and `C#` keep their signs.
fn is_tail(character: char) -> bool {
    !character.is_alphanumeric()
        && !matches!(character, '+' | '#' | '*' | '_' | '%')
        && !is_joined(character)
}

/// Marks that belong to the letter before them.
fn is_joined(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36F}' | '\u{590}'..='\u{1CFF}' | '\u{200C}' | '\u{200D}' | '\u{3099}' | '\u{309A}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

fn ends_clause(character: char) -> bool {
    matches!(
        character,
        '.' | ';'
            | ':'
            | '!'
            | '?'
            | '('
            | ')'
            | '—'
            | '–'
            | '\n'
            | '。'
            | '；'
            | '：'
            | '！'
            | '？'
            | '（'
            | '）'
            | '，'
    )
}

fn closing(opening: char) -> Option<char> {
    match opening {
        '"' => Some('"'),
        '`' => Some('`'),
        '“' => Some('”'),
        '「' => Some('」'),
        '«' => Some('»'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Role::{Content, Glue, Quotation};
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        words(text)
            .into_iter()
            .map(|word| word.text(text))
            .collect()
    }

    #[test]
    fn words_have_no_punctuation_around_them() {
        assert_eq!(
            texts("Fill (PDF) forms, e.g. \"W-9\"; C++/C# and .docx — use /fill --force!"),
            [
                "Fill", "PDF", "forms", "e.g", "W-9", "C++", "C#", "and", ".docx", "use", "/fill",
                "--force"
            ]
        );
        assert_eq!(
            texts("see https://a.b/c,d now"),
            ["see", "https://a.b/c,d", "now"]
        );
        assert_eq!(texts("PDF,DOCX|XLSX"), ["PDF", "DOCX", "XLSX"]);
        assert_eq!(texts("[PDF](https://a.b/c)"), ["PDF", "https://a.b/c"]);
        assert_eq!(texts(" - a 😀 "), ["a"]);
        assert_eq!(texts(" - 😀 "), ["- 😀"]);
        assert_eq!(texts(" "), Vec::<&str>::new());
    }

    #[test]
    fn texts_without_blanks() {
        assert_eq!(
            texts("生成周报的工具，用于PDF文件"),
            ["生成周报", "的", "工具", "用于", "PDF", "文件"]
        );
        assert_eq!(
            texts("レポートを作成する"),
            ["レポート", "を", "作成", "する"]
        );
    }

    #[test]
    fn clauses_and_quotations() {
        let text = "Makes \"red boats\". Use it: now";
        let found = words(text);
        let clauses: Vec<usize> = found.iter().map(|word| word.clause).collect();
        assert_eq!(clauses, [0, 0, 0, 1, 1, 2]);
        let roles: Vec<Role> = found.iter().map(|word| word.role).collect();
        assert_eq!(
            roles,
            [Content, Quotation, Quotation, Content, Glue, Content]
        );
    }
}
