//! The copy of the choices in the database.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

use crate::choices::Choices;
use crate::choices_file;

/// Copies what the file says now. The file is read inside of the transaction, so that whoever comes last copies the
/// newest. A file that says nothing leaves the copy as it is.
pub(super) fn take(connection: &mut Connection, file: &Path) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if let Ok(Some(choices)) = choices_file::read_if_there(file)
        && let Ok(text) = choices_file::text(&choices)
    {
        transaction.execute(
            "INSERT INTO choices (only, document) VALUES (1, ?1)
             ON CONFLICT (only) DO UPDATE SET document = excluded.document",
            [text],
        )?;
    }
    transaction.commit()
}

/// The choices that were copied; nothing when none ever were.
pub(super) fn read(connection: &Connection) -> rusqlite::Result<Option<Choices>> {
    let text: Option<String> = connection
        .query_row("SELECT document FROM choices", [], |row| row.get(0))
        .optional()?;
    Ok(text.and_then(|text| choices_file::parse(text.as_bytes()).ok()))
}
