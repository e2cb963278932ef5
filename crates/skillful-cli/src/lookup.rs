//! From what a user typed to the skill that was meant.

use std::borrow::Cow;

use skillful::places;
use skillful::{Library, LookUpError, Skill};

use crate::error::CommandError;
use crate::input::World;
use crate::suggest::nearest;

/// The skill that was meant, which must be one that models are shown: others have no records.
pub(crate) fn searched<'l>(
    world: &World,
    library: &'l Library,
    text: &str,
) -> Result<&'l Skill, CommandError> {
    match skill(world, library, text)? {
        Cow::Borrowed(skill) => Ok(skill),
        Cow::Owned(skill) => Err(CommandError::usage(format_args!(
            "{} lies in no directory that is searched, so that no model is shown it",
            world.shown(&skill.path)
        ))
        .hint("--root names a directory to search")),
    }
}

/// The skill that was meant by an id, a name, a directory's name, or a path.
pub(crate) fn skill<'l>(
    world: &World,
    library: &'l Library,
    text: &str,
) -> Result<Cow<'l, Skill>, CommandError> {
    let registry = &library.registry;
    let path = world.host.working_directory().join(text);
    if let Some(skill) = registry.at_path(&path) {
        return Ok(Cow::Borrowed(skill));
    }
    // Only what looks like a path is taken for one: a name must not be answered by a directory that bears it.
    let is_path = text.contains(['/', std::path::MAIN_SEPARATOR]);
    if let Some(skill) = is_path.then(|| places::skill_at(&path)).flatten() {
        return Ok(Cow::Owned(skill));
    }
    registry
        .find(text)
        .map(|skill| Cow::Borrowed(&**skill))
        .map_err(|error| {
            let failure = CommandError::failed(&error);
            match error {
                LookUpError::Ambiguous { .. } => failure,
                LookUpError::Unknown(_) => {
                    let known = registry.skills().iter().map(|skill| skill.id.as_str());
                    match nearest(text, known) {
                        Some(near) => failure.hint(format!("did you mean `{near}`?")),
                        None => failure.hint("`skillful list` shows what there is"),
                    }
                }
            }
        })
}
