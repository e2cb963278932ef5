//! `skillful fmt`: the frontmatter in its canonical form.

use std::io::Write;
use std::path::PathBuf;

use skillful::contract::{FormatDocument, PathText, SkippedFile};
use skillful::discover::{Candidate, Form};
use skillful_manage::named::Rewrite;
use skillful_manage::{Actor, Change, Operation};
use skillmd::format;

use crate::args::{FmtArgs, GlobalArgs};
use crate::error::{CommandError, Outcome};
use crate::input;
use crate::terminal::{DIM, GOOD, Out, WARNING, counted, print_json, print_raw, printable, stdout};
use crate::write::Scribe;

/// A file and what formatting does to it.
struct Formatted {
    path: PathBuf,
    effect: Effect,
}

enum Effect {
    Unchanged,
    /// The bytes before, and the formatted text.
    Changed(Vec<u8>, String),
    /// Why it was left alone.
    Skipped(String),
}

/// Writes what was changed. One file that cannot be written must not keep the others from it.
fn write_all(files: &mut [Formatted], global: &GlobalArgs) -> Result<(), CommandError> {
    let changed: Vec<Rewrite> = files.iter().filter_map(Formatted::rewrite).collect();
    if changed.is_empty() {
        return Ok(());
    }
    let message = format!("formatted {}", counted(changed.len(), "file"));
    let change = Change::new(Operation::FORMAT, Actor::USER).saying(message);
    let results = Scribe::for_command(global)?.rewrite_all(&change, &changed);
    let written = files
        .iter_mut()
        .filter(|file| matches!(file.effect, Effect::Changed(..)));
    for (file, result) in written.zip(results) {
        if let Err(error) = result {
            file.effect = Effect::Skipped(error.message);
        }
    }
    Ok(())
}

impl Formatted {
    fn rewrite(&self) -> Option<Rewrite> {
        match &self.effect {
            Effect::Changed(before, after) => Some(Rewrite {
                path: self.path.clone(),
                before: Some(before.clone()),
                after: after.clone().into_bytes(),
            }),
            Effect::Unchanged | Effect::Skipped(_) => None,
        }
    }
}

pub(crate) fn run(global: &GlobalArgs, args: &FmtArgs) -> Result<Outcome, CommandError> {
    if args.stdin || input::is_stdin(&args.paths)? {
        return format_stdin(args);
    }
    let mut files = input::visit_all(&args.paths, "read", format_candidate)?;
    if !args.check {
        write_all(&mut files, global)?;
    }
    let report = report(&files, !args.check);
    if args.format.is_json() {
        print_json(&report)?;
    } else {
        let mut out = stdout(global.color);
        write_text(&mut out, &report)?;
        out.flush()?;
    }
    let found = (args.check && !report.changed.is_empty()) || !report.skipped.is_empty();
    Ok(if found { Outcome::Found } else { Outcome::Fine })
}

fn report(files: &[Formatted], written: bool) -> FormatDocument<'_> {
    let mut report = FormatDocument::new(written);
    for Formatted { path, effect } in files {
        let path = PathText(path);
        report.files += 1;
        match effect {
            Effect::Unchanged => {}
            Effect::Changed(..) => report.changed.push(path),
            Effect::Skipped(reason) => report.skipped.push(SkippedFile { path, reason }),
        }
    }
    report
}

fn write_text(out: &mut Out, report: &FormatDocument<'_>) -> std::io::Result<()> {
    let shown = |path: PathText<'_>| printable(&path.0.to_string_lossy());
    let verb = if report.written {
        "formatted"
    } else {
        "would change"
    };
    for path in &report.changed {
        writeln!(out, "{GOOD}{verb}{GOOD:#} {}", shown(*path))?;
    }
    for SkippedFile { path, reason } in &report.skipped {
        let (path, reason) = (shown(*path), printable(reason));
        writeln!(out, "{WARNING}skipped{WARNING:#} {path}: {reason}")?;
    }
    writeln!(
        out,
        "{DIM}{}: {} {verb}, {} in canonical form already{DIM:#}",
        counted(report.files, "file"),
        report.changed.len(),
        report.unchanged(),
    )
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
            let before = document.to_bytes();
            if text.as_bytes() == before {
                Effect::Unchanged
            } else {
                Effect::Changed(before, text)
            }
        }
    };
    Formatted { path, effect }
}
