//! Verdicts in SQL.

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use crate::limits;
use crate::verdicts::{Scanned, Sighting, Sightings};

/// All sightings under these rules.
pub(super) fn sightings(connection: &Connection, rules: &str) -> rusqlite::Result<Sightings> {
    let mut statement = connection.prepare(
        // In this order, whatever SQLite would guess: each verdict is then found by its number alone.
        "SELECT place, stamp, digest, outcome
         FROM sighting CROSS JOIN verdict ON verdict.number = sighting.verdict
         WHERE rules = ?1",
    )?;
    let mut rows = statement.query([rules])?;
    let mut sightings = Sightings::new();
    while let Some(row) = rows.next()? {
        let sighting = Sighting {
            stamp: row.get(1)?,
            digest: row.get(2)?,
            outcome: row.get(3)?,
        };
        sightings.insert(row.get(0)?, sighting);
    }
    Ok(sightings)
}

/// What a scan of this content came to under these rules.
pub(super) fn outcome(
    connection: &Connection,
    rules: &str,
    digest: &str,
) -> rusqlite::Result<Option<Vec<u8>>> {
    connection
        .query_row(
            "SELECT outcome FROM verdict WHERE digest = ?1 AND rules = ?2",
            [digest, rules],
            |row| row.get(0),
        )
        .optional()
}

/// Keeps what scans came to, in one transaction, and drops what other rules said.
pub(super) fn keep(
    connection: &mut Connection,
    rules: &str,
    scanned: &[Scanned],
) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute("DELETE FROM verdict WHERE rules <> ?1", [rules])?;
    {
        let mut verdict = transaction.prepare(
            "INSERT INTO verdict (digest, rules, outcome) VALUES (?1, ?2, ?3)
             ON CONFLICT (digest, rules) DO UPDATE SET outcome = excluded.outcome
             RETURNING number",
        )?;
        // A place that is seen again is the newest: it gets a new number.
        let mut sighting = transaction.prepare(
            "INSERT OR REPLACE INTO sighting (place, stamp, verdict) VALUES (?1, ?2, ?3)",
        )?;
        let kept = scanned.iter().filter(|scanned| scanned.is_kept());
        for scanned in kept {
            let number: i64 = verdict
                .query_row(params![scanned.digest, rules, scanned.outcome], |row| {
                    row.get(0)
                })?;
            if let Some(seen) = &scanned.seen {
                sighting.execute(params![seen.place, seen.stamp, number])?;
            }
        }
    }
    drop_oldest(&transaction, limits::VERDICTS)?;
    transaction.commit()
}

/// Keeps no more than so many verdicts and sightings, the newest.
pub(super) fn drop_oldest(transaction: &Transaction<'_>, most: usize) -> rusqlite::Result<()> {
    for table in ["sighting", "verdict"] {
        let statement = format!(
            "DELETE FROM {table} WHERE number <=
             (SELECT number FROM {table} ORDER BY number DESC LIMIT 1 OFFSET ?1)"
        );
        transaction.execute(&statement, [i64::try_from(most).unwrap_or(i64::MAX)])?;
    }
    Ok(())
}
