//! The choices as a file: small, plain JSON that people can read and that is read without a database.
//!
//! ```json
//! {"version": 1, "skills": [{"id": "deploy", "origin": "/home/me/.claude/skills",
//!   "archived": {"at": "2026-12-01T09:30:00Z", "reason": "replaced by release"}}]}
//! ```

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::choices::{Choices, Standing};
use crate::error::StoreError;
use crate::key::Key;
use crate::limits;

/// The name of the file in the directory of the records.
pub const FILE_NAME: &str = "choices.json";

/// The version of the format that is written, and the newest that is read.
const VERSION: u32 = 1;

#[derive(Deserialize, Serialize)]
struct Document {
    version: u32,
    skills: Vec<Row>,
}

#[derive(Deserialize, Serialize)]
struct Row {
    #[serde(flatten)]
    key: Key,
    #[serde(flatten)]
    standing: Standing,
}

/// What a text of choices may be instead of choices.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unreadable {
    /// A newer program wrote it.
    #[error("its version is {0}")]
    Newer(u32),
    /// It is no such text.
    #[error("{0}")]
    Damaged(String),
}

/// The choices that are kept in this directory. Nothing is opened but their file; none are there without one.
///
/// # Errors
///
/// [`StoreError::Damaged`] when the file holds something else, [`StoreError::Newer`] when a newer program wrote it,
/// [`StoreError::File`] when it cannot be read.
pub fn read(directory: &Path) -> Result<Choices, StoreError> {
    Ok(read_if_there(&directory.join(FILE_NAME))?.unwrap_or_default())
}

/// The choices in a file; nothing when there is no file.
pub(crate) fn read_if_there(path: &Path) -> Result<Option<Choices>, StoreError> {
    let failed = |error| StoreError::file(path, error);
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let mut text = Vec::new();
    file.take(limits::CHOICES_BYTES + 1)
        .read_to_end(&mut text)
        .map_err(failed)?;
    if text.len() as u64 > limits::CHOICES_BYTES {
        let reason = format!("it has more than {} bytes", limits::CHOICES_BYTES);
        return Err(Unreadable::Damaged(reason).at(path));
    }
    parse(&text).map(Some).map_err(|error| error.at(path))
}

/// The choices that a text stands for.
pub(crate) fn parse(text: &[u8]) -> Result<Choices, Unreadable> {
    #[derive(Deserialize)]
    struct Version {
        version: u32,
    }
    let damaged = |error: serde_json::Error| Unreadable::Damaged(error.to_string());
    // The version alone first: what a newer one looks like is not known.
    let Version { version } = serde_json::from_slice(text).map_err(damaged)?;
    if version > VERSION {
        return Err(Unreadable::Newer(version));
    }
    let document: Document = serde_json::from_slice(text).map_err(damaged)?;
    let mut choices = Choices::default();
    for row in document.skills {
        choices.set(row.key, row.standing);
    }
    Ok(choices)
}

/// The text of choices, sorted, with a line break at its end.
///
/// # Errors
///
/// [`StoreError::Damaged`] for choices that no text can stand for, which are none that were read or made by this crate.
pub fn text(choices: &Choices) -> Result<String, StoreError> {
    let rows = choices.iter().map(|(key, standing)| Row {
        key: key.clone(),
        standing: standing.clone(),
    });
    let document = Document {
        version: VERSION,
        skills: rows.collect(),
    };
    let text = serde_json::to_string_pretty(&document);
    text.map(|text| text + "\n")
        .map_err(|error| Unreadable::Damaged(error.to_string()).at(Path::new(FILE_NAME)))
}

impl Unreadable {
    fn at(self, path: &Path) -> StoreError {
        let path = PathBuf::from(path);
        match self {
            Self::Newer(found) => StoreError::Newer {
                path,
                found,
                known: VERSION,
            },
            Self::Damaged(reason) => StoreError::Damaged { path, reason },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices::{Approval, Archived, Choice};
    use crate::time::Timestamp;

    #[test]
    fn choices_are_written_and_read_back() {
        let at = Timestamp::from_seconds(1_796_117_400);
        let mut choices = Choices::default();
        let reason = Some("no \"use\"\u{1b}".parse().unwrap());
        choices.apply(
            &Key::new("b", "/r"),
            Choice::Archive(Archived { at, reason }),
        );
        choices.apply(&Key::new("a", "plugin:x"), Choice::Pin(at));
        for (what, used) in [("schedule:daily", Some(at)), ("inline-shell", None)] {
            let approval = Approval {
                used,
                reason: used.map(|_| "looked at".parse().unwrap()),
                ..Approval::new("sha256:0", at)
            };
            let what = what.to_owned();
            choices.apply(&Key::new("a", "/r"), Choice::Approve { what, approval });
        }
        let text = text(&choices).unwrap();
        assert!(text.contains("2026-12-01T09:30:00Z"), "{text}");
        assert_eq!(parse(text.as_bytes()).unwrap(), choices);
    }

    #[test]
    fn an_approval_from_before_uses_were_noted_is_read() {
        let text = r#"{"version": 1, "skills": [{"id": "a", "origin": "/r",
            "approvals": {"inline-shell": {"digest": "sha256:0", "at": "2026-12-01T09:30:00Z"}}}]}"#;
        let choices = parse(text.as_bytes()).unwrap();
        let approval = choices.approval(&Key::new("a", "/r"), "inline-shell");
        let at = Timestamp::from_seconds(1_796_117_400);
        assert_eq!(approval, Some(&Approval::new("sha256:0", at)));
        assert!(!super::text(&choices).unwrap().contains("used"));
    }

    #[test]
    fn what_is_no_file_of_choices_is_told_from_a_newer_one() {
        let reading = |text: &str| parse(text.as_bytes()).unwrap_err();
        assert!(matches!(
            reading(r#"{"version": 2, "people": 7}"#),
            Unreadable::Newer(2)
        ));
        for text in [
            "",
            "[]",
            "{}",
            "\0\0",
            r#"{"version": 1}"#,
            r#"{"version": 1, "skills": [{"id": "a"}]}"#,
            r#"{"version": 1, "skills": [{"id": "a", "origin": "r", "pinned": "soon"}]}"#,
        ] {
            assert!(matches!(reading(text), Unreadable::Damaged(_)), "{text}");
        }
    }

    #[test]
    fn without_a_file_nothing_was_chosen() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(read(directory.path()).unwrap(), Choices::default());
        let file = directory.path().join(FILE_NAME);
        std::fs::write(&file, "{").unwrap();
        let error = read(directory.path()).unwrap_err();
        assert!(error.to_string().contains(FILE_NAME), "{error}");
    }
}
