//! `skillful fix`: applies the fixes that diagnostics offer, or shows them as a diff.

use std::io::Write;

use std::path::PathBuf;

use serde_json::{Value, json};
use skillful::check::Subject;
use skillful::discover::{Candidate, Form};
use skillful::mend::{Mended, mend};
use skillmd::{Code, Diagnostic, Severity};
use std::collections::BTreeSet;

use crate::args::{FixArgs, GlobalArgs};
use crate::error::{CommandError, Outcome};
use crate::input;
use crate::render::diff;
use crate::terminal::{DIM, GOOD, Out, WARNING, counted, print_json, print_raw, printable, stdout};
use crate::write;

/// A file and what became of it, or why it was left alone.
struct Visited {
    path: PathBuf,
    result: Result<Mended, String>,
}

pub(crate) fn run(global: &GlobalArgs, args: &FixArgs) -> Result<Outcome, CommandError> {
    let only = input::codes(&args.code)?;
    if input::is_stdin(&args.paths)? {
        return mend_stdin(&only);
    }
    let mut files = input::visit_all(&args.paths, "read", |candidate| {
        mend_candidate(candidate, &only)
    })?;
    let mut out = stdout(global.color);
    let mut reports = Vec::new();
    let mut totals = Totals::default();
    for file in &mut files {
        // One file that cannot be written must not keep the others from it.
        if let Ok(mended) = &file.result
            && !mended.applied.is_empty()
            && !args.dry_run
            && let Err(error) = write::replace(&file.path, &mended.to_bytes())
        {
            file.result = Err(error.message);
        }
        totals.add(&file.result);
        if args.format.is_json() {
            reports.push(report(file));
        } else {
            write_file(&mut out, file, args.dry_run)?;
        }
    }
    if args.format.is_json() {
        let result = json!({"version": 1, "files": reports, "written": !args.dry_run});
        print_json(&result)?;
    } else {
        totals.write(&mut out, args.dry_run)?;
    }
    out.flush()?;
    Ok(if totals.errors + totals.skipped > 0 {
        Outcome::Found
    } else {
        Outcome::Fine
    })
}

/// What is read from standard input goes to standard output, mended.
fn mend_stdin(only: &BTreeSet<Code>) -> Result<Outcome, CommandError> {
    let document = input::stdin_document()?;
    let mended = mend(document, &Subject::without_place("<stdin>"), only);
    print_raw(&mended.text)?;
    let is_left = |found: &Diagnostic| found.severity == Severity::Error;
    Ok(if mended.remaining.iter().any(is_left) {
        Outcome::Found
    } else {
        Outcome::Fine
    })
}

fn mend_candidate(candidate: Candidate, only: &BTreeSet<Code>) -> Visited {
    let path = candidate.path.clone();
    let subject = Subject::of(&candidate);
    let result = match input::document(candidate) {
        Err(reason) => Err(reason),
        Ok((Form::Archive { .. }, _)) => Err("files in an archive are not changed".to_owned()),
        Ok((_, document)) => Ok(mend(document, &subject, only)),
    };
    Visited { path, result }
}

fn write_file(out: &mut Out, file: &Visited, dry_run: bool) -> std::io::Result<()> {
    let path = file.path.to_string_lossy();
    match &file.result {
        Err(reason) => {
            let (path, reason) = (printable(&path), printable(reason));
            writeln!(out, "{WARNING}skipped{WARNING:#} {path}: {reason}")
        }
        Ok(mended) if mended.applied.is_empty() => Ok(()),
        Ok(mended) if dry_run => diff::write(out, &path, &mended.before, &mended.text),
        Ok(mended) => {
            writeln!(out, "{GOOD}fixed{GOOD:#} {}", printable(&path))?;
            for fix in &mended.applied {
                writeln!(
                    out,
                    "      {}  {DIM}{}{DIM:#}",
                    printable(&fix.title),
                    fix.code
                )?;
            }
            Ok(())
        }
    }
}

fn report(file: &Visited) -> Value {
    let path = file.path.to_string_lossy();
    match &file.result {
        Err(reason) => json!({"path": path, "skipped": reason}),
        Ok(mended) => {
            let applied: Vec<_> = mended
                .applied
                .iter()
                .map(|fix| json!({"code": fix.code.as_str(), "title": fix.title}))
                .collect();
            let remaining: Vec<_> = mended
                .remaining
                .iter()
                .map(|found| found.code.as_str())
                .collect();
            json!({"path": path, "applied": applied, "remaining": remaining})
        }
    }
}

#[derive(Default)]
struct Totals {
    files: usize,
    changed: usize,
    applied: usize,
    errors: usize,
    warnings: usize,
    skipped: usize,
}

impl Totals {
    fn add(&mut self, result: &Result<Mended, String>) {
        self.files += 1;
        let Ok(mended) = result else {
            self.skipped += 1;
            return;
        };
        let remaining = &mended.remaining;
        let count = |severity| remaining.iter().filter(|d| d.severity == severity).count();
        self.changed += usize::from(!mended.applied.is_empty());
        self.applied += mended.applied.len();
        self.errors += count(Severity::Error);
        self.warnings += count(Severity::Warning);
    }

    fn write(&self, out: &mut impl Write, dry_run: bool) -> std::io::Result<()> {
        let verb = if dry_run {
            "would be applied"
        } else {
            "applied"
        };
        writeln!(
            out,
            "{DIM}{} in {} of {} {verb}; {} and {} need a person{DIM:#}",
            counted(self.applied, "fix"),
            self.changed,
            counted(self.files, "file"),
            counted(self.errors, "error"),
            counted(self.warnings, "warning"),
        )
    }
}
