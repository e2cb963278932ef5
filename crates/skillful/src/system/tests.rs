use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use skillful_store::{Activity, Applied, Timestamp};
use tempfile::TempDir;

use super::*;
use crate::activate::{ActivationError, Request};
use crate::catalog;
use crate::discover::Candidate;
use crate::host::Host;
use crate::matching::{Ambient, Message};
use crate::part::Range;
use crate::refusal::Invoker;
use crate::state::State;
use crate::watch::{Backend, WatchOptions};

/// Two roots, the first of which has precedence, and a configuration.
struct Machine(TempDir);

impl Machine {
    fn new() -> Self {
        let machine = Self(tempfile::tempdir().unwrap());
        for root in ["near", "far"] {
            fs::create_dir(machine.path(root)).unwrap();
        }
        fs::write(machine.path("skills.toml"), "").unwrap();
        machine
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn skill(&self, place: &str, name: &str, description: &str) -> PathBuf {
        let text = format!("---\nname: {name}\ndescription: {description}\n---\nBody of {name}.\n");
        self.write(&format!("{place}/SKILL.md"), &text)
    }

    fn system(&self) -> SkillSystem {
        let now = || Timestamp::from_seconds(1_000_000);
        SkillSystem::builder()
            .host(Host::new(self.0.path()))
            .root("near")
            .root("far")
            .config(self.path("skills.toml"))
            .clock(Clock::new(now))
            .build()
            .unwrap()
    }
}

/// All events that are there, as words.
fn told(events: &mut Subscription) -> Vec<String> {
    let mut told = Vec::new();
    while let Ok(event) = events.try_recv() {
        let happening = &event.happening;
        let id = happening.id.as_deref().unwrap_or("-");
        told.push(format!("{} {id}", happening.kind.as_str()));
    }
    told
}

fn state(system: &SkillSystem, id: &str) -> State {
    system.snapshot().registry().get(id).unwrap().state
}

#[test]
fn a_system_can_be_shared_between_threads() {
    fn is_shared<T: Clone + Send + Sync + 'static>() {}
    is_shared::<SkillSystem>();
    is_shared::<Arc<Snapshot>>();
}

#[test]
fn a_reload_tells_what_changed_and_readers_keep_what_they_have() {
    let machine = Machine::new();
    machine.skill("far/a", "a", "far");
    let system = machine.system();
    let mut events = system.subscribe();
    let before = system.snapshot();
    let path = machine.skill("near/a", "a", "near");
    let after = system.reload([path.clone()]);
    assert_eq!((before.sequence(), after.sequence()), (1, 2));
    assert_eq!(before.registry().get("a").unwrap().description, "far");
    assert_eq!(after.registry().get("a").unwrap().description, "near");
    assert_eq!(told(&mut events), ["loaded a", "shadowed a"]);

    fs::remove_file(&path).unwrap();
    system.reload([path]);
    assert_eq!(told(&mut events), ["removed a", "became-eligible a"]);
    assert_eq!(system.snapshot().hash(), before.hash(), "all is as it was");

    system.reload([machine.path("far/a/SKILL.md")]);
    assert_eq!(
        told(&mut events),
        ["changed a"],
        "a file of it was told to have changed"
    );
    assert_eq!(
        system.rescan().sequence(),
        4,
        "nothing new, no new snapshot"
    );
    assert_eq!(told(&mut events), ["reloaded -"]);
}

#[test]
fn a_file_that_turns_broken_keeps_its_last_good_version_and_says_so() {
    let machine = Machine::new();
    let path = machine.skill("near/a", "named", "good");
    let used = machine.skill("near/b", "used", "good");
    let system = machine.system();
    system.activate("used", &Request::default()).unwrap();
    fs::write(&used, "").unwrap();
    system.reload([used]);
    let mut events = system.subscribe();
    fs::write(&path, "").unwrap();
    for _ in 0..2 {
        let snapshot = system.reload([path.clone()]);
        let kept = snapshot.registry().get("named").unwrap();
        assert_eq!((kept.state, &*kept.description), (State::Ready, "good"));
        let notes = kept.diagnostics.iter();
        let notes: Vec<_> = notes
            .filter(|note| note.code == skillmd::Code::LastGoodKept)
            .collect();
        assert_eq!(notes.len(), 1);
        assert!(
            notes[0].message.contains("the file holds nothing"),
            "{}",
            notes[0].message
        );
    }
    assert_eq!(told(&mut events)[0], "broken named");
    let in_use = system.activate("used", &Request::default()).unwrap();
    assert!(
        in_use.content.contains("Body of used."),
        "{}",
        in_use.content
    );
    let error = system.activate("named", &Request::default()).unwrap_err();
    assert!(
        error.to_string().contains("cannot be read any more"),
        "{error}"
    );

    machine.skill("near/a", "named", "mended");
    let mended = system.reload([path.clone()]);
    assert_eq!(told(&mut events), ["recovered named"]);
    assert_eq!(
        mended.registry().get("named").unwrap().description,
        "mended"
    );
    assert!(
        mended
            .registry()
            .get("named")
            .unwrap()
            .diagnostics
            .is_empty()
    );

    fs::remove_file(&path).unwrap();
    assert!(system.reload([path]).registry().get("named").is_none());
}

#[test]
fn usage_is_recorded_by_what_an_agent_does() {
    let machine = Machine::new();
    machine.skill(
        "near/charts",
        "charts",
        "Draws charts. Use when numbers are to be shown.",
    );
    machine.write("near/charts/data.csv", "1,2\n");
    let system = machine.system();
    let catalog = system.catalog(&catalog::Options::default());
    assert_eq!(catalog.included, ["charts"]);
    system.activate("charts", &Request::default()).unwrap();
    system
        .read_file("charts", "data.csv", Range::default())
        .unwrap();
    system.record_win("charts").unwrap();
    let status = system.status();
    let usage = *status.entries()[0].usage.unwrap();
    let counts = Activity::ALL.map(|activity| usage.of(activity).count);
    assert_eq!(
        counts,
        [1, 2, 1, 1, 0],
        "offers, reads, uses, wins, patches"
    );
    assert_eq!(usage.last_use(), Some(Timestamp::from_seconds(1_000_000)));

    let found = system.search("show numbers as a chart", 3);
    assert_eq!(found[0].skill.id, "charts");
    let message = Message {
        text: "/charts please",
        ..Message::default()
    };
    let matches = system.matches(&message, Ambient::None, Some(9));
    assert_eq!(matches.skills[0].id, "charts");
}

#[test]
fn what_was_put_away_is_not_offered_until_it_is_brought_back() {
    let machine = Machine::new();
    machine.skill("near/a", "a", "x");
    let system = machine.system();
    let mut events = system.subscribe();
    let reason = Some("of no use".parse().unwrap());
    assert_eq!(system.archive("a", reason).unwrap(), Applied::Changed);
    assert_eq!(system.archive("a", None).unwrap(), Applied::Unchanged);
    assert_eq!(state(&system, "a"), State::Archived);
    assert_eq!(system.catalog(&catalog::Options::default()).text, "");
    let error = system.activate("a", &Request::default()).unwrap_err();
    assert!(error.to_string().contains("of no use"), "{error}");
    system.restore("a").unwrap();
    assert_eq!(state(&system, "a"), State::Ready);
    assert_eq!(
        told(&mut events),
        ["became-ineligible a", "became-eligible a"]
    );
}

#[test]
fn an_approval_that_changes_no_state_counts_at_once() {
    let machine = Machine::new();
    machine.skill("near/a", "a", "x");
    let system = machine.system();
    system.approve("a", crate::agent::INLINE_SHELL).unwrap();
    let snapshot = system.snapshot();
    let choices = snapshot.setup().conditions().records.choices();
    let key = crate::records::key_of(snapshot.find("a").unwrap());
    assert!(choices.approval(&key, crate::agent::INLINE_SHELL).is_some());
}

#[test]
fn a_change_of_the_configuration_counts_at_once() {
    let machine = Machine::new();
    machine.skill("near/a", "a", "x");
    let system = machine.system();
    let config = machine.write("skills.toml", "[skills.a]\nmode = \"manual-only\"\n");
    system.reload([config.clone()]);
    let by_model = Request {
        invoker: Invoker::Model,
        ..Request::default()
    };
    assert!(matches!(
        system.activate("a", &by_model),
        Err(UseError::Activation(ActivationError::Refused(_)))
    ));
    assert!(system.activate("a", &Request::default()).is_ok());
    machine.write("skills.toml", "[skills.a]\nenabled = false\n");
    system.reload([config]);
    assert_eq!(state(&system, "a"), State::Disabled);
}

#[test]
fn a_sidecar_keeps_models_from_bringing_a_skill_up() {
    let machine = Machine::new();
    machine.skill("near/a", "a", "x");
    let system = machine.system();
    let included = |system: &SkillSystem| system.catalog(&catalog::Options::default()).included;
    assert_eq!(included(&system), ["a"]);
    let policy = "policy:\n  allow_implicit_invocation: false\n";
    let path = machine.write("near/a/agents/openai.yaml", policy);
    system.reload([path]);
    assert_eq!(included(&system), [""; 0]);
    assert_eq!(included(&machine.system()), [""; 0]);
}

/// Waits until something holds, and fails when it does not for a long time.
fn until(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..600 {
        if holds() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{what}: it does not come");
}

#[test]
fn a_watched_system_follows_the_disk() {
    for backend in [Backend::Auto, Backend::Poll] {
        let machine = Machine::new();
        machine.skill("near/a", "a", "one");
        let system = machine.system();
        let watching = system
            .watch(WatchOptions {
                debounce: Duration::from_millis(20),
                poll_interval: Duration::from_millis(50),
                backend,
                ..WatchOptions::default()
            })
            .unwrap();
        let description = |id: &str| {
            let snapshot = system.snapshot();
            let skill = snapshot.registry().get(id).cloned();
            skill.map(|skill| skill.description.clone())
        };
        machine.skill("near/a", "a", "two");
        until("an edit", || description("a").as_deref() == Some("two"));
        machine.skill("far/group/b", "b", "new");
        until("a new skill", || description("b").as_deref() == Some("new"));
        fs::remove_dir_all(machine.path("near/a")).unwrap();
        until("a removal", || description("a").is_none());
        machine.write("skills.toml", "[skills.b]\nenabled = false\n");
        until("the configuration", || {
            state(&system, "b") == State::Disabled
        });
        drop(watching);
        machine.skill("near/c", "c", "x");
        assert_eq!(description("c"), None, "nobody watches any more");
    }
}

#[test]
fn an_edit_right_after_a_root_came_is_not_missed() {
    for round in 0..5 {
        let machine = Machine::new();
        fs::remove_dir(machine.path("near")).unwrap();
        let system = machine.system();
        let mut events = system.subscribe();
        let options = WatchOptions {
            debounce: Duration::from_millis(20),
            ..WatchOptions::default()
        };
        let _watching = system.watch(options).unwrap();
        // Whole at once: else the rest of the file would be told as another change.
        machine.skill("draft", "a", "one");
        fs::create_dir(machine.path("near")).unwrap();
        fs::rename(machine.path("draft"), machine.path("near/a")).unwrap();
        let loaded = |event: &crate::events::Event| event.happening.kind == EventKind::Loaded;
        assert!(events.any(|event| loaded(&event)));
        // The root was searched, and what lies below it may not be watched yet.
        machine.skill("near/a", "a", "two");
        until(&format!("the edit of round {round}"), || {
            let snapshot = system.snapshot();
            snapshot.registry().get("a").unwrap().description == "two"
        });
    }
}

#[test]
fn readers_never_wait_for_a_writer() {
    let machine = Machine::new();
    machine.skill("near/a", "a", "x");
    let system = machine.system();
    let world = system.0.world();
    assert_eq!(system.snapshot().skills().len(), 1);
    assert!(system.activate("a", &Request::default()).is_ok());
    assert_eq!(system.search("x", 1).len(), 1);
    assert_eq!(system.status().entries().len(), 1);
    drop(world);
}

#[test]
fn a_candidate_without_a_root_is_no_part_of_a_system() {
    let machine = Machine::new();
    let path = machine.skill("elsewhere/a", "a", "x");
    assert!(Candidate::of_file(&path).content.is_ok());
    let system = machine.system();
    let before = system.snapshot().sequence();
    assert_eq!(system.reload([path]).sequence(), before);
}

#[test]
fn a_root_that_appears_moves_no_skill() {
    let machine = Machine::new();
    fs::remove_dir(machine.path("near")).unwrap();
    machine.skill("far/a", "a", "x");
    let system = machine.system();
    let mut events = system.subscribe();
    machine.skill("near/b", "b", "x");
    system.rescan();
    assert_eq!(told(&mut events), ["loaded b", "reloaded -"]);
}

#[test]
fn a_change_of_the_configuration_is_told() {
    let machine = Machine::new();
    machine.skill("near/a", "a", "x");
    let system = machine.system();
    let mut events = system.subscribe();
    let config = machine.write("skills.toml", "[catalog]\nmax-skills = 3\n");
    system.reload([config.clone()]);
    let event = events.try_recv().unwrap();
    assert_eq!(event.happening.kind, EventKind::ConfigChanged);
    assert_eq!(event.happening.path.as_ref(), Some(&config));
    system.reload([config.clone()]);
    assert_eq!(told(&mut events), [""; 0], "it says the same as before");
    machine.write("skills.toml", "[catalog\n");
    system.reload([config]);
    assert_eq!(told(&mut events), ["config-changed -"]);
}

#[test]
fn a_choice_of_another_process_counts_in_a_watched_system() {
    let machine = Machine::new();
    machine.skill("near/a", "a", "x");
    let store = || Arc::new(skillful_store::SqliteStore::at(machine.path("records")));
    let system = |store| {
        SkillSystem::builder()
            .host(Host::new(machine.0.path()))
            .root("near")
            .config(machine.path("skills.toml"))
            .store(store)
            .build()
            .unwrap()
    };
    let (watched, other) = (system(store()), system(store()));
    let watching = watched
        .watch(WatchOptions {
            debounce: Duration::from_millis(20),
            ..WatchOptions::default()
        })
        .unwrap();
    other.archive("a", None).unwrap();
    until("a choice", || state(&watched, "a") == State::Archived);
    other.restore("a").unwrap();
    until("its end", || state(&watched, "a") == State::Ready);
    drop(watching);
}
