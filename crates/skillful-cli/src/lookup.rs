//! From what a user typed to the skill that was meant.

use std::borrow::Cow;

use skillful::places;
use skillful::{Library, LookUpError, Skill};

use crate::error::CommandError;
use crate::input::World;
use crate::suggest::nearest;

/// The skill that was meant by an id, a name, a directory's name, or the path of one that was found. A path to anything
/// else is refused: who hands over what a model typed must not hand over files.
pub(crate) fn searched<'l>(
    world: &World,
    library: &'l Library,
    text: &str,
) -> Result<&'l Skill, CommandError> {
    let registry = &library.registry;
    let path = world.host.working_directory().join(text);
    if let Some(skill) = registry.at_path(&path) {
        return Ok(skill);
    }
    registry.find(text).map(|skill| &**skill).map_err(|error| {
        let failure = CommandError::failed(&error);
        match error {
            LookUpError::Ambiguous { .. } => failure,
            LookUpError::Unknown(_) if is_path(text) => failure.hint(
                "a path must lead to a skill that was found; --root names a directory to search",
            ),
            LookUpError::Unknown(_) => {
                let known = registry.skills().iter().map(|skill| skill.id.as_str());
                let otherwise = "`skillful list` shows what there is";
                failure.did_you_mean(nearest(text, known), Some(otherwise))
            }
        }
    })
}

/// The same, or the skill at any path: for looking at it, and nothing else.
pub(crate) fn anywhere<'l>(
    world: &World,
    library: &'l Library,
    text: &str,
) -> Result<Cow<'l, Skill>, CommandError> {
    let found = searched(world, library, text);
    let path = world.host.working_directory().join(text);
    match found {
        // Only what looks like a path is taken for one: a name must not be answered by a directory that bears it.
        Err(_) if is_path(text) => match places::skill_at(&path) {
            Some(skill) => Ok(Cow::Owned(skill)),
            None => found.map(Cow::Borrowed),
        },
        found => found.map(Cow::Borrowed),
    }
}

fn is_path(text: &str) -> bool {
    text.contains(['/', std::path::MAIN_SEPARATOR])
}
