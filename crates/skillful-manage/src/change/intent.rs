//! The file that tells of a change while it is under way.
//!
//! It is written as `ID.staging` before anything is put beside targets, so that what lies there can be found again, and
//! renamed to `ID.intent` when all of it is there: with that rename the change is decided.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use serde::{Deserialize, Serialize};
use skillful_store::journal::NewEntry;

use super::error::ChangeError;
use crate::data::make_private;
use crate::{disk, limits};

const STAGING: &str = "staging";
const DECIDED: &str = "intent";

/// The version of the file's form.
const VERSION: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
struct Document {
    version: u32,
    entry: NewEntry,
}

/// A change that is under way.
#[derive(Debug)]
pub(super) struct Intent {
    pub(super) path: PathBuf,
    pub(super) entry: NewEntry,
    pub(super) is_decided: bool,
}

impl Intent {
    /// Puts on record that what is staged for a change lies beside its targets.
    pub(super) fn record(directory: &Path, entry: NewEntry) -> Result<Self, ChangeError> {
        make_private(directory).map_err(ChangeError::io(directory))?;
        let path = directory.join(format!("{}.{STAGING}", entry.id));
        let document = Document {
            version: VERSION,
            entry,
        };
        let written = || {
            let mut file = File::create_new(&path)?;
            file.write_all(&serde_json::to_vec(&document)?)?;
            file.sync_all()?;
            sync(directory)
        };
        if let Err(error) = written() {
            let _ = fs::remove_file(&path);
            return Err(ChangeError::io(&path)(error));
        }
        Ok(Self {
            path,
            entry: document.entry,
            is_decided: false,
        })
    }

    /// Decides that the change is made.
    pub(super) fn decide(&mut self) -> Result<(), ChangeError> {
        let decided = self.path.with_extension(DECIDED);
        fs::rename(&self.path, &decided).map_err(ChangeError::io(&decided))?;
        self.path = decided;
        self.is_decided = true;
        let directory = self.path.parent().unwrap_or(&self.path);
        sync(directory).map_err(ChangeError::io(directory))
    }

    /// The change is done or taken back.
    pub(super) fn remove(self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }

    /// All changes that are under way; whoever asks holds the lock, so that nobody is at work on them.
    pub(super) fn left(directory: &Path) -> Result<Vec<Self>, ChangeError> {
        let entries = match fs::read_dir(directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(ChangeError::io(directory)(error)),
        };
        let mut paths = Vec::new();
        for entry in entries {
            paths.push(entry.map_err(ChangeError::io(directory))?.path());
        }
        paths.sort();
        let mut left = Vec::new();
        for path in paths {
            left.extend(Self::read(path)?);
        }
        Ok(left)
    }

    fn read(path: PathBuf) -> Result<Option<Self>, ChangeError> {
        let is_decided = match path.extension().and_then(|extension| extension.to_str()) {
            Some(DECIDED) => true,
            Some(STAGING) => false,
            _ => return Ok(None),
        };
        let mut bytes = Vec::new();
        File::open(&path)
            .and_then(|file| file.take(limits::INTENT_BYTES).read_to_end(&mut bytes))
            .map_err(ChangeError::io(&path))?;
        match serde_json::from_slice::<Document>(&bytes) {
            Ok(Document { version, entry }) if version == VERSION => Ok(Some(Self {
                path,
                entry,
                is_decided,
            })),
            // The process ended while it wrote this, before anything was put anywhere.
            Err(_) if !is_decided => {
                fs::remove_file(&path).map_err(ChangeError::io(&path))?;
                Ok(None)
            }
            Ok(Document { version, .. }) => Err(ChangeError::Intent {
                reason: format!(
                    "its form is version {version}, and this program knows {VERSION}; update it"
                ),
                path,
            }),
            Err(error) => Err(ChangeError::Intent {
                reason: error.to_string(),
                path,
            }),
        }
    }
}

fn sync(directory: &Path) -> io::Result<()> {
    disk::sync_directory(&Dir::open_ambient_dir(directory, ambient_authority())?)
}
