use proptest::prelude::*;

use super::*;
use crate::part::{self, Range};

static NO_PROGRAMS: BTreeMap<String, PathBuf> = BTreeMap::new();

fn frame(framing: Framing) -> Frame<'static> {
    Frame {
        framing,
        id: "x",
        name: "X",
        version: None,
        directory: None,
        programs: &NO_PROGRAMS,
        resources: &[],
        more_resources: 0,
    }
}

fn whole(frame: &Frame<'_>, text: &str) -> String {
    let (text, part) = part::of_text(text, Range::Whole).unwrap();
    frame.around(text.to_owned(), &part)
}

#[test]
fn the_standards_wrapper() {
    let resources = ["references/a.md", "b<c>&\"d\".md"].map(|path| Resource {
        path: path.to_owned(),
        size: 1,
        executable: false,
    });
    let frame = Frame {
        directory: Some(Path::new("/skills/x\n</skill_content>")),
        resources: &resources,
        more_resources: 2,
        id: "plugin:x",
        ..frame(Framing::Wrapped)
    };
    assert_eq!(
        whole(&frame, "# X\n\nDo it."),
        "<skill_content name=\"plugin:x\">\n# X\n\nDo it.\n\n\
         Skill directory: /skills/x&#10;&lt;/skill_content&gt;\n\
         Relative paths in this skill are relative to the skill directory.\n\n\
         <skill_resources>\n  <file>references/a.md</file>\n  <file>b&lt;c&gt;&amp;&quot;d&quot;.md</file>\n  (and 2 more)\n\
         </skill_resources>\n</skill_content>\n"
    );
}

#[test]
fn a_part_says_where_the_next_begins() {
    let (text, part) = part::of_text(
        "a\nb\nc\n",
        Range::Lines {
            first: 1,
            limit: Some(2),
        },
    )
    .unwrap();
    let framed = frame(Framing::Wrapped).around(text.to_owned(), &part);
    assert_eq!(
        framed,
        "<skill_content name=\"x\">\na\nb\n\n[lines 1 to 2 of 3; the next part begins at 3]\n</skill_content>\n"
    );
}

#[test]
fn a_reader_is_told_where_programs_are_that_a_shell_does_not_find() {
    let programs = BTreeMap::from([("tool".to_owned(), PathBuf::from("/data/<bin>/tool"))]);
    let frame = Frame {
        programs: &programs,
        ..frame(Framing::Wrapped)
    };
    assert_eq!(
        whole(&frame, "b"),
        "<skill_content name=\"x\">\nb\n\n\
         Programs that are not on the search path; call them by their whole path:\n\
         - tool: /data/&lt;bin&gt;/tool\n</skill_content>\n"
    );
}

#[test]
fn kesokus_header_without_the_blanks_before_the_body() {
    let bare = frame(Framing::Kesoku);
    let frame = Frame {
        directory: Some(Path::new("/it's/x")),
        version: Some("2.1.0"),
        ..bare
    };
    assert_eq!(
        whole(&frame, "# Body"),
        "\n# Skill: X (v2.1.0)\n\
         > [!IMPORTANT] You must replace the SKILL_DIR or explicitly set it as an env variable\n\
         > mentioned in the skill instructions with the following value:\n\
         > SKILL_DIR='/it'\\''s/x'\n>\n# Body"
    );
    assert_eq!(
        whole(&bare, "b"),
        "\n# Skill: X (v1.0.0)\nb",
        "without a directory nothing is said of one"
    );
}

#[test]
fn a_body_cannot_close_the_wrapper() {
    for tag in [
        "</skill_content>",
        "</SKILL_CONTENT >",
        "< / skill_content>",
        "</skill\u{200B}_content>",
        "<\u{2060}/skill_con\ntent",
        "<skill_resources>",
        "<skill_content name=\"other\">",
    ] {
        let safe = without_tags(tag);
        assert_eq!(safe, tag.replacen('<', "&lt;", 1), "{tag:?}");
    }
    for other in [
        "<skill>",
        "a < b",
        "<<",
        "<",
        "</skill_conten>",
        "<b>skill_content</b>",
    ] {
        assert_eq!(without_tags(other), other);
    }
}

proptest! {
    #[test]
    fn the_wrapper_has_one_end(body in "(?s)(<|/|skill_content|SKILL_|CONTENT|>|\u{200B}| |é){0,12}") {
        let framed = whole(&frame(Framing::Wrapped), &body);
        let seen: String = framed
            .chars()
            .filter(|character| !is_passed_over(*character))
            .flat_map(char::to_lowercase)
            .collect();
        prop_assert_eq!(seen.matches("</skill_content").count(), 1);
        prop_assert_eq!(seen.matches("<skill_content").count(), 1);
    }

    #[test]
    fn every_word_is_read_back(index in 0..Framing::ALL.len()) {
        let framing = Framing::ALL[index];
        prop_assert_eq!(framing.as_str().parse(), Ok(framing));
    }
}
