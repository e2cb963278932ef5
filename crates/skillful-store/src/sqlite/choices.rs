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

/// What was chosen.
pub(super) fn read(database: &Database) -> Result<Choices, StoreError> {
    match look(database)? {
        Found::Whole(choices) => Ok(choices),
        Found::Lost { reason } => {
            let choices = copied(database, reason)?;
            // Who may only read goes on with the copy; the file is left for who may write.
            let _ = put_back(database, &choices);
            Ok(choices)
        }
    }
}

/// Makes a choice.
pub(super) fn choose(
    database: &Database,
    key: &Key,
    choice: Choice,
) -> Result<Applied, StoreError> {
    change(database, |choices| choices.apply(key, choice))
}

/// Puts what was chosen for one skill down to another key.
pub(super) fn rename(database: &Database, from: &Key, to: &Key) -> Result<Applied, StoreError> {
    change(database, |choices| choices.rename(from, to))
}

fn change(
    database: &Database,
    change: impl FnOnce(&mut Choices) -> Applied,
) -> Result<Applied, StoreError> {
    if let Found::Lost { reason } = look(database)? {
        let choices = copied(database, reason)?;
        put_back(database, &choices)?;
    }
    let file = database.sibling(choices_file::FILE_NAME);
    {
        let _lock = Lock::take(directory_of(&file), database.patience)?;
        let mut choices = choices_file::read_if_there(&file)?.unwrap_or_default();
        if change(&mut choices) == Applied::Unchanged {
            return Ok(Applied::Unchanged);
        }
        write(&file, &choices)?;
    }
    // The file counts, so that the choice holds from here on.
    copy_again(database);
    Ok(Applied::Changed)
}

/// Keeps others from making choices, and sees to it that there is a file.
pub(super) fn hold(database: &Database) -> Result<Lock, StoreError> {
    let file = database.sibling(choices_file::FILE_NAME);
    let lock = Lock::take(directory_of(&file), database.patience)?;
    if !file.exists() {
        write(&file, &Choices::default())?;
    }
    Ok(lock)
}

/// Takes the copy of the file again, where there is a database to keep it in.
pub(super) fn copy_again(database: &Database) {
    let file = database.sibling(choices_file::FILE_NAME);
    if let Err(error) = database.with(|connection| copy::take(connection, &file)) {
        let reason = error.to_string();
        database.note(Notice::ChoiceNotCopied { reason });
    }
}

/// Makes a database, and sees to it that there are a file of choices and a copy: where one is missing beside a database,
/// it got lost.
pub(super) fn make_database(database: &Database) -> Result<(), StoreError> {
    let file = database.sibling(choices_file::FILE_NAME);
    {
        let _lock = Lock::take(directory_of(&file), database.patience)?;
        if !file.exists() && !database.exists() {
            write(&file, &Choices::default())?;
        }
    }
    database.with(|connection| copy::take(connection, &file))
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

/// Makes a new file in place of one that is damaged or lost.
fn put_back(database: &Database, choices: &Choices) -> Result<(), StoreError> {
    let file = database.sibling(choices_file::FILE_NAME);
    let _lock = Lock::take(directory_of(&file), database.patience)?;
    // Somebody else may have done so meanwhile, and more may have been chosen since.
    if let Found::Whole(_) = look(database)? {
        return Ok(());
    }
    if file.exists() {
        let kept = keep_aside(&file, &[])?;
        database.note(Notice::ChoicesKeptAside { kept });
    }
    write(&file, choices)
}

fn write(file: &Path, choices: &Choices) -> Result<(), StoreError> {
    replace(file, &choices_file::text(choices)?)
}
