//! The skill that a choice is taken back for. It may have gone from the disk since the choice was made.

use std::path::PathBuf;

use skillful::records::key_of;
use skillful_store::{Key, Standing};

use crate::error::CommandError;
use crate::input::World;
use crate::lookup;

/// What was meant.
pub(crate) struct Target {
    pub(crate) id: String,
    pub(crate) keys: Vec<Key>,
    /// Nothing for a skill that is not on disk.
    pub(crate) path: Option<PathBuf>,
}

impl Target {
    /// The skill that is called so; or one with this id that has gone from the disk, wherever it was, if what was chosen
    /// for it is of this kind.
    pub(crate) fn of(
        world: &World,
        text: &str,
        is_chosen: impl Fn(&Standing) -> bool,
    ) -> Result<Self, CommandError> {
        let library = world.scan()?;
        let error = match lookup::searched(world, &library, text) {
            Ok(skill) => {
                return Ok(Self {
                    id: skill.id.clone(),
                    keys: vec![key_of(skill)],
                    path: Some(skill.path.clone()),
                });
            }
            Err(error) => error,
        };
        let choices = world.conditions().records.choices();
        let keys: Vec<Key> = choices
            .iter()
            .filter(|(key, standing)| key.id == text && is_chosen(standing))
            .map(|(key, _)| key.clone())
            .collect();
        if keys.is_empty() {
            return Err(error);
        }
        Ok(Self {
            id: text.to_owned(),
            keys,
            path: None,
        })
    }
}
