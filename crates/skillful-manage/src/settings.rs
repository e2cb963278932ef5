//! Changing configuration files: which file is meant, and a change of it that loses nothing.
//!
//! A file that is not TOML is refused with the place. A link is followed to the file that it leads to, but a project's
//! file must not lead out of the project. Two processes that change one file take turns. A file is replaced whole, so
//! that a process killed at any point leaves the old one or the new one.

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use skillful::config::edit::{self, EditError};
use skillful::config::{ConfigFile, KeyPath, Level, Value, read_files, schema};
use skillful::contract::ChangeDocument;
use tempfile::NamedTempFile;

use crate::change::{Change, ChangeError, Writer};
use crate::named::{self, NamedError, Rewrite};

/// How often another process is waited for, and how long each time.
const TURNS: u32 = 100;
const TURN: Duration = Duration::from_millis(20);

/// Why a configuration file was left as it was.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// No file of this level counts.
    #[error("{} counts here", which(*.0))]
    NoFile(Level),
    /// It cannot be edited.
    #[error("{}{}{error}", path.display(), separator(error))]
    Edit {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: EditError,
    },
    /// A project's file is a link to somewhere else.
    #[error("{} leads out of the project", .0.display())]
    LeadsOut(PathBuf),
    /// Another process does not come to an end.
    #[error("another process is changing {}", .0.display())]
    Busy(PathBuf),
    /// It cannot be read as text.
    #[error("{}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The history cannot be kept.
    #[error(transparent)]
    History(#[from] ChangeError),
    /// The change could not be made.
    #[error(transparent)]
    Write(#[from] NamedError),
    /// The system says no.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What it says.
        error: io::Error,
    },
}

const fn which(level: Level) -> &'static str {
    match level {
        Level::Project => "no project's configuration file",
        _ => "no configuration file of yours",
    }
}

/// A place in a file stands right behind its name.
const fn separator(error: &EditError) -> &'static str {
    match error {
        EditError::Syntax { .. } => ":",
        EditError::NotTable { .. } | EditError::IsTable { .. } => ": ",
    }
}

/// The file of a level, and what became of it.
#[derive(Clone, Debug)]
pub struct Changed {
    /// The file.
    pub file: ConfigFile,
    /// Whether it is different from before.
    pub is_new: bool,
    /// What it holds now.
    text: String,
}

impl Changed {
    /// What the file says under a key now.
    pub fn says(&self, key: &KeyPath) -> Option<Value> {
        let text = edit::given(&self.text, key)?;
        Value::from_text(schema::find(key)?.kind, &text).ok()
    }

    /// The document of a change of one key; without a value it was taken out.
    pub fn document(&self, key: &KeyPath, value: Option<&Value>) -> ChangeDocument<'_> {
        let value = value.map_or(serde_json::Value::Null, Value::to_json);
        ChangeDocument::new(key, value, self.file.level, &self.file.path, self.is_new)
    }
}

/// The file among these that belongs to a level; a file that was named stands for all.
///
/// # Errors
///
/// [`SettingsError::NoFile`].
pub fn target(files: &[ConfigFile], level: Level) -> Result<&ConfigFile, SettingsError> {
    let is_meant = |file: &&ConfigFile| file.level == level || file.level == Level::Named;
    files
        .iter()
        .find(is_meant)
        .ok_or(SettingsError::NoFile(level))
}

/// Where a change of a configuration file is put on record.
pub struct History<'a> {
    /// What is said of it there.
    pub change: Change,
    /// Opens the history, which takes turns with whoever else writes; nothing where none is kept. It is asked only when
    /// there is something to write.
    pub open: &'a dyn Fn() -> Result<Option<Writer>, ChangeError>,
}

impl fmt::Debug for History<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("History")
            .field(&self.change)
            .finish()
    }
}

/// Changes the file of a level; it is made when it is not there. `by` gives the new text, or nothing to leave the file
/// as it is.
///
/// # Errors
///
/// [`SettingsError`]; the file is as it was then.
pub fn change(
    files: &[ConfigFile],
    level: Level,
    history: History<'_>,
    by: impl Fn(&str) -> Result<Option<String>, EditError>,
) -> Result<Changed, SettingsError> {
    let file = target(files, level)?;
    let edited = || -> Result<Edited, SettingsError> {
        let old = text(file)?;
        let new = by(old.as_deref().unwrap_or_default()).map_err(|error| SettingsError::Edit {
            path: file.path.clone(),
            error,
        })?;
        let new = new.filter(|new| Some(new) != old.as_ref());
        Ok(Edited { old, new })
    };
    let mut outcome = edited()?;
    // What changes nothing makes no directory.
    if outcome.new.is_some() {
        let directory = file.path.parent().unwrap_or(Path::new("."));
        let mut writer = (history.open)()?;
        let real = real_path(file)?;
        // The history has a lock for all that it keeps; where there is none, the directory is locked.
        let _turn = if writer.is_some() {
            None
        } else {
            fs::create_dir_all(directory).map_err(|error| cannot(directory, error))?;
            take_turn(real.parent().unwrap_or(directory), &file.path)?
        };
        // Another process may have changed the file meanwhile.
        outcome = edited()?;
        if let Some(new) = &outcome.new {
            let here = std::path::absolute(&real).map_err(|error| cannot(&real, error))?;
            match (&mut writer, named::plain_path(Path::new(""), &here)) {
                (Some(writer), Some(path)) => {
                    let rewrite = Rewrite {
                        path,
                        before: outcome.old.clone().map(String::into_bytes),
                        after: new.clone().into_bytes(),
                    };
                    named::rewrite(writer, history.change, &[rewrite])?;
                }
                _ => write(&real, new, outcome.old.is_some())
                    .map_err(|error| cannot(&real, error))?,
            }
        }
    }
    Ok(Changed {
        file: file.clone(),
        is_new: outcome.new.is_some(),
        text: outcome.new.or(outcome.old).unwrap_or_default(),
    })
}

/// A file before and after an edit.
struct Edited {
    /// Nothing when the file does not exist.
    old: Option<String>,
    /// Nothing when it stays as it is.
    new: Option<String>,
}

/// The file that is really written.
fn real_path(file: &ConfigFile) -> Result<PathBuf, SettingsError> {
    let path = &file.path;
    if fs::symlink_metadata(path).is_err() {
        return Ok(path.clone());
    }
    let real = fs::canonicalize(path).map_err(|error| cannot(path, error))?;
    let project = path
        .parent()
        .and_then(|directory| fs::canonicalize(directory).ok());
    if file.level == Level::Project && project.is_some_and(|project| !real.starts_with(project)) {
        return Err(SettingsError::LeadsOut(path.clone()));
    }
    Ok(real)
}

/// Writes the text beside the file and swaps it in. Permissions of a file that is there stay; a new one is for everybody
/// to read, and never takes the place of one that appeared meanwhile.
fn write(path: &Path, text: &str, exists: bool) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    let mut staged = tempfile::Builder::new()
        .prefix(".skillful-")
        .tempfile_in(directory)?;
    staged.write_all(text.as_bytes())?;
    permit(&staged, path, exists)?;
    staged.as_file().sync_all()?;
    if exists {
        staged.persist(path)?;
    } else {
        staged.persist_noclobber(path)?;
    }
    Ok(())
}

fn permit(staged: &NamedTempFile, path: &Path, exists: bool) -> io::Result<()> {
    if exists {
        let permissions = fs::symlink_metadata(path)?.permissions();
        return staged.as_file().set_permissions(permissions);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        staged
            .as_file()
            .set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    Ok(())
}

/// Waits until no other process changes a file in the directory. Where directories cannot be locked, as on Windows, the
/// last one to write counts.
fn take_turn(directory: &Path, path: &Path) -> Result<Option<File>, SettingsError> {
    let Ok(lock) = File::open(directory) else {
        return Ok(None);
    };
    for _ in 0..TURNS {
        match lock.try_lock() {
            Ok(()) => return Ok(Some(lock)),
            Err(TryLockError::WouldBlock) => thread::sleep(TURN),
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
    Err(SettingsError::Busy(path.to_owned()))
}

/// What the file holds; nothing when it does not exist.
fn text(file: &ConfigFile) -> Result<Option<String>, SettingsError> {
    let read = read_files(std::slice::from_ref(file)).into_iter().next();
    let text = read.map(|read| read.text).transpose();
    text.map_err(|reason| SettingsError::Unreadable {
        path: file.path.clone(),
        reason,
    })
}

fn cannot(path: &Path, error: io::Error) -> SettingsError {
    SettingsError::Io {
        path: path.to_owned(),
        error,
    }
}
