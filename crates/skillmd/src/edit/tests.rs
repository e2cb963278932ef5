use crate::decode::Encoding;
use crate::document::Document;
use crate::edit::EditError;
use crate::node::Value;
use crate::parse::parse_text;

fn document(text: &str) -> Document {
    parse_text(text.to_owned(), Encoding::Utf8)
}

fn set(text: &str, key: &str, value: &Value) -> String {
    let edited = document(text).with_entry_set(key, value).unwrap();
    edited.text().to_owned()
}

#[test]
fn a_value_is_replaced_in_its_place() {
    let text = "---\n# top\nname:   a   # mine\n\ndescription: 'old'\nx: [1,  2]\n---\nBody\n";
    assert_eq!(
        set(text, "name", &Value::text("b: c")),
        text.replace("  a ", "  \"b: c\" ")
    );
    assert_eq!(
        set(text, "description", &Value::text("new")),
        text.replace("'old'", "new")
    );
}

#[test]
fn a_value_of_several_lines_takes_whole_lines() {
    let text = "---\nname: a # mine\ndescription: >-\n  one\n  two\nversion: 1\n---\n";
    assert_eq!(
        set(text, "description", &Value::text("one\ntwo")),
        "---\nname: a # mine\ndescription: |-\n  one\n  two\nversion: 1\n---\n"
    );
    assert_eq!(
        set(text, "name", &Value::text("one\ntwo")),
        text.replace("a # mine", "\"one\\ntwo\" # mine")
    );
    assert_eq!(
        set(
            text,
            "version",
            &Value::list([Value::text("1"), Value::text("b")])
        ),
        text.replace("version: 1", "version:\n  - \"1\"\n  - b")
    );
}

#[test]
fn comments_inside_a_replaced_value_move_above_it() {
    let text = "---\ntags: # all\n  - a # first\n  - b\nname: x\n---\n";
    assert_eq!(
        set(text, "tags", &Value::text("a, b")),
        "---\n# all\n# first\ntags: a, b\nname: x\n---\n"
    );
}

#[test]
fn a_new_entry_goes_to_its_canonical_place() {
    let text = "---\nname: a\ndescription: b\nversion: \"1\"\nmetadata:\n  x: y\n---\n";
    assert_eq!(
        set(text, "license", &Value::text("MIT")),
        text.replace("version", "license: MIT\nversion")
    );
    assert_eq!(
        set(text, "always", &Value::flag(true)),
        text.replace("metadata", "always: true\nmetadata")
    );
    assert_eq!(
        set("---\nversion: 1\n---\n", "name", &Value::text("a")),
        "---\nname: a\nversion: 1\n---\n"
    );
}

#[test]
fn line_breaks_and_encoding_are_kept() {
    let text = "---\r\nname: a\r\n---\r\nBody\r\n";
    let document = parse_text(text.to_owned(), Encoding::Utf16Le);
    let edited = document
        .with_entry_set("license", &Value::text("a\nb"))
        .unwrap();
    assert_eq!(
        edited.text(),
        "---\r\nname: a\r\nlicense: |-\r\n  a\r\n  b\r\n---\r\nBody\r\n"
    );
    assert_eq!(edited.encoding(), Encoding::Utf16Le);
    assert_eq!(edited.get_text("license"), Some("a\nb"));
}

#[test]
fn a_frontmatter_is_made_where_there_is_none() {
    let text = "# Title\r\n\r\nText\r\n";
    let edited = set(text, "name", &Value::text("a"));
    assert_eq!(edited, format!("---\r\nname: a\r\n---\r\n{text}"));
    assert_eq!(set("", "name", &Value::text("a")), "---\nname: a\n---\n");
}

#[test]
fn an_entry_after_the_last_line_of_the_file() {
    let text = "---\nname: a";
    assert_eq!(
        set(text, "description", &Value::text("b")),
        "---\nname: a\ndescription: b\n"
    );
}

#[test]
fn toml_is_edited_as_toml() {
    let text = "+++\nname = 'a' # mine\ntriggers = [\n  \"x\", # why\n]\n\n[requires]\ntools = [\"t\"]\n+++\nBody\n";
    assert_eq!(
        set(text, "name", &Value::text("b")),
        text.replace("'a'", "\"b\"")
    );
    assert_eq!(
        set(text, "max_tool_rounds", &Value::integer(3)),
        text.replace("]\n\n[req", "]\nmax_tool_rounds = 3\n\n[req")
    );
    assert_eq!(
        set(text, "triggers", &Value::list([Value::text("y")])),
        text.replace(
            "triggers = [\n  \"x\", # why\n]",
            "# why\ntriggers = [\"y\"]"
        )
    );
    let requires = Value::mapping([("tools", Value::list([Value::text("u")]))]);
    assert_eq!(
        set(text, "requires", &requires),
        text.replace("\"t\"", "\"u\"")
    );
    let null = document("---\na:\n---\n").get("a").unwrap().value.clone();
    assert_eq!(
        document(text).with_entry_set("name", &null),
        Err(EditError::NullInToml {
            key: "name".to_owned()
        })
    );
}

#[test]
fn removal_takes_the_entry_alone() {
    let text = "---\n# about\nname: a\ndescription: |\n  x\n\n# next\nversion: 1\n---\nBody\n";
    let edited = document(text).with_entry_removed("description").unwrap();
    assert_eq!(
        edited.text(),
        "---\n# about\nname: a\n\n# next\nversion: 1\n---\nBody\n"
    );
    let missing = document(text).with_entry_removed("nope");
    assert_eq!(
        missing,
        Err(EditError::NoSuchKey {
            key: "nope".to_owned()
        })
    );
}

#[test]
fn renaming_keeps_value_and_place() {
    let text = "---\nname: a\nallowed_tools:   [Read]\n---\n";
    let edited = document(text)
        .with_entry_renamed("allowed_tools", "allowed-tools")
        .unwrap();
    assert_eq!(
        edited.text(),
        text.replace("allowed_tools", "allowed-tools")
    );
    let taken = document(text).with_entry_renamed("allowed_tools", "name");
    assert_eq!(
        taken,
        Err(EditError::KeyExists {
            key: "name".to_owned()
        })
    );
}

#[test]
fn the_body_is_replaced_as_it_is() {
    let text = "---\nname: a\n---\nBody\n";
    let edited = document(text).with_body("---\r\nNew").unwrap();
    assert_eq!(edited.text(), "---\nname: a\n---\n---\r\nNew");
    assert!(document("Body").with_body("---\nname: a\n---\n").is_err());
    assert!(document("---\nname: a").with_body("x: y").is_err());
}

#[test]
fn an_edit_that_would_change_more_is_refused() {
    let anchored = document("---\na: &x 1\nb: *x\n---\n");
    assert_eq!(
        anchored.with_entry_removed("a"),
        Err(EditError::WouldChangeMore {
            edited: "a".to_owned(),
            changed: "`b`".to_owned()
        })
    );
    let flow = document("---\n{a: 1, b: 2}\n---\n");
    assert!(flow.with_entry_removed("a").is_err());
    let scattered = document("+++\n[a]\nx = 1\n[a.b]\ny = 2\n+++\n");
    assert!(scattered.with_entry_renamed("a", "c").is_err());
}

#[test]
fn flags_are_written_as_flags() {
    let text = "---\nname: a\nuser-invocable: no\n---\n";
    assert_eq!(
        set(text, "user-invocable", &Value::text("yes")),
        text.replace(": no", ": true")
    );
}

#[test]
fn a_repeated_key_comes_back_neither_after_removal_nor_after_renaming() {
    let twice = document("---\na: 1\nb: 2\na: 3\n---\n");
    let edited = twice.with_entry_removed("a").unwrap();
    assert_eq!(edited.text(), "---\nb: 2\n---\n");
    assert!(twice.with_entry_renamed("a", "c").is_err());
}
