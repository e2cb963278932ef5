use proptest::prelude::*;

use super::*;
use crate::catalog::clean::{Lines, clean};

/// The text at most so wide.
fn shortened(text: &str, width: usize) -> String {
    let source = clean(text, Lines::Join);
    let text = Text::new(&source, Form::Aleph, &Scales::default(), "");
    if text.chars() <= width {
        source.to_string()
    } else {
        Selection::best(&text, width).print(&text)
    }
}

fn width(text: &str) -> usize {
    Form::Aleph.escape(text).chars().count()
}

#[test]
fn what_is_left_out_leaves_a_trace() {
    let text = "Fill the forms (PDF, W-9) of an office. Then: send <them> by mail.";
    let source = Text::new(text, Form::Aleph, &Scales::default(), "");
    let print = |chosen: &[usize]| {
        let mut selection = Selection::none(&source);
        for index in chosen {
            selection.choose(&source, *index, true);
        }
        let printed = selection.print(&source);
        assert_eq!(selection.chars(&source), width(&printed), "{printed}");
        printed
    };
    // Fill the forms PDF W-9 of an office Then send them by mail
    assert_eq!(print(&[]), "");
    assert_eq!(print(&[0, 2]), "Fill forms…");
    assert_eq!(print(&[0, 1, 2, 3, 4]), "Fill the forms PDF, W-9…");
    assert_eq!(print(&[2, 7]), "forms… office…");
    assert_eq!(print(&[7, 9]), "office… send…");
    assert_eq!(print(&[9, 10, 11, 12]), "send <them> by mail.");
    assert_eq!(print(&(0..13).collect::<Vec<_>>()), text);
}

#[test]
fn texts_without_blanks_are_joined_without_blanks() {
    let text = "生成周报的工具，用于PDF文件";
    assert_eq!(shortened(text, 100), text);
    let short = shortened(text, 10);
    assert!(short.contains('…') && !short.contains(' '), "{short}");
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z .,:()\"<>&/-]{0,80}",
        "\\PC{0,60}",
        any::<String>(),
        "[，。、（）的用于周报整理アイテムのを -~e\u{301}👨\u{200d}👩]{0,60}",
    ]
}

proptest! {
    #[test]
    fn a_shortened_text_stays_what_it_is_at_the_same_width(text in any_text(), most in 0usize..80) {
        let short = shortened(&text, most);
        prop_assert!(width(&short) <= most);
        prop_assert_eq!(shortened(&short, most), short);
    }

    #[test]
    fn the_words_of_a_shortened_text_keep_their_order(text in any_text(), most in 0usize..80) {
        let source = clean(&text, Lines::Join);
        let short = shortened(&text, most);
        let mut rest = source.chars();
        for character in short.chars().filter(|character| character.is_alphanumeric()) {
            prop_assert!(rest.any(|other| other == character), "{short:?} of {source:?}");
        }
    }

    #[test]
    fn counting_is_printing(text in any_text(), seed in any::<u64>()) {
        let source = clean(&text, Lines::Join);
        let text = Text::new(&source, Form::Aleph, &Scales::default(), "");
        let mut selection = Selection::none(&text);
        for round in 0..text.len() * 2 {
            let mixed = seed.rotate_left(u32::try_from(round).unwrap_or_default()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let word = usize::try_from(mixed >> 33).unwrap_or_default() % text.len();
            selection.choose(&text, word, mixed & 3 != 0);
            let printed = selection.print(&text);
            prop_assert_eq!(selection.chars(&text), width(&printed), "{:?} of {:?}", printed, source);
        }
    }
}
