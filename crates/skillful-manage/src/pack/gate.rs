//! What must not be handed to others: dangerous skills, and real keys.
//!
//! It is [the gate](crate::gate) that skills are installed through, asked about what is packed. Two things are stricter: a
//! permissive preset is for who takes the risk himself, and a key that ships is its publisher's own trouble.

use skillful_guard::{
    Bundle, Content, Decision, FileInput, Policy, Preset, Severity, Trust, Verdict,
};

use super::collect::PackedFile;
use crate::gate::{Gate, Gated};

/// The rule for keys that are shipped with a skill.
const SECRET: &str = "shipped-secret";

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
    /// What was found; hostile. Nothing from a file with a key in it, which does not belong into a log.
    pub excerpt: Option<String>,
    /// What to do.
    pub help: &'static str,
}

/// What the scan comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Judgement {
    pub(super) verdict: Verdict,
    /// What stands in the way; empty when nothing does, or a person accepted these very files.
    pub(super) against: Vec<Finding>,
}

/// Asks the gate about the files that are to be packed.
pub(super) fn judge(gate: &Gate, files: &[PackedFile], digest: &str) -> Judgement {
    let inputs = files.iter().map(|file| FileInput {
        path: file.path.clone(),
        content: Content::Bytes(file.bytes.clone()),
        executable: file.executable,
    });
    let bundle = Bundle::new(inputs.collect());
    let configured = look(gate, &bundle, digest);
    let gated = if gate.policy == balanced(gate) {
        configured
    } else {
        let balanced = Gate {
            policy: balanced(gate),
            ..gate.clone()
        };
        stricter(configured, look(&balanced, &bundle, digest))
    };
    Judgement {
        verdict: gated.verdict(),
        against: if gate.accepted.contains(digest) {
            Vec::new()
        } else {
            against(&gated)
        },
    }
}

/// Whoever packs a skill is trusted with what needs a look, and with nothing that is dangerous.
fn look(gate: &Gate, bundle: &Bundle, digest: &str) -> Gated {
    gate.judge(bundle, Some(digest.to_owned()), Trust::Trusted)
}

/// The balanced preset with what the operator looked at.
fn balanced(gate: &Gate) -> Policy {
    Policy {
        suppressions: gate.policy.suppressions.clone(),
        ..Preset::Balanced.policy()
    }
}

fn stricter(one: Gated, other: Gated) -> Gated {
    if other.verdict() > one.verdict() {
        other
    } else {
        one
    }
}

fn against(gated: &Gated) -> Vec<Finding> {
    let is_denied = gated.decision == Decision::Deny;
    let findings = &gated.judged.findings;
    let holds_key = |path: &str| {
        let mut keys = findings.iter().filter(|finding| finding.rule == SECRET);
        keys.any(|finding| finding.path == path)
    };
    findings
        .iter()
        .filter(|finding| finding.rule == SECRET || is_denied && finding.severity >= Severity::High)
        .map(|finding| Finding {
            rule: finding.rule,
            severity: finding.severity,
            path: finding.path.clone(),
            line: finding.line,
            excerpt: (!holds_key(&finding.path)).then(|| finding.excerpt.clone()),
            help: finding.help,
        })
        .collect()
}
