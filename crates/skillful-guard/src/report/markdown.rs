//! A summary in Markdown, for a comment on a change. Text of the bundle is put where it cannot become Markdown.

use super::json::{BundleReport, FindingReport};
use crate::finding::{Confidence, Severity};

/// Most findings of a bundle that are listed; the rest are counted.
const LISTED: usize = 20;

/// The summary of several bundles: a line for each, then what to look at, worst first.
pub fn markdown(bundles: &[BundleReport]) -> String {
    let mut page = String::from("| skill | verdict | findings |\n|---|---|---|\n");
    for bundle in bundles {
        let read = if bundle.complete {
            ""
        } else {
            ", not read whole"
        };
        page.push_str(&format!(
            "| {} | {}{read} | {} |\n",
            code(&bundle.path),
            bundle.verdict,
            bundle.findings.len()
        ));
    }
    for bundle in bundles.iter().filter(|bundle| !bundle.findings.is_empty()) {
        page.push_str(&format!(
            "\n### {}: {}\n\n",
            code(&bundle.path),
            bundle.verdict
        ));
        let mut findings: Vec<&FindingReport> = bundle
            .findings
            .iter()
            .filter(|finding| is_listed(finding))
            .collect();
        findings.sort_by(|a, b| (b.severity, b.confidence).cmp(&(a.severity, a.confidence)));
        for finding in findings.iter().take(LISTED) {
            page.push_str(&format!(
                "- **{}** ({}, {} confidence) at {}: {}\n  {}\n",
                finding.rule,
                finding.severity,
                finding.confidence,
                code(&format!("{}:{}", finding.path, finding.line)),
                code(&finding.excerpt),
                finding.help
            ));
        }
        let more = findings.len().saturating_sub(LISTED);
        if more > 0 {
            page.push_str(&format!("- and {more} more\n"));
        }
    }
    page
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
