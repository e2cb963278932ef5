//! Keeping a skill at its version: `hold` in the `[wanted.ID]` of `skills.toml`, with the reason.

use skillful_store::journal::{Entry, Operation};

use super::Installer;
use super::apply::{Records, WantedFault};
use super::error::InstallError;
use super::remove::find;
use crate::change::{Change, Writer};
use crate::wanted::{self, WantedSkill};

/// What became of a skill that is to be held or released.
#[derive(Clone, Debug)]
pub struct Held {
    /// The skill's id.
    pub id: String,
    /// Why it is held; nothing when it is not.
    pub reason: Option<String>,
    /// The entry in the history; nothing when it was so already.
    pub entry: Option<Entry>,
}

impl Installer<'_> {
    /// Holds an installed skill at its version for a reason, or releases it.
    ///
    /// # Errors
    ///
    /// [`InstallError::NotInstalled`], and when the file cannot be understood or changed.
    pub fn hold(&self, id: &str, reason: Option<&str>) -> Result<Held, InstallError> {
        let mut writer = Writer::open(&self.data)?;
        let mut records = Records::read(self)?;
        let locked = find(&records.lock, id)?;
        let source = locked.source.clone();
        let at = |error| WantedFault::from(error).at(&self.files.wanted);
        let mut all = wanted::read(&records.wanted).map_err(at)?;
        let mut skill = all.remove(id).unwrap_or_else(|| WantedSkill {
            source,
            ..WantedSkill::default()
        });
        let held = |entry| Held {
            id: id.to_owned(),
            reason: reason.map(str::to_owned),
            entry,
        };
        if skill.hold.as_deref() == reason {
            return Ok(held(None));
        }
        skill.hold = reason.map(str::to_owned);
        records.wanted = wanted::set(&records.wanted, id, &skill).map_err(at)?;
        let message = match reason {
            Some(reason) => format!("hold {id}: {reason}"),
            None => format!("release {id}"),
        };
        let change = Change::new(Operation::CONFIGURE, self.actor.clone());
        let change = change.about(id).saying(message);
        let change = records.swap_into(self, writer.objects(), change)?;
        Ok(held(Some(writer.commit(change)?)))
    }
}
