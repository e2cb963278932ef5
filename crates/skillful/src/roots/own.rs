//! Where the skills of one client lie: what it reads, and where a skill for it goes.

use std::path::{Path, PathBuf};

use super::{Options, ground};
use crate::clients::{Client, Template};
use crate::host::Host;

/// The directories of one client for one reach: a project, or the user's own. Absolute; whether they exist is not asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientDirectories {
    /// The client's own; a skill that is installed for it goes into the first.
    pub own: Vec<PathBuf>,
    /// Those of others, and old ones, that it reads as well.
    pub also: Vec<PathBuf>,
}

impl ClientDirectories {
    /// The directories of `client` in the project at `project`.
    pub fn in_project(client: &Client, project: &Path) -> Self {
        let below = |paths: &[PathBuf]| paths.iter().map(|path| project.join(path)).collect();
        Self {
            own: below(&client.project),
            also: below(&client.also_project),
        }
    }

    /// The directories of `client` below the home. Those that cannot be known, because there is no home or because
    /// [`Options::home`] leaves them outside, are left out.
    pub fn of_user(client: &Client, host: &Host, options: &Options) -> Self {
        let variable = |name: &str| host.variable(name);
        let home = super::home(host, options);
        let ground = ground(home.as_deref(), &variable, options);
        let resolve = |templates: &[Template]| {
            let paths = templates.iter().filter_map(|it| it.resolve(ground));
            paths.collect()
        };
        Self {
            own: resolve(&client.global),
            also: resolve(&client.also_global),
        }
    }

    /// Whether skills in `directory` are read.
    pub fn reads(&self, directory: &Path) -> bool {
        self.own
            .iter()
            .chain(&self.also)
            .any(|read| read == directory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::Clients;

    #[test]
    fn directories_of_a_project_and_of_the_user() {
        let clients = Clients::built_in().unwrap();
        let claude = clients.get("claude-code").unwrap();
        let cursor = clients.get("cursor").unwrap();
        let project = ClientDirectories::in_project(cursor, Path::new("/p"));
        assert_eq!(project.own[0], Path::new("/p/.agents/skills"));
        assert!(project.reads(Path::new("/p/.claude/skills")));
        assert!(!project.reads(Path::new("/p/.other/skills")));

        let host = Host::new("/work")
            .with_home("/home/ann")
            .with_variable("CLAUDE_CONFIG_DIR", "/moved");
        let user = ClientDirectories::of_user(claude, &host, &Options::default());
        assert_eq!(user.own, [Path::new("/moved/skills")]);
        let named = Options {
            home: Some(PathBuf::from("h")),
            ..Options::default()
        };
        let user = ClientDirectories::of_user(claude, &host, &named);
        assert_eq!(
            user.own,
            [Path::new("/work/h/.claude/skills")],
            "a named home is all there is"
        );
    }
}
