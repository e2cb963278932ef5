//! `skillful fmt`: the frontmatter in its canonical form.

use std::io::Write;

use std::path::PathBuf;

use serde_json::json;
use skillful::discover::{Candidate, Form};
use skillmd::format;

use crate::args::{FmtArgs, GlobalArgs};
use crate::error::{CommandError, Outcome};
use crate::input;
use crate::terminal::{DIM, GOOD, WARNING, counted, print_json, print_raw, printable, stdout};
use crate::write;

/// A file and what formatting does to it.
struct Formatted {
    path: PathBuf,
    effect: Effect,
}

enum Effect {
    Unchanged,
    /// The formatted text.
    Changed(String),
    /// Why it was left alone.
    Skipped(String),
}

pub(crate) fn run(global: &GlobalArgs, args: &FmtArgs) -> Result<Outcome, CommandError> {
    if args.stdin || input::is_stdin(&args.paths)? {
        return format_stdin(args);
    }
    let files = input::visit_all(&args.paths, "read", format_candidate)?;
    let mut changed = Vec::new();
    let mut skipped = Vec::new();
    for file in &files {
        match &file.effect {
            Effect::Unchanged => {}
            Effect::Skipped(reason) => skipped.push((&file.path, reason.clone())),
            Effect::Changed(text) => {
                // One file that cannot be written must not keep the others from it.
                let written = if args.check {
                    Ok(())
                } else {
                    write::replace(&file.path, text.as_bytes())
                };
                match written {
                    Ok(()) => changed.push(&file.path),
                    Err(error) => skipped.push((&file.path, error.message)),
                }
            }
        }
    }
    let mut out = stdout(global.color);
    if args.format.is_json() {
        let paths: Vec<_> = changed.iter().map(|path| path.to_string_lossy()).collect();
        let skipped: Vec<_> = skipped
            .iter()
            .map(|(path, reason)| json!({"path": path.to_string_lossy(), "reason": reason}))
            .collect();
        let report = json!({
            "version": 1,
            "files": files.len(),
            "changed": paths,
            "skipped": skipped,
            "written": !args.check,
        });
        print_json(&report)?;
    } else {
        let verb = if args.check {
            "would change"
        } else {
            "formatted"
        };
        for path in &changed {
            let path = printable(&path.to_string_lossy());
            writeln!(out, "{GOOD}{verb}{GOOD:#} {path}")?;
        }
        for (path, reason) in &skipped {
            let path = printable(&path.to_string_lossy());
            writeln!(
                out,
                "{WARNING}skipped{WARNING:#} {path}: {}",
                printable(reason)
            )?;
        }
        let (all, count) = (counted(files.len(), "file"), changed.len());
        let rest = files.len() - count - skipped.len();
        writeln!(
            out,
            "{DIM}{all}: {count} {verb}, {rest} in canonical form already{DIM:#}"
        )?;
    }
    out.flush()?;
    let found = (args.check && !changed.is_empty()) || !skipped.is_empty();
    Ok(if found { Outcome::Found } else { Outcome::Fine })
}

fn format_stdin(args: &FmtArgs) -> Result<Outcome, CommandError> {
    let document = input::stdin_document()?;
    let text = format::format(&document);
    let changed = text.as_bytes() != document.to_bytes();
    if !args.check {
        print_raw(&text)?;
    }
    Ok(if args.check && changed {
        Outcome::Found
    } else {
        Outcome::Fine
    })
}

fn format_candidate(candidate: Candidate) -> Formatted {
    let path = candidate.path.clone();
    let effect = match input::document(candidate) {
        Err(reason) => Effect::Skipped(reason),
        Ok((Form::Archive { .. }, _)) => {
            Effect::Skipped("files in an archive are not changed".to_owned())
        }
        Ok((_, document)) => {
            let text = format::format(&document);
            if text.as_bytes() == document.to_bytes() {
                Effect::Unchanged
            } else {
                Effect::Changed(text)
            }
        }
    };
    Formatted { path, effect }
}
