//! Diagnostics: what is wrong, where, why it matters, and how to mend it.
//!
//! A [`Diagnostic`] is data: a [`Code`] from the one table in `code.rs`, a severity, a place and, where a
//! program can mend it, a [`Fix`]. Parsing never stops at the first: it fills a [`Reporter`].

use std::fmt;

use crate::code::Code;
use crate::limits;
use crate::span::{Position, Span};

/// How bad a diagnostic is. Ordered: an error is greater than a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing needs to be done.
    Info,
    /// Some client reads it differently, or advice for authors is not followed.
    Warning,
    /// The skill breaks a rule of the standard, or something in it could not be read.
    Error,
}

impl Severity {
    /// The word used in every output: `error`, `warning` or `info`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One replacement in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty to insert.
    pub span: Span,
    /// What stands there afterwards; empty to delete.
    pub replacement: String,
}

impl Edit {
    /// Replaces `span` by `replacement`.
    pub fn replace(span: Span, replacement: impl Into<String>) -> Self {
        Self {
            span,
            replacement: replacement.into(),
        }
    }

    /// Inserts `text` before byte `offset`.
    pub fn insert(offset: usize, text: impl Into<String>) -> Self {
        Self::replace(Span::at(offset), text)
    }

    /// Deletes `span`.
    pub fn delete(span: Span) -> Self {
        Self::replace(span, "")
    }
}

/// A mending that a program can apply: what it does, and the edits in order of their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the fix does, as an order: `quote the value`.
    pub title: String,
    /// Edits that do not overlap, sorted by place.
    pub edits: Vec<Edit>,
}

/// One problem or note about a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which rule.
    pub code: Code,
    /// How bad it is here.
    pub severity: Severity,
    /// One sentence without a full stop that names the offending thing.
    pub message: String,
    /// Bytes of the decoded text.
    pub span: Span,
    /// Line and column of the span's start.
    pub position: Position,
    /// What the reader can do about it.
    pub help: Option<String>,
    /// An edit that mends it.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// A diagnostic about a file as a whole, where there is no text to point into.
    pub fn about_file(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            message: message.into(),
            span: Span::default(),
            position: Position::START,
            help: None,
            fix: None,
        }
    }

    /// Adds what the reader can do about it.
    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a mending that consists of one edit.
    pub fn fix(&mut self, title: impl Into<String>, edit: Edit) -> &mut Self {
        self.fixes(title, vec![edit])
    }

    /// Adds a mending of several edits.
    pub fn fixes(&mut self, title: impl Into<String>, edits: Vec<Edit>) -> &mut Self {
        self.fix = Some(Fix {
            title: title.into(),
            edits,
        });
        self
    }

    /// Replaces the severity that the code has by default.
    pub fn severity(&mut self, severity: Severity) -> &mut Self {
        self.severity = severity;
        self
    }
}

/// Collects the diagnostics of one text and gives each its position.
#[derive(Debug)]
pub struct Reporter<'t> {
    text: &'t str,
    diagnostics: Vec<Diagnostic>,
    notice: Option<Diagnostic>,
    dropped: Option<Diagnostic>,
}

impl<'t> Reporter<'t> {
    /// A reporter without diagnostics for `text`.
    pub fn new(text: &'t str) -> Self {
        Self {
            text,
            diagnostics: Vec::new(),
            notice: None,
            dropped: None,
        }
    }

    /// The text that the spans point into.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Adds a diagnostic; help and fix can be chained to what is returned.
    ///
    /// After [`limits::DIAGNOSTICS`] of them, one more says that the list is not whole, and the rest is dropped.
    pub fn report(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        if self.diagnostics.len() >= limits::DIAGNOSTICS {
            return self.drop_diagnostic();
        }
        let mut diagnostic = Diagnostic::about_file(code, message);
        diagnostic.span = span;
        diagnostic.position = Position::of(self.text, span.start);
        let index = self.diagnostics.len();
        self.diagnostics.push(diagnostic);
        &mut self.diagnostics[index]
    }

    /// Notes once that the list is not whole, and returns a diagnostic that nobody sees.
    fn drop_diagnostic(&mut self) -> &mut Diagnostic {
        let message = format!("only the first {} are listed", limits::DIAGNOSTICS);
        let notice = Diagnostic::about_file(Code::TooManyDiagnostics, message);
        self.notice.get_or_insert(notice);
        self.dropped
            .insert(Diagnostic::about_file(Code::TooManyDiagnostics, ""))
    }

    /// How much was reported so far.
    pub fn len(&self) -> usize {
        self.diagnostics.len()
    }

    /// Forgets all but the first `len` diagnostics: what was read in vain leaves no trace.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.diagnostics.truncate(len);
    }

    /// Whether a diagnostic with this code was reported.
    pub fn has(&self, code: Code) -> bool {
        self.diagnostics.iter().any(|known| known.code == code)
    }

    /// Whether nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// All that was reported, sorted by place; at one place the worst first.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.extend(self.notice);
        sort(&mut self.diagnostics);
        self.diagnostics
    }
}

/// Sorts by place, at one place the worst first. Stable, so that equal ones keep the order of their finding.
pub fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by_key(|d| (d.span.start, std::cmp::Reverse(d.severity)));
}
