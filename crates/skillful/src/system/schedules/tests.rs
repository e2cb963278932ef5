use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use skillful_store::{MemoryStore, Timestamp};
use tempfile::TempDir;

use super::*;
use crate::events::EventKind;
use crate::host::Host;
use crate::schedule::{Run, Standing, Zone};
use crate::system::Clock;
use crate::watch::WatchOptions;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;

/// A machine with one skill that suggests to greet every hour, and a clock that is set by hand.
struct Machine {
    directory: TempDir,
    now: Arc<AtomicI64>,
    store: Arc<MemoryStore>,
}

impl Machine {
    fn new(schedule: &str) -> Self {
        let machine = Self {
            directory: tempfile::tempdir().unwrap(),
            now: Arc::new(AtomicI64::new(HOUR)),
            store: Arc::default(),
        };
        machine.write("Greets.", schedule);
        machine
    }

    fn write(&self, description: &str, schedule: &str) {
        let directory = self.directory.path().join("root/greet");
        std::fs::create_dir_all(&directory).unwrap();
        let text = format!(
            "---\nname: greet\ndescription: {description}\nautomation:\n  schedule: {schedule}\n  prompt: Say hello\n---\n"
        );
        std::fs::write(directory.join("SKILL.md"), text).unwrap();
    }

    fn set(&self, seconds: i64) {
        self.now.store(seconds, Ordering::SeqCst);
    }

    fn system(&self) -> SkillSystem {
        let now = Arc::clone(&self.now);
        SkillSystem::builder()
            .host(Host::new(self.directory.path()))
            .root("root")
            .store(Arc::clone(&self.store) as Arc<_>)
            .clock(Clock::new(move || {
                Timestamp::from_seconds(now.load(Ordering::SeqCst))
            }))
            .zone(Zone::utc())
            .build()
            .unwrap()
    }
}

/// The moments that runs were due at.
fn fire(system: &SkillSystem) -> Vec<i64> {
    system.fire_due().iter().map(|run| run.due.0).collect()
}

#[test]
fn a_run_is_due_once_however_the_clock_goes() {
    let machine = Machine::new("every 1h");
    let system = machine.system();
    machine.set(10 * HOUR);
    assert_eq!(fire(&system), [0; 0], "nobody approved it");
    assert_eq!(
        system.approve_schedule("greet", None).unwrap(),
        Applied::Changed
    );
    assert_eq!(fire(&system), [0; 0], "nothing is made up for");

    let mut events = system.subscribe();
    machine.set(14 * HOUR);
    let fired = system.fire_due();
    assert_eq!(fired.len(), 1, "what was missed runs once");
    assert_eq!(fired[0].due, Moment(11 * HOUR));
    assert_eq!(fired[0].run.prompt(), Some("Say hello"));
    let event = events.try_recv().unwrap();
    assert_eq!(event.happening.kind, EventKind::Due);
    assert_eq!(event.happening.id.as_deref(), Some("greet"));
    let detail = event.happening.detail.as_deref();
    assert_eq!(detail, Some("`every 1h`: Say hello"));
    assert_eq!(event.happening.run.as_ref(), Some(&fired[0]));
    assert!(events.try_recv().is_err());

    for (hour, expected) in [
        (14, vec![]),
        (2, vec![]),
        (14, vec![]),
        (15, vec![15 * HOUR]),
    ] {
        machine.set(hour * HOUR);
        assert_eq!(fire(&system), expected, "at {hour}");
    }
    machine.set(16 * HOUR);
    let (one, other) = (machine.system(), machine.system());
    assert_eq!(fire(&one), [16 * HOUR]);
    assert_eq!(fire(&other), [0; 0], "on record for all that share it");

    machine.set(20 * HOUR);
    assert_eq!(
        system.withdraw_schedule("greet", None).unwrap(),
        Applied::Changed
    );
    assert_eq!(
        system.withdraw_schedule("greet", None).unwrap(),
        Applied::Unchanged
    );
    assert_eq!(fire(&system), [0; 0]);
}

#[test]
fn a_skill_that_changed_runs_only_when_it_is_approved_again() {
    let machine = Machine::new("hourly");
    let system = machine.system();
    system.approve_schedule("greet", Some("hourly")).unwrap();
    machine.write("Greets and deletes.", "hourly");
    system.rescan();
    machine.set(9 * HOUR);
    assert_eq!(fire(&system), [0; 0]);
    let schedules = system.schedules().schedules;
    assert_eq!(schedules[0].standing, Standing::Outdated);
    assert_eq!(schedules[0].next, None);
    system.approve_schedule("greet", None).unwrap();
    let schedules = system.schedules().schedules;
    assert_eq!(schedules[0].next, Some(Moment(10 * HOUR)));
    assert!(matches!(schedules[0].declared.run, Run::Automation { .. }));
}

#[test]
fn only_ready_skills_are_due() {
    let machine = Machine::new("hourly");
    let system = machine.system();
    system.approve_schedule("greet", None).unwrap();
    system.archive("greet", None).unwrap();
    machine.set(9 * HOUR);
    assert_eq!(fire(&system), [0; 0]);
    assert_eq!(system.schedules(), Schedules::default());
    let error = system.approve_schedule("greet", None).unwrap_err();
    assert!(matches!(error, LifecycleError::Schedule(_)), "{error}");
    system.restore("greet").unwrap();
    assert_eq!(fire(&system), [2 * HOUR]);
}

#[test]
fn what_cannot_be_read_is_refused_with_a_diagnostic() {
    let machine = Machine::new("someday maybe");
    let schedules = machine.system().schedules();
    assert_eq!(schedules.schedules, []);
    assert_eq!(schedules.refused[0].skill, "greet");
    let error = machine.system().approve_schedule("greet", None);
    let error = error.unwrap_err().to_string();
    assert_eq!(error, "`someday maybe` is not a schedule");
}

#[test]
fn a_follower_waits_for_the_next_run_and_never_spins() {
    let round = |now, next: Option<i64>| Round {
        fired: Vec::new(),
        now: Moment(now),
        next: next.map(Moment),
    };
    let seconds = Duration::from_secs;
    assert_eq!(round(0, None).wait(), limits::SCHEDULE_WAIT);
    assert_eq!(round(0, Some(7)).wait(), seconds(7));
    assert_eq!(round(0, Some(HOUR)).wait(), limits::SCHEDULE_WAIT);
    assert_eq!(round(5, Some(5)).wait(), seconds(1));
    assert_eq!(
        round(i64::MIN, Some(i64::MAX)).wait(),
        limits::SCHEDULE_WAIT
    );
    assert_eq!(round(9, Some(5)).wait(), limits::SCHEDULE_WAIT);
}

#[test]
fn a_system_that_watches_tells_what_is_due() {
    let machine = Machine::new("every 1m");
    let system = machine.system();
    system.approve_schedule("greet", None).unwrap();
    machine.set(HOUR + MINUTE - 1);
    let mut events = system.subscribe();
    let _watching = system.watch(WatchOptions::default()).unwrap();
    machine.set(HOUR + MINUTE);
    let due = loop {
        let event = events.recv_timeout(Duration::from_secs(120)).unwrap();
        if let Some(run) = &event.happening.run {
            break run.due;
        }
    };
    assert_eq!(due, Moment(HOUR + MINUTE));
    assert_eq!(fire(&system), [0; 0]);
}
