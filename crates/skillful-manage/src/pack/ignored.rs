//! What authors do not want packed: patterns of `.gitignore`, `.clawhubignore` and `.skillfulignore` in the skill.
//!
//! They are git's: of the patterns that fit a path the last one counts, `!` takes back, those of an inner directory come
//! before those of an outer one, and what lies in a directory that is left out cannot be taken back. Files above the
//! skill's own directory are not looked at: what is packed must not depend on where the skill lies.

use std::io::Read;
use std::path::Path;

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, OpenOptions};
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::limits;

/// The files with patterns, the one that counts most last.
const FILES: [&str; 3] = [".gitignore", ".clawhubignore", ".skillfulignore"];

/// The patterns of a directory and of those above it, the innermost last.
#[derive(Debug, Default)]
pub(super) struct Patterns {
    levels: Vec<Level>,
}

#[derive(Debug)]
struct Level {
    /// The directory's path in the skill, with a `/` at its end unless it is empty.
    below: String,
    matcher: Gitignore,
}

impl Patterns {
    /// Enters a directory. Gives what is wrong with its patterns, in words.
    pub(super) fn enter(&mut self, directory: &Dir, below: &str) -> Vec<String> {
        let mut faults = Vec::new();
        let mut builder = GitignoreBuilder::new("");
        for name in FILES {
            match read(directory, name) {
                Ok(Some(text)) => {
                    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
                        if builder.add_line(None, line).is_err() {
                            faults.push(format!(
                                "line {number} of `{below}{name}` is no pattern and was passed over"
                            ));
                        }
                    }
                }
                Ok(None) => {}
                Err(reason) => faults.push(format!("`{below}{name}` was passed over: {reason}")),
            }
        }
        let matcher = builder.build().unwrap_or_else(|_| Gitignore::empty());
        self.levels.push(Level {
            below: below.to_owned(),
            matcher,
        });
        faults
    }

    /// Leaves the directory that was entered last.
    pub(super) fn leave(&mut self) {
        self.levels.pop();
    }

    /// Whether an entry of the directory that was entered last is left out.
    pub(super) fn leaves_out(&self, path: &str, is_directory: bool) -> bool {
        for level in self.levels.iter().rev() {
            let Some(inside) = path.strip_prefix(&level.below) else {
                continue;
            };
            let found = level.matcher.matched(Path::new(inside), is_directory);
            if found.is_ignore() {
                return true;
            }
            if found.is_whitelist() {
                return false;
            }
        }
        false
    }
}

/// The text of a file with patterns; nothing when there is none.
fn read(directory: &Dir, name: &str) -> Result<Option<String>, String> {
    if directory.symlink_metadata(name).is_err() {
        return Ok(None);
    }
    let mut options = OpenOptions::new();
    options.read(true).nonblock(true).follow(FollowSymlinks::No);
    let file = directory
        .open_with(name, &options)
        .map_err(|error| error.to_string())?;
    if !file.metadata().is_ok_and(|found| found.is_file()) {
        return Err("it is not a regular file".to_owned());
    }
    let mut bytes = Vec::new();
    file.take(limits::IGNORE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > limits::IGNORE_BYTES {
        return Err(format!("it has more than {} bytes", limits::IGNORE_BYTES));
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}
