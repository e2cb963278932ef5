//! Who is trusted how far: trust × verdict → what happens, as a table.

use super::Verdict;
use crate::finding::words;

words! {
    /// Where a skill comes from, as far as that makes it believable.
    Trust {
        /// It came with the program.
        Builtin = "builtin",
        /// A source that the user named as trusted.
        Trusted = "trusted",
        /// Anybody's.
        Community = "community",
        /// Written by an agent.
        Agent = "agent",
    }
}

words! {
    /// What may happen with a skill.
    Decision {
        /// Go on.
        Allow = "allow",
        /// A person decides, with the findings before them.
        Ask = "ask",
        /// No; only an entry that accepts this very digest changes that.
        Deny = "deny",
    }
}

/// The table: a row for each trust, its decisions for safe, caution and dangerous.
const TABLE: &[(Trust, [Decision; 3])] = &[
    (
        Trust::Builtin,
        [Decision::Allow, Decision::Allow, Decision::Deny],
    ),
    (
        Trust::Trusted,
        [Decision::Allow, Decision::Allow, Decision::Deny],
    ),
    (
        Trust::Community,
        [Decision::Allow, Decision::Ask, Decision::Deny],
    ),
    (
        Trust::Agent,
        [Decision::Allow, Decision::Ask, Decision::Deny],
    ),
];

/// What may happen with a skill of this trust and verdict. `accepted` says that a person accepted this very digest.
pub fn decide(trust: Trust, verdict: Verdict, accepted: bool) -> Decision {
    if accepted {
        return Decision::Allow;
    }
    let row = TABLE.iter().find(|(row, _)| *row == trust);
    let cell = row.and_then(|(_, decisions)| decisions.get(verdict as usize));
    cell.copied().unwrap_or(Decision::Deny)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dangerous_is_refused_from_everywhere_unless_its_digest_was_accepted() {
        for &trust in Trust::ALL {
            assert_eq!(decide(trust, Verdict::Dangerous, false), Decision::Deny);
            assert_eq!(decide(trust, Verdict::Dangerous, true), Decision::Allow);
            assert_eq!(decide(trust, Verdict::Safe, false), Decision::Allow);
        }
        assert_eq!(
            decide(Trust::Community, Verdict::Caution, false),
            Decision::Ask
        );
    }
}
