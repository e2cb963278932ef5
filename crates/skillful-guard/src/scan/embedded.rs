//! Commands of the shell inside texts of other languages: recipes of a Makefile, lines of a Dockerfile, texts that a
//! program gives to a shell.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// Most commands that are looked at in one text.
const COMMANDS: usize = 200;

/// Longest command that is looked at, in bytes.
const COMMAND_BYTES: usize = 4_000;

/// A quoted text, with three quotation marks or one.
static TEXTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"'''(?s:(.+?))'''|"""(?s:(.+?))"""|"((?:[^"\\\n]|\\.)+)"|'((?:[^'\\\n]|\\.)+)'|`([^`\n]+)`"#).ok()
});

/// Signs that a text is a command and not a message: a program that fetches, connects or deletes, and how shells join.
static COMMAND: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?-u:\b)(?:curl|wget|nc|ncat|bash|sh|crontab|base64|chmod|rm|dd|scp|powershell)(?-u:\b)[^\n]*(?: -|\||&&|;|>)|\| ?(?:ba|z)?sh(?-u:\b)|/dev/tcp/").ok()
});

/// A line that begins with a command which goes into a shell, behind what data and notebooks put in front of it.
static LINE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?m)^[ \t]*(?:- )?(?:\w+: +)?[!%@$]?[ \t]*((?:sudo +)?(?:curl|wget)(?-u:\b)[^\n]*\| *(?:sudo +(?:-[^ \n]+ +)*)?(?:ba|z|da|k)?sh(?-u:\b)[^\n]*)").ok()
});

/// The lines of a text that are commands which fetch something and give it to a shell.
pub(super) fn lines(text: &str) -> Vec<Range<usize>> {
    let Some(line) = &*LINE else {
        return Vec::new();
    };
    line.captures_iter(text)
        .filter_map(|found| found.get(1))
        .take(COMMANDS)
        .map(|command| command.range())
        .collect()
}

/// The commands in a text of a language without an engine.
pub(super) fn commands(text: &str) -> Vec<Range<usize>> {
    let mut found = lines(text);
    substitutions(text, &mut found);
    recipes(text, &mut found);
    if let (Some(texts), Some(command)) = (&*TEXTS, &*COMMAND) {
        for quoted in texts.captures_iter(text) {
            let inside = quoted.iter().skip(1).flatten().next();
            found.extend(
                inside
                    .filter(|inside| {
                        inside.len() <= COMMAND_BYTES && command.is_match(inside.as_str())
                    })
                    .map(|inside| inside.range()),
            );
        }
    }
    found.truncate(COMMANDS);
    found
}

/// `$(shell …)` of a Makefile.
fn substitutions(text: &str, found: &mut Vec<Range<usize>>) {
    const OPENING: &str = "$(shell ";
    for (at, _) in text.match_indices(OPENING).take(COMMANDS) {
        let start = at + OPENING.len();
        let mut depth = 1_usize;
        let end = text
            .get(start..)
            .unwrap_or_default()
            .char_indices()
            .take(COMMAND_BYTES)
            .find(|(_, character)| {
                match character {
                    '(' => depth += 1,
                    ')' => depth -= 1,
                    _ => {}
                }
                depth == 0
            });
        if let Some((length, _)) = end {
            found.push(start..start + length);
        }
    }
}

/// Lines after a tab, as in a Makefile, and after `RUN`, as in a Dockerfile.
fn recipes(text: &str, found: &mut Vec<Range<usize>>) {
    let mut at = 0;
    let mut after_target = false;
    for line in text.split_inclusive('\n').take(20 * COMMANDS) {
        let recipe = line
            .strip_prefix('\t')
            .filter(|_| after_target)
            .or_else(|| line.strip_prefix("RUN "));
        if let Some(command) = recipe.map(|command| command.trim_start_matches(['@', '-', ' '])) {
            let start = at + line.len() - command.len();
            found.push(start..at + line.trim_end().len().max(start - at));
        } else {
            let head = line.split('#').next().unwrap_or_default();
            after_target = !line.starts_with([' ', '\t'])
                && head.contains(':')
                && !head.contains(['(', '{', ';', '"']);
        }
        at += line.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        commands(text)
            .into_iter()
            .map(|range| text.get(range).unwrap())
            .collect()
    }

    #[test]
    fn commands_of_makefiles_and_dockerfiles() {
        assert_eq!(found("x := $(shell sh -c 'a (b)')\n"), ["sh -c 'a (b)'"]);
        assert_eq!(found("all: dep\n\t@ls -l\n"), ["ls -l"]);
        assert_eq!(found("FROM a\nRUN apt-get update\n"), ["apt-get update"]);
        assert_eq!(found("\tx = 1;\n"), [""; 0]);
    }

    #[test]
    fn lines_that_go_into_a_shell() {
        let command = "curl -s https://h.test/a | sudo sh -x";
        for around in ["X\n", "  - run: X\n", "a: 1\nrun: X\n", "!X\n", "    @X\n"] {
            let text = around.replace('X', command);
            let found: Vec<&str> = lines(&text)
                .into_iter()
                .map(|range| text.get(range).unwrap())
                .collect();
            assert_eq!(found, [command], "{text}");
        }
        assert!(lines("curl https://h.test/a | jq .sh\n").is_empty());
        assert!(lines("# as in curl https://h.test/a | sh\n").is_empty());
    }

    #[test]
    fn texts_that_are_commands() {
        assert_eq!(
            found("system(\"curl -s https://h.test/a | sh\")"),
            ["curl -s https://h.test/a | sh"]
        );
        assert_eq!(found("sh '''u=x\nwget -q $u'''"), ["u=x\nwget -q $u"]);
        assert_eq!(found("print(\"the shell is curled\")"), [""; 0]);
    }
}
