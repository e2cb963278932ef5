//! The directory of programs that we placed, and the list that says which they are.
//!
//! A file there that is not on the list, or that somebody changed, is not ours, and is never written over.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::download::{Sha256, read_all};
use crate::data::make_private;

/// Our programs.
#[derive(Debug)]
pub(super) struct Shelf {
    data: PathBuf,
    bin: PathBuf,
}

/// A program could not be placed.
#[derive(Debug, thiserror::Error)]
pub enum ShelfError {
    /// Something else is in its place.
    #[error("{} is not a program that Skillful placed, or was changed since, and was left alone: move it away first", .0.display())]
    NotOurs(PathBuf),
    /// The list of what is ours cannot be read.
    #[error("{} is not the list of programs that it should be: {reason}", path.display())]
    List {
        /// The list.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The operating system says no.
    #[error("{}: {error}", path.display())]
    Io {
        /// What could not be read or written.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

/// What is on the list.
#[derive(Debug, Default, Serialize, Deserialize)]
struct List {
    version: u32,
    programs: BTreeMap<String, Entry>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    sha256: String,
    /// Where it was fetched from.
    url: String,
    /// The skill that it was placed for.
    skill: String,
}

/// Where a program comes from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin<'a> {
    pub(super) url: &'a str,
    pub(super) skill: &'a str,
}

impl Shelf {
    /// The shelf of this directory of data.
    pub(super) fn of(data: &Path) -> Self {
        Self {
            data: data.to_owned(),
            bin: data.join("bin"),
        }
    }

    /// Puts a program in its place, whole or not at all. `name` is a plain file name.
    ///
    /// # Errors
    ///
    /// [`ShelfError`]; nothing was changed then.
    pub(super) fn place(
        &self,
        name: &str,
        bytes: &[u8],
        origin: Origin<'_>,
    ) -> Result<PathBuf, ShelfError> {
        make_private(&self.data).map_err(at(&self.data))?;
        make_private(&self.bin).map_err(at(&self.bin))?;
        let lock = self.data.join("programs.lock");
        let turn = File::create(&lock).map_err(at(&lock))?;
        turn.lock().map_err(at(&lock))?;

        let path = self.bin.join(name);
        let mut list = self.list()?;
        let sha256 = Sha256::of(bytes);
        let there = there(&path).map_err(at(&path))?;
        let known = list.programs.get(name).map(|entry| entry.sha256.as_str());
        match there {
            There::Nothing => {}
            There::File(found) if found == sha256 || known == Some(&*found.to_string()) => {}
            There::File(_) | There::Other => return Err(ShelfError::NotOurs(path)),
        }
        let staged = stage(&self.bin, bytes).map_err(at(&self.bin))?;
        match there {
            There::Nothing => staged.persist_noclobber(&path).map(drop),
            _ => staged.persist(&path).map(drop),
        }
        .map_err(|failed| at(&path)(failed.error))?;
        let entry = Entry {
            sha256: sha256.to_string(),
            url: origin.url.to_owned(),
            skill: origin.skill.to_owned(),
        };
        list.programs.insert(name.to_owned(), entry);
        self.write(&list)?;
        Ok(path)
    }

    fn list_path(&self) -> PathBuf {
        self.data.join("programs.json")
    }

    fn list(&self) -> Result<List, ShelfError> {
        let path = self.list_path();
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(List {
                    version: 1,
                    ..List::default()
                });
            }
            Err(error) => return Err(at(&path)(error)),
        };
        serde_json::from_slice(&bytes).map_err(|error| ShelfError::List {
            path,
            reason: error.to_string(),
        })
    }

    fn write(&self, list: &List) -> Result<(), ShelfError> {
        let path = self.list_path();
        let written = || -> io::Result<()> {
            let mut staged = NamedTempFile::new_in(&self.data)?;
            serde_json::to_writer_pretty(&mut staged, list)?;
            staged.write_all(b"\n")?;
            staged.as_file().sync_all()?;
            staged.persist(&path).map_err(|failed| failed.error)?;
            Ok(())
        };
        written().map_err(at(&path))
    }
}

/// What lies in a program's place.
enum There {
    Nothing,
    File(Sha256),
    /// A link, a directory, or the like.
    Other,
}

fn there(path: &Path) -> io::Result<There> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(There::Nothing),
        Err(error) => Err(error),
        Ok(found) if found.is_file() => Ok(There::File(Sha256::of(&read_all(File::open(path)?)?))),
        Ok(_) => Ok(There::Other),
    }
}

fn stage(bin: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut staged = tempfile::Builder::new()
        .prefix(".skillful-")
        .tempfile_in(bin)?;
    staged.write_all(bytes)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let permissions = fs::Permissions::from_mode(0o755);
        staged.as_file().set_permissions(permissions)?;
    }
    staged.as_file().sync_all()?;
    Ok(staged)
}

fn at(path: &Path) -> impl Fn(io::Error) -> ShelfError {
    move |error| ShelfError::Io {
        path: path.to_owned(),
        error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGIN: Origin<'static> = Origin {
        url: "https://example.org/tool",
        skill: "x",
    };

    #[test]
    fn a_program_is_placed_replaced_and_listed() {
        let place = tempfile::tempdir().unwrap();
        let shelf = Shelf::of(&place.path().join("data"));
        let path = shelf.place("tool", b"1", ORIGIN).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"1");
        shelf.place("tool", b"2", ORIGIN).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"2");
        let list = shelf.list().unwrap();
        assert_eq!(list.programs["tool"].sha256, Sha256::of(b"2").to_string());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(&path), 0o755);
            assert_eq!(mode(&shelf.bin), 0o700);
        }
        assert_eq!(
            fs::read_dir(&shelf.bin).unwrap().count(),
            1,
            "nothing is left behind"
        );
    }

    #[test]
    fn what_is_not_ours_is_left_alone() {
        let place = tempfile::tempdir().unwrap();
        let shelf = Shelf::of(place.path());
        let path = shelf.place("tool", b"1", ORIGIN).unwrap();
        fs::write(&path, "changed").unwrap();
        let error = shelf.place("tool", b"2", ORIGIN).unwrap_err();
        assert!(matches!(error, ShelfError::NotOurs(_)), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"changed");

        fs::write(shelf.bin.join("other"), "mine").unwrap();
        assert!(shelf.place("other", b"2", ORIGIN).is_err());
        fs::create_dir(shelf.bin.join("folder")).unwrap();
        assert!(shelf.place("folder", b"2", ORIGIN).is_err());
        #[cfg(unix)]
        {
            let target = place.path().join("elsewhere");
            fs::write(&target, "2").unwrap();
            std::os::unix::fs::symlink(&target, shelf.bin.join("link")).unwrap();
            assert!(
                shelf.place("link", b"2", ORIGIN).is_err(),
                "a link to the very same bytes"
            );
        }
        fs::write(shelf.list_path(), "{").unwrap();
        assert!(matches!(
            shelf.place("new", b"1", ORIGIN),
            Err(ShelfError::List { .. })
        ));
    }

    /// A process that was killed between the program and the list leaves a program that is not listed.
    #[test]
    fn the_same_bytes_are_ours_whatever_the_list_says() {
        let place = tempfile::tempdir().unwrap();
        let shelf = Shelf::of(place.path());
        shelf.place("tool", b"1", ORIGIN).unwrap();
        fs::remove_file(shelf.list_path()).unwrap();
        shelf.place("tool", b"1", ORIGIN).unwrap();
        assert_eq!(shelf.list().unwrap().programs.len(), 1);
    }
}
