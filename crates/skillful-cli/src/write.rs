//! How the command writes files: as changes that `undo` takes back where there is a home to keep a history in, and whole,
//! next to the old one and swapped in by rename, where there is none. A result that somebody asked for in a file of its
//! own, such as an archive, is no change of anything and is always written so.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use skillful::{Host, Options};
use skillful_manage::named::{self, NamedError, Rewrite};
use skillful_manage::{Change, ChangeError, DataDirectory, Writer};
use tempfile::NamedTempFile;

use crate::args::GlobalArgs;
use crate::error::CommandError;
use crate::terminal::warn;

/// The history of the world of a command; nothing where none can be kept. It waits for whoever else writes.
pub(crate) fn open_history(host: &Host, options: &Options) -> Result<Option<Writer>, ChangeError> {
    let Some(data) = DataDirectory::of(host, options) else {
        return Ok(None);
    };
    match Writer::open(&data) {
        // In a container or on a server the home is often not to be written.
        Err(error @ ChangeError::Io { .. }) => {
            warn(&format!(
                "no history can be kept, so that `skillful undo` cannot take this back: {error}"
            ));
            Ok(None)
        }
        opened => opened.map(Some),
    }
}

/// Writes files that a person named, and keeps a history of it.
pub(crate) struct Scribe {
    writer: Option<Writer>,
    working_directory: PathBuf,
}

impl Scribe {
    /// The one for the world of a command. To be made when there is something to write: it waits for whoever else does.
    pub(crate) fn of(host: &Host, options: &Options) -> Result<Self, CommandError> {
        Ok(Self {
            writer: open_history(host, options).map_err(CommandError::failed)?,
            working_directory: host.working_directory().to_owned(),
        })
    }

    /// The same for a command that needs no more of its world.
    pub(crate) fn for_command(global: &GlobalArgs) -> Result<Self, CommandError> {
        let options = Options {
            roots: global.root.clone(),
            project: global.project.clone(),
            home: global.home.clone(),
            extra: Vec::new(),
        };
        Self::of(&Host::from_environment(), &options)
    }

    /// Gives each file its new content. They are one change; where that cannot be made, each is one of its own, so that a
    /// file that cannot be written does not keep the others from it.
    pub(crate) fn rewrite_all(
        &mut self,
        change: &Change,
        files: &[Rewrite],
    ) -> Vec<Result<(), CommandError>> {
        let plain: Option<Vec<Rewrite>> = files.iter().map(|file| self.plain(file)).collect();
        if let (Some(writer), Some(plain), [_, _, ..]) = (&mut self.writer, &plain, files)
            && named::rewrite(writer, change.clone(), plain).is_ok()
        {
            return files.iter().map(|_| Ok(())).collect();
        }
        let transaction = Change::new_transaction();
        let files = files.iter();
        files
            .map(|file| self.rewrite(change.clone().within(&transaction), file))
            .collect()
    }

    /// Gives a file its new content.
    pub(crate) fn rewrite(&mut self, change: Change, file: &Rewrite) -> Result<(), CommandError> {
        let plain = self.plain(file);
        match (&mut self.writer, plain) {
            (Some(writer), Some(plain)) => match named::rewrite(writer, change, &[plain]) {
                Ok(_) | Err(NamedError::Change(ChangeError::Nothing)) => Ok(()),
                Err(error) => Err(refused(&error)),
            },
            _ if file.before.is_none() => create(&file.path, &file.after),
            _ => replace(&file.path, &file.after),
        }
    }

    /// Makes a directory with a file in it; the directory must not exist.
    pub(crate) fn make_directory(
        &mut self,
        change: Change,
        directory: &Path,
        file: &str,
        bytes: &[u8],
    ) -> Result<(), CommandError> {
        let plain = named::plain_path(&self.working_directory, directory);
        if let (Some(writer), Some(plain)) = (&mut self.writer, plain) {
            let made = named::make_directory(writer, change, &plain, file, bytes);
            made.map(drop).map_err(|error| match error {
                NamedError::Exists(_) => exists(directory),
                error => refused(&error),
            })
        } else {
            create_directory(directory)?;
            create(&directory.join(file), bytes)
        }
    }

    /// The same file by its absolute path, where there is one that a change can be made at.
    fn plain(&self, file: &Rewrite) -> Option<Rewrite> {
        let path = named::plain_path(&self.working_directory, &file.path)?;
        Some(Rewrite {
            path,
            ..file.clone()
        })
    }
}

fn refused(error: &NamedError) -> CommandError {
    let failure = CommandError::failed(error);
    match error {
        NamedError::Link(_) => failure.hint("name the file that it points to"),
        _ => failure,
    }
}

fn exists(directory: &Path) -> CommandError {
    CommandError::failed(format_args!("{} exists already", directory.display()))
        .hint("choose another name, or edit the skill that is there")
}

/// Makes a directory, which must not exist: a skill that is there is never touched.
fn create_directory(directory: &Path) -> Result<(), CommandError> {
    let failed = |error: std::io::Error| {
        CommandError::failed(format_args!(
            "{} could not be made: {error}",
            directory.display()
        ))
    };
    let parent = directory.parent();
    if let Some(parent) = parent.filter(|parent| !parent.as_os_str().is_empty()) {
        fs::create_dir_all(parent).map_err(failed)?;
    }
    fs::create_dir(directory).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => exists(directory),
        _ => failed(error),
    })
}

/// Replaces the file at `path` by `bytes`. A process killed at any point leaves the old file or the new one; the
/// permissions stay. A link is refused: what it points to may belong to somebody else.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    let failed = |error: std::io::Error| {
        CommandError::failed(format_args!(
            "{} could not be written: {error}",
            path.display()
        ))
    };
    let metadata = fs::symlink_metadata(path).map_err(failed)?;
    if metadata.is_symlink() {
        return Err(CommandError::failed(format_args!(
            "{} is a link and was left alone",
            path.display()
        ))
        .hint("name the file that it points to"));
    }
    let mut staged = staged_beside(path).map_err(failed)?;
    staged.write_all(bytes).map_err(failed)?;
    staged
        .as_file()
        .set_permissions(metadata.permissions())
        .map_err(failed)?;
    staged.as_file().sync_all().map_err(failed)?;
    staged.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Writes `bytes` to a new file at `path`; a file that exists is never overwritten.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    let failed = |error: std::io::Error| {
        CommandError::failed(format_args!(
            "{} could not be written: {error}",
            path.display()
        ))
    };
    let mut staged = staged_beside(path).map_err(failed)?;
    staged.write_all(bytes).map_err(failed)?;
    // A staged file is private until it is known what it is; what people write is theirs to read.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let permissions = fs::Permissions::from_mode(0o644);
        staged
            .as_file()
            .set_permissions(permissions)
            .map_err(failed)?;
    }
    staged.as_file().sync_all().map_err(failed)?;
    staged
        .persist_noclobber(path)
        .map_err(|error| failed(error.error))?;
    Ok(())
}

fn staged_beside(path: &Path) -> std::io::Result<NamedTempFile> {
    let directory = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    tempfile::Builder::new()
        .prefix(".skillful-")
        .tempfile_in(directory)
}
