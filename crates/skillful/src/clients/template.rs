//! Paths that depend on the machine: `~/.x/skills`, `${X_HOME:-~/.x}/skills`, `/etc/x/skills`.

use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A directory that is known once home and environment are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The environment variable that replaces `base`, where there is one.
    variable: Option<Box<str>>,
    base: Base,
    /// What follows the base; never begins with a slash. May hold `*` and `{plugin}` as whole components.
    rest: Box<str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Base {
    /// Below the user's home.
    Home(Box<str>),
    /// An absolute path.
    Machine(Box<str>),
}

/// The text is not a path that begins with `~/`, `/`, a drive or `${NAME:-PATH}`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` does not begin with `~/`, `/`, a drive or `${{NAME:-PATH}}`, or has a `..`")]
pub struct TemplateError(String);

/// Where templates lead: a home, and what is known of the environment.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    /// The user's home.
    pub(crate) home: Option<&'a Path>,
    /// The environment; in a hermetic run it knows no variable.
    pub(crate) variable: &'a dyn Fn(&str) -> Option<&'a str>,
    /// Whether only what lies below the home counts.
    pub(crate) hermetic: bool,
}

impl std::fmt::Debug for Ground<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ground")
            .field("home", &self.home)
            .field("hermetic", &self.hermetic)
            .finish_non_exhaustive()
    }
}

impl Template {
    /// The path on this ground; nothing when the home is not known, or when the ground is hermetic and the path lies
    /// outside. A variable that holds no absolute path is ignored, as the XDG base directory specification asks.
    pub(crate) fn resolve(&self, ground: Ground<'_>) -> Option<PathBuf> {
        let given = self
            .variable
            .as_deref()
            .filter(|_| !ground.hermetic)
            .and_then(ground.variable)
            .map(Path::new)
            .filter(|path| path.is_absolute());
        let mut path = match (given, &self.base) {
            (Some(given), _) => given.to_owned(),
            (None, Base::Home(below)) => joined(ground.home?.to_owned(), below),
            (None, Base::Machine(_)) if ground.hermetic => return None,
            (None, Base::Machine(path)) => PathBuf::from(&**path),
        };
        path = joined(path, &self.rest);
        Some(path)
    }
}

/// Joins component by component, so that the separators are those of the operating system.
fn joined(mut path: PathBuf, rest: &str) -> PathBuf {
    path.extend(rest.split('/').filter(|component| !component.is_empty()));
    path
}

impl FromStr for Template {
    type Err = TemplateError;

    fn from_str(text: &str) -> Result<Self, TemplateError> {
        let error = || TemplateError(text.to_owned());
        if text
            .split(['/', '\\', '}'])
            .any(|component| component == "..")
        {
            return Err(error());
        }
        let Some(variable) = text.strip_prefix("${") else {
            let base = base(text).ok_or_else(error)?;
            return Ok(Self {
                variable: None,
                base,
                rest: Box::default(),
            });
        };
        let (variable, rest) = variable.split_once('}').ok_or_else(error)?;
        let (name, fallback) = variable.split_once(":-").ok_or_else(error)?;
        if name.is_empty() || !(rest.is_empty() || rest.starts_with('/')) {
            return Err(error());
        }
        Ok(Self {
            variable: Some(name.into()),
            base: base(fallback).ok_or_else(error)?,
            rest: rest.trim_start_matches('/').into(),
        })
    }
}

fn base(text: &str) -> Option<Base> {
    if let Some(below) = text.strip_prefix("~/") {
        return Some(Base::Home(below.into()));
    }
    let drive = matches!(text.as_bytes(), [letter, b':', b'/', ..] if letter.is_ascii_alphabetic());
    (text.starts_with('/') || drive).then(|| Base::Machine(text.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(template: &str, hermetic: bool) -> Option<PathBuf> {
        let variable = |name: &str| match name {
            "SET" => Some("/elsewhere"),
            "RELATIVE" => Some("not/absolute"),
            _ => None,
        };
        template.parse::<Template>().unwrap().resolve(Ground {
            home: Some(Path::new("/home/ann")),
            variable: &variable,
            hermetic,
        })
    }

    #[cfg(unix)]
    #[test]
    fn a_variable_replaces_the_default() {
        let path = |text: &str| Some(PathBuf::from(text));
        assert_eq!(resolve("~/.x/skills", false), path("/home/ann/.x/skills"));
        assert_eq!(
            resolve("${SET:-~/.x}/skills", false),
            path("/elsewhere/skills")
        );
        assert_eq!(
            resolve("${UNSET:-~/.x}/skills", false),
            path("/home/ann/.x/skills")
        );
        assert_eq!(
            resolve("${RELATIVE:-~/.x}/skills", false),
            path("/home/ann/.x/skills")
        );
        assert_eq!(resolve("/etc/x/skills", false), path("/etc/x/skills"));
    }

    #[cfg(unix)]
    #[test]
    fn hermetic_ground_stays_below_the_home() {
        let inside = Some(PathBuf::from("/home/ann/.x/skills"));
        assert_eq!(resolve("${SET:-~/.x}/skills", true), inside);
        assert_eq!(resolve("/etc/x/skills", true), None);
    }

    #[test]
    fn other_paths_are_refused() {
        for text in [
            "x",
            "./x",
            "~x",
            "${X}/y",
            "${X:-y}/z",
            "${:-~/y}/z",
            "~/../x",
            "/a/../b",
            "${A:-~/..}/b",
            "",
        ] {
            assert!(text.parse::<Template>().is_err(), "{text}");
        }
    }
}
