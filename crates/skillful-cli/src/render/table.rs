//! Aligned columns without borders.

use std::io::{self, Write};

use anstyle::Style;

use crate::terminal::{cut, printable};

/// One cell: text that may come from a skill, and how it is styled.
pub(crate) struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    pub(crate) fn new(text: &str, style: Style) -> Self {
        Self {
            text: printable(text),
            style,
        }
    }

    pub(crate) fn plain(text: &str) -> Self {
        Self::new(text, Style::new())
    }
}

/// Widest that a column but the last gets, in characters.
const COLUMN: usize = 44;

/// Writes rows of cells: every column as wide as its widest cell, up to a limit; the last takes what is left of `width`.
pub(crate) fn write(out: &mut impl Write, rows: &[Vec<Cell>], width: usize) -> io::Result<()> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.text.chars().count())
                .max()
                .unwrap_or(0)
                .min(COLUMN)
        })
        .collect();
    for row in rows {
        let mut used = 0;
        let filled = row.iter().rposition(|cell| !cell.text.is_empty());
        for (column, cell) in row
            .iter()
            .enumerate()
            .take(filled.map_or(0, |last| last + 1))
        {
            let style = cell.style;
            if Some(column) == filled {
                let room = width.saturating_sub(used).max(20);
                write!(out, "{style}{}{style:#}", cut(&cell.text, room))?;
            } else {
                let text = cut(&cell.text, widths[column]);
                let padding = widths[column] - text.chars().count() + 2;
                write!(out, "{style}{text}{style:#}{:padding$}", "")?;
                used += widths[column] + 2;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}
