//! What becomes of a file's text: fences, entries, recovery, diagnostics.

mod near_misses;

use std::fmt::Write;

use skillmd::edit::apply_fixes;
use skillmd::{Document, Encoding, Language, Severity, parse, parse_text};

fn read(text: &str) -> Document {
    let document = parse_text(text.to_owned(), Encoding::Utf8);
    assert_eq!(
        document.to_bytes(),
        text.as_bytes(),
        "unedited means unchanged"
    );
    document
}

/// The entries as `key=text`, lists in brackets, mappings in braces, joined by `; `.
fn entries(document: &Document) -> String {
    fn show(node: &skillmd::Node) -> String {
        match &node.value {
            skillmd::Value::Scalar(scalar) => scalar.text.clone(),
            skillmd::Value::Sequence(items) => {
                format!(
                    "[{}]",
                    items.iter().map(show).collect::<Vec<_>>().join(", ")
                )
            }
            skillmd::Value::Mapping(pairs) => format!(
                "{{{}}}",
                pairs
                    .iter()
                    .map(|pair| format!("{}={}", pair.key, show(&pair.value)))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        }
    }
    document
        .entries()
        .iter()
        .map(|entry| format!("{}={}", entry.key, show(&entry.value)))
        .collect::<Vec<_>>()
        .join("; ")
}

/// The diagnostics as `code@line:column`.
fn codes(document: &Document) -> Vec<String> {
    document
        .diagnostics()
        .iter()
        .map(|d| format!("{}@{}:{}", d.code, d.position.line, d.position.column))
        .collect()
}

#[track_caller]
fn check(text: &str, expected: &str, expected_codes: &[&str]) -> Document {
    let document = read(text);
    assert_eq!(entries(&document), expected);
    assert_eq!(codes(&document), expected_codes);
    document
}

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
fn fences_may_have_blanks_and_any_line_ends() {
    check("---  \r\nname: a\r\n---\t\r\nBody", "name=a", &[]);
    check("---\nname: a\n---", "name=a", &[]);
    check(
        "\n\n---\nname: a\n---\n",
        "name=a",
        &["frontmatter-not-first@1:1"],
    );
    check(
        "<!-- licence\n two lines -->\n---\nname: a\n---\n",
        "name=a",
        &["frontmatter-not-first@1:1"],
    );
}

#[test]
fn a_fence_inside_a_value_closes_nothing() {
    check(
        "---\ndescription: a --- b\nnotes: |\n  x\n  ---\n  y\n---\n---\nBody\n",
        "description=a --- b; notes=x\n---\ny\n",
        &[],
    );
    let toml = check(
        "+++\nname = \"a\"\ndescription = \"\"\"\n+++\nC+++ tips\"\"\"\n+++\nBody\n",
        "name=a; description=+++\nC+++ tips",
        &[],
    );
    assert_eq!(toml.body(), "Body\n");
    assert_eq!(toml.frontmatter().unwrap().language, Language::Toml);
}

#[test]
fn a_spoilt_closer_is_the_closer() {
    let glued = check(
        "---\nname: a\n---# Title\nText\n",
        "name=a",
        &["frontmatter-closer-glued@3:1"],
    );
    assert_eq!(glued.body(), "# Title\nText\n");
    let glued_before_a_rule = check(
        "---\nname: a\n---# Title\nText\n\n---\nMore\n",
        "name=a",
        &["frontmatter-closer-glued@3:1"],
    );
    assert!(glued_before_a_rule.body().ends_with("---\nMore\n"));
    let long = check(
        "---\nname: a\n------\nText: b\n\n---\n",
        "name=a",
        &["frontmatter-closer-glued@3:1"],
    );
    assert_eq!(long.body(), "Text: b\n\n---\n");
}

#[test]
fn without_a_closer_the_entries_end_where_prose_begins() {
    let document = check(
        "---\nname: a\ndescription: b\n\n# Title\nText\n",
        "name=a; description=b",
        &["frontmatter-unclosed@1:1"],
    );
    assert_eq!(document.body(), "\n# Title\nText\n");
    let rule_below = check(
        "---\nname: a\n\n# Title\n\nText\n\n---\nMore\n",
        "name=a",
        &["frontmatter-unclosed@1:1"],
    );
    assert!(rule_below.body().starts_with("\n# Title"));
    check("---\nname: a", "name=a", &["frontmatter-unclosed@1:1"]);
    check(
        "---",
        "",
        &["frontmatter-unclosed@1:1", "frontmatter-empty@1:1"],
    );
    let indented = check(
        "---\n  name: a\n  description: b\n  ---\n\n  # Title\n",
        "name=a; description=b",
        &["frontmatter-unclosed@1:1"],
    );
    assert_eq!(indented.body(), "\n  # Title\n");
}

#[test]
fn a_missing_or_glued_opener() {
    let missing = check(
        "name: a\n\ndescription: b\n\n---\n\nBody\n",
        "name=a; description=b",
        &["frontmatter-opener-missing@1:1"],
    );
    assert_eq!(missing.body(), "\nBody\n");
    check(
        "---name: a\ndescription: b\n---\n",
        "name=a; description=b",
        &["frontmatter-opener-glued@1:1"],
    );
}

#[test]
fn no_frontmatter_and_where_it_may_be() {
    let document = check("# Title\n\nText\n", "", &["frontmatter-missing@1:1"]);
    assert_eq!(document.body(), "# Title\n\nText\n");
    check(
        "# Title\n\n---\nname: a\n---\n",
        "",
        &["frontmatter-missing@1:1", "frontmatter-further-down@3:1"],
    );
    check(
        "```yaml\n---\nname: a\n---\n```\n",
        "",
        &["frontmatter-missing@1:1", "frontmatter-in-code-fence@2:1"],
    );
    check("", "", &["file-empty@1:1"]);
    check(" \n", "", &["file-empty@1:1"]);
    check("----\nname: a\n", "", &["frontmatter-missing@1:1"]);
}

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
fn a_comment_looks_like_a_heading() {
    check(
        "---\n\n## name: m\nversion: 1\ndescription: d\n\n# Title\n\nText\n\n---\n",
        "version=1; description=d",
        &["frontmatter-unclosed@1:1"],
    );
    let commented = check(
        "--- # hi\nname: a\n---\nBody\n",
        "name=a",
        &["frontmatter-opener-glued@1:1"],
    );
    assert_eq!(commented.body(), "Body\n");
}

#[test]
fn a_carriage_return_alone_ends_a_line() {
    let document = check(
        "---\rname: a\rdescription: d\r---\rBody\r",
        "name=a; description=d",
        &[],
    );
    assert_eq!(document.body(), "Body\r");
    check(
        "---\rname: a\rdescription: @d\r---\r",
        "name=a; description=@d",
        &["yaml-reserved-character@3:14"],
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
fn frontmatters_that_are_no_mapping() {
    check("---\n---\nBody\n", "", &["frontmatter-empty@1:1"]);
    check(
        "---\n# only a comment\n---\n",
        "",
        &["frontmatter-empty@1:1"],
    );
    check(
        "---\n- a\n- b\n---\n",
        "",
        &["frontmatter-not-a-mapping@2:3"],
    );
    check(
        "---\n{{TITLE}}: x\nname: a\n---\n",
        "name=a",
        &["yaml-stray-line@2:1"],
    );
    check(
        "---\n{name: a, description: b}\n---\n",
        "name=a; description=b",
        &[],
    );
}

#[test]
fn toml_faults_cost_one_value() {
    check(
        "+++\nname = \"a\"\nversion = 1.0.0\ntriggers = [\"command:x\"]\n[requires]\ntools = [\"t\"]\n+++\n",
        "name=a; version=1.0.0; triggers=[command:x]; requires={tools=[t]}",
        &["toml-invalid@3:14"],
    );
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

#[test]
fn a_line_that_is_not_toml_leaves_the_value_above_it_alone() {
    let document = check(
        "+++\nname = \"a\"\ndescription: \"b\"\nversion = \"1\"\n+++\n",
        "name=a; description=b; version=1",
        &["toml-invalid@3:12"],
    );
    let mended = apply_fixes(document.text(), document.diagnostics());
    assert_eq!(
        mended.text,
        "+++\nname = \"a\"\ndescription = \"b\"\nversion = \"1\"\n+++\n"
    );
    check(
        "+++\nname = \"a\"\nprose\n# remark\ndescription = \"b\"\n+++\n",
        "name=a; description=b",
        &["toml-invalid@3:6"],
    );
    check(
        "+++\nname = a\nlicense: \"MIT\"\ndescription = \"\"\"\nb: c\nd\"\"\"\n+++\n",
        "name=a; license=MIT; description=b: c\nd",
        &["toml-invalid@2:8", "toml-invalid@3:8"],
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

#[test]
fn encodings() {
    for encoding in [Encoding::Utf8WithMark, Encoding::Utf16Le, Encoding::Utf16Be] {
        let bytes = encoding.encode("---\nname: ö\n---\n");
        let document = parse(bytes.clone()).unwrap();
        assert_eq!(entries(&document), "name=ö");
        assert_eq!(document.to_bytes(), bytes);
        assert_eq!(document.diagnostics().len(), 1);
    }
    assert_eq!(
        parse(b"---\nname: \xFF\n---\n".to_vec())
            .unwrap_err()
            .offset,
        10
    );
}

#[test]
fn hostile_input_is_bounded() {
    let nested = format!("---\nname: a\nx: {}\n---\n", "[".repeat(5_000));
    let document = read(&nested);
    assert_eq!(document.get_text("name"), Some("a"));
    assert_eq!(codes(&document), ["yaml-too-deep@3:36"]);

    let blocks = format!("---\nname: a\nx:\n  {}b\n---\n", "- ".repeat(20_000));
    assert_eq!(read(&blocks).get_text("name"), Some("a"));

    let mut bomb = String::from("---\nname: a\na0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..10 {
        let previous = format!("*a{}", level - 1);
        let items = vec![previous; 9].join(", ");
        writeln!(bomb, "a{level}: &a{level} [{items}]").unwrap();
    }
    bomb.push_str("---\n");
    let document = read(&bomb);
    assert_eq!(document.get_text("name"), Some("a"));
    assert!(
        codes(&document)
            .iter()
            .any(|code| code.starts_with("yaml-too-many-values"))
    );

    let lines = |count: usize, value: &str| {
        (0..count).fold(String::new(), |mut text, n| {
            writeln!(text, "k{n}: {value}").unwrap();
            text
        })
    };
    let many = lines(30_000, "v");
    let document = read(&format!("---\nname: a\n{many}---\n"));
    assert_eq!(document.get_text("name"), Some("a"));
    assert_eq!(document.entries().len(), 30_001);
    assert!(codes(&document)[0].starts_with("yaml-too-many-values"));

    let faults = lines(20_000, "@v");
    let document = read(&format!("---\nname: a\n{faults}---\n"));
    assert_eq!(document.get_text("name"), Some("a"));
    assert_eq!(document.get_text("k19999"), Some("@v"));
    assert!(document.diagnostics().len() <= skillmd::limits::DIAGNOSTICS + 1);
}
