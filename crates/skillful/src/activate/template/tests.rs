use proptest::prelude::*;

use super::*;

/// Renders with a directory, a session, the variable `CLAUDE_EFFORT` and the argument names `issue` and `branch`. No
/// command is run.
fn with(text: &str, arguments: &str) -> Rendered {
    run(text, arguments, |_| None)
}

fn run(text: &str, arguments: &str, run: impl FnMut(&str) -> Option<String>) -> Rendered {
    let arguments = Arguments::parse(arguments).unwrap();
    let variables = BTreeMap::from([("CLAUDE_EFFORT".to_owned(), "high".to_owned())]);
    let names = ["issue", "branch"].map(str::to_owned);
    let values = Values {
        directory: Some("/skills/x"),
        session: Some("s-1"),
        variables: &variables,
        arguments: &arguments,
        names: &names,
        keep_skill_dir: false,
    };
    render(text, &values, run).unwrap()
}

fn text(text: &str, arguments: &str) -> String {
    with(text, arguments).text
}

#[test]
fn the_directory_of_every_client() {
    for written in [
        "${SKILL_DIR}",
        "$SKILL_DIR",
        "${CLAUDE_SKILL_DIR}",
        "$CLAUDE_SKILL_DIR",
        "${ALEPH_SKILL_DIR}",
        "${HERMES_SKILL_DIR}",
        "{baseDir}",
        "{{baseDir}}",
    ] {
        let found = text(&format!("run {written}/a.sh"), "");
        assert_eq!(found, "run /skills/x/a.sh", "{written}");
    }
    for other in [
        "${SKILL_DIRS}",
        "$SKILL_DIRECTORY",
        "${HOME}",
        "{base}",
        "${SKILL_DIR",
    ] {
        assert_eq!(text(other, ""), other);
    }
}

#[test]
fn the_session_and_the_callers_variables() {
    assert_eq!(
        text(
            "${CLAUDE_SESSION_ID} ${HERMES_SESSION_ID} ${CLAUDE_EFFORT} $CLAUDE_EFFORT",
            ""
        ),
        "s-1 s-1 high $CLAUDE_EFFORT"
    );
}

#[test]
fn what_is_not_known_stays() {
    let nothing = Arguments::default();
    let values = Values {
        directory: None,
        session: None,
        variables: &BTreeMap::new(),
        arguments: &nothing,
        names: &[],
        keep_skill_dir: false,
    };
    let written = "${SKILL_DIR} {baseDir} ${CLAUDE_SESSION_ID} ${X} $1 $name";
    assert_eq!(render(written, &values, |_| None).unwrap().text, written);
}

#[test]
fn arguments_are_counted_from_zero() {
    assert_eq!(
        text("$0|$1|$ARGUMENTS[0]|$ARGUMENTS[1]|$ARGUMENTS", "a 'b c'"),
        "a|b c|a|b c|a 'b c'"
    );
    assert_eq!(
        text("$2 $ARGUMENTS[7]", "a"),
        "$2 $ARGUMENTS[7]",
        "missing ones stay"
    );
    assert_eq!(
        text("$issue on $branch.", "12"),
        "12 on .",
        "missing names are empty"
    );
    assert_eq!(
        text("$issues $ARGUMENTSX $ARGUMENTS[x] $issue", "12"),
        "$issues $ARGUMENTSX 12[x] 12"
    );
    assert_eq!(text("[$ARGUMENTS]", ""), "[]");
    assert_eq!(
        text("$99999999999999999999999", "a"),
        "$99999999999999999999999"
    );
}

#[test]
fn money_and_words_are_no_arguments() {
    assert_eq!(
        text("$0.50 $1,000 $1st $1_a $0.", "a b"),
        "$0.50 $1,000 $1st $1_a a."
    );
    assert_eq!(text("awk '{print $1}'", ""), "awk '{print $1}'");
}

#[test]
fn a_backslash_takes_a_placeholders_meaning() {
    assert_eq!(
        text(
            r"\$0 \$ARGUMENTS \$issue \${SKILL_DIR} \{baseDir} \$1.00",
            "a"
        ),
        "$0 $ARGUMENTS $issue ${SKILL_DIR} {baseDir} $1.00"
    );
    assert_eq!(text(r"\$HOME \n \\ \", "a"), r"\$HOME \n \\ \");
    assert_eq!(
        text(r"echo \$1", ""),
        r"echo \$1",
        "without arguments it is code"
    );
    assert!(!with(r"\$ARGUMENTS", "a").took_arguments);
}

#[test]
fn whether_there_was_a_place_for_arguments() {
    for (text, took) in [
        ("$ARGUMENTS", true),
        ("$0", true),
        ("$branch", true),
        ("$1", false),
        ("${SKILL_DIR}", false),
        ("plain", false),
    ] {
        assert_eq!(with(text, "a").took_arguments, took, "{text}");
    }
}

#[test]
fn commands_are_found_where_claude_code_finds_them() {
    let mut seen = Vec::new();
    let body = "!`one` a !`two`\n\t!`three` a!`no` \\!`no` !`` !` ` !`a\nb`\n```!\nfour\n  five\n```\nx ```!\nno\n```\n";
    let found = run(body, "", |command| {
        seen.push(command.to_owned());
        Some("OUT".to_owned())
    });
    assert_eq!(seen, ["one", "two", "three", "four\n  five\n"]);
    assert_eq!(
        found.text,
        "OUT a OUT\n\tOUT a!`no` \\!`no` !`` !` ` !`a\nb`\nOUT\nx ```!\nno\n```\n"
    );
}

#[test]
fn a_command_that_is_not_run_stays_as_it_stands() {
    let body = "a !`git log $ARGUMENTS {baseDir}` b\n```!\nls $0\n```";
    let found = with(body, "x");
    assert_eq!(found.text, body);
    assert!(!found.took_arguments, "the arguments have not been told");
}

#[test]
fn a_command_takes_its_arguments_from_the_shell() {
    let mut seen = Vec::new();
    let body = "!`a $ARGUMENTS $0 $ARGUMENTS[1] $branch ${CLAUDE_SKILL_DIR} {baseDir} ${CLAUDE_SESSION_ID} \\$ARGUMENTS $HOME ${CLAUDE_EFFORT}`";
    let found = run(body, "'; rm -rf /' '$(id)'", |command| {
        seen.push(command.to_owned());
        Some(String::new())
    });
    assert_eq!(
        seen,
        [
            "a ${ARGUMENTS} $0 ${1} ${1} ${SKILL_DIR} ${SKILL_DIR} ${SKILL_SESSION_ID} \\$ARGUMENTS $HOME ${CLAUDE_EFFORT}"
        ]
    );
    assert!(found.took_arguments);
}

#[test]
fn the_result_has_a_limit() {
    let arguments = Arguments::parse(&"x".repeat(60_000)).unwrap();
    let values = Values {
        directory: None,
        session: None,
        variables: &BTreeMap::new(),
        arguments: &arguments,
        names: &[],
        keep_skill_dir: false,
    };
    assert_eq!(
        render(&"$ARGUMENTS".repeat(100), &values, |_| None),
        Err(TooLong)
    );
}

/// Openers without closers, as many as a file can have: each is looked at a bounded number of times.
#[test]
fn hostile_texts_take_no_time() {
    for opener in [
        "${",
        "$ARGUMENTS[1",
        "!`",
        " !`a",
        "```!\n",
        "{{baseDir",
        "\\$",
        "$a",
    ] {
        let text = opener.repeat(skillmd::limits::FILE_BYTES / opener.len());
        let rendered = with(&text, "x").text;
        assert!(!rendered.is_empty(), "{opener}");
    }
}

/// Texts made of placeholders and of what may stand beside them.
fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("$ARGUMENTS"),
        Just("$ARGUMENTS[1]"),
        Just("$0"),
        Just("$issue"),
        Just("${SKILL_DIR}"),
        Just("{baseDir}"),
        Just("!`id`"),
        Just("\n```!\nid\n```\n"),
        Just("\\"),
        Just("$"),
        Just(" "),
        Just("é"),
        Just("{"),
        Just("`"),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// The text that comes out, and the commands that were to be run.
fn render_with(body: &str, arguments: &Arguments) -> (String, Vec<String>) {
    let names = ["issue".to_owned()];
    let values = Values {
        directory: Some("/d"),
        session: None,
        variables: &BTreeMap::new(),
        arguments,
        names: &names,
        keep_skill_dir: false,
    };
    let mut commands = Vec::new();
    let rendered = render(body, &values, |command| {
        commands.push(command.to_owned());
        Some("\u{E002}".to_owned())
    });
    (rendered.unwrap().text, commands)
}

proptest! {
    /// What was put in is not looked at again: with a mark for the argument the same text comes out, but for the mark.
    #[test]
    fn inserted_text_is_inert(body in any_text(), argument in any_text()) {
        let given = Arguments::from_words(&[&argument, &argument]).unwrap();
        let (text, commands) = render_with(&body, &given);
        // Marks that occur nowhere else; the text of both has quotes, which occur nowhere else either.
        let marks = Arguments::parse("'\u{E000}' '\u{E000}'").unwrap();
        let (marked, marked_commands) = render_with(&body, &marks);
        prop_assert_eq!(commands, marked_commands, "no argument becomes part of a command");
        let expected = marked
            .replace(marks.text(), "\u{E001}")
            .replace('\u{E000}', &argument)
            .replace('\u{E001}', given.text());
        prop_assert_eq!(text, expected);
    }

    #[test]
    fn a_text_without_placeholders_stays(text in "(?s)[^$\\{!`\\\\]{0,40}") {
        prop_assert_eq!(with(&text, "a b").text, text);
    }

    #[test]
    fn any_text_is_rendered(text in "(?s).{0,60}", arguments in "(?s).{0,20}") {
        with(&text, &arguments);
    }
}
