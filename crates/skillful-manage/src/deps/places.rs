//! Where programs are looked for and put: directories that are ours, and those that managers put programs into.

use std::path::{Path, PathBuf};

use skillful::records;
use skillful::{Host, Options, Os, Programs};

use super::package::Manager;

/// Where things are on this machine.
#[derive(Clone, Debug)]
pub struct Places {
    /// The outside world.
    pub host: Host,
    /// The directory of data of ours; nothing without a home. Nothing can be installed then.
    pub data: Option<PathBuf>,
    /// Whether a person sits at a terminal, whom a password can be asked for.
    pub has_terminal: bool,
    /// Whether the process has all rights of the system.
    pub is_root: bool,
}

impl Places {
    /// The places of this host, where options may have named another home.
    pub fn new(host: &Host, options: &Options, has_terminal: bool) -> Self {
        Self {
            host: host.clone(),
            data: records::directory(host, options),
            has_terminal,
            is_root: is_root(),
        }
    }

    /// The directory of programs of ours.
    pub fn bin(&self) -> Option<PathBuf> {
        self.data.as_ref().map(|data| data.join("bin"))
    }

    /// What is on the search path. Managers are looked up here and nowhere else: what a skill had downloaded must not
    /// pass for one.
    pub(super) fn on_path(&self) -> Programs {
        Programs::on_path(&self.host)
    }

    /// What agents find: the search path, and behind it our own directory.
    pub(super) fn all_programs(&self) -> Programs {
        match self.bin() {
            Some(bin) => self.on_path().and_in(bin),
            None => self.on_path(),
        }
    }

    /// The directory that a manager puts programs into, as far as it can be told without asking it. `program` is the
    /// manager's own file.
    pub(super) fn of_manager(&self, manager: Manager, program: &Path) -> Option<PathBuf> {
        let beside = || program.parent().map(Path::to_owned);
        match manager {
            Manager::Brew | Manager::BrewCask => beside(),
            Manager::Apt => Some(PathBuf::from("/usr/bin")),
            Manager::Scoop => self
                .variable("SCOOP")
                .or_else(|| self.in_home("scoop"))
                .map(|scoop| scoop.join("shims")),
            Manager::Winget => self
                .variable("LOCALAPPDATA")
                .map(|data| data.join("Microsoft/WinGet/Links")),
            Manager::Npm => match self.variable("NPM_CONFIG_PREFIX") {
                Some(prefix) if self.host.os() == Os::Windows => Some(prefix),
                Some(prefix) => Some(prefix.join("bin")),
                None => beside(),
            },
            Manager::Uv => self
                .variable("UV_TOOL_BIN_DIR")
                .or_else(|| self.variable("XDG_BIN_HOME"))
                .or_else(|| self.in_home(".local/bin")),
            Manager::Pipx => self
                .variable("PIPX_BIN_DIR")
                .or_else(|| self.in_home(".local/bin")),
            Manager::Go => self.variable("GOBIN").or_else(|| {
                let go = self.variable("GOPATH").or_else(|| self.in_home("go"));
                go.map(|go| go.join("bin"))
            }),
            Manager::Cargo => {
                let home = self
                    .variable("CARGO_INSTALL_ROOT")
                    .or_else(|| self.variable("CARGO_HOME"))
                    .or_else(|| self.in_home(".cargo"));
                home.map(|home| home.join("bin"))
            }
        }
    }

    /// The directory that a variable names; of a list of them the first.
    fn variable(&self, name: &str) -> Option<PathBuf> {
        let value = self.host.variable(name)?;
        std::env::split_paths(value)
            .next()
            .filter(|path| path.is_absolute())
    }

    /// Managers know the user's own home alone, whatever home was named to us.
    fn in_home(&self, below: &str) -> Option<PathBuf> {
        self.host.home().map(|home| home.join(below))
    }
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn managers_put_programs_where_their_variables_say() {
        let host = Host::new("/").with_home("/home/me").with_os(Os::Linux);
        let places = |host: &Host| Places::new(host, &Options::default(), false);
        let of = |host: &Host, manager| {
            places(host)
                .of_manager(manager, Path::new("/opt/x/bin/tool"))
                .map(|path| path.to_string_lossy().into_owned())
        };
        for (manager, usual, variable, moved) in [
            (Manager::Brew, "/opt/x/bin", "HOMEBREW_PREFIX", "/opt/x/bin"),
            (Manager::Npm, "/opt/x/bin", "NPM_CONFIG_PREFIX", "/v/bin"),
            (Manager::Uv, "/home/me/.local/bin", "UV_TOOL_BIN_DIR", "/v"),
            (Manager::Pipx, "/home/me/.local/bin", "PIPX_BIN_DIR", "/v"),
            (Manager::Go, "/home/me/go/bin", "GOPATH", "/v/bin"),
            (
                Manager::Cargo,
                "/home/me/.cargo/bin",
                "CARGO_HOME",
                "/v/bin",
            ),
        ] {
            assert_eq!(of(&host, manager).as_deref(), Some(usual), "{manager:?}");
            let with = host.clone().with_variable(variable, "/v");
            assert_eq!(of(&with, manager).as_deref(), Some(moved), "{manager:?}");
        }
        let bin = places(&host).bin();
        assert_eq!(
            bin,
            Some(PathBuf::from("/home/me/.local/share/skillful/bin"))
        );
    }
}
