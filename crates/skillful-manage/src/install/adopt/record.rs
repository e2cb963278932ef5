//! What another tool tells about one skill.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::Tool;
use super::origin::Origin;
use crate::limits;

/// Something that a tool tells of one skill.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) tool: Tool,
    /// The name, as the tool has it.
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) origin: Result<Origin, String>,
}

/// Where a tool says that a skill lies.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// In a directory of this name in one of the clients' directories.
    Named(String),
    /// At a relative path of foreign text, below a directory of ours.
    Below { base: PathBuf, path: String },
    /// Where we found it ourselves.
    Found(PathBuf),
}

/// A file of another tool that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReadFault {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: String,
}

/// Something that another tool manages and keeps.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mention {
    /// The tool.
    pub tool: Tool,
    /// Its name for it.
    pub name: String,
    /// The version, if it tells one.
    pub version: Option<String>,
}

/// All that the tools tell.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) records: Vec<Record>,
    pub(super) faults: Vec<ReadFault>,
    pub(super) mentions: Vec<Mention>,
}

impl Told {
    /// The text of a file; nothing when there is none, or when it cannot be read, which is noted.
    pub(super) fn text(&mut self, path: &Path) -> Option<String> {
        match text(path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => None,
            Err(error) => {
                self.fault(path, error);
                None
            }
        }
    }

    /// The JSON of a file.
    pub(super) fn json(&mut self, path: &Path) -> Option<serde_json::Value> {
        let text = self.text(path)?;
        match serde_json::from_str(&text) {
            Ok(value) => Some(value),
            Err(error) => {
                self.fault(path, error);
                None
            }
        }
    }

    pub(super) fn fault(&mut self, path: &Path, reason: impl std::fmt::Display) {
        self.faults.push(ReadFault {
            path: path.to_owned(),
            reason: reason.to_string(),
        });
    }
}

fn text(path: &Path) -> io::Result<String> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let mut bytes = Vec::new();
    let limit = limits::FOREIGN_LOCK_BYTES;
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let message = format!("it has more than {limit} bytes, the limit");
        return Err(io::Error::other(message));
    }
    String::from_utf8(bytes).map_err(io::Error::other)
}
