//! What a user means by a path: a skill's directory, a file, or a directory that is searched.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::discover::{self, Candidate, SearchLimits};
use crate::load::{Skill, load};
use crate::problem::Problem;
use crate::roots::Root;

/// What became of the skills at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visited<T> {
    /// One for each skill, sorted by path.
    pub skills: Vec<(PathBuf, T)>,
    /// What could not be searched.
    pub problems: Vec<Problem>,
}

/// A path that leads to nothing.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be read: {error}", path.display())]
pub struct PathError {
    /// The path.
    pub path: PathBuf,
    /// What the operating system says.
    pub error: io::Error,
}

/// Hands every skill at `path` to `visit`, from several threads.
///
/// A file is a skill, whatever it is called. A directory with a SKILL.md is one skill; any other is searched.
///
/// # Errors
///
/// [`PathError`] when there is nothing at the path.
pub fn visit<T: Send>(
    path: &Path,
    visit: impl Fn(Candidate) -> T + Sync,
) -> Result<Visited<T>, PathError> {
    let failed = |error| PathError {
        path: path.to_owned(),
        error,
    };
    let visit = |candidate: Candidate| {
        let path = candidate.path.clone();
        (path, visit(candidate))
    };
    if !std::fs::metadata(path).map_err(failed)?.is_dir() {
        return Ok(Visited {
            skills: vec![visit(Candidate::of_file(path))],
            problems: Vec::new(),
        });
    }
    let root = Root::of_path(path).map_err(failed)?;
    let mut found = discover::search(&root, SearchLimits::default(), visit);
    found.skills.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(Visited {
        skills: found.skills,
        problems: found.problems,
    })
}

/// All skills at a path, wherever it lies, sorted by path. Each has the directory around it for its root.
///
/// # Errors
///
/// [`PathError`] when there is nothing at the path.
pub fn skills_at(path: &Path) -> Result<Vec<Skill>, PathError> {
    let visited = visit(path, |candidate| {
        let directory = candidate.form.directory(&candidate.path);
        let around = directory.and_then(Path::parent).unwrap_or(Path::new("."));
        let root = Root::of_path(around).ok()?;
        Some(load(candidate, &Arc::new(root)))
    })?;
    Ok(visited
        .skills
        .into_iter()
        .filter_map(|(_, skill)| skill)
        .collect())
}

/// The skill at a path, wherever it lies; nothing when there is none or more than one.
pub fn skill_at(path: &Path) -> Option<Skill> {
    let mut skills = skills_at(path).ok()?.into_iter();
    match (skills.next(), skills.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skill(directory: &Path, file: &str) {
        std::fs::create_dir_all(directory).unwrap();
        std::fs::write(directory.join(file), "---\nname: x\ndescription: d\n---\n").unwrap();
    }

    fn found(path: &Path) -> Vec<String> {
        let top = path.to_owned();
        let visited = visit(path, |candidate| candidate.place_name().into_owned()).unwrap();
        visited
            .skills
            .into_iter()
            .map(|(path, place)| {
                let below = path.strip_prefix(&top).unwrap_or(&path);
                format!("{place}:{}", below.to_string_lossy().replace('\\', "/"))
            })
            .collect()
    }

    #[test]
    fn a_skill_a_file_or_a_tree() {
        let directory = tempfile::tempdir().unwrap();
        let top = directory.path();
        skill(&top.join("one"), "SKILL.md");
        skill(&top.join("one/nested"), "SKILL.md");
        skill(&top.join("group/two"), "skill.md");
        skill(&top.join("flat"), "greet.skill.md");
        assert_eq!(
            found(top),
            [
                "greet:flat/greet.skill.md",
                "two:group/two/skill.md",
                "one:one/SKILL.md"
            ]
        );
        assert_eq!(found(&top.join("one")), ["one:SKILL.md"]);
        assert_eq!(found(&top.join("group/two/skill.md")), ["two:"]);
        assert_eq!(found(&top.join("flat/greet.skill.md")), ["greet:"]);
        assert!(visit(&top.join("none"), |_| ()).is_err());
    }
}
