//! Diagnostics as workflow commands, which GitHub Actions turns into annotations of the changed lines.

use std::io::{self, Write};

use skillmd::{Diagnostic, Severity};

use crate::terminal::printable;

/// Writes one diagnostic of the file at `path`.
pub(crate) fn write(out: &mut impl Write, path: &str, diagnostic: &Diagnostic) -> io::Result<()> {
    let command = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let mut message = diagnostic.message.clone();
    if let Some(help) = &diagnostic.help {
        message.push('\n');
        message.push_str(help);
    }
    writeln!(
        out,
        "::{command} file={},line={},col={},title={}::{}",
        property(path),
        diagnostic.position.line,
        diagnostic.position.column,
        property(diagnostic.code.as_str()),
        data(&message)
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
