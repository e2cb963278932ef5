//! From what tools tell to entries of the lock.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use skillful::places;
use skillful_store::journal::Operation;

use super::ground::{self, Ground, Spot};
use super::origin::Origin;
use super::record::{Place, Record, Told};
use super::{
    Adoptable, Adopted, Adoption, NotAdopted, NotAdoptedReason as Reason, Tool, Wish, apm, claude,
    clawhub, dotagents, github, hermes, oci, openskills, skillport, vercel,
};
use crate::change::{Change, Writer};
use crate::install::apply::Records;
use crate::install::error::InstallError;
use crate::install::{Installer, Kept};
use crate::lock::{Lock, LockedSkill, LockedTarget};
use crate::targets::{self, Method};
use crate::tree::Tree;
use crate::wanted::WantedSkill;

impl Installer<'_> {
    /// Says what other tools installed here, and what of it would be adopted. Nothing is written.
    ///
    /// # Errors
    ///
    /// When the lock cannot be understood.
    pub fn plan_adoption(&self, wish: &Wish) -> Result<Adoption, InstallError> {
        let ground = Ground::of(self).ok_or(InstallError::NoHome)?;
        let lock = self.lock()?;
        let mut told = Told::default();
        if wish.source.is_none() {
            self.ask(&ground, wish.tool, &mut told);
        }
        let mut adoption = Adoption {
            faults: told.faults,
            mentions: told.mentions,
            ..Adoption::default()
        };
        let mut taken = Taken::default();
        let is_meant = |name: &str| is_meant(&wish.ids, name);
        for record in told.records.iter().filter(|it| is_meant(&it.name)) {
            let result = directory_of(&ground, record)
                .and_then(|directory| Ok((directory, origin(record)?)))
                .and_then(|(directory, origin)| {
                    let tool = Some(record.tool);
                    self.adoptable(&ground, &lock, tool, &directory, origin)
                });
            taken.add(&record.name, Some(record.tool), result);
        }
        for id in &wish.ids {
            if !taken.knows(id) {
                let result = self.by_name(&ground, &lock, id, wish);
                taken.add(id, None, result);
            }
        }
        adoption.skills = taken.skills.into_values().collect();
        adoption.refused = taken.refused.into_iter().collect();
        adoption.faults.sort();
        adoption.faults.dedup();
        adoption.mentions.sort();
        Ok(adoption)
    }

    fn ask(&self, ground: &Ground, tool: Option<Tool>, told: &mut Told) {
        let files = self.files();
        let asked = |other: &Tool| tool.is_none_or(|tool| tool == *other);
        for tool in Tool::ALL.into_iter().filter(asked) {
            match tool {
                Tool::Skills => vercel::read(ground, files, told),
                Tool::Gh => github::read(ground, files, told),
                Tool::OpenSkills => openskills::read(ground, files, told),
                Tool::SkillPort => skillport::read(ground, files, told),
                Tool::ClawHub => clawhub::read(ground, files, told),
                Tool::DotAgents => dotagents::read(ground, files, told),
                Tool::Hermes => hermes::read(ground, files, told),
                Tool::Apm => apm::read(ground, files, told),
                Tool::SkillsOci => oci::read(ground, told),
                Tool::ClaudePlugins => claude::read(ground, told),
            }
        }
    }

    /// A skill that no tool tells of, by the name of its directory.
    fn by_name(
        &self,
        ground: &Ground,
        lock: &Lock,
        id: &str,
        wish: &Wish,
    ) -> Result<Adoptable, Reason> {
        let spot = ground.named(id).next();
        let is_linked = |spot: &&Spot| spot.method == Method::Link && spot.name == id;
        let spot = spot.or_else(|| ground.spots.iter().find(is_linked));
        let spot = spot.ok_or(Reason::Gone)?;
        let source = wish.source.as_deref().ok_or(Reason::NoOrigin)?;
        let origin = super::origin::of_text(self.files(), source).map_err(Reason::Source)?;
        let directory = match spot.method {
            Method::Copy => spot.path.clone(),
            Method::Link => spot.real.clone(),
        };
        self.adoptable(ground, lock, None, &directory, origin)
    }

    fn adoptable(
        &self,
        ground: &Ground,
        lock: &Lock,
        tool: Option<Tool>,
        directory: &Path,
        origin: Origin,
    ) -> Result<Adoptable, Reason> {
        let real = targets::real(directory);
        if self.data.objects().tree_at(&real).is_some() {
            return Err(Reason::Known);
        }
        let skill = places::skill_at(directory).ok_or(Reason::NoSkill)?;
        if !skill.path.starts_with(directory) {
            return Err(Reason::NoSkill);
        }
        if lock.get(&skill.id).is_some() || self.is_locked(lock, directory) {
            return Err(Reason::Known);
        }
        let tree = Tree::capture(directory);
        let tree = tree.map_err(|error| Reason::Unreadable(error.to_string()))?;
        let manifest = skill.manifest.as_deref();
        let gated = self
            .gate
            .look(&skill.form, &skill.path, self.trust_of(&origin.source));
        let kept = Kept {
            tree,
            left_out: Vec::new(),
        };
        let locked = LockedSkill {
            id: skill.id.clone(),
            source: origin.source,
            resolved: origin.resolved,
            digest: kept.digest().to_string(),
            files: kept.files(),
            targets: self.targets_of(ground, directory, &real)?,
            license: manifest.and_then(|manifest| manifest.license.clone()),
            verdict: Some(gated.verdict().as_str().to_owned()),
            other: Vec::new(),
        };
        Ok(Adoptable {
            tool,
            directory: directory.to_owned(),
            locked,
            gated,
        })
    }

    fn is_locked(&self, lock: &Lock, directory: &Path) -> bool {
        lock.owner_of(&self.files.shorten(directory)).is_some()
    }

    /// The directory itself, and every link of a client that leads there, as they are.
    fn targets_of(
        &self,
        ground: &Ground,
        directory: &Path,
        real: &Path,
    ) -> Result<Vec<LockedTarget>, Reason> {
        let target = |path: &Path, client: Option<&str>, method| {
            let text = self.files.shorten(path);
            // What the lock of a project may not name could never be found again.
            if self.files.expand(&self.reach, &text).is_none() {
                return Err(Reason::Outside(path.display().to_string()));
            }
            Ok(LockedTarget {
                path: text,
                client: client.map(str::to_owned),
                method,
            })
        };
        let here: Vec<&Spot> = ground.spots.iter().filter(|it| it.real == *real).collect();
        let own = here.iter().find(|spot| spot.path == directory);
        let client = own.and_then(|spot| spot.client.as_deref());
        let mut all = vec![target(directory, client, Method::Copy)?];
        let links = here.iter().filter(|spot| spot.method == Method::Link);
        for spot in links {
            all.push(target(&spot.path, spot.client.as_deref(), Method::Link)?);
        }
        Ok(all)
    }

    /// Writes down what was planned: the lock and what is wanted. No skill is touched.
    ///
    /// # Errors
    ///
    /// When the change cannot be made, as when a skill is no longer as the plan saw it.
    pub fn adopt(&self, adoption: &Adoption) -> Result<Adopted, InstallError> {
        if adoption.skills.is_empty() {
            return Ok(Adopted::default());
        }
        let mut writer = Writer::open(&self.data)?;
        let mut records = Records::read(self)?;
        let mut change = Change::new(Operation::ADOPT, self.actor.clone());
        let mut ids = Vec::new();
        for skill in &adoption.skills {
            let locked = &skill.locked;
            // Kept, so that edits can be shown and taken back.
            let tree = writer.objects().put_tree(&skill.directory)?;
            if tree.digest().to_string() != locked.digest {
                return Err(InstallError::Edited {
                    id: locked.id.clone(),
                    path: skill.directory.clone(),
                });
            }
            let copies = locked.targets.iter().filter(|it| it.method == Method::Copy);
            let wanted = WantedSkill {
                source: locked.source.clone(),
                copy: copies.count() > 1,
                ..WantedSkill::default()
            };
            records.lock.insert(locked.clone());
            records
                .want(&locked.id, wanted)
                .map_err(|fault| fault.at(&self.files.wanted))?;
            change = change.about(&locked.id);
            ids.push(locked.id.clone());
        }
        let change = records.swap_into(self, writer.objects(), change)?;
        Ok(Adopted {
            ids,
            entry: Some(writer.commit(change)?),
        })
    }
}

fn is_meant(ids: &[String], name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or(name);
    ids.is_empty()
        || ids
            .iter()
            .any(|id| id == name || skillmd::skill_id(id) == skillmd::skill_id(last))
}

fn origin(record: &Record) -> Result<Origin, Reason> {
    record.origin.clone().map_err(Reason::Source)
}

/// The directory that a record means.
fn directory_of(ground: &Ground, record: &Record) -> Result<PathBuf, Reason> {
    let path = match &record.place {
        Place::Found(path) => path.clone(),
        Place::Below { base, path } => {
            let hostile = |_: ground::LeadsOut| Reason::Hostile(path.clone());
            ground::below(base, path).map_err(hostile)?
        }
        Place::Named(name) => {
            if is_path(name) {
                return Err(Reason::Hostile(name.clone()));
            }
            let spot = ground.named(name).next().ok_or(Reason::Gone)?;
            spot.path.clone()
        }
    };
    if path.is_dir() {
        Ok(path)
    } else {
        Err(Reason::Gone)
    }
}

fn is_path(name: &str) -> bool {
    name.contains(['/', '\\', '\0']) || name == ".." || name == "."
}

/// What is taken so far, each skill once.
#[derive(Debug, Default)]
struct Taken {
    skills: BTreeMap<String, Adoptable>,
    refused: BTreeSet<NotAdopted>,
    names: BTreeSet<String>,
}

impl Taken {
    fn knows(&self, id: &str) -> bool {
        let mut names = self.names.iter();
        self.skills.contains_key(id)
            || names.any(|name| name == id || skillmd::skill_id(name) == skillmd::skill_id(id))
    }

    fn add(&mut self, name: &str, tool: Option<Tool>, result: Result<Adoptable, Reason>) {
        self.names.insert(name.to_owned());
        let refused = |reason| NotAdopted {
            name: name.to_owned(),
            tool,
            reason,
        };
        let skill = match result {
            Ok(skill) => skill,
            Err(reason) => {
                self.refused.insert(refused(reason));
                return;
            }
        };
        let Some(known) = self.skills.get_mut(&skill.locked.id) else {
            self.skills.insert(skill.locked.id.clone(), skill);
            return;
        };
        if known.locked.digest != skill.locked.digest {
            let other = known.directory.display().to_string();
            self.refused.insert(refused(Reason::Ambiguous(other)));
            return;
        }
        // The same files for several clients, or two tools that tell of one directory.
        for target in skill.locked.targets {
            if known.locked.targets.iter().all(|it| it.path != target.path) {
                known.locked.targets.push(target);
            }
        }
    }
}
