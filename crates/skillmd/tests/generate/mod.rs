//! Texts and values that are hard on a writer.

use proptest::prelude::*;
use proptest::sample::select;
use skillmd::{Scalar, ScalarStyle, Value};

/// Blanks, breaks and characters that some reader refuses.
const ODD: &[&str] = &[
    " ",
    "  ",
    "\n",
    "\n\n",
    "\t",
    "\r",
    "\r\n",
    "\u{A0}",
    "\u{85}",
    "\u{2028}",
    "\u{2029}",
    "\u{3000}",
    "\u{FEFF}",
    "\u{0}",
    "\u{7}",
    "\u{1B}",
    "\u{7F}",
    "\u{9F}",
    "\u{FFFE}",
    "\u{1FFFF}",
    "\u{200D}",
];

/// What has a meaning in YAML, TOML or Markdown.
const INDICATORS: &[&str] = &[
    ": ", ":", " #", "#", "'", "\"", "''", "\\", "\\n", "- ", "-", "---", "...", "+++", "? ", "[",
    "]", "{", "}", ",", "&", "*", "!", "|", ">", "%", "@", "`", "=", "<<", "~", "<!--", "\n  ",
    "\n- ", "\n# ", "\n---\n",
];

/// What some reader takes for another type.
const LOOK_ALIKES: &[&str] = &[
    "yes",
    "No",
    "TRUE",
    "null",
    "~",
    "1",
    "1.0",
    "1_000",
    "0x1F",
    "0o14",
    "1e3",
    ".inf",
    "-.NaN",
    "12:30:45",
    "2026-01-01",
    "2001-12-14t21:59:43.10-05:00",
    "1.2.3",
    "y",
    "off",
    "+",
    ".",
];

const WORDS: &[&str] = &["数据", "😀", "é", "👩‍💻", "ı", "한국어"];

/// Texts that one reader or another takes for something else, or breaks in two.
pub(crate) fn awkward_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-z]{1,8}",
        2 => select(ODD).prop_map(str::to_owned),
        3 => select(INDICATORS).prop_map(str::to_owned),
        2 => select(LOOK_ALIKES).prop_map(str::to_owned),
        1 => select(WORDS).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

/// Unquoted scalars of all types.
fn plain() -> impl Strategy<Value = Value> {
    select(vec![
        "",
        "~",
        "null",
        "true",
        "False",
        "12",
        "-5",
        "1.5",
        "1.0",
        "0o14",
        "0x1F",
        "1e3",
        ".inf",
        "+5",
        "007",
        "123456789012345678",
    ])
    .prop_map(|text| {
        Value::Scalar(Scalar {
            text: text.to_owned(),
            style: ScalarStyle::Plain,
        })
    })
}

/// Values of all kinds, nested.
pub(crate) fn value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![5 => awkward_text().prop_map(Value::text), 1 => plain()];
    scalar.prop_recursive(4, 24, 5, |inner| {
        let pairs = proptest::collection::btree_map(awkward_text(), inner.clone(), 0..5);
        prop_oneof![
            proptest::collection::vec(inner, 0..5).prop_map(Value::list),
            pairs.prop_map(Value::mapping),
        ]
    })
}

const LINES: &[&str] = &[
    "name: pdf",
    "allowed_tools: Read",
    "allowedTools: [Bash(a b), Grep]",
    "allowed-tools: Read, Write",
    "disable-model-invocation: on",
    "max_tool_rounds: 007",
    "    requires: {bins: [git, 7]}",
    "    always: off",
    "description: Fills forms",
    "description: Use when: testing",
    "license: 'it''s'",
    "version: 1.0",
    "version: \"2\" # bumped",
    "user-invocable: yes",
    "always: \"no\"",
    "metadata:",
    "metadata: {a: 1, \"b\": [x, 'y']}",
    "  author: someone",
    "  tags: [a, \"b\"] # nested",
    "  openclaw:",
    "    always: on",
    "    emoji: \"\\uD83D\\uDE00\"",
    "tags:",
    "  - one",
    "  - two: 2",
    "    three: 3",
    "- four",
    "x: |",
    "x: >-",
    "x: |+",
    "x: |2",
    "  line",
    "   indented",
    "",
    "   ",
    "# a comment",
    "  # indented comment",
    "#no blank",
    "key: @at",
    "key: *star",
    "key: \"open",
    "key: [open",
    "key: 'a' b",
    "stray text",
    "\tx: tab",
    "? complex",
    ": value",
    "a: &anchor 1",
    "b: *anchor",
    "<<: *anchor",
    "t: !tag x",
    "{flow: x, more: y}",
    "\"quoted key\": 1",
    "yes: 1",
    "null:",
    "name: other",
    "d: 2026-01-01",
    "n: ~",
    "e: {}",
    "l: []",
    "---x",
    "%YAML 1.1",
    "...",
    "k: \u{7}",
    "c: a\u{85}# b",
    "# c\u{85}k: v",
    "x: 'multi",
    "  line'",
    "description: |",
    "description: d: e",
    "Use it when: asked",
    "描述: x",
    "my key: x",
    "name = \"toml\"",
];

/// Files as people write them, and as they get them wrong.
pub(crate) fn source() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        6 => select(LINES).prop_map(str::to_owned),
        1 => (awkward_text(), awkward_text()).prop_map(|(key, value)| format!("{key}: {value}")),
    ];
    let frame = select(vec![
        ("---\n", "---\n"),
        ("---\n", "---"),
        ("---\n", ""),
        ("\n\n--- \n", "---  \n"),
        ("<!-- licence -->\n---\n", "---\n"),
        ("", "---\n"),
        ("---\n", "---# Title\n"),
        ("+++\n", "+++\n"),
        ("----\n", "----\n"),
        ("\u{200B}---\n", "---\n"),
        ("---\u{FEFF}\n", "---\n"),
    ]);
    let body = select(vec![
        "",
        "# Title\n",
        "\nText\r\n\r\r\nmore",
        "---\n---\n",
        "<!-- x -->",
    ]);
    let lines = proptest::collection::vec(line, 0..10);
    (frame, lines, body, any::<bool>()).prop_map(|((open, close), lines, body, is_crlf)| {
        let mut text = open.to_owned();
        for line in &lines {
            text.extend([line, "\n"]);
        }
        with_breaks(text + close + body, is_crlf)
    })
}

const TOML_LINES: &[&str] = &[
    "name = \"a\"",
    "description = 'b' # why",
    "triggers = [\"x\", # first",
    "  \"y\"]",
    "[requires]",
    "tools = [\"t\"]",
    "[[many]]",
    "x = 1",
    "y = 1.0",
    "d = 2026-01-01",
    "f = inf",
    "h = 0xFF",
    "u = 1_000",
    "a.b = 1",
    "a.c = \"z\"",
    "[a.d]",
    "t = { x = 1, y = [2] }",
    "# comment",
    "",
    "s = \"\"\"",
    "text",
    "+++",
    "\"\"\"",
    "bad",
    "name = again",
    "e = \"\\u0000\\n\"",
    "m = '''one",
    "two'''",
    "\"k k\" = true",
];

/// Files with TOML.
pub(crate) fn toml_source() -> impl Strategy<Value = String> {
    let fence = prop_oneof![4 => Just("+++"), 1 => Just("---")];
    let lines = proptest::collection::vec(select(TOML_LINES), 0..9);
    (fence, lines, any::<bool>()).prop_map(|(fence, lines, is_crlf)| {
        let block = lines.join("\n");
        with_breaks(format!("{fence}\n{block}\n{fence}\nBody\n"), is_crlf)
    })
}

fn with_breaks(text: String, is_crlf: bool) -> String {
    if is_crlf {
        text.replace('\n', "\r\n")
    } else {
        text
    }
}
