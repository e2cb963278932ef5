//! `skillful fix`: applies the fixes that diagnostics offer, or shows them as a diff.

use std::io::Write;

use serde_json::{Value, json};
use skillful::mend::{Mended, mend};
use skillmd::{Code, Severity};

use crate::args::{FixArgs, GlobalArgs};
use crate::error::{CommandError, Outcome};
use crate::input;
use crate::render::diff;
use crate::terminal::{DIM, GOOD, WARNING, printable, stdout};
use crate::write;

pub(crate) fn run(global: &GlobalArgs, args: &FixArgs) -> Result<Outcome, CommandError> {
    let only = input::codes(&args.code)?;
    let files = input::skill_files(&args.paths)?;
    let mut out = stdout(global.color);
    let mut reports = Vec::new();
    let mut totals = Totals::default();
    for file in &files {
        let path = file.path.display().to_string();
        let mended = match file.read() {
            Ok(document) => mend(file, document, &only),
            Err(reason) => {
                totals.unreadable += 1;
                reports.push(json!({"path": path, "reason": reason.to_string(), "applied": [], "remaining": 0}));
                if !args.format.is_json() {
                    writeln!(out, "{WARNING}skipped{WARNING:#} {}: {reason}", printable(&path))?;
                }
                continue;
            }
        };
        totals.add(&mended);
        if !mended.applied.is_empty() && !args.dry_run {
            write::replace(&file.path, mended.text.as_bytes())?;
        }
        if args.format.is_json() {
            reports.push(report(&path, &mended));
        } else if args.dry_run {
            diff::write(&mut out, &path, &mended.before, &mended.text)?;
        } else if !mended.applied.is_empty() {
            writeln!(out, "{GOOD}fixed{GOOD:#} {}", printable(&path))?;
            for fix in &mended.applied {
                writeln!(out, "      {}  {DIM}{}{DIM:#}", fix.title, fix.code)?;
            }
        }
    }
    if args.format.is_json() {
        let result = json!({"version": 1, "files": reports, "written": !args.dry_run});
        serde_json::to_writer_pretty(&mut out, &result)?;
        writeln!(out)?;
    } else {
        totals.write(&mut out, args.dry_run)?;
    }
    out.flush()?;
    Ok(if totals.errors + totals.unreadable > 0 {
        Outcome::Found
    } else {
        Outcome::Fine
    })
}

fn report(path: &str, mended: &Mended) -> Value {
    let applied: Vec<_> = mended
        .applied
        .iter()
        .map(|fix| json!({"code": fix.code.as_str(), "title": fix.title}))
        .collect();
    let remaining: Vec<&str> = mended.remaining.iter().map(|d| Code::as_str(d.code)).collect();
    json!({"path": path, "applied": applied, "remaining": remaining})
}

#[derive(Default)]
struct Totals {
    files: usize,
    changed: usize,
    applied: usize,
    errors: usize,
    warnings: usize,
    unreadable: usize,
}

impl Totals {
    fn add(&mut self, mended: &Mended) {
        let count = |severity| mended.remaining.iter().filter(|d| d.severity == severity).count();
        self.files += 1;
        self.changed += usize::from(!mended.applied.is_empty());
        self.applied += mended.applied.len();
        self.errors += count(Severity::Error);
        self.warnings += count(Severity::Warning);
    }

    fn write(&self, out: &mut impl Write, dry_run: bool) -> std::io::Result<()> {
        let verb = if dry_run { "would be applied" } else { "applied" };
        writeln!(
            out,
            "{DIM}{} fixes in {} of {} files {verb}; {} errors and {} warnings need a person{DIM:#}",
            self.applied, self.changed, self.files, self.errors, self.warnings
        )
    }
}
