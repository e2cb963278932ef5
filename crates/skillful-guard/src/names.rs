//! What paths and links say by themselves.

use std::collections::{BTreeMap, HashMap};

use crate::bundle::{Content, FileInput};
use crate::facts::Facts;
use crate::git;
use crate::scan::Scanned;

/// Whether a program or a client runs a file of this name without being told to.
pub(crate) fn runs_by_itself(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(
        name,
        "sitecustomize.py"
            | "usercustomize.py"
            | "conftest.py"
            | "setup.py"
            | ".envrc"
            | "postinstall.sh"
            | "postinstall.js"
            | "preinstall.js"
    ) || git::is_hook(path)
        || path.contains(".husky/")
}

/// Whether installing or building what holds a file of this name runs it. A `setup.py` among scripts belongs to no package:
/// somebody has to run it.
fn runs_on_install(path: &str) -> bool {
    let mut parts = path.rsplit(['/', '!']);
    let name = parts.next().unwrap_or(path);
    let is_script = matches!(parts.next(), Some("scripts" | "script" | "bin" | "tools"));
    matches!(
        name,
        "build.rs" | "extconf.rb" | "hatch_build.py" | "build_hooks.py" | "Makefile.PL"
    ) || (name == "setup.py" && !is_script)
        || ["preinstall.", "postinstall.", "prepare."]
            .iter()
            .any(|start| name.starts_with(start))
        || name.ends_with(".gemspec")
}

/// Looks at the names of all entries, together.
pub(crate) fn scan(files: &[&FileInput], scanned: &mut [Scanned<'_>]) {
    let by_path: HashMap<&str, &FileInput> = files
        .iter()
        .map(|file| (file.path.as_str(), *file))
        .collect();
    let mut by_folded: BTreeMap<String, usize> = BTreeMap::new();
    for file in files {
        *by_folded.entry(file.path.to_lowercase()).or_default() += 1;
    }
    for entry in scanned.iter_mut() {
        let Some(file) = by_path.get(entry.path) else {
            continue;
        };
        of_path(&file.path, &mut entry.facts);
        if runs_on_install(&file.path) {
            entry.facts.add_to_file("runs-on-install", None);
        }
        if by_folded
            .get(&file.path.to_lowercase())
            .is_some_and(|&count| count > 1)
        {
            entry
                .facts
                .add_to_file("names-collide", Some(file.path.clone()));
        }
        match &file.content {
            Content::Link { target } => of_link(&file.path, target, &mut entry.facts),
            Content::Bytes(bytes) if is_false_git_file(&file.path, bytes) => {
                entry.facts.add_to_file("git-file-with-program", None);
            }
            Content::Special => entry.facts.add_to_file("special-file", None),
            _ => {}
        }
    }
}

/// Whether a path leads out of the directory that it is unpacked into.
pub(crate) fn leaves(path: &str) -> bool {
    path.starts_with('/')
        || path.contains('\\')
        || path.split('/').any(|part| part == "..")
        || path.contains('\0')
        || path.get(1..3) == Some(":/")
}

/// A path inside an archive, or the path itself; what `!` separates are archives and their members.
fn inside(path: &str) -> &str {
    path.rsplit('!').next().unwrap_or(path)
}

/// A file that is called as Git calls its directory, and does not say where that is.
fn is_false_git_file(path: &str, bytes: &[u8]) -> bool {
    path.rsplit(['/', '!']).next() == Some(".git")
        && !bytes.trim_ascii().is_empty()
        && !bytes.starts_with(b"gitdir:")
}

fn of_path(path: &str, facts: &mut Facts) {
    let parts: Vec<&str> = path.split(['/', '!']).collect();
    if leaves(path) || path.split('!').any(leaves) {
        facts.add_to_file("path-leaves-bundle", Some(path.to_owned()));
    }
    if parts.iter().any(|part| is_reserved(part)) {
        facts.add_to_file("reserved-name", Some(path.to_owned()));
    }
    let hides = path
        .chars()
        .any(|c| c.is_control() || crate::decode::is_invisible(c));
    if hides {
        facts.add_to_file("deceptive-name", Some(path.to_owned()));
    }
    let name = parts.last().copied().unwrap_or_default();
    let lower = name.to_ascii_lowercase();
    let shown: Vec<&str> = lower.rsplit('.').collect();
    if let [last, before, _, ..] = shown.as_slice() {
        let runs = matches!(
            *last,
            "exe"
                | "scr"
                | "bat"
                | "cmd"
                | "com"
                | "vbs"
                | "lnk"
                | "command"
                | "app"
                | "dmg"
                | "msi"
        );
        let looks_harmless = matches!(
            *before,
            "txt" | "md" | "pdf" | "png" | "jpg" | "doc" | "docx" | "csv"
        );
        if runs && looks_harmless {
            facts.add_to_file("deceptive-name", Some(path.to_owned()));
        }
    }
    if is_hidden(&parts) && is_program(name) {
        facts.add_to_file("hidden-program", Some(path.to_owned()));
    }
    if git::is_hook(path) {
        facts.add_to_file("git-hook-shipped", Some(path.to_owned()));
    }
}

/// Whether a listing leaves the file out. Folders that tools keep in the open under such names are not meant.
fn is_hidden(parts: &[&str]) -> bool {
    const USUAL: &[&str] = &[
        ".github",
        ".claude",
        ".codex",
        ".cursor",
        ".husky",
        ".vscode",
        ".devcontainer",
        ".agents",
        ".gitlab",
        ".circleci",
        ".storybook",
        ".yarn",
        ".claude-plugin",
        ".openclaw",
        ".opencode",
    ];
    parts.iter().any(|part| {
        (part.starts_with('.') && part.len() > 2 && !USUAL.contains(part)) || *part == "__pycache__"
    })
}

fn is_program(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    matches!(
        extension,
        "sh" | "bash"
            | "py"
            | "js"
            | "mjs"
            | "cjs"
            | "ts"
            | "ps1"
            | "rb"
            | "pl"
            | "bat"
            | "cmd"
            | "exe"
            | "vbs"
    )
}

/// Names that Windows takes for devices, or changes.
fn is_reserved(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part).to_ascii_uppercase();
    let is_device = matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL")
        || (stem.len() == 4
            && (stem.starts_with("COM") || stem.starts_with("LPT"))
            && stem.ends_with(|c: char| c.is_ascii_digit()));
    is_device
        || part.ends_with(' ')
        || (part.ends_with('.') && part != "." && part != "..")
        || part.contains(':')
}

fn of_link(path: &str, target: &str, facts: &mut Facts) {
    let depth = inside(path).matches('/').count();
    let mut level = depth;
    let mut leaves = target.starts_with('/')
        || target.starts_with('\\')
        || target.get(1..2) == Some(":")
        || target.starts_with('~');
    for part in target.split(['/', '\\']) {
        match part {
            ".." if level == 0 => leaves = true,
            ".." => level -= 1,
            "" | "." => {}
            _ => level += 1,
        }
    }
    facts.add_to_file(
        if leaves {
            "link-leaves-bundle"
        } else {
            "link-inside"
        },
        Some(target.to_owned()),
    );
}
