//! What skills are called in records, and where records lie. The records themselves are [`skillful_store`]'s.

use std::path::{Path, PathBuf};

use skillful_store::{Approval, Key, Timestamp};

use crate::bundle::digest;
use crate::host::{Host, Os};
use crate::load::Skill;
use crate::roots::{Options, Source};

/// The key of a skill's records: its id, and as origin the directory of its root without links. A plugin's origin is its
/// name, because its directory changes with every version.
pub fn key_of(skill: &Skill) -> Key {
    let origin = match &skill.root.source {
        Source::Bundled => "bundled".to_owned(),
        Source::Plugin { name } => format!("plugin:{name}"),
        Source::Global | Source::Workspace { .. } => skill.root.real.to_string_lossy().into_owned(),
    };
    Key::new(&skill.id, origin)
}

/// An approval holds for the files of a skill as they are, and these cannot be read or are over a limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the files of `{0}` make no digest that an approval could be bound to")]
pub struct NoDigest(pub String);

/// The approval of something that a skill does, with its files as they are now.
///
/// # Errors
///
/// [`NoDigest`] when they cannot be read or are over a limit.
pub fn approval_of(skill: &Skill, at: Timestamp) -> Result<Approval, NoDigest> {
    let digest = digest(skill).ok_or_else(|| NoDigest(skill.id.clone()))?;
    Ok(Approval::new(digest, at))
}

/// The directory that records are kept in: by the XDG Base Directory Specification, on Windows below the local
/// application data, on macOS in Application Support. Nothing without a home, and nothing where roots are named without
/// one: what is named replaces all that would be looked up.
///
/// Variables that move the directory count for the user's own home, not for one that is named.
pub fn directory(host: &Host, options: &Options) -> Option<PathBuf> {
    let named = options
        .home
        .as_ref()
        .map(|home| host.working_directory().join(home));
    let (home, moved) = match (&named, options.roots.is_empty()) {
        (Some(home), _) => (home.as_path(), None),
        (None, true) => (host.home()?, moved(host)),
        (None, false) => return None,
    };
    let data = moved.unwrap_or_else(|| match host.os() {
        Os::Windows => home.join("AppData/Local"),
        Os::MacOs => home.join("Library/Application Support"),
        Os::Linux | Os::Other => home.join(".local/share"),
    });
    Some(data.join("skillful"))
}

/// The directory of programs that Skillful itself placed, below [`directory`]. It is looked at after the search path.
pub fn program_directory(host: &Host, options: &Options) -> Option<PathBuf> {
    directory(host, options).map(|directory| directory.join("bin"))
}

/// Where the user moved the directory for data to. The specification asks to pass over a path that is not absolute.
fn moved(host: &Host) -> Option<PathBuf> {
    let variable = match host.os() {
        Os::Windows => "LOCALAPPDATA",
        Os::MacOs => return None,
        Os::Linux | Os::Other => "XDG_DATA_HOME",
    };
    host.variable(variable)
        .map(Path::new)
        .filter(|path| path.is_absolute())
        .map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::discover::{Candidate, Form};
    use crate::load::load;
    use crate::roots::{Root, Trust};

    fn key(source: Source, root: &str) -> Key {
        let candidate = Candidate {
            path: PathBuf::from(root).join("x/SKILL.md"),
            form: Form::Directory,
            real_directory: None,
            content: Ok(b"---\nname: x\ndescription: y\n---\n".to_vec()),
            notes: Vec::new(),
        };
        let mut root = Root::new(PathBuf::from(root), source, Trust::Community);
        root.real = PathBuf::from("/real").join(root.path.strip_prefix("/").unwrap());
        key_of(&load(candidate, &Arc::new(root)))
    }

    #[test]
    fn keys_tell_origins_apart() {
        let workspace = |distance| Source::Workspace { distance };
        assert_eq!(key(Source::Global, "/a"), Key::new("x", "/real/a"));
        assert_eq!(
            key(workspace(0), "/a"),
            key(workspace(2), "/a"),
            "where one stands does not matter"
        );
        assert_ne!(key(Source::Global, "/a"), key(Source::Global, "/b"));
        let plugin = |root| {
            let name = Arc::from("tools");
            key(Source::Plugin { name }, root)
        };
        assert_eq!(
            plugin("/cache/tools/1.0/skills"),
            plugin("/cache/tools/1.1/skills")
        );
        assert_eq!(plugin("/cache").id, "tools:x");
        assert_eq!(key(Source::Bundled, "/a").origin, "bundled");
    }

    #[test]
    fn records_lie_where_the_system_wants_them() {
        let place = |os, options: &Options| {
            let host = Host::new("/work")
                .with_home("/home/me")
                .with_os(os)
                .with_variable("XDG_DATA_HOME", "/data")
                .with_variable("LOCALAPPDATA", "relative");
            directory(&host, options)
        };
        let usual = Options::default();
        let at = |path: &str| Some(PathBuf::from(path));
        assert_eq!(place(Os::Linux, &usual), at("/data/skillful"));
        assert_eq!(
            place(Os::MacOs, &usual),
            at("/home/me/Library/Application Support/skillful")
        );
        assert_eq!(
            place(Os::Windows, &usual),
            at("/home/me/AppData/Local/skillful")
        );
    }

    #[test]
    fn what_is_named_replaces_what_would_be_looked_up() {
        let host = Host::new("/work")
            .with_home("/home/me")
            .with_os(Os::Linux)
            .with_variable("XDG_DATA_HOME", "/data");
        let with = |home: Option<&str>, roots: &[&str]| {
            let options = Options {
                home: home.map(PathBuf::from),
                roots: roots.iter().map(PathBuf::from).collect(),
                ..Options::default()
            };
            directory(&host, &options)
        };
        let below_home = Some(PathBuf::from("/work/h/.local/share/skillful"));
        assert_eq!(with(Some("h"), &[]), below_home);
        assert_eq!(with(Some("h"), &["r"]), below_home);
        assert_eq!(with(None, &["r"]), None);
        assert_eq!(
            program_directory(&host, &Options::default()),
            Some(PathBuf::from("/data/skillful/bin"))
        );
        assert_eq!(directory(&Host::new("/work"), &Options::default()), None);
    }
}
