//! Any body with any argument: rendering never panics, and the argument stays what it is, wherever it is put.

#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use skillful::activate::{Arguments, Values, render};

/// Stands for the argument. A body has none of it.
const MARK: char = '\u{F0000}';

/// Stands, for a moment, for the text of all arguments.
const ALL: char = '\u{F0001}';

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    if text.contains([MARK, ALL]) {
        return;
    }
    let (argument, body) = text.split_once('\n').unwrap_or(("", text));
    let Ok(given) = Arguments::from_words(&[argument]) else {
        return;
    };
    // The word is the mark alone. No word can come to stand behind a backslash: there, a placeholder is none.
    let Ok(marks) = Arguments::parse(&format!("\\{MARK}")) else {
        return;
    };
    let (Some((rendered, commands)), Some((marked, marked_commands))) =
        (with(body, &given), with(body, &marks))
    else {
        return;
    };
    assert_eq!(
        commands, marked_commands,
        "no argument is part of a command"
    );
    let expected = marked
        .replace(marks.text(), &ALL.to_string())
        .replace(MARK, argument)
        .replace(ALL, given.text());
    assert_eq!(rendered, expected, "what was put in is not looked at again");
});

/// The text that comes out, and the commands that were to be run; nothing when it is too long.
fn with(body: &str, arguments: &Arguments) -> Option<(String, Vec<String>)> {
    let names = ["name".to_owned()];
    let values = Values {
        directory: Some("/skill"),
        session: Some("session"),
        variables: &BTreeMap::new(),
        arguments,
        names: &names,
        keep_skill_dir: false,
    };
    let mut commands = Vec::new();
    let rendered = render(body, &values, |command| {
        commands.push(command.to_owned());
        Some(String::new())
    });
    Some((rendered.ok()?.text, commands))
}
