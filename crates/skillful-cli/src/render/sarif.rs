//! Diagnostics as SARIF 2.1.0 (OASIS), the format of code scanning services.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde_json::{Value, json};
use skillful::check::{Checked, CheckedFile};
use skillmd::{Code, Diagnostic, Edit, Position, Severity, Span};

/// Writes one run with all diagnostics of all skills.
pub(crate) fn write(out: &mut impl Write, skills: &[Checked]) -> io::Result<()> {
    let used = used_codes(skills);
    let results: Vec<Value> = skills
        .iter()
        .flat_map(|skill| &skill.files)
        .flat_map(|file| file.diagnostics.iter().map(|d| result(file, d, &used)))
        .collect();
    let rules: Vec<Value> = used.iter().copied().map(rule).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "skillful",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_writer_pretty(&mut *out, &log)?;
    writeln!(out)
}

/// The codes that occur, sorted; their order is the index of their rule.
fn used_codes(skills: &[Checked]) -> Vec<Code> {
    let mut used: Vec<Code> = skills
        .iter()
        .flat_map(|skill| &skill.files)
        .flat_map(|file| file.diagnostics.iter().map(|d| d.code))
        .collect();
    used.sort_unstable();
    used.dedup();
    used
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.as_str(),
        "shortDescription": {"text": code.summary()},
        "help": {"text": code.explanation(), "markdown": code.explanation()},
        "defaultConfiguration": {"level": level(code.checked_severity())},
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn result(file: &CheckedFile, diagnostic: &Diagnostic, used: &[Code]) -> Value {
    let message = match &diagnostic.help {
        Some(help) => format!("{}; {help}", diagnostic.message),
        None => diagnostic.message.clone(),
    };
    let location = json!({"uri": uri(&file.path.to_string_lossy())});
    let mut result = json!({
        "ruleId": diagnostic.code.as_str(),
        "ruleIndex": used.binary_search(&diagnostic.code).unwrap_or_default(),
        "level": level(diagnostic.severity),
        "message": {"text": message},
        "locations": [{"physicalLocation": {
            "artifactLocation": location.clone(),
            "region": region(&file.text, diagnostic.span),
        }}],
    });
    // A fix that changes how a file is written, not its text, has no replacement; the standard asks for one at least.
    let fix = diagnostic.fix.as_ref();
    if let Some(fix) = fix.filter(|fix| !fix.edits.is_empty()) {
        let replacements: Vec<Value> = fix
            .edits
            .iter()
            .map(|edit| replacement(&file.text, edit))
            .collect();
        result["fixes"] = json!([{
            "description": {"text": fix.title},
            "artifactChanges": [{"artifactLocation": location, "replacements": replacements}],
        }]);
    }
    result
}

fn replacement(text: &str, edit: &Edit) -> Value {
    json!({
        "deletedRegion": region(text, edit.span),
        "insertedContent": {"text": edit.replacement},
    })
}

fn region(text: &str, span: Span) -> Value {
    let start = Position::of(text, span.start);
    let end = Position::of(text, span.end);
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    })
}

/// A path as a URI reference: relative paths stay relative to the checkout, absolute ones get a scheme.
fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    let mut uri = String::with_capacity(path.len());
    if path.starts_with('/') {
        uri.push_str("file://");
    } else if path.as_bytes().get(1) == Some(&b':') {
        uri.push_str("file:///");
    }
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@:".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uri_references() {
        assert_eq!(uri("./a b/SKILL.md"), "a%20b/SKILL.md");
        assert_eq!(uri("/x/ö"), "file:///x/%C3%B6");
        assert_eq!(uri("C:\\x"), "file:///C:/x");
    }
}
