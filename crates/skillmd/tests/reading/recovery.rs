//! Faulty YAML: one fault costs one value, and a fix mends what it is offered for.

use skillmd::Severity;
use skillmd::edit::apply_fixes;

use crate::{check, codes, entries, read};

#[test]
fn one_fault_costs_one_value() {
    let document = check(
        concat!(
            "---\n",
            "name: a\n",
            "description: Use when: the form is given\n",
            "scope: @me\n",
            "hint: [x] or [y]\n",
            "title: \"T\" and more\n",
            "open: \"never closed\n",
            "bold: **x** y\n",
            "metadata:\n  author: @me\n  version: 2\n",
            "tags:\n  - a: b: c\n  - fine\n",
            "license: MIT\n",
            "---\n"
        ),
        concat!(
            "name=a; description=Use when: the form is given; scope=@me; hint=[x] or [y]; ",
            "title=\"T\" and more; open=\"never closed; bold=**x** y; ",
            "metadata={author=@me, version=2}; tags=[a: b: c, fine]; license=MIT"
        ),
        &[
            "yaml-unquoted-colon@3:14",
            "yaml-reserved-character@4:8",
            "yaml-unclosed-bracket@5:7",
            "yaml-text-after-quote@6:8",
            "yaml-unclosed-quote@7:7",
            "yaml-reserved-character@8:7",
            "yaml-reserved-character@10:11",
            "yaml-unquoted-colon@13:5",
        ],
    );
    assert!(document.entry("description").unwrap().recovered);
    assert!(!document.entry("license").unwrap().recovered);
    assert!(
        document
            .diagnostics()
            .iter()
            .all(|d| d.severity == Severity::Error && d.fix.is_some())
    );
}

#[test]
fn unindented_lines_continue_a_plain_value() {
    check(
        "---\nname: a\ndescription: first\n(1) second\n- third\n\nlast\nversion: 1\n---\n",
        "name=a; description=first (1) second - third\nlast; version=1",
        &["yaml-stray-line@3:14"],
    );
    check(
        "---\ndescription: \"whole\"\nstray\nname: a\n---\n",
        "description=whole; name=a",
        &["yaml-stray-line@3:1"],
    );
}

#[test]
fn comments_between_faulty_entries_are_no_part_of_them() {
    let text =
        "---\n# top\ndescription: Use when: x\n# about the version\n\nversion: @1\n# end\n---\n";
    let document = check(
        text,
        "description=Use when: x; version=@1",
        &["yaml-unquoted-colon@3:14", "yaml-reserved-character@6:10"],
    );
    assert_eq!(
        document.entries()[0].span.slice(text),
        "description: Use when: x\n"
    );
    assert_eq!(
        apply_fixes(text, document.diagnostics()).text,
        "---\n# top\ndescription: \"Use when: x\"\n# about the version\n\nversion: \"@1\"\n# end\n---\n"
    );
}

/// What a fix of the parser makes must not need the same fix again, and must read as before.
#[test]
fn fixes_mend_what_they_are_offered_for() {
    for block in [
        "description: Use when: x",
        "description: first\n(1) second\n- third",
        "description:\n@x",
        "metadata:\n{\"a\": 1, \"b\"}",
        "triggers:\n\n* \"x\"\n* \"y\"",
        "tags:\n  - @a\n  - \"b\" c\n  -   d: e: f",
        "tags:\n- a: b: c\n-\n  @x",
        "title: \"T\" more",
        "open: 'x",
        "list: [a, b",
        "bold: **x** y # z",
        "m:\n  k: @v\n  l: ok",
        "t: |\n   a\n  b\n c",
        "bell: a\u{7}b",
        "tab:\n\tx: 1",
        "deep: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
        "a: 1\na: 2",
        "description:\"Does x.\"",
        "description:= \"Does x\"",
        "description:`x` y",
        "description:~ Does x: y",
        "env:\n  X: \"one\" (default)\n  # a comment\n  Y: state",
    ] {
        let text = format!("---\nname: n\n{block}\nlast: z\n---\nBody\n");
        let before = read(&text);
        let fixes = apply_fixes(&text, before.diagnostics());
        let after = read(&fixes.text);
        let fixable = after.diagnostics().iter().filter(|d| d.fix.is_some());
        assert_eq!(
            fixable.count(),
            0,
            "{block:?} became {:?}: {:?}",
            fixes.text,
            codes(&after)
        );
        assert!(
            before.same_data(&after),
            "{block:?}: {} became {}",
            entries(&before),
            entries(&after)
        );
        assert_eq!(after.get_text("last"), Some("z"));
    }
}

#[test]
fn only_prose_goes_on_in_lines_that_are_not_indented() {
    let document = check(
        "---\nname: x\nlicens MIT\nkeep this: text\n  more\nversion: @1\nstray\ndescription: d\ngoes on\n---\n",
        "name=x; keep this=text more; version=@1; description=d goes on",
        &[
            "yaml-stray-line@3:1",
            "yaml-reserved-character@6:10",
            "yaml-stray-line@7:1",
            "yaml-stray-line@8:14",
        ],
    );
    assert_eq!(document.get_text("name"), Some("x"));
}

#[test]
fn aliases_are_resolved_beside_a_fault() {
    check(
        "---\nname: a\nbase: &b [x, y]\nshort: &b z\ndescription: *b\nlicense: bad: colon\nmetadata:\n  list: *b\n  at: @x\n  none: *c\n---\n",
        "name=a; base=[x, y]; short=z; description=z; license=bad: colon; metadata={list=z, at=@x, none=*c}",
        &[
            "yaml-anchor@3:10",
            "yaml-anchor@4:11",
            "yaml-anchor@5:14",
            "yaml-unquoted-colon@6:10",
            "yaml-anchor@8:9",
            "yaml-reserved-character@9:7",
            "yaml-unknown-alias@10:9",
        ],
    );
}

#[test]
fn colons_that_are_none_in_yaml() {
    for (text, codes) in [
        (
            "---\nname: a\ndescription：b c\n---\n",
            &["yaml-invalid@3:1"][..],
        ),
        (
            "---\nname：a\ndescription： b c\n---\n",
            &["yaml-invalid@2:1", "yaml-invalid@3:1"],
        ),
        (
            "---\nname:a\ndescription:b c\n---\n",
            &["yaml-invalid@2:1", "yaml-invalid@3:1"],
        ),
    ] {
        let document = check(text, "name=a; description=b c", codes);
        let mended = apply_fixes(text, document.diagnostics()).text;
        assert_eq!(mended, "---\nname: a\ndescription: b c\n---\n");
    }
}

#[test]
fn quotes_that_enclose_a_value_are_no_part_of_it() {
    let document = check(
        "---\nname: a\ndescription: \"C:\\data \\\"x\\\" \\U\"\nlicense: 'it''s\u{1}'\n---\n",
        "name=a; description=C:\\data \"x\" \\U; license=it's\u{1}",
        &["yaml-invalid@3:14", "yaml-control-character@4:10"],
    );
    let message = &document.diagnostics()[0].message;
    assert!(message.contains("escape"), "{message}");
    let mended = apply_fixes(document.text(), document.diagnostics());
    assert_eq!(entries(&read(&mended.text)), entries(&document));
    check(
        "---\nname: a\ndescription: \"b\" and \"c\"\nlicense: 'it's'\nauthor: \"c\\\"\n---\n",
        "name=a; description=\"b\" and \"c\"; license='it's'; author=\"c\\\"",
        &[
            "yaml-text-after-quote@3:14",
            "yaml-text-after-quote@4:10",
            "yaml-text-after-quote@5:9",
        ],
    );
}
