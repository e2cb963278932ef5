//! Where a frontmatter begins and ends, however its fences look.

use skillmd::Language;

use crate::check;

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
