//! Opening a database: made privately, with the settings that sharing needs, brought to the newest schema.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::files::{directory_of, make_private};
use super::lock::Lock;
use crate::error::StoreError;

/// What leads from each version of the schema to the next; from nothing, to the first. `PRAGMA user_version` says how
/// many of them a database has been through. Entries are added, never changed.
const MIGRATIONS: [&str; NEWEST as usize] =
    [include_str!("schema-1.sql"), include_str!("schema-2.sql")];

/// The newest version of the schema.
const NEWEST: u32 = 2;

/// Most pages of 4 KiB in the log before they go into the database. Every process that comes first reads the log, so
/// that it is kept shorter than SQLite would.
const LOG_PAGES: u32 = 256;

/// Opens the database, which is made if it does not exist.
///
/// Under the lock: SQLite finds the log by its name when it first reads, and between opening and reading nobody may put
/// another database in this one's place.
pub(super) fn open(path: &Path, patience: Duration) -> Result<Connection, StoreError> {
    let lock = Lock::take(directory_of(path), patience)?;
    open_locked(path, patience, &lock)
}

/// The same for who holds the lock already.
pub(super) fn open_locked(
    path: &Path,
    patience: Duration,
    _: &Lock,
) -> Result<Connection, StoreError> {
    let mut connection = connect(path, patience)?;
    migrate(&mut connection, path)?;
    Ok(connection)
}

fn connect(path: &Path, patience: Duration) -> Result<Connection, StoreError> {
    // SQLite gives its other files the permissions of this one.
    make_private(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let configured = || {
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(patience)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        // Whoever closes the last connection would delete the log by its name, be it that of a database which took this
        // one's place; and would wait for the disk.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        // With WAL a crash of the machine may cost the last counts, and never the database.
        connection.pragma_update(None, "synchronous", "normal")?;
        Ok(connection)
    };
    configured().map_err(|error| failed(path, &error))
}

/// Whether the schema is the newest one.
fn is_current(connection: &Connection, path: &Path) -> Result<bool, StoreError> {
    let found = version(connection).map_err(|error| failed(path, &error))?;
    if found > NEWEST {
        return Err(StoreError::Newer {
            path: path.to_owned(),
            found,
            known: NEWEST,
        });
    }
    Ok(found == NEWEST)
}

fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

fn migrate(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    if is_current(connection, path)? {
        return Ok(());
    }
    let mut steps = || {
        connection.pragma_update(None, "journal_mode", "wal")?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = version(&transaction)?;
        for (_, step) in (0..NEWEST)
            .zip(MIGRATIONS)
            .skip_while(|(from, _)| *from < done)
        {
            transaction.execute_batch(step)?;
        }
        transaction.pragma_update(None, "user_version", NEWEST)?;
        transaction.commit()
    };
    steps().map_err(|error| failed(path, &error))
}

/// What SQLite says, in our words.
pub(super) fn failed(path: &Path, error: &rusqlite::Error) -> StoreError {
    let reason = error.to_string();
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Locked { path },
        Some(ErrorCode::ReadOnly) => StoreError::ReadOnly { path },
        Some(ErrorCode::DiskFull) => StoreError::Full { path },
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            StoreError::Damaged { path, reason }
        }
        _ => StoreError::Database {
            place: path.display().to_string(),
            reason,
        },
    }
}
