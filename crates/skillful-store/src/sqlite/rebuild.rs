//! What is done about a damaged database: it is moved out of the way, and what can still be read goes into a new one.

use std::path::Path;
use std::time::Duration;

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};

use super::copy;
use super::files::{directory_of, keep_aside};
use super::lock::Lock;
use super::schema::{self, failed};
use crate::choices_file;
use crate::error::{Notice, StoreError};

/// The files that SQLite keeps beside a database.
const COMPANIONS: [&str; 2] = ["-wal", "-shm"];

/// A part of a database that can be taken over by itself: what it is to people, its table, how it is read, how it is
/// written.
struct Part {
    name: &'static str,
    table: &'static str,
    read: &'static str,
    write: &'static str,
}

const PARTS: [Part; 5] = [
    Part {
        name: "skills",
        table: "skill",
        read: "SELECT number, id, origin, first FROM skill",
        write: "INSERT INTO skill (number, id, origin, first) VALUES (?1, ?2, ?3, ?4)",
    },
    Part {
        name: "counts",
        table: "tally",
        read: "SELECT skill, activity, count, last FROM tally",
        write: "INSERT INTO tally (skill, activity, count, last) VALUES (?1, ?2, ?3, ?4)",
    },
    Part {
        name: "days",
        table: "day",
        read: "SELECT skill, day, activity, count FROM day",
        write: "INSERT INTO day (skill, day, activity, count) VALUES (?1, ?2, ?3, ?4)",
    },
    Part {
        name: "verdicts",
        table: "verdict",
        read: "SELECT number, digest, rules, outcome FROM verdict",
        write: "INSERT INTO verdict (number, digest, rules, outcome) VALUES (?1, ?2, ?3, ?4)",
    },
    Part {
        name: "places of verdicts",
        table: "sighting",
        read: "SELECT number, place, stamp, verdict FROM sighting",
        write: "INSERT INTO sighting (number, place, stamp, verdict) VALUES (?1, ?2, ?3, ?4)",
    },
];

/// Keeps a damaged database aside and makes a new one. Gives nothing when another process has done so meanwhile.
pub(super) fn rebuild(
    path: &Path,
    patience: Duration,
    reason: String,
) -> Result<Option<Notice>, StoreError> {
    let lock = Lock::take(directory_of(path), patience)?;
    if is_whole(path, patience, &lock)? {
        return Ok(None);
    }
    let kept = keep_aside(path, &COMPANIONS)?;
    let mut connection = schema::open_locked(path, patience, &lock)?;
    let lost = take_over(&kept, &mut connection);
    // The file of choices stands beside the database and needs its copy again.
    let file = path.with_file_name(choices_file::FILE_NAME);
    copy::take(&mut connection, &file).map_err(|error| failed(path, &error))?;
    Ok(Some(Notice::DatabaseRebuilt { kept, reason, lost }))
}

/// Whether SQLite finds no fault with the database.
fn is_whole(path: &Path, patience: Duration, lock: &Lock) -> Result<bool, StoreError> {
    let check = |connection: &Connection| -> rusqlite::Result<bool> {
        let answer: String =
            connection.pragma_query_value(None, "quick_check", |row| row.get(0))?;
        Ok(answer == "ok")
    };
    let connection = match schema::open_locked(path, patience, lock) {
        Ok(connection) => connection,
        Err(StoreError::Damaged { .. }) => return Ok(false),
        Err(error) => return Err(error),
    };
    match check(&connection).map_err(|error| failed(path, &error)) {
        Err(StoreError::Damaged { .. }) => Ok(false),
        checked => checked,
    }
}

/// Copies what can be read of the damaged database. Gives the names of the parts of which something is missing.
fn take_over(kept: &Path, into: &mut Connection) -> Vec<&'static str> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let Ok(from) = Connection::open_with_flags(kept, flags) else {
        return PARTS.iter().map(|part| part.name).collect();
    };
    PARTS
        .iter()
        .filter(|part| {
            let copied = is_there(part, &from).and_then(|is_there| {
                if is_there {
                    copy_rows(part, &from, into)
                } else {
                    Ok(())
                }
            });
            copied.is_err()
        })
        .map(|part| part.name)
        .collect()
}

/// Whether the database has the part at all: one of an older version does not have all of them.
fn is_there(part: &Part, from: &Connection) -> rusqlite::Result<bool> {
    from.query_row(
        "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?1)",
        [part.table],
        |row| row.get(0),
    )
}

/// Copies the rows of a part up to the first that cannot be read; rows that break the schema's rules are left out.
fn copy_rows(part: &Part, from: &Connection, into: &mut Connection) -> rusqlite::Result<()> {
    let transaction = into.transaction()?;
    let read = || -> rusqlite::Result<()> {
        let mut write = transaction.prepare(part.write)?;
        let mut read = from.prepare(part.read)?;
        let columns = read.column_count();
        let mut rows = read.query([])?;
        let mut refused = Ok(());
        while let Some(row) = rows.next()? {
            let values: Vec<Value> = (0..columns)
                .map(|column| row.get(column))
                .collect::<rusqlite::Result<_>>()?;
            if let Err(error) = write.execute(params_from_iter(values)) {
                refused = Err(error);
            }
        }
        refused
    };
    let complete = read();
    transaction.commit()?;
    complete
}
