//! What people choose for skills, such as putting one away: kept in the file of choices, and changed like any other file,
//! so that it can be undone.

use skillful_store::{Applied, Choice, Choices, Key, choices_file};

use super::{Author, AuthorError};
use crate::change::{Change, Writer};
use crate::state::observe;
use crate::{Entry, Swap};

/// What became of a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Whether anything is different from before.
    pub applied: Applied,
    /// All that is chosen now.
    pub choices: Choices,
    /// The change in the history; nothing when nothing changed, or the records keep no file.
    pub entry: Option<Entry>,
}

impl Author<'_> {
    /// Makes a choice for all of these skills. `change` says in the history what it is for.
    ///
    /// # Errors
    ///
    /// [`AuthorError`]; [`AuthorError::NoRecords`] without records. Nothing was chosen then.
    pub fn choose(
        &self,
        change: Change,
        keys: &[Key],
        choice: &Choice,
    ) -> Result<Chosen, AuthorError> {
        let records = self.records.ok_or(AuthorError::NoRecords)?;
        let Some(file) = records.choices_file() else {
            return choose_without_file(records, keys, choice);
        };
        let mut writer = Writer::open(self.data)?;
        // Puts a file right that is damaged or lost, before anybody else is kept from it.
        let now = records.choices()?;
        if apply(&mut now.clone(), keys, choice) == Applied::Unchanged {
            return Ok(Chosen {
                applied: Applied::Unchanged,
                choices: now,
                entry: None,
            });
        }
        // The journal may have to be made, under the same lock that holds the choices.
        writer.journal().make_ready()?;
        let held = records.hold_choices()?;
        let before = observe(&file)?;
        let directory = file.parent().unwrap_or(&file);
        let mut choices = choices_file::read(directory)?;
        let applied = apply(&mut choices, keys, choice);
        let mut entry = None;
        if applied == Applied::Changed {
            let text = choices_file::text(&choices)?;
            let after = writer.objects().put_bytes(text.as_bytes(), false)?;
            entry = Some(writer.commit(change.swap(Swap::new(&file, before, after)))?);
        }
        drop(held);
        records.choices_replaced()?;
        Ok(Chosen {
            applied,
            choices,
            entry,
        })
    }

    /// Tells the records when a change was made of their file of choices.
    pub(super) fn tell_records(&self, entry: &Entry) -> Result<(), AuthorError> {
        let file = self.records.and_then(skillful_store::Store::choices_file);
        let is_it = |swap: &Swap| Some(&swap.path) == file.as_ref();
        if let (Some(records), true) = (self.records, entry.swaps.iter().any(is_it)) {
            records.choices_replaced()?;
        }
        Ok(())
    }
}

fn apply(choices: &mut Choices, keys: &[Key], choice: &Choice) -> Applied {
    let mut applied = Applied::Unchanged;
    for key in keys {
        if choices.apply(key, choice.clone()) == Applied::Changed {
            applied = Applied::Changed;
        }
    }
    applied
}

/// Records that end with the process have no file, and nothing of theirs can be undone.
fn choose_without_file(
    records: &dyn skillful_store::Store,
    keys: &[Key],
    choice: &Choice,
) -> Result<Chosen, AuthorError> {
    let mut applied = Applied::Unchanged;
    for key in keys {
        if records.choose(key, choice.clone())? == Applied::Changed {
            applied = Applied::Changed;
        }
    }
    Ok(Chosen {
        applied,
        choices: records.choices()?,
        entry: None,
    })
}
