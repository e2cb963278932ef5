//! The two files that say what is installed for a project, for the user, or in a directory, and how paths stand in them.

use std::path::{Component, Path, PathBuf};

use skillful::config::{FILE_NAME as WANTED_NAME, Level};
use skillful::{Setup, roots};

use crate::lock::FILE_NAME as LOCK_NAME;
use crate::targets::Reach;

/// Where `skills.toml` and `skills.lock` of one reach lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// What is wanted.
    pub wanted: PathBuf,
    /// What was placed.
    pub lock: PathBuf,
    home: Option<PathBuf>,
}

impl Files {
    /// The files of a reach; nothing where the user's are meant and there is no home.
    pub fn of(setup: &Setup, reach: &Reach) -> Option<Self> {
        let home = roots::home(&setup.host, &setup.options);
        let directory = match reach {
            Reach::Project(directory) | Reach::Directory(directory) => directory.clone(),
            Reach::User => {
                let mut files = setup.config_files.iter();
                let user = files.find(|file| file.level == Level::User)?;
                user.path.parent()?.to_owned()
            }
        };
        Some(Self {
            wanted: directory.join(WANTED_NAME),
            lock: directory.join(LOCK_NAME),
            home,
        })
    }

    /// What `~` stands for.
    pub fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// How the path of a target stands in the lock: relative to the lock where it lies below its directory, below `~/`
    /// where it lies in the home, else absolute. Always with `/`.
    pub fn shorten(&self, path: &Path) -> String {
        let base = self.lock.parent().unwrap_or(Path::new(""));
        if let Ok(below) = path.strip_prefix(base) {
            return slashed(below);
        }
        let home = self.home.as_deref();
        match home.and_then(|home| path.strip_prefix(home).ok()) {
            Some(below) => format!("~/{}", slashed(below)),
            None => slashed(path),
        }
    }

    /// The path that stands in a lock; nothing for one that leads up, or that needs a home where there is none. A lock may
    /// come from a stranger's repository: a project's must not lead out of the project.
    pub fn expand(&self, reach: &Reach, text: &str) -> Option<PathBuf> {
        let is_plain = |path: &Path| {
            path.components()
                .all(|part| !matches!(part, Component::ParentDir | Component::CurDir))
        };
        let is_inside = matches!(reach, Reach::Project(_) | Reach::Directory(_));
        let path = match text.strip_prefix("~/") {
            Some(_) if is_inside => return None,
            Some(below) => self.home.as_ref()?.join(relative(below)?),
            None if Path::new(text).is_absolute() && is_inside => return None,
            None if Path::new(text).is_absolute() => PathBuf::from(text),
            None => self.lock.parent()?.join(relative(text)?),
        };
        is_plain(&path).then_some(path)
    }
}

/// A relative path of plain names.
fn relative(text: &str) -> Option<&Path> {
    let path = Path::new(text);
    let is_plain = |part| matches!(part, Component::Normal(_));
    (!text.is_empty() && path.components().all(is_plain)).then_some(path)
}

fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '/' {
        text.into_owned()
    } else {
        text.replace(std::path::MAIN_SEPARATOR, "/")
    }
}

/// The path that leads from the directory `from` to `to`; both without links.
pub fn path_between(from: &Path, to: &Path) -> PathBuf {
    let mut from = from.components().peekable();
    let mut to = to.components().peekable();
    while let (Some(a), Some(b)) = (from.peek(), to.peek())
        && a == b
    {
        from.next();
        to.next();
    }
    let mut path: PathBuf = from.map(|_| Component::ParentDir).collect();
    path.extend(to);
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Files {
        Files {
            wanted: PathBuf::from("/p/skills.toml"),
            lock: PathBuf::from("/p/skills.lock"),
            home: Some(PathBuf::from("/home/ann")),
        }
    }

    #[test]
    fn paths_stand_relative_and_are_found_again() {
        let project = Reach::Project(PathBuf::from("/p"));
        for (path, text) in [
            ("/p/.agents/skills/x", ".agents/skills/x"),
            ("/home/ann/.claude/skills/x", "~/.claude/skills/x"),
            ("/srv/x", "/srv/x"),
        ] {
            assert_eq!(files().shorten(Path::new(path)), text);
            assert_eq!(
                files().expand(&Reach::User, text),
                Some(PathBuf::from(path))
            );
        }
        assert_eq!(
            files().expand(&project, ".agents/skills/x"),
            Some(PathBuf::from("/p/.agents/skills/x"))
        );
    }

    #[test]
    fn a_projects_lock_does_not_lead_out_of_it() {
        let project = Reach::Project(PathBuf::from("/p"));
        for text in ["../x", "a/../../x", "/etc/x", "~/x", "", "./x", "a/./../x"] {
            assert_eq!(files().expand(&project, text), None, "{text}");
        }
        for text in ["../x", "~/../x", "/a/../x", ""] {
            assert_eq!(files().expand(&Reach::User, text), None, "{text}");
        }
    }

    #[test]
    fn from_one_directory_to_another() {
        let between = |from: &str, to: &str| {
            let path = path_between(Path::new(from), Path::new(to));
            path.to_string_lossy().replace('\\', "/")
        };
        assert_eq!(
            between("/p/.claude/skills", "/p/.agents/skills/x"),
            "../../.agents/skills/x"
        );
        assert_eq!(between("/p", "/p/x"), "x");
        assert_eq!(between("/a/b", "/c"), "../../c");
    }
}
