//! What is not what its author meant, but nearly: it is read as meant, reported, and mended.

use super::{check, codes, entries, read};
use skillmd::edit::apply_fixes;
use skillmd::validate::{Context, validate};
use skillmd::{Document, Language, Manifest, Reporter};

/// The text after the fixes of reading alone, until none is left.
fn mended(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..4 {
        let applied = apply_fixes(&text, read(&text).diagnostics());
        if applied.applied.is_empty() {
            break;
        }
        text = applied.text;
    }
    text
}

fn language(document: &Document) -> Option<Language> {
    document
        .frontmatter()
        .map(|frontmatter| frontmatter.language)
}

#[test]
fn text_below_a_header_that_is_not_indented_is_the_text() {
    let stray = ["yaml-stray-line@4:1"];
    let text = "---\nname: a\ndescription: |\nDoes it.\n\nUse this when: asked\n# for it\nor so\nlicense: MIT\n---\n";
    check(
        text,
        "name=a; description=Does it.\n\nUse this when: asked\n# for it\nor so\n; license=MIT",
        &stray,
    );
    let text = "---\nname: a\ndescription: >- # why\nDoes it\nand more.\nlicense: MIT\n---\n";
    check(
        text,
        "name=a; description=Does it and more.; license=MIT",
        &stray,
    );
    assert_eq!(
        mended(text),
        "---\nname: a\ndescription: >- # why\n  Does it\n  and more.\nlicense: MIT\n---\n"
    );
    let nested = "---\nmetadata:\n  note: |\n  Be it\n   so.\n  k: v\n---\n";
    check(
        nested,
        "metadata={note=Be it\n so.\n, k=v}",
        &["yaml-stray-line@4:3"],
    );
}

#[test]
fn text_that_looks_like_an_entry_is_the_text_too() {
    let text = "---\ndescription: |\nUse this when: asked\nname: a\n---\n";
    let document = check(
        text,
        "description=Use this when: asked\n; name=a",
        &["yaml-stray-line@3:1"],
    );
    assert!(document.entries()[0].recovered);
    assert_eq!(
        mended(text),
        "---\ndescription: |\n  Use this when: asked\nname: a\n---\n"
    );
    // Nothing is said twice of what the trial before read.
    let anchored = "---\nx: &a 1\ndescription: |\nUse this when: asked\n---\n";
    let expected = ["yaml-anchor@2:7", "yaml-stray-line@4:1"];
    check(
        anchored,
        "x=1; description=Use this when: asked\n",
        &expected,
    );
}

#[test]
fn entries_below_an_empty_block_are_entries() {
    for (text, expected) in [
        ("description: |\nname: a\n", "description=; name=a"),
        ("description: |\nown-key: a\n", "description=; own-key=a"),
        ("description: |\nLicense: a\n", "description=; License=a"),
        ("description: |\n\n", "description="),
    ] {
        check(&format!("---\n{text}---\n"), expected, &[]);
    }
}

#[test]
fn formatting_keeps_text_that_was_not_indented() {
    let text =
        "---\ndescription: | # why\nDoes it.\n# not a comment\nend\n# a comment\nname: a\n---\n";
    assert_eq!(
        skillmd::format::format(&read(text)),
        "---\n# a comment\nname: a\n# why\ndescription: |\n  Does it.\n  # not a comment\n  end\n---\n"
    );
}

#[test]
fn a_comment_below_text_that_keeps_its_blank_lines_is_kept() {
    assert_eq!(
        skillmd::format::format(&read("---\nx: |+\n- four\n# a comment\n---\n")),
        "---\n# a comment\nx: |\n  - four\n---\n"
    );
}

#[test]
fn a_key_in_any_script_ends_the_prose_above_it() {
    let colon = ["yaml-unquoted-colon@2:14"];
    for (below, expected) in [
        ("描述: foo", "description=d: e; 描述=foo"),
        ("clé_é: foo", "description=d: e; clé_é=foo"),
        ("my key: foo", "description=d: e; my key=foo"),
        ("Use it when: foo", "description=d: e Use it when: foo"),
        (
            "for the user that: foo",
            "description=d: e for the user that: foo",
        ),
        (
            "本技能用于处理以下任务并且还有更多: foo",
            "description=d: e 本技能用于处理以下任务并且还有更多: foo",
        ),
    ] {
        check(
            &format!("---\ndescription: d: e\n{below}\n---\n"),
            expected,
            &colon,
        );
    }
}

#[test]
fn toml_between_the_fences_of_yaml() {
    let text =
        "---\nname = \"a\"\ndescription = \"b: c\"\n[requires]\ntools = [\"t\"]\n---\nBody\n";
    let document = check(
        text,
        "name=a; description=b: c; requires={tools=[t]}",
        &["frontmatter-wrong-fence@1:1"],
    );
    assert_eq!(language(&document), Some(Language::Toml));
    assert_eq!(mended(text), text.replace("---", "+++"));
}

#[test]
fn yaml_between_the_fences_of_toml() {
    let text = "+++\nname: a\ndescription: >\n  b = c\nmetadata:\n  k: v\n+++\nBody\n";
    let document = check(
        text,
        "name=a; description=b = c\n; metadata={k=v}",
        &["frontmatter-wrong-fence@1:1"],
    );
    assert_eq!(language(&document), Some(Language::Yaml));
    assert_eq!(mended(text), text.replace("+++", "---"));
}

#[test]
fn fences_are_swapped_only_where_the_block_then_parses() {
    let faulty = "---\nname = a b\nversion = \"1\"\n---\n";
    let document = read(faulty);
    assert_eq!(entries(&document), "name=a b; version=1");
    assert_eq!(document.diagnostics()[0].fix, None);
    assert_eq!(
        mended(faulty),
        "+++\nname = \"a b\"\nversion = \"1\"\n+++\n"
    );
    // There the fence of the other language would end the frontmatter.
    let fence = "+++\nname: a\ndescription: |\n  b\n---\n+++\n";
    assert_eq!(read(fence).diagnostics()[0].fix, None);
    // A key may have an equals sign.
    check("---\na=: b\nc=d: e\n---\n", "a==b; c=d=e", &[]);
    // One line in the fence's own language, and it is that.
    for text in [
        "---\nname = a\ndescription: b\n---\n",
        "+++\nname: a\nversion = \"1\"\n+++\n",
    ] {
        let found = codes(&read(text));
        assert!(
            !found.iter().any(|code| code.contains("wrong-fence")),
            "{found:?}"
        );
    }
}

#[test]
fn a_fence_behind_what_is_not_seen() {
    for hidden in ["\u{200b}", "\u{feff}", " \u{2060}\n"] {
        let text = format!("{hidden}---\nname: a\n---\n");
        check(&text, "name=a", &["frontmatter-not-first@1:1"]);
        assert_eq!(mended(&text), "---\nname: a\n---\n");
    }
    let text = "---\u{200b}\nname: a\n---\n";
    check(text, "name=a", &["frontmatter-opener-glued@1:4"]);
    assert_eq!(mended(text), "---\nname: a\n---\n");
    let mark_and_mark = b"\xEF\xBB\xBF\xEF\xBB\xBF---\nname: a\n---\n".to_vec();
    let document = skillmd::parse(mark_and_mark).unwrap();
    assert_eq!(entries(&document), "name=a");
}

#[test]
fn a_fence_with_too_many_or_too_few_hyphens() {
    let opener = "frontmatter-opener-glued@1:1";
    let text = "----\nname: a\n----\nBody\n";
    check(text, "name=a", &[opener, "frontmatter-closer-glued@3:1"]);
    assert_eq!(mended(text), "---\nname: a\n---\nBody\n");
    check("--\n# why\n\nname: a\n---\n", "name=a", &[opener]);
    check("++++\nname = 'a'\n+++\n", "name=a", &[opener]);
    for prose in [
        "----\nNote: well\n----\n",
        "----\nname: a\n",
        "----\n# Title\n",
        "----\n",
    ] {
        check(prose, "", &["frontmatter-missing@1:1"]);
    }
}

#[test]
fn a_hash_that_hides_the_description() {
    let found = |text: &str| {
        let document = read(text);
        let manifest = Manifest::read(&document, &mut Reporter::new(text));
        let mut found = validate(&document, &manifest, &Context::default());
        found.retain(|found| found.code.as_str() == "description-missing");
        found
    };
    let text = "---\nname: a\ndescription: # Does: it\n---\n";
    let hidden = found(text);
    assert!(hidden[0].message.contains('#'), "{}", hidden[0].message);
    assert_eq!(
        apply_fixes(text, &hidden).text,
        "---\nname: a\ndescription: \"# Does: it\"\n---\n"
    );
    for empty in [
        "description:",
        "description: #",
        "description: # ---",
        "description: ~ # a",
    ] {
        let text = format!("---\nname: a\n{empty}\n---\n");
        assert_eq!(found(&text)[0].fix, None, "{empty}");
    }
}

#[test]
fn faults_are_told_in_plain_words() {
    let jargon = [
        "did not find",
        "expected",
        "scalar",
        "context",
        "flow",
        "while ",
        "node",
        "block",
    ];
    for block in [
        "a: [1\nb: 2",
        "a: b\n c\nd",
        "a: - b",
        "a: [b]: c",
        "a: {b: c}}",
        "a: \"\\q",
        "a: \"\\q\" b",
        "a: & b",
        "a: *",
        "a: |x\n  b",
        "a:\n  b\n c: d\n   e: f",
        "- a\nb: c",
        "a: 'b' c",
        "a:\n  - b\n  c",
        "a: b # c\n  d",
        "? a\n: b",
        "a\nb: c",
        "? [a]\n: b",
        "a: %b",
        "a: \"b\"#c",
        "a: [b, c",
        "a: !<b",
        "%YAML 1.2\na: b",
    ] {
        for found in read(&format!("---\n{block}\n---\n")).diagnostics() {
            for word in jargon {
                assert!(
                    !found.message.contains(word),
                    "{block:?}: {}",
                    found.message
                );
            }
        }
    }
}

#[test]
fn a_fix_says_what_it_writes() {
    let title = |block: &str| {
        let document = read(&format!("---\n{block}\n---\n"));
        let fix = document.diagnostics()[0].fix.clone().unwrap();
        fix.title
    };
    assert_eq!(title("description: b: c"), "put the value in quotes");
    assert_eq!(title("description: b\nc d"), "write the value on one line");
    assert_eq!(title("name：b"), "write `: `");
    assert_eq!(
        title("description: \"b \\d c\""),
        "write the value so that YAML reads it"
    );
}

#[test]
fn a_wide_colon_in_toml_is_an_equals_sign_too() {
    let text = "+++\nname：\"a\"\nversion = '1'\n+++\n";
    let document = check(text, "name=a; version=1", &["toml-invalid@2:5"]);
    assert_eq!(document.entries()[0].value.span.slice(text), "\"a\"");
    assert_eq!(mended(text), "+++\nname =\"a\"\nversion = '1'\n+++\n");
}
