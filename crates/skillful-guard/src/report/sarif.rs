//! SARIF 2.1.0 (OASIS standard), the subset that code hosts show: rules with help, results with a place and a
//! fingerprint, and what was suppressed and why.

use serde_json::{Value, json};

use super::json::{BundleReport, FindingReport};
use crate::finding::{Confidence, Severity};
use crate::rules::{Rule, RuleBook};

/// A bundle's report and where the bundle lies, relative to the repository, with `/`; empty for its root.
#[derive(Clone, Debug)]
pub struct Located<'r> {
    /// Put before the path of each file.
    pub directory: String,
    /// The report.
    pub report: &'r BundleReport,
}

/// A log of one run over these bundles.
pub fn sarif(bundles: &[Located<'_>], rules: &RuleBook) -> Value {
    let listed: Vec<&Rule> = rules.rules().collect();
    let index = |id: &str| listed.iter().position(|rule| rule.id == id);
    let mut results = Vec::new();
    for bundle in bundles {
        for finding in &bundle.report.findings {
            results.push(result(&bundle.directory, finding, index(&finding.rule)));
        }
        for suppressed in &bundle.report.suppressed {
            let mut value = result(
                &bundle.directory,
                &suppressed.finding,
                index(&suppressed.finding.rule),
            );
            if let Some(object) = value.as_object_mut() {
                let reason = json!([{"kind": "external", "status": "accepted", "justification": suppressed.reason}]);
                object.insert("suppressions".to_owned(), reason);
            }
            results.push(value);
        }
    }
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "skillful",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": listed.iter().map(|rule| descriptor(rule)).collect::<Vec<Value>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn descriptor(rule: &Rule) -> Value {
    let mut tags = vec!["security".to_owned(), rule.category().to_string()];
    tags.extend(rule.owasp.iter().cloned());
    json!({
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.why.trim()},
        "help": {"text": rule.fix.trim(), "markdown": rule.page()},
        "defaultConfiguration": {"level": level(rule.severity, rule.confidence)},
        "properties": {
            "tags": tags,
            "security-severity": score(rule.severity),
            "precision": precision(rule.confidence),
        },
    })
}

fn result(directory: &str, finding: &FindingReport, index: Option<usize>) -> Value {
    let path = if directory.is_empty() {
        finding.path.clone()
    } else {
        format!("{directory}/{}", finding.path)
    };
    // A member of an archive is shown at the archive.
    let file = path.split('!').next().unwrap_or(&path);
    let text = match &finding.note {
        Some(note) => format!("{}\n{note}\n{}", finding.excerpt, finding.help),
        None => format!("{}\n{}", finding.excerpt, finding.help),
    };
    let mut value = json!({
        "ruleId": finding.rule,
        "level": level(finding.severity, finding.confidence),
        "message": {"text": text},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": uri(file)},
            "region": {"startLine": finding.line, "startColumn": finding.column},
        }}],
        "partialFingerprints": {"skillful/v1": finding.fingerprint},
        "properties": {"confidence": finding.confidence, "severity": finding.severity},
    });
    if let (Some(object), Some(index)) = (value.as_object_mut(), index) {
        object.insert("ruleIndex".to_owned(), json!(index));
    }
    value
}

fn level(severity: Severity, confidence: Confidence) -> &'static str {
    match (severity, confidence) {
        (_, Confidence::Low) | (Severity::Info | Severity::Low, _) => "note",
        (Severity::Critical, _) | (Severity::High, Confidence::High) => "error",
        (Severity::High | Severity::Medium, _) => "warning",
    }
}

/// What code hosts sort by: a score as of CVSS, as a text.
const fn score(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "9.5",
        Severity::High => "8.0",
        Severity::Medium => "5.5",
        Severity::Low => "3.0",
        Severity::Info => "0.0",
    }
}

const fn precision(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::High => "high",
        Confidence::Medium => "medium",
        Confidence::Low => "low",
    }
}

/// A path as an address (RFC 3986): relative to the checkout, or with a scheme where it begins at the top of a file
/// system. What may not stand there is escaped.
fn uri(path: &str) -> String {
    let mut escaped = String::with_capacity(path.len());
    let has_drive = path.as_bytes().get(1..3) == Some(b":/");
    if path.starts_with('/') {
        escaped.push_str("file://");
    } else if has_drive {
        escaped.push_str("file:///");
    }
    for (at, byte) in path.bytes().enumerate() {
        let is_drive = has_drive && at == 1;
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) || is_drive {
            escaped.push(char::from(byte));
        } else {
            escaped.push('%');
            escaped.push_str(&crate::hex::digits([byte]).to_ascii_uppercase());
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_addresses() {
        assert_eq!(uri("a b/ö:x"), "a%20b/%C3%B6%3Ax");
        assert_eq!(uri("/x/y"), "file:///x/y");
        assert_eq!(uri("C:/x"), "file:///C:/x");
    }
}
