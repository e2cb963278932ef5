//! From the text of a lock to what it says. A lock is written by a program: what is wrong with it is an error with the
//! entry and the member, and never guessed around, because files are deleted by it.

use toml_edit::{Document, Item, Table, TableLike, Value};

use super::{Lock, LockedFile, LockedSkill, LockedTarget, Resolved, VERSION};
use crate::targets::Method;

/// A lock cannot be used. It is left as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LockError {
    /// It holds the marks of a merge that did not come to an end.
    #[error(
        "line {line}: a merge left its marks; keep the entries of both sides, then install again"
    )]
    Conflict {
        /// The line of the first mark, from 1.
        line: usize,
    },
    /// It is not TOML.
    #[error("{0}")]
    Syntax(String),
    /// A newer program wrote it.
    #[error("it has version {0}, and this program knows {VERSION}; use a newer one")]
    Newer(i64),
    /// A member is missing, or holds something else than it must.
    #[error("{entry}: `{member}` {reason}")]
    Member {
        /// The skill's entry, or `the file`.
        entry: String,
        /// The member.
        member: String,
        /// What is wrong.
        reason: &'static str,
    },
}

impl Lock {
    /// Reads a lock.
    ///
    /// # Errors
    ///
    /// See [`LockError`].
    pub fn parse(text: &str) -> Result<Self, LockError> {
        if let Some(line) = conflict(text) {
            return Err(LockError::Conflict { line });
        }
        let document =
            Document::parse(text).map_err(|error| LockError::Syntax(error.to_string()))?;
        let mut lock = Self::default();
        let file = Entry::new("the file", document.as_table());
        let version = document.get("version").and_then(Item::as_integer);
        match version {
            Some(VERSION) => {}
            Some(newer) if newer > VERSION => return Err(LockError::Newer(newer)),
            _ => return Err(file.fault("version", "is missing or no version")),
        }
        for (name, item) in document.iter() {
            match name {
                "version" => {}
                "skill" => {
                    let tables = item
                        .as_array_of_tables()
                        .ok_or_else(|| file.fault(name, "is not a list of tables"))?;
                    for table in tables {
                        let skill = skill(table)?;
                        if lock.skills.contains_key(&skill.id) {
                            return Err(file.fault(&skill.id, "is there twice"));
                        }
                        lock.skills.insert(skill.id.clone(), skill);
                    }
                }
                _ => lock.other.push((name.to_owned(), item.clone())),
            }
        }
        Ok(lock)
    }
}

/// The line of the first mark that a merge left.
fn conflict(text: &str) -> Option<usize> {
    const MARKS: [&str; 3] = ["<<<<<<< ", ">>>>>>> ", "======="];
    let is_mark = |line: &str| MARKS.iter().any(|mark| line.starts_with(mark));
    text.lines().position(is_mark).map(|index| index + 1)
}

/// The members that are known. All else is kept as it is.
const KNOWN: &[&str] = &[
    "address", "artifact", "commit", "digest", "etag", "files", "id", "license", "path", "source",
    "targets", "tree", "verdict", "version",
];

fn skill(table: &Table) -> Result<LockedSkill, LockError> {
    let unnamed = Entry::new("an entry", table);
    let id = unnamed.text("id")?;
    let entry = Entry::new(&id, table);
    if skillmd::skill_id(&id).as_deref() != Some(id.as_str()) {
        return Err(entry.fault("id", "is not the id of a skill"));
    }
    let other = table
        .iter()
        .filter(|(name, _)| KNOWN.binary_search(name).is_err())
        .map(|(name, item)| (name.to_owned(), item.clone()))
        .collect();
    Ok(LockedSkill {
        source: entry.text("source")?,
        resolved: Resolved {
            address: entry.text("address")?,
            path: entry.optional("path")?.unwrap_or_default(),
            commit: entry.optional("commit")?,
            tree: entry.optional("tree")?,
            artifact: entry.optional("artifact")?,
            version: entry.optional("version")?,
            etag: entry.optional("etag")?,
        },
        digest: entry.text("digest")?,
        files: entry.list("files", file)?,
        targets: entry.list("targets", target)?,
        license: entry.optional("license")?,
        verdict: entry.optional("verdict")?,
        other,
        id,
    })
}

fn file(entry: &Entry<'_>) -> Result<LockedFile, LockError> {
    let size = entry.table.get("size").and_then(Item::as_integer);
    let size = size.and_then(|size| u64::try_from(size).ok());
    let executable = entry.table.get("executable").map(Item::as_bool);
    Ok(LockedFile {
        path: entry.text("path")?,
        size: size.ok_or_else(|| entry.fault("size", "is not a length"))?,
        sha256: entry.text("sha256")?,
        executable: executable
            .unwrap_or(Some(false))
            .ok_or_else(|| entry.fault("executable", "is neither true nor false"))?,
    })
}

fn target(entry: &Entry<'_>) -> Result<LockedTarget, LockError> {
    let method = entry.text("method")?;
    Ok(LockedTarget {
        path: entry.text("path")?,
        client: entry.optional("client")?,
        method: Method::of_word(&method)
            .ok_or_else(|| entry.fault("method", "is neither `copy` nor `link`"))?,
    })
}

/// A table whose members are asked for.
struct Entry<'a> {
    name: &'a str,
    table: &'a dyn TableLike,
}

impl<'a> Entry<'a> {
    fn new(name: &'a str, table: &'a dyn TableLike) -> Self {
        Self { name, table }
    }

    fn fault(&self, member: &str, reason: &'static str) -> LockError {
        LockError::Member {
            entry: self.name.to_owned(),
            member: member.to_owned(),
            reason,
        }
    }

    fn text(&self, member: &str) -> Result<String, LockError> {
        self.optional(member)?
            .ok_or_else(|| self.fault(member, "is missing"))
    }

    fn optional(&self, member: &str) -> Result<Option<String>, LockError> {
        let Some(item) = self.table.get(member) else {
            return Ok(None);
        };
        match item.as_str() {
            Some(text) => Ok(Some(text.to_owned())),
            None => Err(self.fault(member, "is not a text")),
        }
    }

    /// A list of inline tables; empty when it is not there.
    fn list<T>(
        &self,
        member: &str,
        read: impl Fn(&Entry<'_>) -> Result<T, LockError>,
    ) -> Result<Vec<T>, LockError> {
        let Some(item) = self.table.get(member) else {
            return Ok(Vec::new());
        };
        let fault = || self.fault(member, "is not a list of tables");
        let array = item.as_array().ok_or_else(fault)?;
        let tables = array.iter().map(Value::as_inline_table);
        tables
            .map(|table| read(&Entry::new(self.name, table.ok_or_else(fault)?)))
            .collect()
    }
}
