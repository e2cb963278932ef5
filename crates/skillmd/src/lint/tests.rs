use super::*;
use crate::edit::apply_fixes;
use crate::{Encoding, parse_text};

const DESCRIPTION: &str = "description: Use when needed";

fn lint_text(text: &str) -> Vec<Diagnostic> {
    let document = parse_text(text.to_owned(), Encoding::Utf8);
    let mut reporter = Reporter::new(document.text());
    let manifest = Manifest::read(&document, &mut reporter);
    lint(&document, &manifest, None)
}

fn codes(frontmatter: &str, body: &str) -> Vec<Code> {
    lint_text(&format!("---\nname: s\n{frontmatter}\n---\n{body}"))
        .iter()
        .map(|found| found.code)
        .collect()
}

#[test]
fn a_good_skill_gets_no_advice() {
    assert_eq!(codes(DESCRIPTION, "Do it.\n"), []);
}

#[test]
fn tokens_are_rather_too_many() {
    assert_eq!(estimate_tokens(""), 0);
    assert_eq!(estimate_tokens("a"), 1);
    assert_eq!(estimate_tokens("four"), 2);
    assert_eq!(estimate_tokens("five5"), 3);
    assert_eq!(estimate_tokens("навык"), 3);
    assert_eq!(estimate_tokens("技能"), 2);
    assert_eq!(estimate_tokens("😀"), 3);
}

#[test]
fn bodies_should_be_neither_empty_nor_long() {
    assert_eq!(codes(DESCRIPTION, " \n"), [Code::BodyEmpty]);
    assert_eq!(lint_text(""), []);
    assert_eq!(codes(DESCRIPTION, &"x\n".repeat(500)), []);
    assert_eq!(codes(DESCRIPTION, &"x\n".repeat(501)), [Code::BodyTooLong]);
    assert_eq!(codes(DESCRIPTION, &"four ".repeat(4761)), []);
    let long = "four ".repeat(4762);
    assert_eq!(codes(DESCRIPTION, &long), [Code::BodyTooLong]);
    let text = format!("---\n{DESCRIPTION}\n---\n{long}");
    assert!(lint_text(&text)[0].message.contains("about 5001 tokens"));
}

#[test]
fn a_description_says_when() {
    let silent = "description: Release notes generator";
    assert_eq!(codes(silent, "x"), [Code::DescriptionNoWhen]);
    for elsewhere in [
        "when_to_use: at a release",
        "triggers: [release]",
        "paths: CHANGELOG.md",
        "disable-model-invocation: true",
    ] {
        assert_eq!(codes(&format!("{silent}\n{elsewhere}"), "x"), []);
    }
    assert_eq!(
        codes("description:", "x"),
        [],
        "that is an error of its own"
    );
}

#[test]
fn invisible_characters_can_be_deleted() {
    let text =
        format!("---\nname: s\n{DESCRIPTION}\u{200B}\n---\nDo\u{200B} it\u{E0061}\u{E0062}.\n");
    let found = lint_text(&text);
    let codes: Vec<_> = found.iter().map(|found| found.code).collect();
    assert_eq!(codes, [Code::InvisibleCharacter; 2], "one for each kind");
    assert!(found[0].message.contains("2 zero-width"));
    assert!(found[1].message.contains("U+E0061"));
    let fixed = apply_fixes(&text, &found);
    assert_eq!(
        fixed.text,
        format!("---\nname: s\n{DESCRIPTION}\n---\nDo it.\n")
    );
}

#[test]
fn links_out_of_the_skill_are_advised_against() {
    assert_eq!(codes(DESCRIPTION, "[a](../a.md)"), [Code::ReferenceOutside]);
}
