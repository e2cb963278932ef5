//! What a verdict means for a skill: whether it may be used.

use skillful_guard::{Decision, Verdict, decide};
use skillful_store::Choices;

use super::acceptance::{acceptance_of, is_listed};
use super::inspection::Inspection;
use crate::config::Config;
use crate::eligibility::BlockerKind;
use crate::load::Skill;
use crate::state::Blocker;

/// Most rules that a reason names.
const NAMED_RULES: usize = 3;

/// Why the skill is withheld. Caution withholds nothing: it is shown, and a person decides before something is installed.
pub(crate) fn withheld(skill: &Skill, config: &Config, choices: &Choices) -> Vec<Blocker> {
    let Some(inspection) = &skill.inspection else {
        return Vec::new();
    };
    let reason = if is_listed(config.guard_acceptances(), inspection) {
        None
    } else if let Some(accepted) = acceptance_of(choices, skill) {
        (inspection.digest() != Some(&*accepted.digest))
            .then(|| changed(&accepted.digest, inspection))
    } else {
        let trust = skill.root.trust.into();
        (decide(trust, inspection.verdict(), false) == Decision::Deny).then(|| found(inspection))
    };
    let blocker = |detail| {
        Blocker::new(BlockerKind::Withheld.as_str(), detail).help(way_out(skill, inspection))
    };
    reason.map(blocker).into_iter().collect()
}

fn found(inspection: &Inspection) -> String {
    let rules = inspection.worst_rules(usize::MAX);
    let named: Vec<String> = rules
        .iter()
        .take(NAMED_RULES)
        .map(|rule| format!("`{rule}`"))
        .collect();
    let more = match rules.len().saturating_sub(NAMED_RULES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "its files were found {}: {}{more}",
        inspection.verdict(),
        named.join(", ")
    )
}

fn changed(accepted: &str, inspection: &Inspection) -> String {
    let now = match inspection.digest() {
        Some(digest) => format!("they are {digest} now"),
        None => "now they cannot all be read".to_owned(),
    };
    let verdict = match inspection.verdict() {
        Verdict::Safe => String::new(),
        verdict => format!(", and {verdict}"),
    };
    format!("its files changed since they were accepted as {accepted}: {now}{verdict}")
}

fn way_out(skill: &Skill, inspection: &Inspection) -> String {
    let id = &skill.id;
    match inspection.digest() {
        Some(digest) => format!(
            "look at it with `skillful scan {id}`; `skillful accept {id} --digest {digest} --reason TEXT` accepts these very files"
        ),
        None => format!("look at it with `skillful scan {id}`; remove what cannot be read"),
    }
}
