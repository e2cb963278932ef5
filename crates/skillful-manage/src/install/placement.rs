//! Where one skill is put and how: from the chosen directories to the states that their paths are to be in.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use skillful_store::journal::{Digest, State};

use super::files::path_between;
use crate::error::ReadError;
use crate::objects::Objects;
use crate::state::observe;
use crate::targets::{self, Directory, Method, Reach};

/// One place for one skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The client whose directory it is.
    pub client: Option<Arc<str>>,
    /// The clients that read it there.
    pub readers: Vec<Arc<str>>,
    /// The skill's directory, absolute.
    pub path: PathBuf,
    /// How it gets there.
    pub method: Method,
    /// What is there now.
    pub before: State,
    /// What is to be there.
    pub after: State,
}

impl Placement {
    /// Whether nothing has to be done.
    pub fn is_done(&self) -> bool {
        self.before == self.after
    }
}

/// Puts a skill of this tree, as a directory called `folder`, into each of the directories.
///
/// In a project, and in a directory that was named, the first place holds the files and the others lead to it; for the
/// user all lead to the store of objects.
///
/// # Errors
///
/// When what is at one of the paths cannot be read.
pub fn placements(
    directories: &[Directory],
    folder: &str,
    tree: &Digest,
    reach: &Reach,
    objects: &Objects,
) -> Result<Vec<Placement>, ReadError> {
    let first = directories.first().map(|first| first.path.join(folder));
    directories
        .iter()
        .map(|directory| {
            let path = directory.path.join(folder);
            let after = match (directory.method, reach, &first) {
                (Method::Link, Reach::User, _) => link(&objects.tree_path(tree)),
                (Method::Link, _, Some(first)) => link(&relative_link(&directory.path, first)),
                _ => State::Tree { digest: *tree },
            };
            Ok(Placement {
                client: directory.client.clone(),
                readers: directory.readers.clone(),
                before: observe(&path)?,
                path,
                method: directory.method,
                after,
            })
        })
        .collect()
}

/// What a link in `directory` must say to lead to `to`. The real directories count: a client's directory may itself be a
/// link to somewhere else.
fn relative_link(directory: &Path, to: &Path) -> PathBuf {
    path_between(&targets::real(directory), &targets::real_place(to))
}

fn link(target: &Path) -> State {
    State::Link {
        target: target.to_string_lossy().into_owned(),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use super::*;
    use crate::data::DataDirectory;

    fn directory(path: PathBuf, method: Method) -> Directory {
        Directory {
            path,
            client: None,
            method,
            readers: Vec::new(),
        }
    }

    #[test]
    fn links_lead_to_the_first_place_even_from_a_directory_that_is_a_link() {
        let world = tempfile::tempdir().unwrap();
        let top = world.path().canonicalize().unwrap();
        fs::create_dir_all(top.join("dotfiles/deep/claude")).unwrap();
        fs::create_dir_all(top.join("p/.agents/skills")).unwrap();
        std::os::unix::fs::symlink(top.join("dotfiles/deep/claude"), top.join("p/.claude"))
            .unwrap();
        let objects = DataDirectory::at(top.join("data")).objects();
        let chosen = [
            directory(top.join("p/.agents/skills"), Method::Copy),
            directory(top.join("p/.claude/skills"), Method::Link),
        ];
        let tree = Digest::from_bytes([7; 32]);
        let reach = Reach::Project(top.join("p"));
        let placed = placements(&chosen, "x", &tree, &reach, &objects).unwrap();
        assert_eq!(placed[0].after, State::Tree { digest: tree });
        let State::Link { target } = &placed[1].after else {
            panic!("{:?}", placed[1]);
        };
        let from = top.join("dotfiles/deep/claude/skills");
        fs::create_dir_all(&from).unwrap();
        fs::create_dir_all(top.join("p/.agents/skills/x")).unwrap();
        assert_eq!(
            from.join(target).canonicalize().unwrap(),
            top.join("p/.agents/skills/x")
        );
        let reach = Reach::User;
        let placed = placements(&chosen[1..], "x", &tree, &reach, &objects).unwrap();
        assert_eq!(placed[0].after, link(&objects.tree_path(&tree)));
    }
}
