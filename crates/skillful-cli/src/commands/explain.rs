//! `skillful explain`: the page of a diagnostic code or of a rule of the guard.

use std::io::Write;

use skillful::contract::{CodesDocument, ExplainDocument, RuleDocument};
use skillful::scanner::RuleBook;
use skillmd::Code;

use super::scan::{self, rule_book};
use crate::args::{ExplainArgs, GlobalArgs};
use crate::error::{CommandError, Outcome};
use crate::render::table::{self, Cell};
use crate::suggest::nearest;
use crate::terminal::{BOLD, DIM, Out, print_json, stdout, width};

pub(crate) fn run(global: &GlobalArgs, args: &ExplainArgs) -> Result<Outcome, CommandError> {
    let rules = rule_book()?;
    let mut out = stdout(global.color);
    match &args.code {
        None if args.format.is_json() => print_json(&CodesDocument::all(rules.rules()))?,
        None => write_list(&mut out, rules)?,
        Some(name) => explain(&mut out, args, name, rules)?,
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

fn explain(
    out: &mut Out,
    args: &ExplainArgs,
    name: &str,
    rules: &RuleBook,
) -> Result<(), CommandError> {
    match (name.parse::<Code>(), rules.get(name)) {
        (Ok(code), _) if args.format.is_json() => print_json(&ExplainDocument::from(code))?,
        (Ok(code), _) => write_page(out, code.explanation())?,
        (Err(_), Some(rule)) if args.format.is_json() => print_json(&RuleDocument::from(rule))?,
        (Err(_), Some(rule)) => write_page(out, &rule.page())?,
        (Err(_), None) => return Err(unknown(name, rules)),
    }
    Ok(())
}

fn unknown(name: &str, rules: &RuleBook) -> CommandError {
    let codes = Code::ALL.iter().map(|code| code.as_str());
    let known = codes.chain(rules.rules().map(|rule| &*rule.id));
    let message = format!("no diagnostic and no rule is called `{name}`");
    let otherwise = "`skillful explain` without a code lists all";
    CommandError::usage(message).did_you_mean(nearest(name, known), Some(otherwise))
}

/// The codes of `check`, then the rules of `scan`.
fn write_list(out: &mut Out, rules: &RuleBook) -> std::io::Result<()> {
    let rows: Vec<Vec<Cell>> = Code::ALL.iter().copied().map(row).collect();
    table::write(out, &rows, width())?;
    writeln!(out)?;
    let rows: Vec<Vec<Cell>> = rules.rules().map(scan::row).collect();
    table::write(out, &rows, width())
}

fn row(code: Code) -> Vec<Cell> {
    vec![
        Cell::new(code.as_str(), BOLD),
        Cell::new(&severity(code), DIM),
        Cell::plain(code.summary()),
    ]
}

/// How bad it is, and how bad for `check` where that is stricter.
fn severity(code: Code) -> String {
    let (read, checked) = (code.severity(), code.checked_severity());
    if checked == read {
        read.to_string()
    } else {
        format!("{read}, {checked} in check")
    }
}

/// The page as it is, headings in bold: it is written to be read as text.
fn write_page(out: &mut impl Write, page: &str) -> std::io::Result<()> {
    let mut fence = None;
    for line in page.lines() {
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| line.starts_with(mark));
        match fence {
            None => fence = mark,
            Some(_) if mark == fence => fence = None,
            Some(_) => {}
        }
        if line.starts_with('#') && fence.is_none() {
            let heading = line.trim_start_matches('#').trim_start();
            writeln!(out, "{BOLD}{heading}{BOLD:#}")?;
        } else {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
