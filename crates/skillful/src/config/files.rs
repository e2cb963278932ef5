//! Where configuration files lie, and reading them.

use std::path::{Path, PathBuf};

use super::layer::{Layer, Level};
use crate::host::{Host, Os};
use crate::limits;
use crate::read::{self, Links, ReadError};
use crate::roots::{Options, repository};

/// The name of the file in a project, and everywhere else.
pub const FILE_NAME: &str = "skills.toml";

/// Where the user's own file lies, below the home directory.
pub const USER_FILE: &str = ".config/skillful/skills.toml";

/// A file that is read when it exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigFile {
    /// Whose word it is.
    pub level: Level,
    /// Its path, absolute.
    pub path: PathBuf,
}

/// A file that exists, with its text or the reason why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigText {
    /// The file.
    pub file: ConfigFile,
    /// What it holds.
    pub text: Result<String, String>,
}

/// The files of a machine, the lowest layer first.
///
/// `named` replaces them all. With [`Options::home`] only what lies below that home and in the project counts; with
/// [`Options::roots`] nothing that would have to be looked up does.
pub fn locate(host: &Host, options: &Options, named: Option<&Path>) -> Vec<ConfigFile> {
    let directory = host.working_directory();
    let file = |level, path| ConfigFile { level, path };
    if let Some(named) = named {
        return vec![file(Level::Named, directory.join(named))];
    }
    let looks_up = options.roots.is_empty();
    let is_machine = looks_up && options.home.is_none();
    let user = match &options.home {
        Some(home) => Some(directory.join(home).join(USER_FILE)),
        None => looks_up.then(|| user_file(host)).flatten(),
    };
    let project = match &options.project {
        Some(project) => Some(directory.join(project).join(FILE_NAME)),
        None => looks_up.then(|| project_file(directory)),
    };
    let system = is_machine.then(|| system_file(host)).flatten();
    // Who works in the directory of the user's own file is not bound by it as by a stranger's.
    let project =
        project.filter(|path| user.as_ref() != Some(path) && system.as_ref() != Some(path));
    let found = [
        (Level::System, system),
        (Level::User, user),
        (Level::Project, project),
    ];
    found
        .into_iter()
        .filter_map(|(level, path)| Some(file(level, path?)))
        .collect()
}

fn system_file(host: &Host) -> Option<PathBuf> {
    let directory = match host.os() {
        Os::Windows => Path::new(host.variable("ProgramData")?).join("skillful"),
        _ => PathBuf::from("/etc/skillful"),
    };
    Some(directory.join(FILE_NAME))
}

/// The user's file. A variable that holds no absolute path is ignored, as the XDG base directory specification asks.
fn user_file(host: &Host) -> Option<PathBuf> {
    let configured = host
        .variable("XDG_CONFIG_HOME")
        .map(Path::new)
        .filter(|path| path.is_absolute())
        .map(|path| path.join("skillful").join(FILE_NAME));
    configured.or_else(|| Some(host.home()?.join(USER_FILE)))
}

/// The nearest file from the directory up to the repository's root; where there is none, that of the root.
fn project_file(directory: &Path) -> PathBuf {
    let top = repository(directory);
    directory
        .ancestors()
        .take_while(|level| level.starts_with(top))
        .map(|level| level.join(FILE_NAME))
        .find(|file| file.is_file())
        .unwrap_or_else(|| top.join(FILE_NAME))
}

/// Reads the files that exist.
pub fn read_files(files: &[ConfigFile]) -> Vec<ConfigText> {
    files
        .iter()
        .filter_map(|file| {
            let text = match read::read(&file.path, Links::Follow, limits::CONFIG_BYTES) {
                Ok(bytes) => String::from_utf8(bytes)
                    .map_err(|error| format!("the file is not UTF-8: {}", error.utf8_error())),
                Err(ReadError::Io(error)) if read::is_absent(&error) => return None,
                Err(ReadError::Io(error)) => Err(format!("the file could not be read: {error}")),
                Err(ReadError::NotRegular) => Err("it is not a regular file".to_owned()),
                Err(ReadError::TooLarge(size)) => Err(format!(
                    "the file has {size} bytes, more than the limit of {}",
                    limits::CONFIG_BYTES
                )),
            };
            let file = file.clone();
            Some(ConfigText { file, text })
        })
        .collect()
}

impl ConfigText {
    /// What the file says.
    pub fn layer(&self) -> Layer {
        let ConfigFile { level, path } = &self.file;
        match &self.text {
            Ok(text) => Layer::read(*level, path, text),
            Err(reason) => Layer::unreadable(*level, path, reason.clone()),
        }
    }

    /// Whether the file itself has an entry of `guard.accept` for the content with this digest. A project's file accepts
    /// nothing, whatever it says.
    pub fn accepts(&self, digest: &str) -> bool {
        let accepts = |text: &str| -> Option<bool> {
            let document = toml_edit::Document::parse(text).ok()?;
            let entries = document.get("guard")?.get("accept")?;
            let is_it = |given: Option<&toml_edit::Item>| {
                given.and_then(toml_edit::Item::as_str) == Some(digest)
            };
            let inline = entries.as_array().into_iter().flatten();
            let mut inline =
                inline.filter_map(|entry| entry.as_inline_table()?.get("digest")?.as_str());
            let mut tables = entries.as_array_of_tables().into_iter().flatten();
            Some(
                inline.any(|given| given == digest)
                    || tables.any(|table| is_it(table.get("digest"))),
            )
        };
        self.file.level != Level::Project
            && self.text.as_deref().ok().and_then(accepts) == Some(true)
    }

    /// The text, where it is TOML.
    pub fn toml(&self) -> Option<&str> {
        let text = self.text.as_deref().ok()?;
        toml_edit::Document::parse(text).is_ok().then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(files: &[ConfigFile]) -> Vec<(&'static str, String)> {
        files
            .iter()
            .map(|file| {
                (
                    file.level.as_str(),
                    file.path.to_string_lossy().replace('\\', "/"),
                )
            })
            .collect()
    }

    #[cfg(unix)]
    #[test]
    fn a_machine_has_three_files() {
        let place = tempfile::tempdir().unwrap();
        let project = place.path().join("project");
        std::fs::create_dir_all(project.join(".git")).unwrap();
        let deep = project.join("a/b");
        std::fs::create_dir_all(&deep).unwrap();
        let host = Host::new(&deep).with_home("/home/ann").with_os(Os::Linux);
        let at_root = project.join(FILE_NAME).to_string_lossy().into_owned();
        assert_eq!(
            levels(&locate(&host, &Options::default(), None)),
            [
                ("system", "/etc/skillful/skills.toml".to_owned()),
                ("user", "/home/ann/.config/skillful/skills.toml".to_owned()),
                ("project", at_root),
            ]
        );
        let nearest = project.join("a").join(FILE_NAME);
        std::fs::write(&nearest, "").unwrap();
        let host = host.with_variable("XDG_CONFIG_HOME", "/xdg");
        let found = locate(&host, &Options::default(), None);
        assert_eq!(found[1].path, Path::new("/xdg/skillful/skills.toml"));
        assert_eq!(found[2].path, nearest);
    }

    #[cfg(unix)]
    #[test]
    fn what_narrows_the_search_narrows_the_files() {
        let host = Host::new("/w").with_home("/home/ann").with_os(Os::Linux);
        let files = |options: Options, named: Option<&str>| {
            levels(&locate(&host, &options, named.map(Path::new)))
        };
        let home = Options {
            home: Some("/h".into()),
            project: Some("p".into()),
            ..Options::default()
        };
        assert_eq!(
            files(home.clone(), None),
            [
                ("user", "/h/.config/skillful/skills.toml".to_owned()),
                ("project", "/w/p/skills.toml".to_owned())
            ]
        );
        assert_eq!(
            files(home, Some("x.toml")),
            [("named", "/w/x.toml".to_owned())]
        );
        let roots = Options {
            roots: vec!["r".into()],
            ..Options::default()
        };
        assert_eq!(files(roots, None), []);
    }

    #[test]
    fn the_users_own_file_is_no_projects() {
        let place = tempfile::tempdir().unwrap();
        let own = place.path().join(".config/skillful");
        std::fs::create_dir_all(&own).unwrap();
        std::fs::write(own.join(FILE_NAME), "").unwrap();
        let host = Host::new(&own).with_home(place.path());
        let found = locate(&host, &Options::default(), None);
        assert!(
            found.iter().all(|file| file.level != Level::Project),
            "{found:?}"
        );
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join(FILE_NAME);
        let file = ConfigFile {
            level: Level::User,
            path: path.clone(),
        };
        assert_eq!(read_files(std::slice::from_ref(&file)), []);
        std::fs::write(&path, b"a = '\xFF'").unwrap();
        let texts = read_files(std::slice::from_ref(&file));
        assert_eq!(texts[0].layer().problems.len(), 1);
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        assert!(read_files(&[file])[0].text.is_err());
    }
}
