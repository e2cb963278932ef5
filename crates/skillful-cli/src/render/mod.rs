//! How results look: diagnostics with their source line, tables, diffs, and the formats of other programs.

pub(crate) mod diff;
pub(crate) mod finding;
pub(crate) mod github;
pub(crate) mod plan;
pub(crate) mod sarif;
pub(crate) mod snippet;
pub(crate) mod table;
pub(crate) mod update;

use anstyle::Style;
use skillful::config::{Level, Origin};
use skillful::guard::{Accepted, Inspection, Verdict};
use skillful::search::Reason;
use skillful::{Blocker, Skill, State};
use skillful_store::Stage;

use crate::input::World;
use crate::terminal::{DIM, ERROR, GOOD, WARNING};

/// The colour of a state.
pub(crate) fn state_style(state: State) -> Style {
    match state {
        State::Ready => GOOD,
        State::Broken | State::Withheld => ERROR,
        State::Ineligible => WARNING,
        State::Disabled | State::Archived | State::Shadowed => DIM,
    }
}

/// The colour of a verdict.
pub(crate) fn verdict_style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Safe => GOOD,
        Verdict::Caution => WARNING,
        Verdict::Dangerous => ERROR,
    }
}

/// Most rules that a verdict names.
const NAMED_RULES: usize = 3;

/// What the guard says of a skill, with the worst rules; empty when it did not look.
pub(crate) fn verdict_text(skill: &Skill) -> String {
    let Some(inspection) = &skill.inspection else {
        return String::new();
    };
    let (verdict, reasons) = (inspection.verdict(), suspicions(inspection));
    if reasons.is_empty() {
        return verdict.to_string();
    }
    format!("{verdict}: {reasons}")
}

/// What the guard found, by the worst rules, and that it could not read everything.
pub(crate) fn suspicions(inspection: &Inspection) -> String {
    let mut reasons = match inspection.verdict() {
        Verdict::Safe => Vec::new(),
        _ => inspection.worst_rules(NAMED_RULES),
    };
    if !inspection.is_complete() {
        reasons.push("not everything could be read");
    }
    reasons.join(", ")
}

/// By what files are accepted as they are, whatever was found in them: `on 2026-03-01, for this skill in this place: ours`.
pub(crate) fn acceptance_text(accepted: Accepted<'_>) -> String {
    let mut text = match accepted.at() {
        Some(at) => format!("on {}, for this skill in this place", at.day()),
        None => "by guard.accept of the configuration, wherever they lie".to_owned(),
    };
    if let Some(reason) = accepted.reason() {
        text.push_str(": ");
        text.push_str(reason);
    }
    text
}

/// What a list says of a skill beside its state: why it cannot be used, else that its files need a look and nobody
/// accepted them; nothing where there is nothing to say.
pub(crate) fn remark(world: &World, skill: &Skill) -> Option<(String, Style)> {
    let style = state_style(skill.state);
    match skill.state {
        State::Ready => is_suspect(world, skill).then(|| (verdict_text(skill), WARNING)),
        _ => Some((reason(world, skill), style)),
    }
}

/// Whether the guard says that a skill in use needs a look, and nobody accepted its files.
pub(crate) fn is_suspect(world: &World, skill: &Skill) -> bool {
    matches!(skill.verdict(), Some(Verdict::Caution | Verdict::Dangerous))
        && accepted(world, skill).is_none()
}

/// By what the files of a skill are accepted as they are.
pub(crate) fn accepted<'w>(world: &'w World, skill: &Skill) -> Option<Accepted<'w>> {
    let conditions = world.conditions();
    Accepted::of_skill(skill, conditions.config, conditions.records.choices())
}

/// The colour of a stage of life.
pub(crate) fn stage_style(stage: Stage) -> Style {
    match stage {
        Stage::Active => GOOD,
        Stage::Stale => WARNING,
        Stage::Archived => DIM,
    }
}

/// Why a skill is not ready, in one line, with paths as people read them.
pub(crate) fn reason(world: &World, skill: &Skill) -> String {
    let details: Vec<String> = skill
        .blockers
        .iter()
        .map(|blocker| blocker_text(world, skill, blocker))
        .collect();
    details.join("; ")
}

/// Which words of a request count for a skill, the one that counts most first: `chart 3.2, form (for questionnaire) 1.1`.
pub(crate) fn reasons_in_words(reasons: &[Reason<'_>]) -> String {
    let reasons: Vec<String> = reasons
        .iter()
        .map(|reason| {
            let Reason { word, term, share } = reason;
            if word.starts_with(term) {
                format!("{word} {share:.1}")
            } else {
                format!("{term} (for {word}) {share:.1}")
            }
        })
        .collect();
    reasons.join(", ")
}

/// One reason why a skill is not ready, with paths as people read them.
pub(crate) fn blocker_text(world: &World, skill: &Skill, blocker: &Blocker) -> String {
    match (&skill.shadowed_by, &*blocker.kind) {
        (Some(path), "shadowed") => format!("{} has precedence", world.shown(path)),
        (Some(path), "identical") => format!("the same as {}", world.shown(path)),
        (Some(path), "same-directory") => {
            format!("the same directory as that of {}", world.shown(path))
        }
        // A reason may name a file, such as the one in which a switch was set.
        _ => world.with_short_home(&blocker.detail),
    }
}

/// Where a setting was said, as people read it: `user, ~/.config/skillful/skills.toml:3`.
pub(crate) fn origin_text(world: &World, origin: &Origin) -> String {
    let place = world.shown(&origin.file);
    match origin.level {
        Level::Environment => format!("environment, {place}"),
        level => format!("{}, {place}:{}", level.as_str(), origin.position.line),
    }
}
