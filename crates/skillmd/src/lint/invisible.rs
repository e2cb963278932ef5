//! Characters that are not seen, but that a model reads: zero-width ones, marks that turn the writing direction, tags.
//!
//! Where a script or an emoji needs such a character it is ordinary: joiners between letters of Arabic or Indic
//! scripts and inside emoji, direction marks beside right-to-left letters, the tags of a flag.

use std::borrow::Cow;

use crate::code::Code;
use crate::diagnostic::{Edit, Reporter};
use crate::document::Document;
use crate::lines::Line;
use crate::span::Span;

/// Kinds of invisible characters, each told once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    ZeroWidth,
    Direction,
    Tag,
}

impl Kind {
    const ALL: [Self; 3] = [Self::ZeroWidth, Self::Direction, Self::Tag];

    fn describe(self) -> &'static str {
        match self {
            Self::ZeroWidth => "zero-width characters",
            Self::Direction => "marks that turn the writing direction",
            Self::Tag => "tag characters, which can spell out hidden text",
        }
    }
}

pub(super) fn check(document: &Document, reporter: &mut Reporter<'_>) {
    let text = document.text();
    if text.is_ascii() {
        return;
    }
    let found = find(text);
    for kind in Kind::ALL {
        let spans: Vec<Span> = found
            .iter()
            .filter(|(found, _)| *found == kind)
            .map(|(_, span)| *span)
            .collect();
        let Some(first) = spans.first() else {
            continue;
        };
        let code_point = first.slice(text).chars().next().map_or(0, u32::from);
        let characters: usize = spans
            .iter()
            .map(|span| span.slice(text).chars().count())
            .sum();
        let diagnostic = reporter.report(
            Code::InvisibleCharacter,
            *first,
            format!(
                "the text has {characters} {}, the first of them U+{code_point:04X}",
                kind.describe()
            ),
        );
        diagnostic.help("a reader does not see them, a model does");
        // In code they may be what the code is about.
        let code = fenced_code(text);
        let in_code = |span: &Span| {
            let after = code.partition_point(|block| block.start <= span.start);
            after > 0 && span.end <= code[after - 1].end
        };
        let edits: Vec<Edit> = spans
            .into_iter()
            .filter(|span| !in_code(span))
            .map(Edit::delete)
            .collect();
        if !edits.is_empty() {
            diagnostic.fixes("delete them", edits);
        }
    }
}

/// The text without the invisible characters that are out of place in it: what a reader sees is what a model gets.
pub fn without_invisible(text: &str) -> Cow<'_, str> {
    let found = find(text);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut visible = String::with_capacity(text.len());
    let mut end = 0;
    for (_, span) in found {
        visible.push_str(Span::new(end, span.start).slice(text));
        end = span.end;
    }
    visible.push_str(Span::new(end, text.len()).slice(text));
    Cow::Owned(visible)
}

/// The lines between fences of backticks or tildes; an open fence reaches to the end.
fn fenced_code(text: &str) -> Vec<Span> {
    let mut blocks = Vec::new();
    let mut open: Option<(&str, usize)> = None;
    for line in Line::within(text, Span::new(0, text.len())) {
        let content = line.text.trim_start();
        let fence = ["```", "~~~"]
            .into_iter()
            .find(|fence| content.starts_with(fence));
        match (open, fence) {
            (None, Some(fence)) => open = Some((fence, line.next)),
            (Some((opener, start)), Some(fence)) if fence == opener => {
                blocks.push(Span::new(start, line.start));
                open = None;
            }
            _ => {}
        }
    }
    blocks.extend(open.map(|(_, start)| Span::new(start, text.len())));
    blocks
}

/// The runs of characters that are out of place, in order.
fn find(text: &str) -> Vec<(Kind, Span)> {
    if text.is_ascii() {
        return Vec::new();
    }
    let mut found: Vec<(Kind, Span)> = Vec::new();
    let mut before = Before::default();
    let mut characters = text.char_indices().peekable();
    while let Some((start, character)) = characters.next() {
        let span = Span::new(start, start + character.len_utf8());
        let next = characters.peek().map(|&(_, next)| next);
        match kind(character).filter(|_| !before.makes_ordinary(character, next)) {
            Some(kind) => match found.last_mut() {
                Some((last, run)) if *last == kind && run.end == start => run.end = span.end,
                _ => found.push((kind, span)),
            },
            None => before.take(character),
        }
    }
    found
}

fn kind(character: char) -> Option<Kind> {
    match character {
        // Soft hyphen, Mongolian vowel separator, zero-width space, joiners, word joiner and invisible operators,
        // byte order mark, interlinear annotation, the blank letters of Hangul.
        '\u{AD}'
        | '\u{180E}'
        | '\u{200B}'..='\u{200D}'
        | '\u{2060}'..='\u{2064}'
        | '\u{206A}'..='\u{206F}'
        | '\u{FEFF}'
        | '\u{FFF9}'..='\u{FFFB}'
        | '\u{115F}'
        | '\u{1160}'
        | '\u{3164}'
        | '\u{FFA0}' => Some(Kind::ZeroWidth),
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
            Some(Kind::Direction)
        }
        // Tags, and the variation selectors that no font has a use for outside ideographs.
        '\u{E0000}'..='\u{E007F}' | '\u{E0100}'..='\u{E01EF}' => Some(Kind::Tag),
        _ => None,
    }
}

/// What stands before a character, as far as it decides whether the character is ordinary.
#[derive(Debug, Default)]
struct Before {
    last: Option<char>,
    /// Inside the tags of a flag.
    in_flag: bool,
    /// Right-to-left letters stand before it on its line.
    right_to_left: bool,
}

impl Before {
    fn take(&mut self, character: char) {
        self.in_flag = character == BLACK_FLAG
            || (self.in_flag && is_flag_tag(character) && character != END_TAG);
        self.right_to_left =
            (self.right_to_left || is_right_to_left(character)) && character != '\n';
        self.last = Some(character);
    }

    fn makes_ordinary(&self, character: char, next: Option<char>) -> bool {
        match character {
            '\u{200C}' | '\u{200D}' => {
                self.last.is_some_and(is_joinable) && next.is_some_and(is_joinable)
            }
            '\u{61C}' | '\u{200E}' | '\u{200F}' => {
                self.right_to_left || next.is_some_and(is_right_to_left)
            }
            '\u{E0000}'..='\u{E007F}' => self.in_flag && is_flag_tag(character),
            '\u{E0100}'..='\u{E01EF}' => self.last.is_some_and(is_ideograph),
            '\u{1160}' => self
                .last
                .is_some_and(|last| matches!(last, '\u{1100}'..='\u{115F}')),
            _ => false,
        }
    }
}

/// The emoji that tags turn into the flag of a region (Unicode Technical Standard 51, "Emoji Tag Sequences").
const BLACK_FLAG: char = '\u{1F3F4}';

const END_TAG: char = '\u{E007F}';

/// The tags of flags: small letters, digits and the end.
fn is_flag_tag(character: char) -> bool {
    matches!(character, '\u{E0030}'..='\u{E0039}' | '\u{E0061}'..='\u{E007A}' | END_TAG)
}

/// Whether a joiner can stand beside the character: emoji, and letters of scripts that are joined or stacked.
fn is_joinable(character: char) -> bool {
    matches!(character,
        // Hebrew to Tibetan, Khmer and Mongolian: the scripts that joiners shape.
        '\u{590}'..='\u{FFF}' | '\u{1000}'..='\u{109F}' | '\u{1700}'..='\u{18AF}' | '\u{FB1D}'..='\u{FDFF}'
        // Symbols and emoji, their variation selector and skin tones.
        | '\u{2190}'..='\u{2BFF}' | '\u{FE0F}' | '\u{1F000}'..='\u{1FAFF}')
}

fn is_right_to_left(character: char) -> bool {
    matches!(character, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
        && character.is_alphabetic()
}

fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        find(text).into_iter().map(|(kind, _)| kind).collect()
    }

    #[test]
    fn what_scripts_and_emoji_need_is_ordinary() {
        for text in [
            "👩\u{200D}💻 👨\u{1F3FD}\u{200D}🚀 ❤\u{FE0F}\u{200D}🔥",
            "می\u{200C}خواهم क्\u{200D}ष",
            "שלום\u{200F}! \u{200F}אב",
            "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
            "葛\u{E0100}",
            "ordinary text with – dashes “quotes” and\u{A0}blanks ✔\u{FE0F}",
        ] {
            assert_eq!(kinds(text), [], "{text}");
        }
    }

    #[test]
    fn what_hides_is_found() {
        assert_eq!(kinds("a\u{200B}b\u{2060}"), [Kind::ZeroWidth; 2]);
        assert_eq!(kinds("a\u{200D}b"), [Kind::ZeroWidth]);
        assert_eq!(kinds("👩\u{200D} x"), [Kind::ZeroWidth]);
        assert_eq!(kinds("x\u{FEFF}"), [Kind::ZeroWidth]);
        assert_eq!(kinds("a \u{202E}cba\u{202C}"), [Kind::Direction; 2]);
        assert_eq!(kinds("if x\u{200F} y"), [Kind::Direction]);
        assert_eq!(kinds("אב\nx\u{200F}"), [Kind::Direction], "on another line");
        assert_eq!(kinds("a\u{E0101}"), [Kind::Tag]);
    }

    #[test]
    fn what_is_left_is_what_a_reader_sees() {
        assert_eq!(
            without_invisible("a\u{200B}b\u{202E}c\u{E0041} 👨\u{200D}👩"),
            "abc 👨\u{200D}👩"
        );
        assert!(matches!(without_invisible("plain ö"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_run_is_one_find() {
        let hidden = "\u{E0068}\u{E0069}\u{E007F}";
        assert_eq!(
            find(&format!("a{hidden}b")),
            [(Kind::Tag, Span::new(1, 13))]
        );
        let flag = "\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}";
        assert_eq!(
            kinds(&format!("{flag}{hidden}")),
            [Kind::Tag],
            "past the flag's end"
        );
    }

    #[test]
    fn code_is_told_of_but_not_changed() {
        let text = "---\nname: a\n---\na\u{200b}b\n```py\nx = '\u{200b}'\n```\n";
        let document = crate::parse_text(text.to_owned(), crate::Encoding::Utf8);
        let mut reporter = Reporter::new(document.text());
        check(&document, &mut reporter);
        let found = reporter.finish();
        assert!(
            found[0].message.contains("2 zero-width"),
            "{}",
            found[0].message
        );
        let mended = crate::edit::apply_fixes(text, &found).text;
        assert_eq!(
            mended,
            "---\nname: a\n---\nab\n```py\nx = '\u{200b}'\n```\n"
        );
    }
}
