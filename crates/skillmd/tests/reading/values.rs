//! What the values of a sound frontmatter are, and which lines are theirs.

use skillmd::Language;

use crate::check;

#[test]
fn a_plain_skill() {
    let text =
        "---\nname: pdf\ndescription: Fill forms. Use when a form is given.\n---\n\n# Body\n";
    let document = check(
        text,
        "name=pdf; description=Fill forms. Use when a form is given.",
        &[],
    );
    assert_eq!(document.body(), "\n# Body\n");
    assert_eq!(document.frontmatter().unwrap().language, Language::Yaml);
}

#[test]
fn scalars_keep_their_text() {
    check(
        "---\nversion: 1.0\nfloat: 1.10\ndate: 2026-01-01\nyes: no\nempty:\ntilde: ~\n---\n",
        "version=1.0; float=1.10; date=2026-01-01; yes=no; empty=; tilde=~",
        &[],
    );
}

#[test]
fn all_yaml_styles() {
    check(
        concat!(
            "---\n",
            "a: \"q\\u00e9\"\nb: 'it''s'\nc: |\n  one\n  two\nd: >-\n  one\n  two\n\n  three\n",
            "e: [x, \"y, z\"]\nf: {g: {h: 1}}\ni:\n- j\n- k\nl:\n  m:\n    - n\n",
            "o: several\n  lines\n",
            "---\n"
        ),
        "a=qé; b=it's; c=one\ntwo\n; d=one two\nthree; e=[x, y, z]; f={g={h=1}}; i=[j, k]; l={m=[n]}; o=several lines",
        &[],
    );
}

#[test]
fn tabs_as_indentation() {
    check(
        "---\nname: a\nmetadata:\n\tauthor: me\n\tversion: 2\n---\n",
        "name=a; metadata={author=me, version=2}",
        &["yaml-tab@4:2"],
    );
}

#[test]
fn duplicates_are_kept_and_reported() {
    let document = check(
        "---\nname: a\nname: b\n---\n",
        "name=a; name=b",
        &["yaml-duplicate-key@3:1"],
    );
    assert_eq!(document.get_text("name"), Some("a"));
    assert!(document.entries()[1].duplicate);
    check(
        "---\nm:\n  k: 1\n  k: 2\n---\n",
        "m={k=1, k=2}",
        &["yaml-duplicate-key@4:3"],
    );
}

#[test]
fn anchors_aliases_and_tags() {
    check(
        "---\na: &x [1]\nb: *x\nc: *nothing\nd: !!str 1\ne: !own 2\n---\n",
        "a=[1]; b=[1]; c=*nothing; d=1; e=2",
        &[
            "yaml-anchor@2:7",
            "yaml-anchor@3:4",
            "yaml-unknown-alias@4:4",
            "yaml-tag@5:10",
            "yaml-tag@6:9",
        ],
    );
}

#[test]
fn entries_own_their_lines_only() {
    let text = "---\n# about the name\nname: a\n\n# about the list\nlist:\n  - x\n  # inside\n  - y\n\n# end\n---\n";
    let document = check(text, "name=a; list=[x, y]", &[]);
    let lines = |key: &str| document.entry(key).unwrap().span.slice(text);
    assert_eq!(lines("name"), "name: a\n");
    assert_eq!(lines("list"), "list:\n  - x\n  # inside\n  - y\n");
}
