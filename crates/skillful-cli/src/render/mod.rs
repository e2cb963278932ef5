//! How results look: diagnostics with their source line, tables, diffs, and the formats of other programs.

pub(crate) mod diff;
pub(crate) mod github;
pub(crate) mod sarif;
pub(crate) mod snippet;
pub(crate) mod table;

use anstyle::Style;
use skillful::search::Reason;
use skillful::{Skill, State};
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
        .map(|blocker| match (&skill.shadowed_by, &*blocker.kind) {
            (Some(path), "shadowed") => format!("{} has precedence", world.shown(path)),
            (Some(path), "identical") => format!("the same as {}", world.shown(path)),
            (Some(path), "same-directory") => {
                format!("the same directory as that of {}", world.shown(path))
            }
            _ => blocker.detail.clone(),
        })
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
