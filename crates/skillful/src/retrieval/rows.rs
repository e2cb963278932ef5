//! The file of rows beside a skill, read with patience.
//!
//! One row a line: `prompt | must be offered | must not be offered`, skills by id, name or directory, commas or blanks
//! between them. The file may be a Markdown table with prose around it, or plain lines with `|` or tabs. Where nothing
//! is said about what must be offered, the skill beside the file is meant.

use std::path::{Path, PathBuf};

use crate::limits;
use crate::load::Skill;
use crate::read::{self, Links, ReadError};

/// Where the rows of a skill may lie, below its directory. The first that exists counts.
const PLACES: [&str; 3] = [
    "tests/retrieval.md",
    "tests/retrieval.tsv",
    "tests/retrieval.txt",
];

/// What the first cell of a header may say.
const HEADERS: [&str; 4] = ["prompt", "request", "query", "objective"];

/// One promise about one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its line in the file, from 1.
    pub line: usize,
    /// What somebody asks for.
    pub prompt: String,
    /// What the skills are called that must be offered then. Empty only when others must not.
    pub offered: Vec<String>,
    /// What the skills are called that must not be.
    pub not_offered: Vec<String>,
}

/// A line of the file that is no row, or a file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowProblem {
    /// The line, from 1; 1 for the file as a whole.
    pub line: usize,
    /// What is wrong, and what to do about it.
    pub message: String,
}

/// The rows beside a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// The file.
    pub path: PathBuf,
    /// What it promises, in its order.
    pub rows: Vec<Row>,
    /// What could not be read.
    pub problems: Vec<RowProblem>,
}

impl Rows {
    /// The rows beside a skill; nothing when there is no such file. A link is not followed.
    pub fn beside(skill: &Skill) -> Option<Self> {
        let directory = skill.directory()?;
        PLACES.iter().find_map(|place| {
            let path = directory.join(place);
            match read_inside(directory, &path) {
                Ok(bytes) => Some(Self::of_bytes(path, bytes, &skill.id)),
                Err(ReadError::Io(error)) if read::is_absent(&error) => None,
                Err(error) => Some(Self::unreadable(path, &error)),
            }
        })
    }

    /// The rows of a text. `own` is the id of the skill that they lie beside.
    pub fn of_text(path: PathBuf, text: &str, own: &str) -> Self {
        let is_table = text.lines().any(is_rule);
        let mut found = Self {
            path,
            rows: Vec::new(),
            problems: Vec::new(),
        };
        for (number, line) in text.lines().enumerate() {
            let line_number = number + 1;
            match Line::of(line, is_table) {
                Line::Other => {}
                Line::Row(_) if found.rows.len() == limits::RETRIEVAL_ROWS => {
                    let message = format!(
                        "there are more rows than the limit of {}",
                        limits::RETRIEVAL_ROWS
                    );
                    found.problem(line_number, message);
                    break;
                }
                Line::Row(cells) => match row(line_number, &cells, own) {
                    Ok(row) => found.rows.push(row),
                    Err(message) => found.problem(line_number, message),
                },
            }
        }
        if found.rows.is_empty() && found.problems.is_empty() {
            let message = "there are no rows; write `prompt | must be offered | must not be offered`, one a line";
            found.problem(1, message.to_owned());
        }
        found
    }

    fn of_bytes(path: PathBuf, bytes: Vec<u8>, own: &str) -> Self {
        match skillmd::decode(bytes) {
            Ok((text, _)) => Self::of_text(path, &text, own),
            Err(error) => {
                let problem = RowProblem {
                    line: 1,
                    message: format!("the file is {error}"),
                };
                Self {
                    path,
                    rows: Vec::new(),
                    problems: vec![problem],
                }
            }
        }
    }

    fn unreadable(path: PathBuf, error: &ReadError) -> Self {
        let message = match error {
            ReadError::NotRegular => "it is not a regular file".to_owned(),
            ReadError::TooLarge(size) => {
                format!(
                    "it has {size} bytes, more than the limit of {}",
                    limits::RETRIEVAL_BYTES
                )
            }
            ReadError::Io(error) => format!("it cannot be read: {error}"),
        };
        Self {
            path,
            rows: Vec::new(),
            problems: vec![RowProblem { line: 1, message }],
        }
    }

    fn problem(&mut self, line: usize, message: String) {
        self.problems.push(RowProblem { line, message });
    }
}

/// The bytes of a file, unless a link leads out of the skill's directory.
fn read_inside(directory: &Path, path: &Path) -> Result<Vec<u8>, ReadError> {
    let inside = path.parent().unwrap_or(directory).canonicalize()?;
    if !inside.starts_with(directory.canonicalize()?) {
        return Err(ReadError::NotRegular);
    }
    read::read(path, Links::Refuse, limits::RETRIEVAL_BYTES)
}

enum Line<'t> {
    Row(Vec<&'t str>),
    /// Blank, a comment, a header, a rule of a table, or prose around one.
    Other,
}

impl<'t> Line<'t> {
    fn of(line: &'t str, is_table: bool) -> Self {
        let trimmed = line.trim();
        let is_outside = is_table && !trimmed.starts_with('|');
        if trimmed.is_empty() || trimmed.starts_with('#') || is_outside {
            return Self::Other;
        }
        let cells = cells(trimmed, is_table);
        let first = cells.first().copied().unwrap_or_default();
        let is_header = cells.len() > 1
            && HEADERS
                .iter()
                .any(|header| first.eq_ignore_ascii_case(header));
        if is_header || is_rule(line) {
            Self::Other
        } else {
            Self::Row(cells)
        }
    }
}

/// Whether a line parts the header of a Markdown table from its rows.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('|')
        && line.contains('-')
        && line.chars().all(|character| "|-: \t".contains(character))
}

/// The cells of a line; `\|` does not end one.
fn cells(line: &str, is_table: bool) -> Vec<&str> {
    let separator = if line.contains('|') { '|' } else { '\t' };
    let mut cells = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (offset, character) in line.char_indices() {
        if character == separator && before != Some('\\') {
            cells.push(line.get(start..offset).unwrap_or_default().trim());
            start = offset + character.len_utf8();
        }
        before = Some(character);
    }
    cells.push(line.get(start..).unwrap_or_default().trim());
    // The bars at both ends of a table's line enclose nothing.
    if is_table {
        cells.remove(0);
        if cells.last().is_some_and(|last| last.is_empty()) {
            cells.pop();
        }
    }
    cells
}

fn row(line: usize, cells: &[&str], own: &str) -> Result<Row, String> {
    let (prompt, offered, not_offered) = match *cells {
        [prompt] => (prompt, "", ""),
        [prompt, offered] => (prompt, offered, ""),
        [prompt, offered, not_offered] => (prompt, offered, not_offered),
        _ => {
            let count = cells.len();
            return Err(format!(
                "{count} cells instead of 3; write `\\|` for a bar inside of one"
            ));
        }
    };
    if prompt.is_empty() {
        return Err("the prompt is empty".to_owned());
    }
    let mut row = Row {
        line,
        prompt: prompt.replace("\\|", "|"),
        offered: names(offered),
        not_offered: names(not_offered),
    };
    if row.offered.is_empty() && row.not_offered.is_empty() {
        row.offered.push(own.to_owned());
    }
    match row
        .offered
        .iter()
        .find(|name| row.not_offered.contains(name))
    {
        Some(name) => Err(format!("`{name}` both must and must not be offered")),
        None => Ok(row),
    }
}

/// What skills are called, with the quotes that Markdown puts around code taken off. A dash says that there are none.
fn names(cell: &str) -> Vec<String> {
    cell.split(|character: char| character == ',' || character.is_whitespace())
        .map(|name| name.trim_matches('`'))
        .filter(|name| !matches!(*name, "" | "-" | "–" | "—"))
        .map(str::to_owned)
        .collect()
}
