use super::*;
use crate::edit::apply_fixes;
use crate::{Encoding, parse, parse_text};

fn context(directory: &str) -> Context {
    Context {
        directory: Some(directory.to_owned()),
        file_name: Some("SKILL.md".to_owned()),
        depth: None,
    }
}

fn found_in(document: &Document, context: &Context) -> Vec<Diagnostic> {
    let mut reporter = Reporter::new(document.text());
    let manifest = Manifest::read(document, &mut reporter);
    validate(document, &manifest, context)
}

/// What validation finds in a skill that lies in the directory `s`.
fn found(text: &str) -> Vec<Diagnostic> {
    let document = parse_text(text.to_owned(), Encoding::Utf8);
    found_in(&document, &context("s"))
}

/// The codes found in a frontmatter, those of warnings in parentheses.
fn codes(frontmatter: &str) -> Vec<String> {
    found(&format!("---\n{frontmatter}---\nBody\n"))
        .iter()
        .map(|diagnostic| match diagnostic.severity {
            Severity::Error => diagnostic.code.to_string(),
            _ => format!("({})", diagnostic.code),
        })
        .collect()
}

/// The frontmatter after the first fix.
fn fixed(frontmatter: &str) -> String {
    let text = format!("---\n{frontmatter}---\nBody\n");
    let fix = found(&text).into_iter().find_map(|found| found.fix);
    let text = apply(&text, &fix.expect("a fix"));
    let inner = text
        .strip_prefix("---\n")
        .and_then(|rest| rest.strip_suffix("---\nBody\n"));
    inner.expect("the fences stay").to_owned()
}

fn apply(text: &str, fix: &Fix) -> String {
    let mut diagnostic = Diagnostic::about_file(Code::KeyNotStandard, "");
    diagnostic.fix = Some(fix.clone());
    let fixed = apply_fixes(text, &[diagnostic]);
    assert_eq!(fixed.applied, [0], "the edits must not touch each other");
    fixed.text
}

const GOOD: &str = "name: s\ndescription: x\n";

#[test]
fn a_skill_that_obeys_all_rules_has_no_diagnostics() {
    assert_eq!(codes(GOOD), [""; 0]);
    let full = "name: s\ndescription: >-\n  x\n  y\nlicense: MIT\ncompatibility: git\nallowed-tools: Read Bash(git *)\nmetadata:\n  version: \"1.0\"\n";
    assert_eq!(codes(full), [""; 0]);
}

#[test]
fn yaml_that_the_standard_allows_is_fine() {
    assert_eq!(
        codes("{name: s, description: \"a --- b\", metadata: {a: b}}\n"),
        [""; 0]
    );
    assert_eq!(
        codes("name: &n s\ndescription: !!str x\nlicense: *n\n"),
        [""; 0]
    );
}

#[test]
fn the_name_must_be_there_and_text() {
    assert_eq!(codes("description: x\n"), ["name-missing"]);
    assert_eq!(fixed("description: x\n"), "name: s\ndescription: x\n");
    for name in [
        "name:",
        "name: ~",
        "name: \"  \"",
        "name: []",
        "name: {a: b}",
    ] {
        let frontmatter = format!("{name}\ndescription: x\n");
        assert_eq!(codes(&frontmatter), ["name-missing"], "{name}");
        assert_eq!(fixed(&frontmatter), "name: s\ndescription: x\n", "{name}");
    }
    assert_eq!(codes("name:\n  - a\ndescription: x\n"), ["name-missing"]);
}

#[test]
fn every_fault_of_the_name_is_told_and_one_fix_mends_all() {
    assert_eq!(
        codes("name: My_Skill-\ndescription: x\n"),
        [
            "name-not-lowercase",
            "name-hyphen",
            "name-invalid-character",
            "name-directory-mismatch"
        ]
    );
    assert_eq!(
        fixed("name: My_Skill-\ndescription: x\n"),
        "name: s\ndescription: x\n"
    );
}

#[test]
fn without_a_directory_the_fix_is_the_names_own_id() {
    let fix = |name: &str| {
        let text = format!("---\nname: {name} # why\ndescription: x\n---\n");
        let document = parse_text(text.clone(), Encoding::Utf8);
        let found = found_in(&document, &Context::default());
        assert!(!found.is_empty());
        found[0].fix.as_ref().map(|fix| apply(&text, fix))
    };
    let fixed = |name: &str| Some(format!("---\nname: {name} # why\ndescription: x\n---\n"));
    assert_eq!(fix("PDF Tools"), fixed("pdf-tools"));
    assert_eq!(fix("\"PDF Tools\""), fixed("pdf-tools"));
    assert_eq!(fix("Yes"), fixed("\"yes\""));
    assert_eq!(fix("🚀"), None, "nothing is left");
    assert_eq!(fix(&"a".repeat(65)), None, "names are not cut");
}

#[test]
fn an_invalid_directory_is_no_name_to_take() {
    let text = "---\nname: A b\ndescription: x\n---\n";
    let document = parse_text(text.to_owned(), Encoding::Utf8);
    let found = found_in(&document, &context("A b"));
    let fix = found[0].fix.as_ref().unwrap();
    assert_eq!(fix.edits[0].replacement, "a-b");
}

#[test]
fn the_description_must_be_there_and_text() {
    assert_eq!(codes("name: s\n"), ["description-missing"]);
    for description in ["", " ~", " \" \"", " [a]"] {
        let frontmatter = format!("name: s\ndescription:{description}\n");
        assert_eq!(
            codes(&frontmatter),
            ["description-missing"],
            "{description}"
        );
    }
}

#[test]
fn lengths_count_characters_with_blanks_at_the_ends() {
    let description = |text: &str| codes(&format!("name: s\ndescription: \"{text}\"\n"));
    assert_eq!(description(&"ö".repeat(1024)), [""; 0]);
    assert_eq!(description(&"ö".repeat(1025)), ["description-too-long"]);
    assert_eq!(
        description(&format!("{} ", "x".repeat(1024))),
        ["description-too-long"]
    );
    let compatibility = |text: &str| codes(&format!("{GOOD}compatibility: \"{text}\"\n"));
    assert_eq!(compatibility(&"ö".repeat(500)), [""; 0]);
    assert_eq!(compatibility(&"ö".repeat(501)), ["compatibility-too-long"]);
}

#[test]
fn compatibility_is_text() {
    assert_eq!(
        codes(&format!("{GOOD}compatibility: [git]\n")),
        ["compatibility-not-text"]
    );
    assert_eq!(
        codes(&format!("{GOOD}compatibility: {{a: b}}\n")),
        ["compatibility-not-text"]
    );
    for empty in ["", " \"\"", " null"] {
        let frontmatter = format!("{GOOD}compatibility:{empty}\n");
        assert_eq!(codes(&frontmatter), ["(compatibility-empty)"]);
        assert_eq!(fixed(&frontmatter), GOOD);
    }
}

#[test]
fn numbers_and_booleans_are_warned_of_where_text_is_asked_for() {
    let frontmatter = "name: s\ndescription: 5\nlicense: true\n";
    assert_eq!(codes(frontmatter), ["(wrong-type)", "(wrong-type)"]);
    assert_eq!(
        fixed(frontmatter),
        "name: s\ndescription: \"5\"\nlicense: true\n"
    );
}

#[test]
fn metadata_holds_text_only() {
    assert_eq!(
        codes(&format!("{GOOD}metadata: x\n")),
        ["(metadata-not-a-mapping)"]
    );
    let frontmatter =
        format!("{GOOD}metadata:\n  version: 1.0\n  openclaw: {{os: [linux]}}\n  a: b\n");
    assert_eq!(codes(&frontmatter), ["(metadata-value-not-text)"; 2]);
    assert!(fixed(&frontmatter).contains("  version: \"1.0\"\n"));
    let text = format!("---\n{frontmatter}---\n");
    let help = found(&text)[1].help.clone().unwrap();
    assert!(help.contains("openclaw"), "{help}");
}

#[test]
fn allowed_tools_are_one_text_separated_by_blanks() {
    for tools in [
        " Read, Bash(git add:*)",
        "\n  - Read\n  - Bash(git add:*)",
        " [Read, \"Bash(git add:*)\"]",
    ] {
        let frontmatter = format!("name: s\nallowed-tools:{tools}\ndescription: x\n");
        assert_eq!(codes(&frontmatter), ["(allowed-tools-not-text)"], "{tools}");
        assert_eq!(
            fixed(&frontmatter),
            "name: s\nallowed-tools: Read Bash(git add:*)\ndescription: x\n"
        );
    }
    assert_eq!(
        codes(&format!("{GOOD}allowed-tools: {{a: b}}\n")),
        ["(allowed-tools-not-text)"]
    );
    assert_eq!(codes(&format!("{GOOD}allowed-tools:\n")), [""; 0]);
    assert_eq!(
        codes(&format!("{GOOD}allowed-tools: Bash(a, b) Read\n")),
        [""; 0]
    );
}

#[test]
fn a_comment_in_the_list_of_tools_is_not_lost_to_a_fix() {
    let text = format!("---\n{GOOD}allowed-tools:\n  - Read # why\n  - Write\n---\n");
    assert_eq!(found(&text)[0].fix, None);
}

#[test]
fn keys_outside_the_six_are_errors() {
    let frontmatter = format!("{GOOD}effort: high\nfoo: bar\nallowed_tools: Read\ndescripton: y\n");
    let text = format!("---\n{frontmatter}---\n");
    let found = found(&text);
    assert!(found.iter().all(|found| found.code == Code::KeyNotStandard));
    assert_eq!(found.len(), 4);
    assert!(found[0].help.as_ref().unwrap().contains("claude-code"));
    assert_eq!(found[0].fix, None, "a client would miss it");
    assert_eq!(
        found[2].fix.as_ref().unwrap().edits[0].replacement,
        "allowed-tools"
    );
    assert!(
        found[1]
            .fix
            .as_ref()
            .unwrap()
            .title
            .contains("`descripton`"),
        "`description` is there already, so it is just a key"
    );
}

#[test]
fn slips_of_the_pen_are_renamed() {
    assert_eq!(
        fixed("name: s\ndescription: x\nlicence: MIT\n"),
        "name: s\ndescription: x\nlicense: MIT\n"
    );
    assert_eq!(
        fixed("description: x\nName: s\n"),
        "description: x\nname: s\n"
    );
}

#[test]
fn a_key_that_no_client_reads_moves_under_metadata() {
    assert_eq!(
        fixed("name: s\nfoo: |\n  a\n\n  b\nbar: [c,\n  d]\ndescription: x\n"),
        "name: s\ndescription: x\nmetadata:\n  foo: |\n    a\n\n    b\n  bar: [c,\n    d]\n"
    );
    assert_eq!(
        fixed("metadata:\n    a: b\nfoo: c\nname: s\ndescription: x\n"),
        "metadata:\n    a: b\n    foo: c\nname: s\ndescription: x\n"
    );
    assert_eq!(
        fixed("foo: c\nname: s\ndescription: x\nmetadata:\n"),
        "name: s\ndescription: x\nmetadata:\n  foo: c\n"
    );
}

#[test]
fn keys_move_with_the_line_breaks_of_the_file() {
    let text = "---\r\nname: s\r\nfoo: c\r\ndescription: x\r\n---\r\n";
    let fix = found(text).remove(0).fix.unwrap();
    assert_eq!(
        apply(text, &fix),
        "---\r\nname: s\r\ndescription: x\r\nmetadata:\r\n  foo: c\r\n---\r\n"
    );
}

#[test]
fn only_one_fix_adds_metadata() {
    let text = format!("---\n{GOOD}foo: a\nbar: b\n---\n");
    let both = found(&text);
    assert_eq!(both[1].fix, None);
    let fixed = apply(&text, both[0].fix.as_ref().unwrap());
    assert!(is_valid(&found(&fixed)));
}

#[test]
fn a_key_does_not_move_where_metadata_cannot_take_it() {
    for metadata in [
        "metadata: {a: b}",
        "metadata: text",
        "metadata:\n  foo: other",
    ] {
        let text = format!("---\n{GOOD}{metadata}\nfoo: c\n---\n");
        let key = found(&text)
            .into_iter()
            .find(|found| found.code == Code::KeyNotStandard)
            .unwrap();
        assert_eq!(key.fix, None, "{metadata}");
    }
}

#[test]
fn toml_is_not_the_standard() {
    let text = "+++\nname = \"s\"\ndescription = \"x\"\n+++\nBody\n";
    let codes: Vec<_> = found(text).iter().map(|found| found.code).collect();
    assert_eq!(codes, [Code::TomlNotStandard]);
    let text = "+++\nname = \"S\"\ndescription = \"x\"\n+++\nBody\n";
    let fix = found(text)[1].fix.clone().unwrap();
    assert!(apply(text, &fix).contains("name = \"s\"\n"));
}

#[test]
fn what_stands_before_the_frontmatter_is_an_error() {
    for (text, fixed) in [
        (
            "\n \n---\nname: s\ndescription: x\n---\nBody\n",
            "---\nname: s\ndescription: x\n---\nBody\n",
        ),
        (
            "<!-- MIT -->\n---\nname: s\ndescription: x\n---\nBody\n",
            "---\nname: s\ndescription: x\n---\n<!-- MIT -->\nBody\n",
        ),
    ] {
        let document = parse_text(text.to_owned(), Encoding::Utf8);
        let found = found_in(&document, &context("s"));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].code, Code::FrontmatterNotFirst);
        assert_eq!(found[0].severity, Severity::Error);
        assert_eq!(apply(text, found[0].fix.as_ref().unwrap()), fixed);
        assert!(is_valid(document.diagnostics()));
        let merged = merge(document.diagnostics().to_vec(), found);
        assert!(!is_valid(&merged));
        assert_eq!(merged.len(), 1, "the note gives way to the error");
    }
}

#[test]
fn only_plain_utf_8_is_valid() {
    let text = "---\nname: s\ndescription: x\n---\n";
    for (encoding, code) in [
        (Encoding::Utf8WithMark, Code::ByteOrderMark),
        (Encoding::Utf16Le, Code::Utf16),
        (Encoding::Utf16Be, Code::Utf16),
    ] {
        let document = parse(encoding.encode(text)).unwrap();
        let found = found_in(&document, &context("s"));
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].code, found[0].severity), (code, Severity::Error));
    }
}

#[test]
fn the_file_is_named_skill_md() {
    let document = parse_text(format!("---\n{GOOD}---\n"), Encoding::Utf8);
    let severity = |file_name: &str| {
        let context = Context {
            file_name: Some(file_name.to_owned()),
            ..Context::default()
        };
        let found = found_in(&document, &context);
        found.first().map(|found| found.severity)
    };
    assert_eq!(severity("SKILL.md"), None);
    assert_eq!(severity("skill.md"), Some(Severity::Warning));
    assert_eq!(severity("Skill.md"), Some(Severity::Error));
    assert_eq!(severity("SKILL.MD"), Some(Severity::Error));
}

#[test]
fn without_a_frontmatter_the_parser_has_said_it_all() {
    for text in [
        "",
        "# Title\n",
        "---\n---\n",
        "---\n- a\n---\n",
        "---\n# only a comment\n---\n",
    ] {
        let document = parse_text(text.to_owned(), Encoding::Utf8);
        assert!(!is_valid(document.diagnostics()), "{text:?}");
        assert_eq!(found(text), [], "{text:?}");
    }
}

#[test]
fn what_two_readers_say_of_one_value_is_told_once() {
    let text = "---\nname: [a]\nallowed_tools: Read\ndescription: x\n---\n";
    let document = parse_text(text.to_owned(), Encoding::Utf8);
    let mut reporter = Reporter::new(document.text());
    let manifest = Manifest::read(&document, &mut reporter);
    let reading = reporter.finish();
    assert_eq!(reading.len(), 2);
    let merged = merge(reading, validate(&document, &manifest, &context("s")));
    let codes: Vec<_> = merged.iter().map(|found| found.code).collect();
    assert_eq!(codes, [Code::NameMissing, Code::KeyNotStandard]);
}
