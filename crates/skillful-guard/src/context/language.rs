//! Which language a file or a snippet is written in: by its first bytes where they say it, else by its name.

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
}
