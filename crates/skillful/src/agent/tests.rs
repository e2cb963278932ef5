use std::path::{Path, PathBuf};

use skillful_store::{Approval, Choice, Choices, Timestamp};
use tempfile::TempDir;

use super::*;
use crate::clients::Clients;
use crate::host::Host;
use crate::matching::{Ambient, Message, matches};
use crate::roots::Options;

/// A root with skills, and a configuration.
struct Machine(TempDir);

impl Machine {
    fn new(config: &str, skills: &[(&str, &str)]) -> Self {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("skills.toml"), config).unwrap();
        for (name, more) in skills {
            let directory = place.path().join("root").join(name);
            std::fs::create_dir_all(&directory).unwrap();
            let text = format!("---\nname: {name}\ndescription: Does {name}.\n{more}---\nBody\n");
            std::fs::write(directory.join("SKILL.md"), text).unwrap();
        }
        Self(place)
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn setup(&self, choices: Choices) -> Setup {
        let options = Options {
            roots: vec![self.path("root")],
            ..Options::default()
        };
        let config = self.path("skills.toml");
        let clients = Clients::built_in().unwrap();
        let host = Host::new(self.0.path());
        Setup::read(host, clients, options, Some(Path::new(&config)), choices)
    }
}

fn skill<'l>(library: &'l Library, id: &str) -> &'l Arc<Skill> {
    library.registry.get(id).unwrap()
}

#[test]
fn switches_count_for_the_agent_that_they_are_made_for() {
    let config = "[skills.quiet]\nmode = \"manual-only\"\n\n[skills.pinned.agents.codex]\nmode = \"pinned\"\n";
    let machine = Machine::new(
        config,
        &[
            ("pinned", ""),
            ("quiet", "triggers: [\"keyword:hush\"]\n"),
            ("own", "disable-model-invocation: true\n"),
        ],
    );
    let setup = machine.setup(Choices::default());
    let library = setup.agent(None).scan(Guard::without_records());
    let (any, codex) = (setup.agent(None), setup.agent(Some("codex")));
    assert_eq!(any.mode(skill(&library, "pinned")), Mode::Auto);
    assert_eq!(codex.mode(skill(&library, "pinned")), Mode::Pinned);
    let no_usage = |_: &Skill| catalog::Usage::default();
    let entries = codex.entries(library.registry.skills(), Form::default(), &no_usage);
    let ids: Vec<_> = entries
        .iter()
        .map(|entry| (&*entry.id, entry.mode))
        .collect();
    assert_eq!(ids, [("pinned", Mode::Pinned)]);
    assert!(entries[0].version.is_some() == Form::default().shows_versions());

    let candidates = any.candidates(library.registry.skills());
    let said = |text| Message {
        text,
        ..Message::default()
    };
    let found = |text| matches(&candidates, &said(text), Ambient::None).len();
    assert_eq!(found("please hush"), 0, "only a person may bring it up");
    assert_eq!(found("/quiet"), 1);
}

#[test]
fn a_wanted_budget_goes_before_the_configured_one() {
    let machine = Machine::new("[catalog]\nmax-characters = 500\nmax-skills = 3\n", &[]);
    let setup = machine.setup(Choices::default());
    let wanted = Budget {
        characters: Some(900),
        ..Budget::default()
    };
    assert_eq!(
        setup.agent(None).budget(wanted),
        Budget {
            entries: Some(3),
            characters: Some(900),
            tokens: None,
        }
    );
}

#[test]
fn inline_commands_take_the_configuration_and_an_approval_of_these_very_files() {
    let allowed = "[permissions]\ninline-shell = true\n";
    for (config, may_run) in [("", false), (allowed, true)] {
        let machine = Machine::new(config, &[("x", "")]);
        let library = machine
            .setup(Choices::default())
            .agent(None)
            .scan(Guard::without_records());
        let skill = skill(&library, "x");
        let mut choices = Choices::default();
        let approval = Approval::new(digest(skill).unwrap(), Timestamp::from_seconds(1));
        let what = INLINE_SHELL.to_owned();
        choices.apply(&key_of(skill), Choice::Approve { what, approval });
        let setup = machine.setup(choices);
        let permissions = setup.agent(None).permissions(skill);
        assert_eq!(permissions.inline_shell, may_run);
        assert_eq!(permissions.trusted, may_run);
        std::fs::write(machine.path("root/x/new.sh"), "true\n").unwrap();
        assert!(!setup.agent(None).permissions(skill).trusted);
    }
}

#[cfg(unix)]
#[test]
fn programs_that_skillful_placed_count_and_are_named_with_their_files() {
    use std::os::unix::fs::PermissionsExt;
    let machine = Machine::new(
        "",
        &[(
            "x",
            "metadata:\n  openclaw:\n    requires: {bins: [fetched]}\n",
        )],
    );
    let options = Options {
        roots: vec![machine.path("root")],
        home: Some(machine.path("home")),
        ..Options::default()
    };
    let host = Host::new("/");
    let bin = crate::records::program_directory(&host, &options).unwrap();
    let setup = || {
        let clients = Clients::built_in().unwrap();
        Setup::read(
            host.clone(),
            clients,
            options.clone(),
            None,
            Choices::default(),
        )
    };
    let before = setup();
    let library = before.agent(None).scan(Guard::without_records());
    assert_eq!(skill(&library, "x").state, crate::State::Ineligible);
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::write(bin.join("fetched"), "").unwrap();
    std::fs::set_permissions(bin.join("fetched"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let after = setup();
    let library = after.agent(None).scan(Guard::without_records());
    let found = skill(&library, "x");
    assert_eq!(found.state, crate::State::Ready);
    let permissions = after.agent(None).permissions(found);
    assert_eq!(permissions.programs["fetched"], bin.join("fetched"));
    let permissions = permissions.with_inline_shell(
        &host.with_variable("PATH", "/first:/second"),
        after.program_directory(),
    );
    let path = format!("/first:/second:{}", bin.display());
    assert_eq!(
        permissions.environment["PATH"], path,
        "the search path has precedence"
    );
}
