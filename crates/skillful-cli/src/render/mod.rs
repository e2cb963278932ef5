//! How results look: diagnostics with their source line, tables, diffs, and the formats of other programs.

pub(crate) mod diff;
pub(crate) mod github;
pub(crate) mod sarif;
pub(crate) mod snippet;
pub(crate) mod table;

use anstyle::Style;
use skillful::config::{Level, Origin};
use skillful::{Blocker, Skill, State};

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

/// Why a skill is not ready, in one line, with paths as people read them.
pub(crate) fn reason(world: &World, skill: &Skill) -> String {
    let details: Vec<String> = skill
        .blockers
        .iter()
        .map(|blocker| blocker_text(world, skill, blocker))
        .collect();
    details.join("; ")
}

/// One reason why a skill is not ready, with paths as people read them.
pub(crate) fn blocker_text(world: &World, skill: &Skill, blocker: &Blocker) -> String {
    match (&skill.shadowed_by, &*blocker.kind) {
        (Some(path), "shadowed") => format!("{} has precedence", world.shown(path)),
        (Some(path), "identical") => format!("the same as {}", world.shown(path)),
        (Some(path), "same-directory") => {
            format!("the same directory as that of {}", world.shown(path))
        }
        _ => blocker.detail.clone(),
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
