//! Usage in SQL.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use rusqlite::{Connection, Row, TransactionBehavior, params};

use crate::key::Key;
use crate::time::{Day, Timestamp};
use crate::usage::{Activity, DayUsage, Event, Tally, Usage};

/// Counts all events in one transaction. What is added up in SQL cannot be lost between two processes.
pub(super) fn record(connection: &mut Connection, events: &[Event]) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    {
        let mut skill = transaction.prepare(
            "INSERT INTO skill (id, origin, first) VALUES (?1, ?2, ?3)
             ON CONFLICT (id, origin) DO UPDATE SET first = min(first, excluded.first)
             RETURNING number",
        )?;
        let mut tally = transaction.prepare(
            "INSERT INTO tally (skill, activity, count, last) VALUES (?1, ?2, 1, ?3)
             ON CONFLICT (skill, activity)
             DO UPDATE SET count = count + 1, last = max(last, excluded.last)",
        )?;
        let mut day = transaction.prepare(
            "INSERT INTO day (skill, day, activity, count) VALUES (?1, ?2, ?3, 1)
             ON CONFLICT (skill, day, activity) DO UPDATE SET count = count + 1",
        )?;
        for Event { key, activity, at } in events {
            let (word, seconds) = (activity.as_str(), at.as_seconds());
            let number: i64 =
                skill.query_row(params![key.id, key.origin, seconds], |row| row.get(0))?;
            tally.execute(params![number, word, seconds])?;
            day.execute(params![number, at.day().number(), word])?;
        }
    }
    transaction.commit()
}

/// Puts the usage of one skill down to another key, in place of what was counted there.
pub(super) fn rename(connection: &mut Connection, from: &Key, to: &Key) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    remove(&transaction, to)?;
    transaction.execute(
        "UPDATE skill SET id = ?3, origin = ?4 WHERE id = ?1 AND origin = ?2",
        params![from.id, from.origin, to.id, to.origin],
    )?;
    transaction.commit()
}

/// Forgets what was counted of one skill.
pub(super) fn forget(connection: &mut Connection, key: &Key) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    remove(&transaction, key)?;
    transaction.commit()
}

fn remove(connection: &Connection, key: &Key) -> rusqlite::Result<()> {
    for statement in [
        "DELETE FROM tally WHERE skill IN (SELECT number FROM skill WHERE id = ?1 AND origin = ?2)",
        "DELETE FROM day WHERE skill IN (SELECT number FROM skill WHERE id = ?1 AND origin = ?2)",
        "DELETE FROM skill WHERE id = ?1 AND origin = ?2",
    ] {
        connection.execute(statement, params![key.id, key.origin])?;
    }
    Ok(())
}

/// The usage of one skill.
pub(super) fn of(connection: &Connection, key: &Key) -> rusqlite::Result<Usage> {
    let mut statement = connection.prepare(
        "SELECT first, activity, count, last
         FROM skill JOIN tally ON tally.skill = skill.number
         WHERE id = ?1 AND origin = ?2",
    )?;
    let mut rows = statement.query(params![key.id, key.origin])?;
    let mut usage = Usage::default();
    while let Some(row) = rows.next()? {
        add_row(&mut usage, row)?;
    }
    Ok(usage)
}

/// The usage of all skills.
pub(super) fn all(connection: &Connection) -> rusqlite::Result<BTreeMap<Key, Usage>> {
    let mut statement = connection.prepare(
        "SELECT first, activity, count, last, id, origin
         FROM skill JOIN tally ON tally.skill = skill.number",
    )?;
    let mut rows = statement.query([])?;
    let mut usages = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let key = Key::new(row.get::<_, String>(4)?, row.get::<_, String>(5)?);
        add_row(usages.entry(key).or_default(), row)?;
    }
    Ok(usages)
}

/// Adds a row of `first, activity, count, last`. Activities that a later version counts are passed over.
fn add_row(usage: &mut Usage, row: &Row<'_>) -> rusqlite::Result<()> {
    usage.first = Some(Timestamp::from_seconds(row.get(0)?));
    if let Some(activity) = activity(row, 1)? {
        let tally = Tally {
            count: count(row, 2)?,
            last: Some(Timestamp::from_seconds(row.get(3)?)),
        };
        usage.set(activity, tally);
    }
    Ok(())
}

/// The usage of one skill day by day.
pub(super) fn days(
    connection: &Connection,
    key: &Key,
    days: &RangeInclusive<Day>,
) -> rusqlite::Result<Vec<DayUsage>> {
    let mut statement = connection.prepare(
        "SELECT day, activity, count
         FROM skill JOIN day ON day.skill = skill.number
         WHERE id = ?1 AND origin = ?2 AND day BETWEEN ?3 AND ?4
         ORDER BY day",
    )?;
    let (first, last) = (days.start().number(), days.end().number());
    let mut rows = statement.query(params![key.id, key.origin, first, last])?;
    let mut found: Vec<DayUsage> = Vec::new();
    while let Some(row) = rows.next()? {
        let day = Day::from_number(row.get(0)?);
        let Some(activity) = activity(row, 1)? else {
            continue;
        };
        if found.last().is_none_or(|last| last.day != day) {
            found.push(DayUsage::empty(day));
        }
        if let Some(usage) = found.last_mut() {
            usage.add(activity, count(row, 2)?);
        }
    }
    Ok(found)
}

fn activity(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Activity>> {
    let word: String = row.get(column)?;
    Ok(Activity::from_word(&word))
}

fn count(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let count: i64 = row.get(column)?;
    Ok(u64::try_from(count).unwrap_or(0))
}
