//! What must not be handed to others: dangerous skills, and real keys.

use skillful_guard::{Bundle, Content, FileInput, Preset, RuleBook, Severity, Verdict, scan};

use super::collect::PackedFile;

/// The rule for keys that are shipped with a skill. For an installer they are the author's trouble; for who publishes,
/// they are his own.
const SECRET: &str = "shipped-secret";

/// The digest of the files that a person looked at and accepts, whatever the scan says of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted(pub String);

/// Why a skill is not packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The file.
    pub path: String,
    /// From 1.
    pub line: usize,
    /// What was found; hostile. Nothing for a key, which does not belong into a log.
    pub excerpt: Option<String>,
    /// What to do.
    pub help: &'static str,
}

/// What the scan comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gate {
    pub(super) verdict: Verdict,
    /// What stands in the way; empty when nothing does.
    pub(super) against: Vec<Finding>,
}

/// Scans the files that are to be packed.
///
/// # Errors
///
/// What is wrong with the guard's own tables.
pub(super) fn judge(files: &[PackedFile], digest: &str) -> Result<Gate, String> {
    let rules = RuleBook::built_in().map_err(ToString::to_string)?;
    let inputs = files.iter().map(|file| FileInput {
        path: file.path.clone(),
        content: Content::Bytes(file.bytes.clone()),
        executable: file.executable,
    });
    let scan = scan(&Bundle::new(inputs.collect()), rules);
    let judged = Preset::Balanced.policy().judge(&scan, digest);
    let is_dangerous = judged.verdict == Verdict::Dangerous;
    let against = judged
        .findings
        .iter()
        .filter(|finding| {
            finding.rule == SECRET || is_dangerous && finding.severity >= Severity::High
        })
        .map(|finding| Finding {
            rule: finding.rule,
            severity: finding.severity,
            path: finding.path.clone(),
            line: finding.line,
            excerpt: (finding.rule != SECRET).then(|| finding.excerpt.clone()),
            help: finding.help,
        });
    Ok(Gate {
        verdict: judged.verdict,
        against: against.collect(),
    })
}
