//! Entries in SQL.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, named_params, params};

use super::Failure;
use crate::error::StoreError;
use crate::journal::{
    Actor, ChangeId, Entry, JournalError, NewEntry, Operation, Pruned, Query, Retention, State,
    Swap,
};
use crate::time::Timestamp;

type Result<T, E = StoreError> = std::result::Result<T, Failure<E>>;

const COLUMNS: &str = "seq, id, transaction_id, operation, actor, at, message, bytes, made, vacated, \
                       undoes, undone_by";

/// Adds an entry and marks those that it undoes, in one transaction that nobody else can come between.
pub(super) fn append(connection: &mut Connection, entry: NewEntry) -> Result<Entry, JournalError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for seq in &entry.undoes {
        let undone_by: Option<Option<i64>> = transaction
            .query_row(
                "SELECT undone_by FROM entry WHERE seq = ?1",
                [number(*seq)],
                |row| row.get(0),
            )
            .optional()?;
        match undone_by {
            Some(None) => {}
            None => return Err(Failure::Refused(JournalError::NoEntry { seq: *seq })),
            Some(Some(by)) => {
                let by = by.unsigned_abs();
                return Err(Failure::Refused(JournalError::AlreadyUndone {
                    seq: *seq,
                    by,
                }));
            }
        }
    }
    transaction.execute(
        "INSERT INTO entry
         (id, transaction_id, operation, actor, at, message, bytes, made, vacated, undoes)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        params![
            entry.id.0,
            entry.transaction.0,
            entry.operation.as_str(),
            entry.actor.as_str(),
            entry.at.as_seconds(),
            entry.message,
            number(entry.bytes),
            serde_json::to_string(&entry.made_directories)?,
            serde_json::to_string(&entry.vacated_directories)?,
            serde_json::to_string(&entry.undoes)?,
        ],
    )?;
    let seq = transaction.last_insert_rowid();
    for undone in &entry.undoes {
        transaction.execute(
            "UPDATE entry SET undone_by = ?1 WHERE seq = ?2",
            params![seq, number(*undone)],
        )?;
    }
    for (position, skill) in (0_i64..).zip(&entry.skills) {
        transaction.execute(
            "INSERT INTO entry_skill (skill, seq, position) VALUES (?1, ?2, ?3)",
            params![skill, seq, position],
        )?;
    }
    for (position, swap) in (0_i64..).zip(&entry.swaps) {
        append_swap(&transaction, seq, position, swap)?;
    }
    transaction.commit()?;
    Ok(Entry {
        seq: seq.unsigned_abs(),
        entry,
        undone_by: None,
    })
}

fn append_swap(
    connection: &Connection,
    seq: i64,
    position: i64,
    swap: &Swap,
) -> Result<(), JournalError> {
    let path = text_of(&swap.path)?;
    let after = serde_json::to_string(&swap.after)?;
    connection.execute(
        "INSERT INTO swap (seq, position, path, before, after) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![
            seq,
            position,
            path,
            serde_json::to_string(&swap.before)?,
            after
        ],
    )?;
    if swap.after.is_absent() {
        connection.execute("DELETE FROM place WHERE path = ?1", [path])?;
    } else {
        connection.execute(
            "INSERT INTO place (path, state) VALUES (?1, ?2)
             ON CONFLICT (path) DO UPDATE SET state = excluded.state",
            params![path, after],
        )?;
    }
    Ok(())
}

/// The entry of this number.
pub(super) fn entry(connection: &Connection, seq: u64) -> Result<Option<Entry>> {
    one(connection, "seq = ?1", number(seq))
}

/// The entry of this change.
pub(super) fn entry_of(connection: &Connection, change: &ChangeId) -> Result<Option<Entry>> {
    one(connection, "id = ?1", &change.0)
}

fn one(
    connection: &Connection,
    condition: &str,
    value: impl rusqlite::ToSql,
) -> Result<Option<Entry>> {
    let sql = format!("SELECT {COLUMNS} FROM entry WHERE {condition}");
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([value])?;
    match rows.next()? {
        Some(row) => whole(connection, row).map(Some),
        None => Ok(None),
    }
}

/// The entries that a query asks for, newest first.
pub(super) fn entries(connection: &Connection, query: &Query) -> Result<Vec<Entry>> {
    let mut statement = connection.prepare(&format!(
        "SELECT {COLUMNS} FROM entry
         WHERE (:skill IS NULL OR seq IN (SELECT seq FROM entry_skill WHERE skill = :skill))
           AND (:transaction IS NULL OR transaction_id = :transaction)
           AND (:before IS NULL OR seq < :before)
           AND (NOT :undoable OR (undone_by IS NULL AND operation <> :undo))
         ORDER BY seq DESC
         LIMIT :limit",
    ))?;
    let mut rows = statement.query(named_params! {
        ":skill": query.skill,
        ":transaction": query.transaction.as_ref().map(|id| &id.0),
        ":before": query.before.map(number),
        ":undoable": query.undoable,
        ":undo": Operation::UNDO.as_str(),
        // No limit at all is a negative one.
        ":limit": query.limit.map_or(-1, |limit| number(limit as u64)),
    })?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        entries.push(whole(connection, row)?);
    }
    Ok(entries)
}

/// An entry with its skills and swaps, from a row of [`COLUMNS`].
fn whole(connection: &Connection, row: &Row<'_>) -> Result<Entry> {
    let seq: i64 = row.get("seq")?;
    let json = |column: &str| row.get::<_, String>(column);
    let undone_by: Option<i64> = row.get("undone_by")?;
    let entry = NewEntry {
        id: ChangeId(row.get("id")?),
        transaction: ChangeId(row.get("transaction_id")?),
        operation: Operation::new(row.get::<_, String>("operation")?),
        actor: Actor::new(row.get::<_, String>("actor")?),
        skills: skills(connection, seq)?,
        at: Timestamp::from_seconds(row.get("at")?),
        message: row.get("message")?,
        swaps: swaps(connection, seq)?,
        made_directories: serde_json::from_str(&json("made")?)?,
        vacated_directories: serde_json::from_str(&json("vacated")?)?,
        undoes: serde_json::from_str(&json("undoes")?)?,
        bytes: row.get::<_, i64>("bytes")?.unsigned_abs(),
    };
    Ok(Entry {
        seq: seq.unsigned_abs(),
        entry,
        undone_by: undone_by.map(i64::unsigned_abs),
    })
}

fn skills(connection: &Connection, seq: i64) -> Result<Vec<String>> {
    let mut statement =
        connection.prepare("SELECT skill FROM entry_skill WHERE seq = ?1 ORDER BY position")?;
    let skills = statement.query_map([seq], |row| row.get(0))?;
    Ok(skills.collect::<rusqlite::Result<_>>()?)
}

fn swaps(connection: &Connection, seq: i64) -> Result<Vec<Swap>> {
    let mut statement = connection
        .prepare("SELECT path, before, after FROM swap WHERE seq = ?1 ORDER BY position")?;
    let mut rows = statement.query([seq])?;
    let mut swaps = Vec::new();
    while let Some(row) = rows.next()? {
        swaps.push(Swap::new(
            row.get::<_, String>(0)?,
            state(row, 1)?,
            state(row, 2)?,
        ));
    }
    Ok(swaps)
}

fn state(row: &Row<'_>, column: usize) -> Result<State> {
    Ok(serde_json::from_str(&row.get::<_, String>(column)?)?)
}

/// What the last change of each path left there.
pub(super) fn places(connection: &Connection) -> Result<BTreeMap<PathBuf, State>> {
    let mut statement = connection.prepare("SELECT path, state FROM place")?;
    let mut rows = statement.query([])?;
    let mut places = BTreeMap::new();
    while let Some(row) = rows.next()? {
        places.insert(PathBuf::from(row.get::<_, String>(0)?), state(row, 1)?);
    }
    Ok(places)
}

/// The same for one path.
pub(super) fn place(connection: &Connection, path: &Path) -> Result<Option<State>> {
    let mut statement = connection.prepare("SELECT state FROM place WHERE path = ?1")?;
    let mut rows = statement.query([text_of(path)?])?;
    rows.next()?.map(|row| state(row, 0)).transpose()
}

/// Every state that anything refers to.
pub(super) fn states(connection: &Connection) -> Result<BTreeSet<State>> {
    let mut statement = connection.prepare(
        "SELECT before FROM swap UNION SELECT after FROM swap UNION SELECT state FROM place",
    )?;
    let mut rows = statement.query([])?;
    let mut states = BTreeSet::new();
    while let Some(row) = rows.next()? {
        states.insert(state(row, 0)?);
    }
    Ok(states)
}

/// Forgets the oldest entries.
pub(super) fn prune(
    connection: &mut Connection,
    retention: &Retention,
    now: Timestamp,
) -> Result<Pruned> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let newest_first = {
        let mut statement =
            transaction.prepare("SELECT seq, at, bytes FROM entry ORDER BY seq DESC")?;
        let rows = statement.query_map([], |row| {
            let at = Timestamp::from_seconds(row.get(1)?);
            let (seq, bytes): (i64, i64) = (row.get(0)?, row.get(2)?);
            Ok((seq.unsigned_abs(), now.days_since(at), bytes.unsigned_abs()))
        })?;
        rows.collect::<rusqlite::Result<Vec<_>>>()?
    };
    let Some(oldest) = retention.oldest(newest_first.into_iter()) else {
        return Ok(Pruned::default());
    };
    let entries = transaction.execute("DELETE FROM entry WHERE seq < ?1", [number(oldest)])?;
    transaction.commit()?;
    Ok(Pruned {
        entries: entries as u64,
    })
}

/// SQLite's numbers have a sign. None of ours comes near its limit.
fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn text_of<E>(path: &Path) -> Result<&str, E> {
    path.to_str()
        .ok_or_else(|| Failure::Content(format!("{} is not Unicode", path.display())))
}
