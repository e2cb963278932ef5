//! Diagnostics and findings as workflow commands, which GitHub Actions turns into annotations of the changed lines.

use std::io::{self, Write};

use skillmd::{Diagnostic, Severity};

use crate::terminal::printable;

/// A remark at a line of a file.
pub(crate) struct Annotation<'a> {
    pub(crate) level: Severity,
    pub(crate) path: &'a str,
    /// From 1.
    pub(crate) line: usize,
    /// From 1.
    pub(crate) column: usize,
    pub(crate) title: &'a str,
    pub(crate) message: &'a str,
}

/// Writes one diagnostic of the file at `path`.
pub(crate) fn write(out: &mut impl Write, path: &str, diagnostic: &Diagnostic) -> io::Result<()> {
    let mut message = diagnostic.message.clone();
    if let Some(help) = &diagnostic.help {
        message.push('\n');
        message.push_str(help);
    }
    let annotation = Annotation {
        level: diagnostic.severity,
        path,
        line: diagnostic.position.line,
        column: diagnostic.position.column,
        title: diagnostic.code.as_str(),
        message: &message,
    };
    annotate(out, &annotation)
}

/// Writes one annotation.
pub(crate) fn annotate(out: &mut impl Write, annotation: &Annotation<'_>) -> io::Result<()> {
    let command = match annotation.level {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    writeln!(
        out,
        "::{command} file={},line={},col={},title={}::{}",
        property(annotation.path),
        annotation.line,
        annotation.column,
        property(annotation.title),
        data(annotation.message)
    )
}

/// Escapes the text after the second `::`.
fn data(text: &str) -> String {
    let escaped = text
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A");
    // Logs are read on terminals as well.
    printable(&escaped)
}

/// Escapes the value of a property, where separators must not stand either.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
