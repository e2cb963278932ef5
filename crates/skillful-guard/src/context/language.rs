//! Which language a file or a snippet is written in: by its first bytes where they say it, else by its name.

use std::sync::LazyLock;

use regex::Regex;

/// First lines of programs that no sentence begins with.
static PYTHON: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"^(import [\w.]+( as \w+)?(, [\w.]+)*$|from [\w.]+ import |def \w+\(|class \w+.*:$|print\(|exec\(|@\w|"""|with \w+\(.*:$)"#).ok()
});
static JAVASCRIPT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"^(import .*['"];?$|(const|let|var) [\w{}\[\], ]+ ?=|(async )?function \w*\(|require\(|export (default|const|function) |['"]use strict['"]|\(?(async )?\(.*\) ?=>|eval\()"#).ok()
});
static POWERSHELL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)^(param ?\(|\$[\w:]+ ?= |(iex|iwr|irm)\b|(invoke|set|get|new|start|add|import)-\w+ |@echo off|powershell(\.exe)? -)").ok()
});
static SHELL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"^([A-Za-z_]\w*=\S|set -\w|if \[|for \w+ in |while |\w+ ?\(\) ?\{|trap |exec \d?[<>])",
    )
    .ok()
});

/// The name that a program without one is scanned under: by its first line where that leaves no doubt, else none.
pub fn program_name(bytes: &[u8]) -> Option<&'static str> {
    let text = std::str::from_utf8(bytes).ok()?;
    Some(match Language::of_nameless(text)? {
        Language::Shell => "program.sh",
        Language::PowerShell => "program.ps1",
        Language::Python => "program.py",
        Language::JavaScript => "program.js",
        _ => "program",
    })
}

/// The languages that the guard tells apart. Those without an engine of their own are searched for patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Language {
    Shell,
    PowerShell,
    Python,
    JavaScript,
    Markdown,
    /// JSON, YAML, TOML, CSV and the like.
    Data,
    /// HTML, SVG and XML.
    Markup,
    /// Other programs: Ruby, Go, Rust, SQL …
    OtherCode,
    /// No idea.
    Text,
}

/// File extensions and names of fences, in lower case.
const NAMES: &[(Language, &[&str])] = &[
    (
        Language::Shell,
        &[
            "sh",
            "bash",
            "zsh",
            "ksh",
            "shell",
            "console",
            "terminal",
            "shell-session",
            "command",
            "fish",
        ],
    ),
    (
        Language::PowerShell,
        &["ps1", "psm1", "powershell", "pwsh", "bat", "cmd", "batch"],
    ),
    (
        Language::Python,
        &["py", "python", "python3", "pyw", "pyi", "py3", "ipython"],
    ),
    (
        Language::JavaScript,
        &[
            "js",
            "mjs",
            "cjs",
            "jsx",
            "ts",
            "mts",
            "cts",
            "tsx",
            "javascript",
            "typescript",
            "node",
        ],
    ),
    (Language::Markdown, &["md", "markdown", "mdx", "mdc"]),
    (
        Language::Data,
        &[
            "json",
            "jsonc",
            "json5",
            "jsonl",
            "ndjson",
            "yaml",
            "yml",
            "toml",
            "ini",
            "cfg",
            "conf",
            "env",
            "csv",
            "tsv",
            "lock",
            "properties",
            "plist",
            "geojson",
            "ipynb",
        ],
    ),
    (
        Language::Markup,
        &["html", "htm", "svg", "xml", "xhtml", "vue", "svelte"],
    ),
    (
        Language::OtherCode,
        &[
            "rb",
            "ruby",
            "go",
            "rs",
            "rust",
            "java",
            "kt",
            "swift",
            "c",
            "h",
            "cpp",
            "cc",
            "cs",
            "csharp",
            "php",
            "pl",
            "perl",
            "lua",
            "r",
            "sql",
            "dart",
            "scala",
            "applescript",
            "scpt",
            "dockerfile",
            "makefile",
            "mk",
            "gradle",
            "tf",
            "hcl",
            "css",
            "scss",
            "service",
            "vbs",
        ],
    ),
];

/// Programs that a `#!` line may name.
const INTERPRETERS: &[(Language, &[&str])] = &[
    (Language::Python, &["python", "uv", "pypy"]),
    (
        Language::JavaScript,
        &["node", "deno", "bun", "tsx", "ts-node"],
    ),
    (Language::PowerShell, &["pwsh", "powershell"]),
    (
        Language::OtherCode,
        &["ruby", "perl", "php", "osascript", "lua"],
    ),
    (
        Language::Shell,
        &["sh", "bash", "zsh", "ksh", "dash", "fish", "ash"],
    ),
];

impl Language {
    /// Of a fence, from the first word of its info string.
    pub(crate) fn of_fence(info: &str) -> Option<Self> {
        let word = info
            .split([' ', ',', '{', '\t'])
            .find(|word| !word.is_empty())?;
        Self::named(&word.trim_matches(['.', '}']).to_ascii_lowercase())
    }

    /// Of a file: its `#!` line, else its name.
    pub(crate) fn of_file(path: &str, text: &str) -> Self {
        if let Some(language) = Self::of_interpreter_line(text) {
            return language;
        }
        let name = path
            .rsplit(['/', '!'])
            .next()
            .unwrap_or(path)
            .to_ascii_lowercase();
        let stem_or_extension = name.rsplit('.').next().unwrap_or_default();
        match name.as_str() {
            "package.json" => Self::Data,
            name if name.starts_with(".env") => Self::Data,
            name if name.ends_with("rc") || name.ends_with("profile") => Self::Shell,
            _ => Self::named(stem_or_extension).unwrap_or(Self::Text),
        }
    }

    /// Of a `#!` line, if the text begins with one.
    pub(crate) fn of_interpreter_line(text: &str) -> Option<Self> {
        let line = text.strip_prefix("#!")?.lines().next()?;
        let word = line
            .split(['/', ' ', '\t'])
            .rfind(|word| !word.is_empty() && !word.starts_with('-') && *word != "env")?;
        let found = INTERPRETERS.iter().find(|(_, names)| {
            names.iter().any(|name| {
                word.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') == *name
            })
        });
        found.map(|(language, _)| *language)
    }

    fn named(name: &str) -> Option<Self> {
        let found = NAMES.iter().find(|(_, names)| names.contains(&name));
        found.map(|(language, _)| *language)
    }

    /// A guess for code that nobody labelled, by how its first line of code begins.
    pub(crate) fn guess(code: &str) -> Self {
        if let Some(language) = Self::of_interpreter_line(code) {
            return language;
        }
        let mut lines = code
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        let Some(first) = lines.next() else {
            return Self::Text;
        };
        let word = first
            .trim_start_matches("$ ")
            .split([' ', '(', '='])
            .next()
            .unwrap_or_default();
        match word {
            "import" | "from" | "def" | "exec" | "print" | "class" | "with"
                if !first.ends_with(';') =>
            {
                Self::Python
            }
            "const" | "let" | "var" | "function" | "require" | "eval" | "process.env" | "async" => {
                Self::JavaScript
            }
            "powershell" | "iex" | "IEX" | "iwr" | "irm" | "Invoke-WebRequest"
            | "Invoke-Expression" => Self::PowerShell,
            "{" | "[" => Self::Data,
            word if is_command(word) => Self::Shell,
            _ => Self::Text,
        }
    }

    /// Of a text that has no name, where its first line of code leaves no doubt. What begins with a frontmatter or fences
    /// code is a document, whatever stands in it.
    fn of_nameless(text: &str) -> Option<Self> {
        if text.starts_with("---") || text.lines().any(|line| line.starts_with("```")) {
            return None;
        }
        if let Some(language) = Self::of_interpreter_line(text) {
            return Some(language);
        }
        let first = text
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty() && !line.starts_with('#') && !line.starts_with("//"))?;
        let looks_like = |pattern: &LazyLock<Option<Regex>>| {
            pattern
                .as_ref()
                .is_some_and(|pattern| pattern.is_match(first))
        };
        let surely: [(Self, &LazyLock<Option<Regex>>); 4] = [
            (Self::JavaScript, &JAVASCRIPT),
            (Self::Python, &PYTHON),
            (Self::PowerShell, &POWERSHELL),
            (Self::Shell, &SHELL),
        ];
        let found = surely.iter().find(|(_, pattern)| looks_like(pattern));
        if let Some((language, _)) = found {
            return Some(*language);
        }
        let word = first.split(' ').next().unwrap_or_default();
        let is_sentence = first.ends_with(['.', ':', '!', '?', ',']);
        let has_signs = first.contains(['-', '|', '$', '/', '>', '<', ';', '"', '&', '\'', '=']);
        let is_short = first.split_whitespace().count() < 3;
        (is_command(word) && !is_sentence && (has_signs || is_short)).then_some(Self::Shell)
    }

    /// Whether a client or a person could run it.
    pub(crate) fn can_run(self) -> bool {
        matches!(
            self,
            Self::Shell | Self::PowerShell | Self::Python | Self::JavaScript | Self::OtherCode
        )
    }
}

/// Words that begin a shell command more often than a sentence.
fn is_command(word: &str) -> bool {
    const COMMANDS: &[&str] = &[
        "apt",
        "apt-get",
        "aws",
        "base64",
        "bash",
        "brew",
        "cat",
        "cd",
        "chmod",
        "chown",
        "cp",
        "crontab",
        "curl",
        "dd",
        "dig",
        "docker",
        "echo",
        "env",
        "eval",
        "export",
        "find",
        "gcloud",
        "gh",
        "git",
        "grep",
        "kill",
        "ls",
        "mkdir",
        "mkfs",
        "mv",
        "nc",
        "ncat",
        "nohup",
        "node",
        "npm",
        "npx",
        "nslookup",
        "openssl",
        "osascript",
        "pip",
        "pip3",
        "printenv",
        "printf",
        "python",
        "python3",
        "rm",
        "rsync",
        "scp",
        "sed",
        "sh",
        "shred",
        "source",
        "ssh",
        "sudo",
        "tar",
        "tee",
        "uv",
        "uvx",
        "wget",
        "xattr",
        "zip",
        "zsh",
    ];
    COMMANDS.contains(&word) || word.starts_with("./") || word.starts_with("~/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_its_first_line_says_else_its_name() {
        assert_eq!(
            Language::of_file("a/b.txt", "#!/usr/bin/env python3\n"),
            Language::Python
        );
        assert_eq!(
            Language::of_file("run", "#!/bin/bash -eu\n"),
            Language::Shell
        );
        assert_eq!(Language::of_file("a/.zshrc", ""), Language::Shell);
        assert_eq!(Language::of_file("a/x.MJS", ""), Language::JavaScript);
        assert_eq!(
            Language::of_file("a/x.zip!Dockerfile", ""),
            Language::OtherCode
        );
        assert_eq!(Language::of_file("LICENSE", ""), Language::Text);
    }

    #[test]
    fn fences_and_code_without_a_label() {
        assert_eq!(Language::of_fence("bash {cmd=true}"), Some(Language::Shell));
        assert_eq!(Language::of_fence("{.python}"), Some(Language::Python));
        assert_eq!(Language::of_fence("mermaid"), None);
        assert_eq!(Language::guess("# first\ncurl x"), Language::Shell);
        assert_eq!(Language::guess("import os"), Language::Python);
        assert_eq!(Language::guess("Some words"), Language::Text);
    }

    #[test]
    fn a_text_without_a_name_is_a_program_where_its_first_line_is_one() {
        for (text, name) in [
            ("#!/usr/bin/env python3\nx", Some("program.py")),
            ("\nimport os\nos.system('x')", Some("program.py")),
            ("# a\nfrom os import path\n", Some("program.py")),
            ("import fs from 'fs';\n", Some("program.js")),
            ("// a\nconst a = require('b')\n", Some("program.js")),
            ("iwr https://h.test/a | iex", Some("program.ps1")),
            ("$u = 'x'\niex $u", Some("program.ps1")),
            ("curl -s https://h.test/a | sh\n", Some("program.sh")),
            ("set -e\nmake\n", Some("program.sh")),
            ("URL=https://h.test\ncurl $URL | sh", Some("program.sh")),
            ("---\nname: a\n---\ncurl -s https://h.test/a | sh\n", None),
            ("curl is used here:\n```\ncurl x\n```\n", None),
            ("find the words that matter.\n", None),
            ("import the data first, then go on\n", None),
            ("with care\n", None),
            ("# A title\n\nSome words\n", None),
            ("", None),
        ] {
            assert_eq!(program_name(text.as_bytes()), name, "{text}");
        }
    }
}
