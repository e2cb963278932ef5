//! `skillful test`: whether skills are found as their authors promise.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use skillful::contract::{TestDocument, TestSummary};
use skillful::retrieval::{Found, Row, Rows, Shelf, Verdict};
use skillful::{Library, Skill, places};

use crate::args::{GlobalArgs, TestArgs};
use crate::error::{CommandError, Outcome};
use crate::input::{self, World};
use crate::render::reasons_in_words;
use crate::terminal::{BOLD, DIM, ERROR, GOOD, Out, counted, print_json, printable, stdout};

pub(crate) fn run(global: &GlobalArgs, args: &TestArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let library = world.scan()?;
    let named = named_skills(&args.paths)?;
    let tested: Vec<Rows> = if args.paths.is_empty() {
        library
            .registry
            .skills()
            .iter()
            .filter_map(|skill| Rows::beside(skill))
            .collect()
    } else {
        named
            .iter()
            .filter_map(|skill| Rows::beside(skill))
            .collect()
    };
    if tested.is_empty() && !args.format.is_json() {
        let failure = CommandError::failed("there are no retrieval rows to test");
        return Err(failure.hint("write some to tests/retrieval.md beside a skill; `skillful test --help` shows the form"));
    }
    let skills = shelved(&library, &named);
    let shelf = Shelf::new(&skills);
    let judged: Vec<(Rows, Vec<Verdict<'_>>)> = tested
        .into_iter()
        .map(|rows| {
            let verdicts = rows
                .rows
                .iter()
                .map(|row| shelf.judge(row, args.top))
                .collect();
            (rows, verdicts)
        })
        .collect();
    let summary = TestSummary::of(&judged);
    if args.format.is_json() {
        print_json(&TestDocument::new(&judged))?;
    } else {
        let mut out = stdout(global.color);
        for (rows, verdicts) in &judged {
            write_file(&mut out, &world, rows, verdicts, args.top)?;
        }
        write_summary(&mut out, summary)?;
        out.flush()?;
    }
    Ok(if summary.is_fine() {
        Outcome::Fine
    } else {
        Outcome::Found
    })
}

/// The skills at the paths.
fn named_skills(paths: &[PathBuf]) -> Result<Vec<Arc<Skill>>, CommandError> {
    let mut skills = Vec::new();
    for path in paths {
        let found = places::skills_at(path).map_err(input::cannot_visit)?;
        skills.extend(found.into_iter().map(Arc::new));
    }
    Ok(skills)
}

/// The skills of the library, those that were named in place of others with their ids.
fn shelved(library: &Library, named: &[Arc<Skill>]) -> Vec<Arc<Skill>> {
    let ids: BTreeSet<&str> = named.iter().map(|skill| &*skill.id).collect();
    let others = library
        .registry
        .skills()
        .iter()
        .filter(|skill| !ids.contains(&*skill.id));
    others.chain(named).map(Arc::clone).collect()
}

fn write_file(
    out: &mut Out,
    world: &World,
    rows: &Rows,
    verdicts: &[Verdict<'_>],
    top: usize,
) -> io::Result<()> {
    writeln!(out, "{BOLD}{}{BOLD:#}", printable(&world.shown(&rows.path)))?;
    for problem in &rows.problems {
        writeln!(
            out,
            "  {ERROR}error{ERROR:#} line {}: {}",
            problem.line,
            printable(&problem.message)
        )?;
    }
    for (row, verdict) in rows.rows.iter().zip(verdicts) {
        write_row(out, row, verdict, top)?;
    }
    Ok(())
}

fn write_row(out: &mut Out, row: &Row, verdict: &Verdict<'_>, top: usize) -> io::Result<()> {
    let (style, word) = if verdict.is_kept() {
        (GOOD, "pass")
    } else {
        (ERROR, "FAIL")
    };
    writeln!(
        out,
        "  {style}{word}{style:#} line {}: {}",
        row.line,
        printable(&row.prompt)
    )?;
    let broken = |must| {
        verdict
            .found
            .iter()
            .filter(move |found| !found.is_kept && found.must == must)
    };
    for found in broken(true) {
        writeln!(out, "       {}", printable(&how_broken(found, top)))?;
    }
    for rival in &verdict.rivals {
        let reasons = reasons_in_words(&rival.reasons);
        writeln!(
            out,
            "       {DIM}{:>3}. {}: {}{DIM:#}",
            rival.rank,
            printable(rival.id),
            printable(&reasons)
        )?;
    }
    for found in broken(false) {
        writeln!(out, "       {}", printable(&how_broken(found, top)))?;
    }
    Ok(())
}

/// How a promise was broken.
fn how_broken(found: &Found<'_>, top: usize) -> String {
    let Found { name, .. } = found;
    if found.id.is_none() {
        return format!("`{name}` is no skill that is ready, or the name of several");
    }
    let reasons = reasons_in_words(&found.reasons);
    match (found.must, found.rank, &found.matched) {
        (true, Some(rank), _) => format!(
            "`{name}` comes {rank}., and only the first {top} are offered ({reasons}); before it:"
        ),
        (true, None, _) => format!("`{name}` is not found; offered instead:"),
        (false, _, Some(matched)) => format!("`{name}` must not be offered, but {}", matched.why),
        (false, Some(rank), None) => {
            format!("`{name}` must not be offered, but comes {rank}. ({reasons})")
        }
        (false, None, None) => format!("`{name}` must not be offered"),
    }
}

fn write_summary(out: &mut Out, summary: TestSummary) -> io::Result<()> {
    let style = if summary.is_fine() { GOOD } else { ERROR };
    write!(
        out,
        "{style}{}: {} passed, {} failed",
        counted(summary.rows, "row"),
        summary.passed,
        summary.failed
    )?;
    if summary.problems > 0 {
        write!(out, ", {} unreadable", counted(summary.problems, "line"))?;
    }
    writeln!(out, "{style:#}")
}
