//! A summary in Markdown, for a comment on a change. Text of the bundle is put where it cannot become Markdown.

use std::cmp::Reverse;

use super::json::{BundleReport, FindingReport};
use crate::finding::{Confidence, Severity};

/// Most findings of a bundle that are listed; the rest are counted.
const LISTED: usize = 20;

/// The summary of several bundles: a line for each, then what to look at, worst first.
pub fn markdown(bundles: &[BundleReport]) -> String {
    let head = "| skill | verdict | findings |\n|---|---|---|\n".to_owned();
    let rows = bundles.iter().map(row);
    let sections = bundles
        .iter()
        .filter(|bundle| bundle.findings.iter().any(is_listed))
        .map(section);
    std::iter::once(head).chain(rows).chain(sections).collect()
}

fn row(bundle: &BundleReport) -> String {
    let name = code(&bundle.path);
    let read = if bundle.complete {
        ""
    } else {
        ", not read whole"
    };
    format!(
        "| {name} | {}{read} | {} |\n",
        bundle.verdict,
        bundle.findings.len()
    )
}

fn section(bundle: &BundleReport) -> String {
    let mut findings: Vec<&FindingReport> = bundle
        .findings
        .iter()
        .filter(|finding| is_listed(finding))
        .collect();
    findings.sort_by_key(|finding| Reverse((finding.severity, finding.confidence)));
    let more = findings.len().saturating_sub(LISTED);
    let items: String = findings.into_iter().take(LISTED).map(item).collect();
    let rest = if more > 0 {
        format!("- and {more} more\n")
    } else {
        String::new()
    };
    format!(
        "\n### {}: {}\n\n{items}{rest}",
        code(&bundle.path),
        bundle.verdict
    )
}

fn item(finding: &FindingReport) -> String {
    format!(
        "- **{}** ({}, {} confidence) at {}: {}\n  {}\n",
        finding.rule,
        finding.severity,
        finding.confidence,
        code(&format!("{}:{}", finding.path, finding.line)),
        code(&finding.excerpt),
        finding.help
    )
}

fn is_listed(finding: &FindingReport) -> bool {
    finding.severity >= Severity::Medium && finding.confidence > Confidence::Low
}

/// Text as code in a line that the text cannot end, also inside a table.
fn code(text: &str) -> String {
    let visible = crate::excerpt::short(text).replace('|', "\\|");
    let longest = visible.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    format!("{fence} {visible} {fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_place() {
        assert_eq!(code("a `b` | c\nd"), "`` a `b` \\| c d ``");
        assert_eq!(code("\u{1b}[1m"), "` \\u{1b}[1m `");
    }
}
