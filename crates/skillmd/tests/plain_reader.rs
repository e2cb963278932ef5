//! The fast reader must read what the YAML library reads, or leave it to the library.

use proptest::prelude::*;

/// Pieces that blocks near the plain subset are made of; joined at random they make most of its borders.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z_][a-z0-9_.-]{0,5}: ",
        3 => Just(":".to_owned()),
        4 => Just("\n".to_owned()),
        2 => Just("\n  ".to_owned()),
        1 => Just("\n    ".to_owned()),
        2 => Just("- ".to_owned()),
        2 => "[|>][+-]?\n  ",
        2 => "\"[^\"\\\\\n]{0,5}\"",
        1 => "'[^'\n]{0,5}'",
        2 => "\\[[a-z ,'\"]{0,8}\\]",
        1 => Just("{}".to_owned()),
        2 => "[ #:,&*!?%@`'\"<=>{}\\[\\]|~-]{1,3}",
        3 => "[a-zA-Zé中0-9./ ]{1,8}",
        1 => Just("# c".to_owned()),
        1 => Just("\n\n".to_owned()),
        1 => Just(" ".to_owned()),
    ]
}

fn block() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::collection::vec(piece(), 1..24).prop_map(|pieces| pieces.concat() + "\n"),
        proptest::collection::vec(entry(), 1..6).prop_map(|entries| entries.concat()),
    ]
}

/// Entries of the shapes that real frontmatters have.
fn entry() -> impl Strategy<Value = String> {
    let word = "[a-z][a-z0-9-]{0,6}";
    let value = prop_oneof![
        "[A-Za-z][A-Za-z0-9 .,:'()/#-]{0,30}",
        "\"[A-Za-z0-9 .,:'#-]{0,20}\"",
        "'[A-Za-z0-9 .,:\"#-]{0,20}'",
        "[|>][+-]?(\n  [a-z #:-]{1,9}){1,3}(\n){0,3}",
        "(\n  [a-z]{1,4}: [a-z0-9\"']{0,6}){1,4}",
        "(\n  - [a-z:\"' ]{1,6}){1,4}",
        "(\n- [a-z]{1,6}){1,3}",
        "\\[[a-z]{1,3}(, [a-z]{1,3}){0,3}\\]",
        "\n  [a-z]{1,3}:\n    [a-z]{1,3}: [a-z]{0,3}",
        "",
    ];
    (word, value).prop_map(|(key, value)| format!("{key}: {value}\n"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn equals_the_library(block in block()) {
        prop_assert_ne!(skillmd::agrees_with_library(&block), Some(false), "{:?}", block);
    }
}

/// The subset must not shrink by accident: these shapes are most of what authors write.
#[test]
fn reads_what_most_authors_write() {
    for block in [
        "name: a\ndescription: Does this. Use when that.\n",
        "name: a\ndescription: \"Quoted: yes\"\nlicense: 'MIT'\n",
        "name: a\ndescription: >\n  One\n  two.\n\n  Three.\nversion: 1.0\n",
        "description: |\n  One\n    two\n\nname: a\n",
        "name: a\nmetadata:\n  author: me\n  version: \"1.0\"\nallowed-tools: Bash(git:*) Read\n",
        "tags: [a, b, \"c d\"]\nlist:\n  - x\n  - y\nother:\n- z\n",
        "# comment\nname: a\n\n# more\nempty:\nlast: ü 中文\n",
    ] {
        assert_eq!(skillmd::agrees_with_library(block), Some(true), "{block}");
    }
}
