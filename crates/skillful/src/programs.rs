//! Which programs there are: names looked up on the search path, each once.
//!
//! Only names are looked up. A name with a separator would be a path, which a skill has no business to probe; it is
//! never found. Directories of the search path that are not absolute are passed over, as what they mean depends on
//! where one stands.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::host::{Host, Os};
use crate::limits;

/// The programs of a host. What was found once holds as long as the value lives: make a new one for each snapshot.
#[derive(Debug)]
pub struct Programs {
    known: Known,
}

#[derive(Debug)]
enum Known {
    /// Exactly these.
    Listed(BTreeSet<String>),
    /// Those in the directories of a search path.
    OnPath {
        directories: Vec<PathBuf>,
        /// What a name may end in: nothing, or on Windows the endings of `PATHEXT`.
        endings: Vec<String>,
        found: Mutex<HashMap<String, Option<PathBuf>>>,
    },
}

/// The endings that Windows takes when `PATHEXT` is not set.
const ENDINGS: &str = ".COM;.EXE;.BAT;.CMD";

impl Programs {
    /// Those on the search path of a host. Nothing is looked at before a name is asked for.
    pub fn on_path(host: &Host) -> Self {
        let path = host.variable("PATH").unwrap_or_default();
        let directories = std::env::split_paths(path)
            .filter(|directory| directory.is_absolute())
            .take(limits::PROGRAM_DIRECTORIES)
            .collect();
        let endings = match host.os() {
            Os::Windows => {
                let endings = host.variable("PATHEXT").unwrap_or(ENDINGS);
                let given = endings.split(';').filter(|ending| ending.starts_with('.'));
                // A name that has its ending already is taken as it is.
                [""].into_iter().chain(given).map(str::to_owned).collect()
            }
            _ => vec![String::new()],
        };
        Self {
            known: Known::OnPath {
                directories,
                endings,
                found: Mutex::default(),
            },
        }
    }

    /// The same with one more directory, which is looked at last: what is on the search path has precedence. One that is
    /// not absolute is passed over.
    #[must_use]
    pub fn and_in(mut self, directory: impl Into<PathBuf>) -> Self {
        let directory = directory.into();
        if let Known::OnPath { directories, .. } = &mut self.known
            && directory.is_absolute()
        {
            directories.push(directory);
        }
        self
    }

    /// Exactly these programs.
    pub fn listed(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            known: Known::Listed(names.into_iter().map(Into::into).collect()),
        }
    }

    /// Whether there is a program of this name.
    pub fn has(&self, name: &str) -> bool {
        match &self.known {
            Known::Listed(names) => is_name(name) && names.contains(name),
            Known::OnPath { .. } => self.find(name).is_some(),
        }
    }

    /// The file of the program of this name; nothing for programs that were merely listed.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        let Known::OnPath {
            directories,
            endings,
            found,
        } = &self.known
        else {
            return None;
        };
        if !is_name(name) {
            return None;
        }
        // What the map holds is right whatever became of the thread that had it.
        let found = || found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = found().get(name) {
            return known.clone();
        }
        // Others need not wait for the disk; should two look up one name, the first answer holds.
        let file = directories.iter().find_map(|directory| {
            endings.iter().find_map(|ending| {
                let path = directory.join(format!("{name}{ending}"));
                is_program(&path, ending).then_some(path)
            })
        });
        found().entry(name.to_owned()).or_insert(file).clone()
    }
}

/// Whether a text can be the name of a program: one plain component of a path. No other is looked up.
pub fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.contains(['/', '\\', ':', '\0'])
        && !matches!(text, "." | "..")
        && text.len() <= 255
}

#[cfg(unix)]
fn is_program(path: &Path, _ending: &str) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path)
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

/// Windows has no bit for it: what a program is shows in the ending, be it that of the name itself.
#[cfg(not(unix))]
fn is_program(path: &Path, ending: &str) -> bool {
    (!ending.is_empty() || path.extension().is_some()) && path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_what_it_lists() {
        let programs = Programs::listed(["git", "./x"]);
        assert!(programs.has("git"));
        assert!(!programs.has("gi"));
        assert!(!programs.has("./x"), "a path is not a name");
    }

    #[cfg(unix)]
    fn machine() -> (tempfile::TempDir, Host) {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().unwrap();
        for (name, mode) in [("tool", 0o755), ("text", 0o644)] {
            let path = place.path().join(name);
            std::fs::write(&path, "").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        }
        std::fs::create_dir(place.path().join("folder")).unwrap();
        let path = format!(".::/no/such:{}", place.path().display());
        let host = Host::new("/")
            .with_variable("PATH", path)
            .with_os(Os::Linux);
        (place, host)
    }

    #[cfg(unix)]
    #[test]
    fn only_what_can_be_run_is_a_program() {
        let (place, host) = machine();
        let programs = Programs::on_path(&host);
        assert!(programs.has("tool"));
        for name in ["text", "folder", "none", "", ".", "..", "../tool", "a\0b"] {
            assert!(!programs.has(name), "{name:?}");
        }
        assert_eq!(programs.find("tool"), Some(place.path().join("tool")));
        assert_eq!(programs.find("text"), None);
        let whole = place.path().join("tool").to_string_lossy().into_owned();
        assert!(!programs.has(&whole));
        assert!(!programs.has(&"x".repeat(5_000)));
        assert!(
            !Programs::on_path(&Host::new("/")).has("tool"),
            "without a PATH"
        );
    }

    #[cfg(unix)]
    #[test]
    fn each_name_is_looked_up_once() {
        let (place, host) = machine();
        let programs = Programs::on_path(&host);
        assert!(programs.has("tool") && !programs.has("late"));
        std::fs::rename(place.path().join("tool"), place.path().join("late")).unwrap();
        assert!(
            programs.has("tool") && !programs.has("late"),
            "one snapshot, one answer"
        );
        assert!(Programs::on_path(&host).has("late"));
    }

    #[cfg(unix)]
    #[test]
    fn one_more_directory_comes_last() {
        let (first, host) = machine();
        let (more, _) = machine();
        std::fs::rename(more.path().join("text"), more.path().join("other")).unwrap();
        std::fs::copy(more.path().join("tool"), more.path().join("own")).unwrap();
        let programs = Programs::on_path(&host).and_in(more.path());
        assert_eq!(programs.find("own"), Some(more.path().join("own")));
        assert_eq!(programs.find("tool"), Some(first.path().join("tool")));
        assert!(!Programs::on_path(&host).and_in("relative").has("own"));
    }

    #[test]
    fn windows_tries_the_endings() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("tool.EXE");
        std::fs::write(&path, "").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let host = Host::new("/")
            .with_os(Os::Windows)
            .with_variable("Path", place.path().to_string_lossy());
        let programs = Programs::on_path(&host);
        assert!(programs.has("tool") && programs.has("tool.EXE"));
        assert!(!programs.has("other"));
        assert!(!Programs::on_path(&host.with_variable("PATHEXT", ".PY")).has("tool"));
    }
}
