//! What Git runs by itself: hooks, and commands that its configuration names. An agent that calls `git status` in a
//! directory that came from somewhere runs them without knowing.

use std::ops::Range;

use crate::context::{Form, Language, Unit, Zone};
use crate::facts::Facts;
use crate::text::View;

/// Most commands of one file that are looked at.
const COMMANDS: usize = 100;

/// Programs that a configuration names for what they are known for, as long as they are given no command of their own.
const USUAL: &[&str] = &[
    "vim",
    "vi",
    "nvim",
    "nano",
    "emacs",
    "emacsclient",
    "code",
    "cursor",
    "less",
    "more",
    "delta",
    "difft",
    "meld",
    "cat",
    "ssh",
    "git-lfs",
    "gpg",
    "gpg2",
    "store",
    "cache",
    "osxkeychain",
    "manager",
    "manager-core",
    "libsecret",
    "wincred",
];

/// Whether Git runs the file at this path, or commands that it names.
pub fn is_run_by_git(path: &str, bytes: &[u8]) -> bool {
    is_hook(path) || is_config(path) && commands_of(bytes).next().is_some()
}

/// Whether the file is a hook in a `.git` directory. Git does not run the samples that it puts there.
pub(crate) fn is_hook(path: &str) -> bool {
    let below = format!("/{}", path.replace('!', "/"));
    below
        .split_once("/.git/")
        .and_then(|(_, below)| below.rsplit_once("hooks/"))
        .is_some_and(|(_, name)| !name.contains('/') && !name.ends_with(".sample"))
}

/// Whether the file is the configuration of a repository: of one in a `.git` directory or one that is nothing else.
pub(crate) fn is_config(path: &str) -> bool {
    let name = path.rsplit(['/', '!']).next().unwrap_or(path);
    matches!(name, "config" | "config.worktree")
}

/// Looks at a configuration, and gives the commands that it names to the scan.
pub(crate) fn scan(path: &str, text: &str, facts: &mut Facts) -> Vec<Unit> {
    if !is_config(path) {
        return Vec::new();
    }
    let mut units = Vec::new();
    for (range, key) in commands_of(text.as_bytes()).take(COMMANDS) {
        let value = text.get(range.clone()).unwrap_or_default();
        let command = value.trim_matches('"').trim_start_matches('!');
        let view = View::pinned(command.to_owned(), range.start);
        let mut unit = Unit::uniform(view, Form::Code(Language::Shell), Zone::Script);
        unit.runs_on_load = true;
        let whole = 0..unit.view.text().len();
        facts.add(&unit, "git-config-runs-command", &whole, Some(key));
        units.push(unit);
    }
    units
}

/// The values of a configuration that are commands, with their keys.
fn commands_of(bytes: &[u8]) -> impl Iterator<Item = (Range<usize>, String)> + '_ {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let mut section = String::new();
    let mut at = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        let mut rest = line.trim();
        if let Some((header, after)) = rest.strip_prefix('[').and_then(|it| it.split_once(']')) {
            section = header.to_ascii_lowercase();
            rest = after.trim();
        }
        let (key, value) = rest.split_once('=')?;
        let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
        let kind = section.split([' ', '.']).next().unwrap_or_default();
        if !is_command(kind, &key, value.trim_matches('"')) {
            return None;
        }
        let from = start + line.rfind(value)?;
        Some((from..from + value.len(), format!("{kind}.{key}")))
    })
}

/// Whether Git runs the value of this key, and it is none of the programs that everyone names there.
fn is_command(section: &str, key: &str, value: &str) -> bool {
    let names_command = match (section, key) {
        ("core", "fsmonitor") => {
            return !matches!(
                value.to_ascii_lowercase().as_str(),
                "" | "true" | "false" | "1" | "0"
            );
        }
        // Its hooks lie in the work tree, and are scanned there.
        ("core", "hookspath") => return !value.starts_with(".husky"),
        ("alias", _) | ("submodule", "update") => return value.starts_with('!'),
        ("include" | "includeif", "path") => return true,
        ("remote" | "url", "url" | "pushurl" | "insteadof") => return value.starts_with("ext::"),
        ("core", "sshcommand" | "editor" | "pager" | "askpass" | "gitproxy")
        | ("sequence", "editor")
        | ("pager", _)
        | ("diff", "external" | "command" | "textconv")
        | ("merge", "driver")
        | ("filter", "clean" | "smudge" | "process")
        | ("difftool" | "mergetool" | "man" | "browser", "cmd")
        | ("credential", "helper")
        | ("gpg", "program")
        | ("interactive", "difffilter")
        | ("uploadpack", "packobjectshook")
        | ("remote", "uploadpack" | "receivepack" | "vcs")
        | ("trailer", "command" | "cmd")
        | ("init", "templatedir") => !matches!(value, "" | "true" | "false"),
        _ => false,
    };
    names_command && !is_usual(value)
}

/// Whether a value only names a program that is known, with options that run nothing.
fn is_usual(value: &str) -> bool {
    let program = value.split(' ').next().unwrap_or_default();
    USUAL.contains(&program)
        && !value.contains([';', '|', '&', '$', '`', '(', '<', '>', '!'])
        && !value.to_ascii_lowercase().contains("command")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<String> {
        commands_of(text.as_bytes()).map(|(_, key)| key).collect()
    }

    #[test]
    fn what_git_runs() {
        let text = "[core]\n\tfsmonitor = ./x.sh\n\tsshCommand = sh -c id\n[alias]\n\tst = !sh x\n[filter \"a\"]\n\tsmudge = \"sh x\"\n";
        assert_eq!(
            keys(text),
            [
                "core.fsmonitor",
                "core.sshcommand",
                "alias.st",
                "filter.smudge"
            ]
        );
        let (range, _) = commands_of(text.as_bytes()).next().unwrap();
        assert_eq!(text.get(range), Some("./x.sh"));
        assert_eq!(keys("[core] fsmonitor=/tmp/x\n"), ["core.fsmonitor"]);
        assert_eq!(
            keys("[core]\nsshCommand = ssh -o ProxyCommand=x\n"),
            ["core.sshcommand"]
        );
    }

    #[test]
    fn what_everyone_has_in_a_configuration() {
        let text = "[core]\n\tbare = false\n\tfsmonitor = true\n\teditor = code --wait\n\tsshCommand = ssh -i ~/.ssh/work\n\thooksPath = .husky/_\n[remote \"origin\"]\n\turl = https://github.com/a/b\n[alias]\n\tst = status\n[filter \"lfs\"]\n\tsmudge = git-lfs smudge -- %f\n[credential]\n\thelper = osxkeychain\n";
        assert_eq!(keys(text), [""; 0]);
    }

    #[test]
    fn hooks_are_run_and_samples_are_not() {
        assert!(is_hook(".git/hooks/pre-commit"));
        assert!(is_hook("a.zip!b/.git/modules/c/hooks/update"));
        assert!(!is_hook(".git/hooks/pre-commit.sample"));
        assert!(!is_hook("hooks/pre-commit"));
        assert!(!is_run_by_git(".git/config", b"[core]\n\tbare = false\n"));
        assert!(is_run_by_git(".git/config", b"[core]\n\tpager = sh x\n"));
    }
}
