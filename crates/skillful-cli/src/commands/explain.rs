//! `skillful explain`: the page of a diagnostic code.

use std::io::Write;

use skillful::contract::{CodesDocument, ExplainDocument};
use skillmd::Code;

use crate::args::{ExplainArgs, GlobalArgs};
use crate::error::{CommandError, Outcome};
use crate::input;
use crate::render::table::{self, Cell};
use crate::terminal::{BOLD, DIM, print_json, stdout, width};

pub(crate) fn run(global: &GlobalArgs, args: &ExplainArgs) -> Result<Outcome, CommandError> {
    let mut out = stdout(global.color);
    let Some(name) = &args.code else {
        if args.format.is_json() {
            print_json(&CodesDocument::all())?;
        } else {
            let rows: Vec<Vec<Cell>> = Code::ALL.iter().copied().map(row).collect();
            table::write(&mut out, &rows, width())?;
        }
        out.flush()?;
        return Ok(Outcome::Fine);
    };
    let code = input::code(name)?;
    if args.format.is_json() {
        print_json(&ExplainDocument::from(code))?;
    } else {
        write_page(&mut out, code.explanation())?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
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
    for line in page.lines() {
        if line.starts_with('#') {
            let heading = line.trim_start_matches('#').trim_start();
            writeln!(out, "{BOLD}{heading}{BOLD:#}")?;
        } else {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
