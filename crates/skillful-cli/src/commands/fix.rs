//! `skillful fix`: applies the fixes that diagnostics offer, or shows them as a diff.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use skillful::check::Subject;
use skillful::contract::{FixDocument, FixedFile};
use skillful::discover::{Candidate, Form};
use skillful::mend::{Mended, mend};
use skillful_manage::named::Rewrite;
use skillful_manage::{Actor, Change, Operation};
use skillmd::{Code, Diagnostic, Severity};

use crate::args::{FixArgs, GlobalArgs};
use crate::error::{CommandError, Outcome};
use crate::input;
use crate::render::diff;
use crate::terminal::{DIM, GOOD, Out, WARNING, counted, print_json, print_raw, printable, stdout};
use crate::write::Scribe;

/// A file and what became of it, or why it was left alone.
struct Visited {
    path: PathBuf,
    /// The bytes before.
    before: Vec<u8>,
    result: Result<Mended, String>,
}

impl Visited {
    fn is_mended(&self) -> bool {
        let mended = self.result.as_ref();
        mended.is_ok_and(|mended| !mended.applied.is_empty())
    }

    fn rewrite(&self) -> Option<Rewrite> {
        let mended = self.result.as_ref().ok()?;
        self.is_mended().then(|| Rewrite {
            path: self.path.clone(),
            before: Some(self.before.clone()),
            after: mended.to_bytes(),
        })
    }

    fn report(&self) -> FixedFile<'_> {
        FixedFile::new(&self.path, self.result.as_ref().map_err(String::as_str))
    }
}

/// Writes what was mended. One file that cannot be written must not keep the others from it.
fn write_all(files: &mut [Visited], global: &GlobalArgs) -> Result<(), CommandError> {
    let changed: Vec<Rewrite> = files.iter().filter_map(Visited::rewrite).collect();
    if changed.is_empty() {
        return Ok(());
    }
    let message = format!("fixed {}", counted(changed.len(), "file"));
    let change = Change::new(Operation::FIX, Actor::USER).saying(message);
    let results = Scribe::for_command(global)?.rewrite_all(&change, &changed);
    let written = files.iter_mut().filter(|file| file.is_mended());
    for (file, result) in written.zip(results) {
        if let Err(error) = result {
            file.result = Err(error.message);
        }
    }
    Ok(())
}

pub(crate) fn run(global: &GlobalArgs, args: &FixArgs) -> Result<Outcome, CommandError> {
    let only = input::codes(&args.code)?;
    if input::is_stdin(&args.paths)? {
        return mend_stdin(&only);
    }
    let mut files = input::visit_all(&args.paths, "read", |candidate| {
        mend_candidate(candidate, &only)
    })?;
    if !args.dry_run {
        write_all(&mut files, global)?;
    }
    let totals = Totals::of(&files);
    let mut out = stdout(global.color);
    if args.format.is_json() {
        let files = files.iter().map(Visited::report).collect();
        print_json(&FixDocument::new(files, !args.dry_run))?;
    } else {
        for file in &files {
            write_file(&mut out, file, args.dry_run)?;
        }
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
    let mut before = Vec::new();
    let result = match input::document(candidate) {
        Err(reason) => Err(reason),
        Ok((Form::Archive { .. }, _)) => Err("files in an archive are not changed".to_owned()),
        Ok((_, document)) => {
            before = document.to_bytes();
            Ok(mend(document, &subject, only))
        }
    };
    Visited {
        path,
        before,
        result,
    }
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
    fn of(files: &[Visited]) -> Self {
        let mut totals = Self::default();
        for file in files {
            totals.add(&file.result);
        }
        totals
    }

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
