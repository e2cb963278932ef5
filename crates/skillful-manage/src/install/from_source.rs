//! From what was fetched to what is offered for installation.

use std::path::{MAIN_SEPARATOR, Path};

use skillful::{Skill, State, places};
use skillmd::Severity;

use super::files::Files;
use super::offer::Offer;
use crate::find::{self, FoundSkill, PickError};
use crate::lock::Resolved;
use crate::source::fetch::Fetched;
use crate::source::{Permission, Selector, Source, SourceError, Surroundings};
use crate::targets;

impl Fetched {
    /// The skills that are asked for by these names, or by the source itself, or that are taken when nobody asks for any.
    ///
    /// # Errors
    ///
    /// [`PickError`] for a name that no skill has, and when there is none at all.
    pub fn asked_for(&self, names: &[Selector]) -> Result<Vec<&FoundSkill>, PickError> {
        if names.is_empty() {
            return self.chosen();
        }
        let mut picked: Vec<&FoundSkill> = Vec::new();
        for name in names {
            for skill in find::pick(&self.skills, name)? {
                if picked.iter().all(|other| other.path != skill.path) {
                    picked.push(skill);
                }
            }
        }
        Ok(picked)
    }

    /// A skill of it, ready to be looked at; nothing when it cannot be read any more.
    pub fn offer(&self, found: &FoundSkill, files: &Files) -> Option<Offer> {
        // The path comes from our own walk over the tree.
        let place = if found.path.is_empty() {
            self.directory.clone()
        } else {
            self.directory.join(&found.path)
        };
        let skill = places::skill_at(&place)?;
        let manifest = skill.manifest.as_deref();
        let source = source_text(&self.source, found, files);
        Some(Offer {
            id: skill.id.clone(),
            name: skill.name.clone(),
            description: skill.description.clone(),
            broken: broken(&skill),
            faults: faults(&skill),
            license: manifest.and_then(|manifest| manifest.license.clone()),
            resolved: self.resolved(found, &source),
            source,
            form: skill.form,
            path: skill.path,
        })
    }

    fn resolved(&self, found: &FoundSkill, source: &str) -> Resolved {
        let resolution = &self.resolution;
        let artifact = resolution.artifact.as_ref();
        let address = match (&self.source, &resolution.url) {
            // A lock is shared, and a path of this machine is of no use elsewhere.
            (Source::Local(_), _) | (_, None) => source.to_owned(),
            (_, Some(url)) => url.clone(),
        };
        Resolved {
            address,
            path: found.path.clone(),
            commit: resolution.commit.clone(),
            tree: resolution.trees.get(&found.path).cloned(),
            artifact: artifact.map(|digits| format!("sha256:{digits}")),
            version: resolution.version.clone(),
            etag: resolution.etag.clone(),
        }
    }
}

/// Why a skill cannot be used at all.
fn broken(skill: &Skill) -> Option<String> {
    let is_broken = skill.state == State::Broken;
    is_broken.then(|| faults(skill).into_iter().next().unwrap_or_default())
}

/// What is wrong with a skill, and that its author calls it otherwise than it will be called.
fn faults(skill: &Skill) -> Vec<String> {
    let errors = skill.diagnostics.iter();
    let errors = errors.filter(|it| it.severity == Severity::Error);
    let mut faults: Vec<String> = errors.map(|it| it.message.clone()).collect();
    if skill.name != skill.id {
        faults.push(format!(
            "its name is {:?}; it is installed as `{}`",
            skill.name, skill.id
        ));
    }
    faults
}

/// The source of one of several skills, as a lock keeps it: with the skill's id, so that a skill that moves inside its
/// repository is found again, and with paths on this machine relative to the lock, so that it can be shared.
fn source_text(source: &Source, found: &FoundSkill, files: &Files) -> String {
    let selector = || Selector::parse(&found.id).ok();
    match source {
        Source::Git(git) => {
            let mut git = git.clone();
            // Who gave the path of the skill itself means that path.
            if git.skill.is_none() || git.skill == Some(Selector::All) {
                git.skill = if found.path.is_empty() {
                    None
                } else {
                    selector()
                };
            }
            Source::Git(git).to_string()
        }
        Source::Archive(web) | Source::WellKnown(web) | Source::Site(web) => {
            let mut web = web.clone();
            if !found.path.is_empty() {
                web.skill = selector();
            }
            match source {
                Source::Archive(_) => Source::Archive(web),
                Source::WellKnown(_) => Source::WellKnown(web),
                _ => Source::Site(web),
            }
            .to_string()
        }
        Source::Local(path) => local_text(path, &found.path, files),
        Source::Document(_) | Source::Hub(_) | Source::Plugin(_) => source.to_string(),
    }
}

/// A path on this machine: that of the skill itself. Relative to the lock where it lies below its directory or beside it,
/// as in a repository of skills; else below `~/`, else absolute.
fn local_text(source: &Path, below: &str, files: &Files) -> String {
    let place = if below.is_empty() || source.is_file() {
        source.to_owned()
    } else {
        source.join(below)
    };
    let place = targets::real(&place);
    let base = files.lock.parent().map(targets::real).unwrap_or_default();
    let relative = |base: &Path, lead: &str| {
        let below = place.strip_prefix(base).ok()?;
        let text = below.to_string_lossy().replace(MAIN_SEPARATOR, "/");
        Some(format!("{lead}{text}"))
    };
    let beside = || relative(base.parent()?, "../");
    relative(&base, "./")
        .or_else(beside)
        .unwrap_or_else(|| files.shorten(&place))
}

impl Files {
    /// The text of a source on this machine, as the lock keeps it.
    pub fn local_source(&self, path: &Path) -> String {
        local_text(path, "", self)
    }

    /// Where relative paths of sources in the lock and in what is wanted start.
    pub fn surroundings(&self, permission: Permission) -> Surroundings {
        Surroundings {
            home: self.home().map(Path::to_owned),
            working_directory: self
                .lock
                .parent()
                .map_or_else(Default::default, Path::to_owned),
            permission,
        }
    }

    /// The source that a text in the lock or in what is wanted means.
    ///
    /// # Errors
    ///
    /// [`SourceError`] for a text that is none.
    pub fn source(&self, text: &str) -> Result<Source, SourceError> {
        Source::parse(text, &self.surroundings(Permission::Encrypted))
    }
}
