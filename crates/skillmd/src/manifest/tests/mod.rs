//! What holds for every key; `dialects` has what each client adds.

mod dialects;

use proptest::prelude::*;

use super::*;
use crate::code::Code;
use crate::decode::Encoding;
use crate::diagnostic::{Diagnostic, Reporter, Severity};
use crate::keys::{KEYS, Key, Shape};
use crate::platform::Os;
use crate::{Field, FieldValue, parse_text};

/// The manifest of a whole SKILL.md, and what reading it reported.
fn read_text(text: &str) -> (Manifest, Vec<Diagnostic>) {
    let document = parse_text(text.to_owned(), Encoding::Utf8);
    let mut reporter = Reporter::new(document.text());
    let manifest = Manifest::read(&document, &mut reporter);
    (manifest, reporter.finish())
}

/// The same for the lines of a YAML frontmatter.
fn read(yaml: &str) -> (Manifest, Vec<Diagnostic>) {
    read_text(&format!("---\n{yaml}\n---\n"))
}

/// The same for the lines of a TOML frontmatter.
fn read_toml(toml: &str) -> (Manifest, Vec<Diagnostic>) {
    read_text(&format!("+++\n{toml}\n+++\n"))
}

/// The manifest of a frontmatter that has nothing to report.
fn clean(yaml: &str) -> Manifest {
    let (manifest, diagnostics) = read(yaml);
    assert_eq!(diagnostics, [], "{yaml}");
    manifest
}

/// The only thing that is reported.
fn only(diagnostics: &[Diagnostic]) -> &Diagnostic {
    assert_eq!(diagnostics.len(), 1, "{diagnostics:#?}");
    &diagnostics[0]
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<Code> {
    diagnostics.iter().map(|d| d.code).collect()
}

#[test]
fn a_plain_skill() {
    let manifest = clean("name: pdf\ndescription: \" Makes PDFs. \"");
    assert_eq!(manifest.name.as_deref(), Some("pdf"));
    assert_eq!(manifest.description.as_deref(), Some(" Makes PDFs. "));
    assert_eq!(manifest.description(), Some("Makes PDFs."));
    assert!(manifest.is_model_invocable() && manifest.is_user_invocable());
    assert_eq!(manifest.scope(), Scope::System);
    let names: Vec<_> = manifest.values().map(|(name, _)| name).collect();
    assert_eq!(names, ["name", "description"]);
}

#[test]
fn scalars_are_taken_as_they_are_written() {
    let manifest = clean("name: 123\ndescription: yes\nversion: 1.0\nauthor: 0x10");
    assert_eq!(manifest.name.as_deref(), Some("123"));
    assert_eq!(manifest.description.as_deref(), Some("yes"));
    assert_eq!(manifest.display.version.as_deref(), Some("1.0"));
    assert_eq!(manifest.display.author.as_deref(), Some("0x10"));
}

#[test]
fn null_says_nothing() {
    let keys = KEYS.iter().filter(|key| key.is_top_level());
    let yaml: Vec<_> = keys.map(|key| format!("{}:", key.path)).collect();
    assert_eq!(clean(&yaml.join("\n")), Manifest::default());
}

#[test]
fn one_fault_costs_one_field() {
    let (manifest, diagnostics) =
        read("name: [a]\ndescription: d\nversion: {a: b}\ntags: [x, [y], z]\nmodel: m");
    assert_eq!(manifest.name, None);
    assert_eq!(manifest.description.as_deref(), Some("d"));
    assert_eq!(manifest.display.version, None);
    assert_eq!(manifest.display.tags, ["x", "z"]);
    assert_eq!(manifest.execution.model.as_deref(), Some("m"));
    assert_eq!(codes(&diagnostics), [Code::WrongType; 3]);
    let severities: Vec<_> = diagnostics.iter().map(|d| d.severity).collect();
    assert_eq!(
        severities,
        [Severity::Error, Severity::Warning, Severity::Warning]
    );
    assert_eq!(diagnostics[2].position.line, 5);
}

#[test]
fn what_the_standards_rules_report_is_not_reported_twice() {
    let manifest = clean("name: a\ncompatibility: [x]\nmetadata: text");
    assert_eq!(manifest.compatibility, None);
    assert_eq!(manifest.metadata, []);
}

#[test]
fn booleans_take_eight_words_in_any_case() {
    for (word, flag) in [
        ("true", true),
        ("False", false),
        ("YES", true),
        ("no", false),
        ("On", true),
        ("off", false),
        ("1", true),
        ("\"0\"", false),
    ] {
        let manifest = clean(&format!("user-invocable: {word}"));
        assert_eq!(manifest.invocation.user_invocable, Some(flag), "{word}");
        let manifest = clean(&format!("disable-model-invocation: {word}"));
        assert_eq!(manifest.is_model_invocable(), !flag, "{word}");
    }
    for value in ["maybe", "2", "[true]"] {
        let (manifest, diagnostics) = read(&format!("user-invocable: {value}"));
        assert_eq!(manifest.invocation.user_invocable, None);
        assert_eq!(only(&diagnostics).code, Code::WrongType);
    }
}

#[test]
fn lists_are_taken_in_every_notation() {
    for value in [
        "Bash(git add:*) Read",
        "Bash(git add:*), Read",
        "[\"Bash(git add:*)\", Read]",
        "\n  - Bash(git add:*)\n  - Read",
    ] {
        let manifest = clean(&format!("allowed-tools: {value}"));
        let tools = manifest.allowed_tools.unwrap();
        assert_eq!(tools, ["Bash(git add:*)", "Read"], "{value}");
    }
    let manifest = clean("allowed-tools: [Bash(git add:*, git commit:*), Read]");
    assert_eq!(
        manifest.allowed_tools.unwrap(),
        ["Bash(git add:*, git commit:*)", "Read"]
    );
    let manifest = clean("allowed-tools: [\"Bash(git\", Read]");
    assert_eq!(manifest.allowed_tools.unwrap(), ["Bash(git", "Read"]);
    assert_eq!(clean("allowed-tools: []").allowed_tools, Some(vec![]));
    assert_eq!(
        clean("tags: machine learning, maths").display.tags,
        ["machine learning", "maths"]
    );
}

#[test]
fn no_platforms_is_not_all_platforms() {
    let os = |yaml: &str| {
        let (manifest, diagnostics) = read(yaml);
        (manifest.requirements.os.clone(), codes(&diagnostics))
    };
    assert_eq!(os("name: a"), (None, vec![]));
    assert_eq!(os("platforms:"), (None, vec![]));
    assert_eq!(os("platforms: []"), (Some(vec![]), vec![]));
    assert_eq!(
        os("platforms: [macOS, win32, windows]"),
        (Some(vec![Os::MacOs, Os::Windows]), vec![])
    );
    assert_eq!(os("platforms: linux"), (Some(vec![Os::Linux]), vec![]));
    assert_eq!(
        os("eligibility:\n  os: [freebsd]"),
        (Some(vec![]), vec![Code::InvalidValue])
    );
    assert_eq!(
        os("metadata:\n  platforms: [beos, darwin]"),
        (Some(vec![Os::MacOs]), vec![Code::InvalidValue])
    );
}

#[test]
fn spellings_are_one_key() {
    let (manifest, diagnostics) = read("allowedTools: Read\nName: a\nuser-invokable: no");
    assert_eq!(manifest.allowed_tools.unwrap(), ["Read"]);
    assert_eq!(manifest.name.as_deref(), Some("a"));
    assert_eq!(manifest.invocation.user_invocable, Some(false));
    assert_eq!(codes(&diagnostics), [Code::KeySpelling; 3]);
    let edit = &diagnostics[0].fix.as_ref().unwrap().edits[0];
    assert_eq!(edit.replacement, "allowed-tools");
    assert_eq!((edit.span.start, edit.span.end), (4, 16));
    clean("when_to_use: a");
    clean("when-to-use: a");
}

#[test]
fn the_key_with_precedence_counts() {
    let (manifest, diagnostics) = read(
        "metadata:\n  version: 2\n  openclaw:\n    os: [linux]\nversion: 1\nplatforms: [macos]",
    );
    assert_eq!(manifest.display.version.as_deref(), Some("1"));
    assert_eq!(manifest.requirements.os, Some(vec![Os::MacOs]));
    assert_eq!(codes(&diagnostics), [Code::KeyConflict; 2]);
    assert_eq!(diagnostics[0].position.line, 3);
    assert!(diagnostics[0].message.contains("`metadata.version`"));
    assert!(diagnostics[0].message.contains("`version`"));
    assert_eq!(diagnostics[1].position.line, 5);
}

#[test]
fn equal_statements_are_no_conflict() {
    clean("version: 1.0\nmetadata:\n  version: \"1.0\"");
    clean("platforms: [macos, linux]\nmetadata:\n  platforms: [linux, darwin]");
}

#[test]
fn the_canonical_spelling_beats_another() {
    let (manifest, diagnostics) = read("allowed_tools: Write\nallowed-tools: Read");
    assert_eq!(manifest.allowed_tools.unwrap(), ["Read"]);
    assert_eq!(codes(&diagnostics), [Code::KeyConflict, Code::KeySpelling]);
}

#[test]
fn a_value_that_cannot_be_read_leaves_its_place_to_the_next() {
    let (manifest, diagnostics) = read("version: [1]\nmetadata: {version: 2}");
    assert_eq!(manifest.display.version.as_deref(), Some("2"));
    assert_eq!(only(&diagnostics).code, Code::WrongType);
}

#[test]
fn a_hint_in_brackets_stays_as_it_is() {
    let hint = |value: &str| {
        clean(&format!("argument-hint: {value}"))
            .invocation
            .argument_hint
            .clone()
    };
    assert_eq!(hint("[file, mode]").as_deref(), Some("[file, mode]"));
    assert_eq!(hint("<file>").as_deref(), Some("<file>"));
    let (manifest, diagnostics) = read("argument-hint:\n  - a");
    assert_eq!(manifest.invocation.argument_hint, None);
    assert_eq!(only(&diagnostics).code, Code::WrongType);
}

#[test]
fn unknown_words_are_kept_and_reported() {
    let (manifest, diagnostics) = read("effort: heroic\ncontext: fork");
    assert_eq!(manifest.execution.effort.as_deref(), Some("heroic"));
    assert_eq!(manifest.execution.context.as_deref(), Some("fork"));
    assert_eq!(only(&diagnostics).code, Code::InvalidValue);
}

#[test]
fn a_container_that_is_none_is_reported() {
    let (_, diagnostics) = read("requires: [a]\nmetadata:\n  openclaw: true\n  hermes:");
    assert_eq!(codes(&diagnostics), [Code::WrongType; 2]);
}

#[test]
fn only_the_first_of_equal_keys_counts() {
    let (manifest, diagnostics) = read("version: 1\nversion: 2\nmetadata: {emoji: a, emoji: b}");
    assert_eq!(manifest.display.version.as_deref(), Some("1"));
    assert_eq!(manifest.display.emoji.as_deref(), Some("a"));
    assert_eq!(diagnostics, []);
}

/// A value that the shape takes.
fn sample(shape: Shape) -> &'static str {
    match shape {
        Shape::OneOf(words) => words[0],
        Shape::Text | Shape::Verbatim | Shape::Words | Shape::Phrases => "word",
        Shape::Flag | Shape::InvertedFlag => "true",
        Shape::Count => "7",
        Shape::Platforms => "[linux]",
        Shape::Installs => "[{kind: uv, package: x}]",
        Shape::Triggers => "[command:x]",
        Shape::Scope => "tool",
        Shape::Automation => "{schedule: daily}",
        Shape::Variables => "[NAME]",
        Shape::Files => "[a.json]",
        Shape::Settings => "[{key: k}]",
        Shape::Mapping | Shape::Any => "{a: b}",
    }
}

/// The lines that give a key a value.
fn entry(key: &Key, value: &str) -> String {
    let line = |(depth, name)| format!("\n{}{name}:", "  ".repeat(depth));
    let names: String = key.names().enumerate().map(line).collect();
    format!("{names} {value}")
}

#[test]
fn every_row_of_the_table_feeds_its_field() {
    for key in KEYS {
        let manifest = clean(&entry(key, sample(key.shape)));
        assert!(manifest.value(key.field).is_some(), "{}", key.path);
    }
}

#[test]
fn every_field_has_a_key() {
    for field in Field::ALL {
        assert!(
            KEYS.iter().any(|key| key.field == *field),
            "no key feeds {field:?}"
        );
    }
}

#[test]
fn values_are_in_one_order() {
    let manifest =
        clean("metadata: {x: y}\nplatforms: []\nversion: 1\nname: a\ntriggers: [command:x]");
    let values: Vec<_> = manifest.values().collect();
    let names: Vec<_> = values.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["name", "version", "triggers", "os", "metadata"]);
    assert_eq!(values[0].1, FieldValue::Text("a"));
    assert_eq!(values[3].1, FieldValue::List(vec![]));
}

#[test]
fn a_missing_description_is_found_in_the_body() {
    let manifest = clean("name: a\ndescription: \" \"");
    let body = "# T\n\nProse.\n";
    assert_eq!(
        manifest.description_or_first_paragraph(body).as_deref(),
        Some("Prose.")
    );
    let manifest = clean("description: d");
    assert_eq!(
        manifest.description_or_first_paragraph(body).as_deref(),
        Some("d")
    );
}

proptest! {
    #[test]
    fn any_value_under_any_key_is_read_or_reported(
        rows in prop::collection::vec((0..KEYS.len(), ".{0,30}|[\\[\\]{}(),:!\"' a-c0-9]{0,30}"), 1..6),
    ) {
        let entries: Vec<_> = rows.iter().map(|(row, value)| entry(&KEYS[*row], value)).collect();
        let text = format!("---{}\n---\n", entries.concat());
        let (manifest, diagnostics) = read_text(&text);
        for diagnostic in diagnostics {
            prop_assert!(text.get(std::ops::Range::from(diagnostic.span)).is_some());
        }
        prop_assert_eq!(read_text(&text).0, manifest);
    }
}
