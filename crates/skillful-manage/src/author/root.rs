//! Where new skills go.

use std::path::PathBuf;

use skillful::Setup;
use skillful::roots::{self, ClientDirectories, UNIVERSAL};

use super::AuthorError;
use crate::targets;

/// The shared directory of the standard, below a home or a project.
const SHARED: &str = ".agents/skills";

/// Whose skill a new one is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Where {
    /// In the first directory that was named to be searched, else the user's.
    #[default]
    Usual,
    /// The user's, for all projects.
    User,
    /// The project's.
    Project,
    /// In this directory.
    Directory(PathBuf),
}

impl Where {
    /// The directory that it goes into, absolute. It need not exist.
    pub(crate) fn directory(&self, setup: &Setup) -> Result<PathBuf, AuthorError> {
        let working_directory = setup.host.working_directory();
        let absolute = |path: &PathBuf| -> PathBuf {
            // Without `.` in the middle, which would show in every path below.
            working_directory.join(path).components().collect()
        };
        match self {
            Self::Usual => match setup.options.roots.first() {
                Some(root) => Ok(absolute(root)),
                None => of_user(setup),
            },
            Self::User => of_user(setup),
            Self::Project => {
                let project = match &setup.options.project {
                    Some(project) => absolute(project),
                    None => roots::repository(working_directory).to_owned(),
                };
                let directory = project.join(SHARED);
                // A link in a repository may be a stranger's.
                if targets::real(&directory).starts_with(targets::real(&project)) {
                    Ok(directory)
                } else {
                    Err(AuthorError::LeadsOut(directory))
                }
            }
            Self::Directory(path) => Ok(absolute(path)),
        }
    }
}

/// The directory of the user that all clients of the standard share.
fn of_user(setup: &Setup) -> Result<PathBuf, AuthorError> {
    let universal = setup.clients.get(UNIVERSAL);
    let own = universal.map_or_else(Vec::new, |client| {
        ClientDirectories::of_user(client, &setup.host, &setup.options).own
    });
    let shared = own.iter().find(|path| path.ends_with(SHARED));
    let directory = shared.or(own.first()).cloned();
    directory
        .or_else(|| roots::home(&setup.host, &setup.options).map(|home| home.join(SHARED)))
        .ok_or(AuthorError::NoRoot)
}
