//! Whatever another tool wrote down: reading it ends without a panic, nothing is adopted from outside of the project or
//! the home, and what would be adopted has a source that is understood.

#![no_main]

use std::cell::OnceCell;
use std::fs;
use std::path::PathBuf;

use libfuzzer_sys::fuzz_target;
use skillful::{Clients, Host, Options, Setup};
use skillful_manage::gate::Gate;
use skillful_manage::install::{Installer, Wish};
use skillful_manage::source::Permission;
use skillful_manage::targets::Reach;

/// The files that are read, below a project or a home.
const FILES: [&str; 15] = [
    ".agents/.skill-lock.json",
    "skills-lock.json",
    "skills/notes/.openskills.json",
    "skills/origins.json",
    ".skillport/origins.json",
    ".clawhub/lock.json",
    "skills/notes/.clawhub/origin.json",
    "agents.lock",
    "agents.toml",
    ".agents/agents.lock",
    ".hermes/skills/.hub/lock.json",
    "apm.lock.yaml",
    "skills.lock.json",
    ".claude/plugins/installed_plugins.json",
    "skills/notes/SKILL.md",
];

const SKILL: &str =
    "---\nname: notes\ndescription: Keeps notes. Use when asked to.\n---\n\nDo it.\n";

struct World {
    directory: tempfile::TempDir,
    top: PathBuf,
    setup: Setup,
}

impl World {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(directory.path()).unwrap();
        let top = home.join("project");
        for below in ["skills/notes", ".claude/skills/notes", ".git"] {
            fs::create_dir_all(top.join(below)).unwrap();
        }
        for below in ["skills/notes", ".claude/skills/notes"] {
            fs::write(top.join(below).join("SKILL.md"), SKILL).unwrap();
        }
        fs::create_dir_all(home.join("outside/notes")).unwrap();
        fs::write(home.join("outside/notes/SKILL.md"), SKILL).unwrap();
        let options = Options {
            home: Some(top.clone()),
            project: Some(top.clone()),
            ..Options::default()
        };
        let host = Host::new(&top);
        let clients = Clients::built_in().unwrap();
        Self {
            setup: Setup::read(host, clients, options, None, Default::default()),
            directory,
            top,
        }
    }
}

thread_local! {
    static WORLD: OnceCell<World> = const { OnceCell::new() };
}

fuzz_target!(|input: (u8, bool, &[u8])| {
    let (which, is_user, bytes) = input;
    let file = FILES[usize::from(which) % FILES.len()];
    WORLD.with(|world| {
        let world = world.get_or_init(World::new);
        let path = world.top.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        let reach = if is_user {
            Reach::User
        } else {
            Reach::Project(world.top.clone())
        };
        let gate = Gate::of(&world.setup.config).unwrap();
        let installer = Installer::new(&world.setup, reach, gate).unwrap();
        let adoption = installer.plan_adoption(&Wish::default()).unwrap();
        for skill in &adoption.skills {
            let real = fs::canonicalize(&skill.directory).unwrap();
            assert!(real.starts_with(&world.top), "{}", real.display());
            let source = &skill.locked.source;
            assert!(!source.chars().any(char::is_control), "{source:?}");
            let here = installer.files().surroundings(Permission::Encrypted);
            let parsed = skillful_manage::source::Source::parse(source, &here);
            assert!(parsed.is_ok(), "{source:?}: {parsed:?}");
        }
        assert!(world.directory.path().exists());
        fs::remove_file(&path).unwrap();
        if path.ends_with("SKILL.md") {
            fs::write(&path, SKILL).unwrap();
        }
    });
});
