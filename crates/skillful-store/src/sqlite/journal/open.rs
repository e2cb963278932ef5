//! Opening the journal's database, and bringing it to the newest schema.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::error::StoreError;
use crate::sqlite::files::{directory_of, make_private};
use crate::sqlite::lock::Lock;
use crate::sqlite::schema::failed;

/// What leads from each version of the schema to the next. `PRAGMA user_version` says how many of them a database has
/// been through. Entries are added, never changed.
const MIGRATIONS: [&str; NEWEST as usize] = [include_str!("schema-1.sql")];

/// The newest version of the schema.
const NEWEST: u32 = 1;

/// Opens the database, which is made if it does not exist. Under the lock of the directory, so that nobody finds one
/// that is half made.
pub(super) fn open(path: &Path, patience: Duration) -> Result<Connection, StoreError> {
    let _lock = Lock::take(directory_of(path), patience)?;
    make_private(path)?;
    let connected = || {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(patience)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        // An entry that was promised must outlast the machine.
        connection.pragma_update(None, "synchronous", "full")?;
        let version = version(&connection)?;
        Ok((connection, version))
    };
    let (mut connection, found) =
        connected().map_err(|error: rusqlite::Error| failed(path, &error))?;
    if found > NEWEST {
        return Err(StoreError::Newer {
            path: path.to_owned(),
            found,
            known: NEWEST,
        });
    }
    if found < NEWEST {
        migrate(&mut connection).map_err(|error| failed(path, &error))?;
    }
    Ok(connection)
}

/// Opens a database that can only be read: it is neither locked nor made nor brought to a newer schema.
pub(super) fn open_to_read(path: &Path, patience: Duration) -> Result<Connection, StoreError> {
    let connected = |immutable: bool| {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = if immutable {
            // Where no file can be made beside it, SQLite reads a database in WAL mode only if it is told that nobody
            // writes it. Then nobody can.
            let uri = uri(path);
            Connection::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_URI)?
        } else {
            Connection::open_with_flags(path, flags)?
        };
        connection.busy_timeout(patience)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        let version = version(&connection)?;
        // The first page may be had where the rest may not.
        connection.query_row("SELECT count(*) FROM entry", [], |_| Ok(()))?;
        Ok((connection, version))
    };
    let opened = connected(false).or_else(|_: rusqlite::Error| connected(true));
    let (connection, found) = opened.map_err(|error| failed(path, &error))?;
    if found > NEWEST {
        return Err(StoreError::Newer {
            path: path.to_owned(),
            found,
            known: NEWEST,
        });
    }
    Ok(connection)
}

/// The address of a database that nobody writes (SQLite, "Uniform Resource Identifiers").
fn uri(path: &Path) -> String {
    let mut uri = "file:".to_owned();
    let text = path.to_string_lossy().replace('\\', "/");
    if text.as_bytes().get(1) == Some(&b':') {
        uri.push('/');
    }
    for c in text.chars() {
        match c {
            '%' => uri.push_str("%25"),
            '?' => uri.push_str("%3f"),
            '#' => uri.push_str("%23"),
            c => uri.push(c),
        }
    }
    uri + "?immutable=1"
}

fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
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
}
