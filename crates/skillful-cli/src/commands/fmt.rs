//! `skillful fmt`: the frontmatter in its canonical form.

use std::io::Write;

use serde_json::json;
use skillful::check::SkillFile;
use skillmd::{Document, format};

use crate::args::{FmtArgs, GlobalArgs};
use crate::error::{CommandError, Outcome};
use crate::input;
use crate::terminal::{DIM, GOOD, WARNING, printable, stdout};
use crate::write;

/// What formatting does to one file.
enum Effect {
    Unchanged,
    Changed { document: Box<Document>, text: String },
    Unreadable(String),
}

pub(crate) fn run(global: &GlobalArgs, args: &FmtArgs) -> Result<Outcome, CommandError> {
    if args.stdin {
        return format_stdin(global, args);
    }
    let files = input::skill_files(&args.paths)?;
    let mut changed = Vec::new();
    let mut unreadable = Vec::new();
    for file in &files {
        match effect(file) {
            Effect::Unchanged => {}
            Effect::Unreadable(reason) => unreadable.push((file, reason)),
            Effect::Changed { document, text } => {
                if !args.check {
                    write::replace(&file.path, text.as_bytes())?;
                }
                changed.push((file, document));
            }
        }
    }
    let mut out = stdout(global.color);
    if args.format.is_json() {
        let paths: Vec<_> = changed.iter().map(|(file, _)| file.path.display().to_string()).collect();
        let unread: Vec<_> = unreadable
            .iter()
            .map(|(file, reason)| json!({"path": file.path.display().to_string(), "reason": reason}))
            .collect();
        let report = json!({
            "version": 1,
            "files": files.len(),
            "changed": paths,
            "unreadable": unread,
            "written": !args.check,
        });
        serde_json::to_writer_pretty(&mut out, &report)?;
        writeln!(out)?;
    } else {
        let verb = if args.check { "would change" } else { "formatted" };
        for (file, _) in &changed {
            writeln!(out, "{GOOD}{verb}{GOOD:#} {}", printable(&file.path.to_string_lossy()))?;
        }
        for (file, reason) in &unreadable {
            let path = printable(&file.path.to_string_lossy());
            writeln!(out, "{WARNING}skipped{WARNING:#} {path}: {}", printable(reason))?;
        }
        let rest = files.len() - changed.len() - unreadable.len();
        writeln!(out, "{DIM}{} files, {} {verb}, {rest} in canonical form{DIM:#}", files.len(), changed.len())?;
    }
    out.flush()?;
    let found = args.check && !changed.is_empty();
    Ok(if found || !unreadable.is_empty() {
        Outcome::Found
    } else {
        Outcome::Fine
    })
}

fn format_stdin(global: &GlobalArgs, args: &FmtArgs) -> Result<Outcome, CommandError> {
    let document = input::stdin_document()?;
    let text = format::format(&document);
    let changed = text.as_bytes() != document.to_bytes();
    if !args.check {
        let mut out = stdout(global.color);
        // What goes to a program is passed through as it is.
        out.write_all(text.as_bytes())?;
        out.flush()?;
    }
    Ok(if args.check && changed {
        Outcome::Found
    } else {
        Outcome::Fine
    })
}

fn effect(file: &SkillFile) -> Effect {
    let document = match file.read() {
        Ok(document) => document,
        Err(reason) => return Effect::Unreadable(reason.to_string()),
    };
    let text = format::format(&document);
    if text.as_bytes() == document.to_bytes() {
        Effect::Unchanged
    } else {
        Effect::Changed {
            document: Box::new(document),
            text,
        }
    }
}
