use super::*;
use crate::discover::Form;
use crate::load::load;
use crate::roots::{Source, Trust};

/// What is known of a machine with two roots, and what it makes of changes.
struct Machine {
    roots: Vec<Arc<Root>>,
    skills: SkillPlaces,
    config: BTreeSet<PathBuf>,
}

impl Machine {
    /// With these skills, given by their directories or files.
    fn with(skills: &[&str]) -> Self {
        let root = |path: &str| {
            let source = Source::Workspace { distance: 0 };
            Arc::new(Root::new(path.into(), source, Trust::Community))
        };
        Self {
            roots: vec![root("/r"), root("/s")],
            skills: SkillPlaces {
                places: skills.iter().map(|path| (path.into(), 1)).collect(),
            },
            config: BTreeSet::from([PathBuf::from("/home/skills.toml")]),
        }
    }

    fn work(&self, batch: &Batch) -> Work {
        let known = Known {
            roots: &self.roots,
            skills: &self.skills,
            config: &self.config,
        };
        affected(batch, known)
    }

    /// What is to be done after a path of the first root changed: the path to look at, `search`, or `-`.
    fn after(&self, path: &str) -> String {
        let mut batch = Batch::default();
        batch.add_path(&Arc::from(Path::new("/r")), PathBuf::from(path));
        let work = self.work(&batch);
        assert!(!work.resolve && work.config.is_empty());
        let looks: Vec<_> = work.looks.values().flatten().collect();
        match (&looks[..], work.searches.len()) {
            ([], 0) => "-".to_owned(),
            ([], 1) => "search".to_owned(),
            ([path], 0) => path.to_string_lossy().replace('\\', "/"),
            _ => panic!("{work:?}"),
        }
    }
}

#[test]
fn each_change_means_the_least_work() {
    let machine = Machine::with(&[
        "/r/a",
        "/r/kind/b",
        "/r/kind/c",
        "/r/x.skill.md",
        "/r/y.zip",
    ]);
    for (path, expected) in [
        ("/r/a/SKILL.md", "/r/a"),
        ("/r/a/scripts/run.sh", "/r/a"),
        ("/r/a/.hidden", "/r/a"),
        ("/r/a", "/r/a"),
        ("/r/kind/b/SKILL.md", "/r/kind/b"),
        ("/r/kind", "search"),
        ("/r/x.skill.md", "/r/x.skill.md"),
        ("/r/y.zip", "/r/y.zip"),
        ("/r", "search"),
        ("/r/new", "/r/new"),
        ("/r/new/SKILL.md", "/r/new/SKILL.md"),
        ("/r/kind/README.md", "/r/kind/README.md"),
        ("/r/target/SKILL.md", "/r/target/SKILL.md"),
        ("/r/pyvenv.cfg", "search"),
        ("/r/SKILL.md", "search"),
        ("/r/.usage.json", "-"),
        ("/r/.git/HEAD", "-"),
        ("/r/node_modules/x/SKILL.md", "-"),
        ("/elsewhere/x", "-"),
    ] {
        assert_eq!(machine.after(path), expected, "{path}");
    }
}

#[test]
fn a_skill_in_the_root_does_not_own_the_root() {
    let mut machine = Machine::with(&["/r", "/r/a"]);
    assert_eq!(machine.after("/r/a/x"), "/r/a");
    assert_eq!(machine.after("/r/SKILL.md"), "search");
    Arc::make_mut(&mut machine.roots[0]).single = true;
    assert_eq!(machine.after("/r/scripts/x"), "/r");
    machine.skills = SkillPlaces::default();
    assert_eq!(machine.after("/r/SKILL.md"), "search");
}

#[test]
fn other_places_mean_other_work() {
    let machine = Machine::with(&[]);
    let mut batch = Batch::default();
    batch.add_path(
        &Arc::from(Path::new("/home/skills.toml")),
        PathBuf::from("/home/skills.toml"),
    );
    let work = machine.work(&batch);
    assert_eq!(work.config, machine.config);
    assert!(!work.resolve);
    batch.add_all(&Arc::from(Path::new("/home/.client/skills")));
    batch.add_all(&Arc::from(Path::new("/s")));
    let work = machine.work(&batch);
    assert!(work.resolve);
    assert_eq!(work.searches, BTreeSet::from([PathBuf::from("/s")]));
    assert!(machine.work(&Batch::default()).is_empty());
}

#[test]
fn many_looks_are_a_search() {
    let machine = Machine::with(&[]);
    let mut batch = Batch::default();
    let place = Arc::from(Path::new("/r"));
    for number in 0..limits::LOOKS {
        batch.add_path(&place, PathBuf::from(format!("/r/{number}")));
    }
    assert_eq!(
        machine.work(&batch).looks[Path::new("/r")].len(),
        limits::LOOKS
    );
    batch.add_path(&place, PathBuf::from("/r/one-more"));
    let work = machine.work(&batch);
    assert!(work.looks.is_empty() && work.searches.len() == 1);
}

#[test]
fn places_follow_the_skills() {
    let machine = Machine::with(&[]);
    let skill = |path: &str, form: Form| {
        let candidate = discover::Candidate {
            path: PathBuf::from(path),
            form,
            real_directory: None,
            content: Ok(b"x".to_vec()),
            notes: Vec::new(),
        };
        load(candidate, &machine.roots[0])
    };
    let skills = [
        skill("/r/a/SKILL.md", Form::Directory),
        skill("/r/b.md", Form::File),
    ];
    let mut places = SkillPlaces::default();
    for skill in &skills {
        places.insert(skill);
    }
    let registry = Registry::new(skills.to_vec(), |_, _| false);
    assert_eq!(places, SkillPlaces::of(&registry));
    assert_eq!(places.within(Path::new("/r/a")).count(), 1);
    assert_eq!(places.within(Path::new("/r/b")).count(), 0);
    // The same skill by a root in the other.
    places.insert(&skills[0]);
    places.remove(&skills[0]);
    assert_eq!(places.within(Path::new("/r")).count(), 2);
    for skill in &skills {
        places.remove(skill);
    }
    assert_eq!(places, SkillPlaces::default());
}

#[test]
fn everything_that_counts_is_watched() {
    let mut machine = Machine::with(&[]);
    machine.roots.push(Arc::new(crate::bundled::root()));
    let depends_on = Dependencies {
        absent: vec!["/home/.client/skills".into()],
        files: vec!["/home/plugins.json".into()],
        listings: vec!["/home/plugins".into()],
    };
    let depth = limits::DEPTH;
    assert_eq!(
        places(&machine.roots, &depends_on, &machine.config),
        [
            Place::tree("/r", depth),
            Place::tree("/s", depth),
            Place::tree("/home/.client/skills", 0),
            Place::tree("/home/plugins", 0),
            Place::file("/home/plugins.json"),
            Place::file("/home/skills.toml"),
        ]
    );
}
