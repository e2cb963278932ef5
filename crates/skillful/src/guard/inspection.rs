//! What is known of one skill's files, and what it comes to.

use std::sync::Arc;

use skillful_guard::{Finding, Policy, Suppressed, Verdict};

use super::outcome::{ContentName, Outcome};

/// A skill's files as they were when they were looked at: what was found in them, and the verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspection {
    outcome: Outcome,
    verdict: Verdict,
    /// The findings that count, the worst first.
    findings: Vec<Finding>,
    suppressed: Vec<Suppressed>,
}

impl Inspection {
    pub(super) fn new(outcome: Outcome, policy: &Policy) -> Self {
        let judged = outcome.judge(policy);
        Self {
            outcome,
            verdict: judged.verdict,
            findings: judged.findings,
            suppressed: judged.suppressed,
        }
    }

    /// The same files, judged by another policy.
    pub(super) fn under(self: &Arc<Self>, policy: &Policy) -> Arc<Self> {
        if self.outcome.findings.is_empty() {
            return Arc::clone(self);
        }
        let judged = Self::new(self.outcome.clone(), policy);
        if judged == **self {
            Arc::clone(self)
        } else {
            Arc::new(judged)
        }
    }

    /// What it comes to.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The digest of the files that were looked at, as [`crate::bundle::digest`] makes it; nothing where they could not
    /// all be read. Acceptances are bound to it.
    pub fn digest(&self) -> Option<&str> {
        self.outcome.digest()
    }

    /// The findings that count, the worst first: of each rule in each file, one for each confidence. Their text comes
    /// from the skill.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The findings that do not count because a person accepted them, with the reason.
    pub fn suppressed(&self) -> &[Suppressed] {
        &self.suppressed
    }

    /// Whether everything was read. What was not is never safe.
    pub fn is_complete(&self) -> bool {
        self.outcome.complete
    }

    /// The name of all that was seen.
    pub(super) fn content(&self) -> &ContentName {
        self.outcome.content()
    }

    /// The ids of the worst rules, each once, at most so many.
    pub fn worst_rules(&self, most: usize) -> Vec<&'static str> {
        let mut rules = Vec::new();
        for finding in &self.findings {
            if !rules.contains(&finding.rule) {
                rules.push(finding.rule);
            }
        }
        rules.truncate(most);
        rules
    }
}
