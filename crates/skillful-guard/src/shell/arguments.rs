//! A command's words, with the wrappers before the real program taken off.

use std::ops::Range;

use crate::flow::Flow;

/// One word of a command, evaluated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Argument {
    /// As the program would see it; values that are not known stand as `$NAME`.
    pub text: String,
    pub flow: Flow,
    pub range: Range<usize>,
}

/// A program with its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Call {
    /// The program as written.
    pub program: Argument,
    pub arguments: Vec<Argument>,
    /// Run as root.
    pub as_root: bool,
    pub range: Range<usize>,
}

/// Programs that run the program after them, with their options that take a value.
const WRAPPERS: &[(&str, &[&str])] = &[
    ("sudo", &["-u", "-g", "-h", "-p", "-C", "-D"]),
    ("doas", &["-u"]),
    ("env", &["-u", "-C", "-S"]),
    ("nohup", &[]),
    ("time", &[]),
    ("command", &[]),
    ("builtin", &[]),
    ("exec", &["-a"]),
    ("setsid", &[]),
    ("nice", &["-n"]),
    ("ionice", &["-c", "-n"]),
    ("stdbuf", &["-o", "-i", "-e"]),
    ("timeout", &["-s", "-k"]),
    ("gtimeout", &["-s", "-k"]),
    ("xargs", &["-I", "-n", "-P", "-L", "-d", "-a", "-E"]),
    ("busybox", &[]),
    ("proxychains", &[]),
    ("proxychains4", &[]),
    ("torsocks", &[]),
    ("watch", &["-n"]),
    ("then", &[]),
    ("do", &[]),
];

impl Call {
    /// Of a command's words; nothing for a command that only assigns.
    pub(crate) fn new(words: Vec<Argument>, range: Range<usize>) -> Option<Self> {
        let mut call = Self {
            range,
            ..Self::default()
        };
        let mut words = words.into_iter().peekable();
        loop {
            let word = words.next()?;
            if is_assignment(&word.text) {
                continue;
            }
            let name = base_name(&word.text).to_owned();
            let Some((_, with_value)) = WRAPPERS.iter().find(|(wrapper, _)| *wrapper == name)
            else {
                call.program = word;
                call.arguments = words.collect();
                return Some(call);
            };
            call.as_root |= matches!(name.as_str(), "sudo" | "doas");
            let mut rest = Vec::new();
            while let Some(option) = words.next_if(|next| next.text.starts_with('-')) {
                if with_value.contains(&option.text.as_str()) {
                    rest.extend(words.next());
                }
                rest.push(option);
            }
            // `timeout 5 program`
            words.next_if(|next| {
                name.ends_with("timeout") && next.text.starts_with(|c: char| c.is_ascii_digit())
            });
            if words.peek().is_none() {
                call.program = word;
                call.arguments = rest;
                return Some(call);
            }
        }
    }

    /// The program's name without its directory.
    pub(crate) fn name(&self) -> &str {
        base_name(&self.program.text)
    }

    /// The arguments that are no options.
    pub(crate) fn operands(&self) -> impl Iterator<Item = &Argument> {
        self.arguments
            .iter()
            .filter(|argument| !argument.text.starts_with('-'))
    }

    /// Whether one of these options is given: `--long`, or a letter as `-x` or within a cluster.
    pub(crate) fn has_option(&self, options: &[&str]) -> bool {
        self.arguments.iter().any(|argument| {
            let given = argument.text.as_str();
            options
                .iter()
                .any(|&option| match option.strip_prefix('-') {
                    Some(letter) if letter.len() == 1 => {
                        given.starts_with('-') && !given.starts_with("--") && given.contains(letter)
                    }
                    _ => {
                        given == option
                            || given
                                .strip_prefix(option)
                                .is_some_and(|rest| rest.starts_with('='))
                    }
                })
        })
    }

    /// The values of these options, given apart (`-o x`), joined (`--out=x`), or glued to a letter (`-ox`).
    pub(crate) fn values_of(&self, options: &[&str]) -> Vec<&Argument> {
        let mut values = Vec::new();
        for (index, argument) in self.arguments.iter().enumerate() {
            let given = argument.text.as_str();
            if options.contains(&given) || is_cluster_ending_in(given, options) {
                values.extend(self.arguments.get(index + 1));
            } else if options.iter().any(|option| {
                given.strip_prefix(option).is_some_and(|rest| {
                    (option.starts_with("--") && rest.starts_with('='))
                        || (!option.starts_with("--") && !rest.is_empty())
                })
            }) {
                values.push(argument);
            }
        }
        values
    }
}

/// `-sSo file`: a cluster of letters whose last takes the next word.
fn is_cluster_ending_in(given: &str, options: &[&str]) -> bool {
    let Some(letters) = given.strip_prefix('-') else {
        return false;
    };
    letters.len() > 1
        && letters.bytes().all(|letter| letter.is_ascii_alphabetic())
        && options.iter().any(|option| {
            option.len() == 2
                && option
                    .get(1..)
                    .is_some_and(|letter| letters.ends_with(letter))
        })
}

pub(crate) fn base_name(program: &str) -> &str {
    program.rsplit(['/', '\\']).next().unwrap_or(program)
}

/// `NAME=value` before a command.
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && !name.starts_with(|c: char| c.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(words: &str) -> Call {
        let words = words.split(' ').map(|word| Argument {
            text: word.to_owned(),
            ..Argument::default()
        });
        Call::new(words.collect(), 0..0).unwrap()
    }

    #[test]
    fn wrappers_come_off() {
        let call = call("A=1 sudo -u root nohup timeout 5 /bin/bash -s");
        assert_eq!((call.name(), call.as_root), ("bash", true));
        assert_eq!(call.arguments.len(), 1);
    }

    #[test]
    fn options_apart_joined_and_in_clusters() {
        let curl = call("curl -sSo file --data=x -T y http://a");
        let texts = |options: &[&str]| -> Vec<String> {
            curl.values_of(options)
                .into_iter()
                .map(|value| value.text.clone())
                .collect()
        };
        assert_eq!(texts(&["-o"]), ["file"]);
        assert_eq!(texts(&["--data"]), ["--data=x"]);
        assert_eq!(texts(&["-T"]), ["y"]);
        assert!(curl.has_option(&["-S"]) && !curl.has_option(&["-z"]));
    }
}
