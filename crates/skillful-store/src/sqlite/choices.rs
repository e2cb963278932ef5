//! Choices in their file, and what is done when that is damaged or lost.

use std::path::Path;

use super::copy;
use super::database::Database;
use super::files::{directory_of, keep_aside, replace};
use super::lock::Lock;
use crate::choices::{Applied, Choice, Choices};
use crate::choices_file;
use crate::error::{Notice, StoreError};
use crate::key::Key;

/// What the file of choices holds.
enum Found {
    /// Choices, or nothing yet.
    Whole(Choices),
    /// Something else, or it was there once.
    Lost {
        /// What is wrong with it.
        reason: String,
    },
}

/// What was chosen. Nothing is mended by reading.
pub(super) fn read(database: &Database) -> Result<Choices, StoreError> {
    match look(database)? {
        Found::Whole(choices) => Ok(choices),
        Found::Lost { reason } => copied(database, reason),
    }
}

/// Makes a choice.
pub(super) fn choose(
    database: &Database,
    key: &Key,
    choice: Choice,
) -> Result<Applied, StoreError> {
    mend(database)?;
    let file = database.sibling(choices_file::FILE_NAME);
    {
        let _lock = Lock::take(directory_of(&file), database.patience)?;
        let mut choices = choices_file::read_if_there(&file)?.unwrap_or_default();
        if choices.apply(key, choice) == Applied::Unchanged {
            return Ok(Applied::Unchanged);
        }
        write(&file, &choices)?;
    }
    // The file counts, so that the choice holds from here on.
    if let Err(error) = database.with(|connection| copy::take(connection, &file)) {
        let reason = error.to_string();
        database.note(Notice::ChoiceNotCopied { reason });
    }
    Ok(Applied::Changed)
}

/// Makes sure that there is a file where there is a database, so that one that is missing got lost.
pub(super) fn make_file(database: &Database) -> Result<(), StoreError> {
    let file = database.sibling(choices_file::FILE_NAME);
    let _lock = Lock::take(directory_of(&file), database.patience)?;
    if file.exists() || database.exists() {
        return Ok(());
    }
    write(&file, &Choices::default())
}

/// The database is looked at only where the file is missing beside one.
fn look(database: &Database) -> Result<Found, StoreError> {
    let file = database.sibling(choices_file::FILE_NAME);
    match choices_file::read_if_there(&file) {
        Ok(Some(choices)) => Ok(Found::Whole(choices)),
        Ok(None) if !database.exists() => Ok(Found::Whole(Choices::default())),
        Ok(None) => Ok(Found::Lost {
            reason: "it is gone".to_owned(),
        }),
        Err(StoreError::Damaged { reason, .. }) => Ok(Found::Lost { reason }),
        Err(error) => Err(error),
    }
}

/// The choices that the database has a copy of.
fn copied(database: &Database, reason: String) -> Result<Choices, StoreError> {
    let copy = database.with_existing(|connection| copy::read(connection))?;
    database.note(if copy.is_some() {
        Notice::ChoicesRestored { reason }
    } else {
        Notice::ChoicesLost { reason }
    });
    Ok(copy.unwrap_or_default())
}

/// Replaces a file that is damaged or lost by what the database has a copy of.
fn mend(database: &Database) -> Result<(), StoreError> {
    let Found::Lost { reason } = look(database)? else {
        return Ok(());
    };
    let choices = copied(database, reason)?;
    let file = database.sibling(choices_file::FILE_NAME);
    let _lock = Lock::take(directory_of(&file), database.patience)?;
    // Somebody else may have mended it meanwhile.
    if let Found::Lost { .. } = look(database)? {
        if file.exists() {
            let kept = keep_aside(&file, &[])?;
            database.note(Notice::ChoicesKeptAside { kept });
        }
        write(&file, &choices)?;
    }
    Ok(())
}

fn write(file: &Path, choices: &Choices) -> Result<(), StoreError> {
    let text = choices_file::text(choices).map_err(|error| StoreError::file(file, error.into()))?;
    replace(file, &text)
}
