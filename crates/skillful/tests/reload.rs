//! Whatever happens to the files, a reload of what changed ends where a search of everything ends.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is the report")]

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use skillful::{Clients, Host, Options, Skill, SkillSystem, Snapshot};
use tempfile::TempDir;

/// Two roots, one of which is shown through a link as well, and a directory that skills come from and go to.
struct Machine(TempDir);

/// Something that happens to files.
#[derive(Clone, Debug)]
enum Step {
    /// A SKILL.md is written: the place, its name, and what is different about this version.
    Write(usize, usize, usize),
    /// A file beside a SKILL.md, or where there is none.
    Other(usize, usize),
    /// A flat skill.
    Flat(usize, usize),
    /// The SKILL.md of a place is renamed to another spelling.
    Respell(usize),
    /// A SKILL.md is removed, and what lies beside it stays.
    Forget(usize),
    /// A place is removed with all that it holds.
    Remove(usize),
    /// A place becomes another place, which is replaced.
    Move(usize, usize),
}

/// Places of skills: side by side, in a group, and one within another.
const PLACES: [&str; 7] = [
    "near/a",
    "near/b",
    "near/group/c",
    "near/group",
    "near/a/inner",
    "far/a",
    "far/d",
];

fn any_step() -> impl Strategy<Value = Step> {
    let place = 0..PLACES.len();
    prop_oneof![
        4 => (place.clone(), 0..3_usize, 0..4_usize).prop_map(|(p, n, v)| Step::Write(p, n, v)),
        2 => (place.clone(), 0..4_usize).prop_map(|(p, v)| Step::Other(p, v)),
        1 => (0..2_usize, 0..3_usize).prop_map(|(r, n)| Step::Flat(r, n)),
        1 => place.clone().prop_map(Step::Respell),
        1 => place.clone().prop_map(Step::Forget),
        2 => place.clone().prop_map(Step::Remove),
        2 => (place.clone(), place).prop_map(|(a, b)| Step::Move(a, b)),
    ]
}

impl Machine {
    fn new() -> Self {
        let machine = Self(tempfile::tempdir().unwrap());
        for root in ["near", "far"] {
            fs::create_dir(machine.path(root)).unwrap();
        }
        machine
    }

    fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(path)
    }

    fn system(&self) -> SkillSystem {
        SkillSystem::builder()
            .host(Host::new(self.0.path()))
            .clients(Clients::built_in().unwrap())
            .options(Options {
                roots: vec![self.path("near"), self.path("far")],
                ..Options::default()
            })
            .build()
            .unwrap()
    }

    /// Carries out a step, as far as it can be. Gives the paths that a watcher would name.
    fn carry_out(&self, step: &Step) -> Vec<PathBuf> {
        match *step {
            Step::Write(place, name, version) => {
                let text = format!("---\nname: skill-{name}\ndescription: v{version}\n---\n");
                self.write(Path::new(PLACES[place]).join("SKILL.md"), &text)
            }
            Step::Other(place, version) => self.write(
                Path::new(PLACES[place]).join("notes.md"),
                &format!("{version}"),
            ),
            Step::Flat(root, name) => {
                let text = format!("---\nname: skill-{name}\ndescription: flat\n---\n");
                let root = ["near", "far"][root];
                self.write(Path::new(root).join("flat.skill.md"), &text)
            }
            Step::Respell(place) => {
                let (from, to) = (
                    self.path(PLACES[place]).join("SKILL.md"),
                    self.path(PLACES[place]).join("skill.md"),
                );
                fs::rename(&from, &to).map_or_else(|_| Vec::new(), |()| vec![from, to])
            }
            Step::Forget(place) => {
                let path = self.path(PLACES[place]).join("SKILL.md");
                fs::remove_file(&path).map_or_else(|_| Vec::new(), |()| vec![path])
            }
            Step::Remove(place) => {
                let path = self.path(PLACES[place]);
                fs::remove_dir_all(&path).map_or_else(|_| Vec::new(), |()| vec![path])
            }
            Step::Move(from, to) => {
                let (from, to) = (self.path(PLACES[from]), self.path(PLACES[to]));
                if from == to || to.starts_with(&from) || from.starts_with(&to) || !from.exists() {
                    return Vec::new();
                }
                let _ = fs::remove_dir_all(&to);
                fs::create_dir_all(to.parent().unwrap()).unwrap();
                fs::rename(&from, &to).unwrap();
                vec![from, to]
            }
        }
    }

    fn write(&self, path: PathBuf, text: &str) -> Vec<PathBuf> {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        vec![path]
    }
}

/// All that a search decides about the skills.
fn outcome(snapshot: &Snapshot) -> Vec<String> {
    let line = |skill: &Skill| {
        format!(
            "{} {} {} {} {:?} {:?} {:?}",
            skill.id,
            skill.root.order,
            skill.path.display(),
            skill.state.as_str(),
            skill.blockers,
            skill.description,
            skill.diagnostics,
        )
    };
    snapshot.skills().iter().map(|skill| line(skill)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_reload_ends_where_a_search_ends(steps in prop::collection::vec(any_step(), 1..16)) {
        let machine = Machine::new();
        let system = machine.system();
        for step in &steps {
            let changed = machine.carry_out(step);
            system.reload(changed);
            prop_assert_eq!(
                outcome(&system.snapshot()),
                outcome(&machine.system().snapshot()),
                "after {:?}",
                step
            );
        }
    }

    /// A watcher may tell late and of many changes at once.
    #[test]
    fn changes_may_be_told_together(steps in prop::collection::vec(any_step(), 1..16)) {
        let machine = Machine::new();
        let system = machine.system();
        let changed: Vec<PathBuf> = steps.iter().flat_map(|step| machine.carry_out(step)).collect();
        system.reload(changed);
        prop_assert_eq!(outcome(&system.snapshot()), outcome(&machine.system().snapshot()));
    }
}
