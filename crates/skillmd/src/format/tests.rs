use super::format;
use crate::decode::Encoding;
use crate::parse::parse_text;
use crate::{Manifest, Reporter};

fn formatted(text: &str) -> String {
    format(&parse_text(text.to_owned(), Encoding::Utf8))
}

#[track_caller]
fn check(block: &str, expected: &str) {
    let expected = format!("---\n{expected}---\nBody\n");
    assert_eq!(formatted(&format!("---\n{block}---\nBody\n")), expected);
    assert_eq!(formatted(&expected), expected, "formatting is stable");
}

#[test]
fn keys_stand_in_the_standards_order() {
    check(
        "metadata:\n  b: x\n  a: z\nzeta: 1\nallowed-tools: Read\nalpha: 2\ncompatibility: c\nlicense: MIT\ndescription: d\nname: me\n",
        "name: me\ndescription: d\nlicense: MIT\ncompatibility: c\nallowed-tools: Read\nzeta: 1\nalpha: 2\nmetadata:\n  b: x\n  a: z\n",
    );
}

#[test]
fn quotes_are_set_where_a_reader_needs_them() {
    check(
        "name: 'plain'\ndescription: 'use tag #2'\nversion: 1.0\na: \"x: z\"\nb: 2026-01-01\nc: yes\n",
        "name: plain\ndescription: \"use tag #2\"\nversion: \"1.0\"\na: \"x: z\"\nb: \"2026-01-01\"\nc: \"yes\"\n",
    );
}

#[test]
fn types_stay_where_all_readers_agree() {
    check(
        "name: 12\na: 12\nb: true\nc: 1.5\nd: 0x1F\ne:\nf: ~\nuser-invocable: No\nalways: '1'\n",
        "name: \"12\"\na: 12\nb: true\nc: 1.5\nd: \"0x1F\"\ne:\nf: ~\nuser-invocable: false\nalways: true\n",
    );
}

#[test]
fn collections_are_written_as_blocks() {
    check(
        "metadata: {a: [1, {b: c, d: []}, [x, z]], e: {}}\nlist:\n- a: |\n    x\n    y\n  b: z\n-\n- {}\n",
        "list:\n  - a: |\n      x\n      y\n    b: z\n  -\n  - {}\nmetadata:\n  a:\n    - \"1\"\n    - b: c\n      d: []\n    - - x\n      - z\n  e: {}\n",
    );
}

#[test]
fn folded_and_quoted_lines_become_one() {
    check(
        "description: >-\n  one\n  two\n\n  three\na: \"b\n  c\"\nd: >\n  e\n",
        "description: |-\n  one two\n  three\na: b c\nd: |\n  e\n",
    );
}

#[test]
fn comments_travel_with_their_entry() {
    check(
        "# on version\nversion: \"1\" # inline\n# on metadata\nmetadata: # first\n  # second\n  a: b # third\n# on name\nname: me\n# the end\n",
        "# on name\nname: me\n# on version\n# inline\nversion: \"1\"\n# on metadata\n# first\n# second\n# third\nmetadata:\n  a: b\n# the end\n",
    );
}

#[test]
fn a_comment_at_the_top_stays_there() {
    check(
        "# SPDX\n# more\n\n# on version\nversion: \"1\"\nname: me\n",
        "# SPDX\n# more\n\nname: me\n# on version\nversion: \"1\"\n",
    );
}

#[test]
fn what_does_not_count_becomes_a_comment() {
    check(
        "stray\nname: a\nname: |\n  b\nmetadata:\n  k: 1\n  k: 2 # x\n",
        "# stray\n# duplicate: name: |\n# duplicate:   b\nname: a\n# x\n# duplicate in metadata: k: 2\nmetadata:\n  k: \"1\"\n",
    );
}

#[test]
fn values_that_were_no_yaml_become_yaml() {
    check(
        "name: @a\ndescription: Use when: x\nmetadata:\n  a: 'b' c # kept\n  d: e # too\n",
        "name: \"@a\"\ndescription: \"Use when: x\"\n# too\nmetadata:\n  a: \"'b' c # kept\"\n  d: e\n",
    );
}

#[test]
fn a_comment_cannot_smuggle_an_entry() {
    // NEL is a line break for readers of YAML 1.1.
    check(
        "name: a\n# b\u{85}evil: true\n",
        "name: a\n# b\\u{85}evil: true\n",
    );
}

#[test]
fn line_ends_fences_and_what_stands_before_them() {
    assert_eq!(
        formatted("\r\n<!-- licence -->\r\n\r\n--- \r\nname: a\r\n---\t\r\nBody\r\r\nx\ry"),
        "---\nname: a\n---\n<!-- licence -->\nBody\nx\ry"
    );
    assert_eq!(formatted("---\nname: a"), "---\nname: a\n---\n");
    assert_eq!(formatted("name: a\n---\nBody"), "---\nname: a\n---\nBody");
    assert_eq!(
        formatted("---\nname: a\n---# T\n"),
        "---\nname: a\n---\n# T\n"
    );
}

#[test]
fn nothing_is_invented() {
    for text in [
        "",
        "Body\r\n",
        "---\n- a\n- b\n---\nBody\r\n",
        "---\ntext\n---\n",
        "+++\nno toml\n+++\n",
    ] {
        assert_eq!(formatted(text), text);
    }
    assert_eq!(formatted("---\n---\n"), "---\n---\n");
}

#[test]
fn keys_too_long_for_readers_are_marked() {
    let key = "k".repeat(2_000);
    let text = format!("---\n? {key}\n: a: b\n---\n");
    assert_eq!(formatted(&text), format!("---\n? {key}\n:\n  a: b\n---\n"));
}

#[test]
fn deep_nesting_goes_on_in_one_line() {
    let flow = format!("{}x{}", "[".repeat(30), "]".repeat(30));
    let text = formatted(&format!("---\na: {flow}\n---\n"));
    assert!(text.contains("- [[[[[[\"x\"]]]]]]\n"), "{text}");
    let (before, after) = (
        parse_text(format!("---\na: {flow}\n---\n"), Encoding::Utf8),
        parse_text(text, Encoding::Utf8),
    );
    assert!(before.same_data(&after));
}

#[test]
fn toml_stays_toml() {
    let text = "+++\n# top\n\n[requires] # all\ntools = [ 't' ] # these\n[other]\n+++\nBody\n";
    assert_eq!(
        formatted(text),
        "+++\n# top\n\n# all\n# these\n[requires]\ntools = [\"t\"]\n\n[other]\n+++\nBody\n"
    );
    let text = "+++\r\nmax_tool_rounds = 1_000\r\nsince = 2026-01-01\r\nversion = 1.0\r\nname = 'a'\r\na.b = { c = 1 }\r\n+++\r\nBody\r\n";
    assert_eq!(
        formatted(text),
        "+++\nname = \"a\"\nversion = 1.0\nmax_tool_rounds = 1000\nsince = 2026-01-01\n\n[a]\n\n[a.b]\nc = 1\n+++\nBody\n"
    );
}

/// In block notation the brackets would be gone, and with them what the author wanted shown.
#[test]
fn a_hint_in_brackets_is_text() {
    let text = "---\nargument-hint: [a, \"b\"]\nmetadata:\n  argument-hint: [c]\n---\n";
    assert_eq!(
        formatted(text),
        "---\nargument-hint: '[a, \"b\"]'\nmetadata:\n  argument-hint: \"[c]\"\n---\n"
    );
}

#[test]
fn a_comment_below_stray_lines_is_kept() {
    assert_eq!(
        formatted("---\n  author: someone\n  - two: 2\n  # indented comment\nname: pdf\n---\n"),
        "---\nname: pdf\n# - two: 2\n# indented comment\nauthor: someone\n---\n"
    );
}

#[test]
fn what_toml_cannot_read_is_text_before_and_after() {
    for value in ["", "~", "null", "yes"] {
        let text = format!("+++\nname = {value}\n+++\n");
        let read = |text: &str| {
            let document = parse_text(text.to_owned(), Encoding::Utf8);
            Manifest::read(&document, &mut Reporter::new(document.text())).name
        };
        assert_eq!(read(&text).as_deref(), Some(value));
        assert_eq!(read(&formatted(&text)).as_deref(), Some(value));
    }
}

#[test]
fn text_that_was_read_as_a_value_is_no_comment_as_well() {
    assert_eq!(
        formatted("---\nname: a\ndescription: b\nc d\n---\n"),
        "---\nname: a\ndescription: b c d\n---\n"
    );
}

#[test]
fn a_comment_below_a_key_with_a_question_mark_is_kept_beside_a_fault() {
    assert_eq!(
        formatted("---\n: \nname: a\n? b\n: \n  c: [d] # why\n---\n"),
        "---\n# :\nname: a\n# why\nb:\n  c:\n    - d\n---\n"
    );
}
