//! Putting away what does not help, and running checks again.

use skillful_manage::learn::{CheckResult, LearnError, Lesson, Shell};
use skillful_store::{Choice, Store, Timestamp};

use crate::world::{Script, World, failed, lesson};

const BODIES: [&str; 4] = [
    "One thing about cats and their food.",
    "Another matter: trains run late on Sundays.",
    "Nobody should deploy after four in the afternoon.",
    "Use the smallest screw that fits the hole.",
];

#[test]
fn what_does_not_help_is_put_away_and_never_deleted() {
    let mut world = World::new();
    for (title, body) in ["A", "B", "C", "D"].iter().zip(BODIES) {
        world.learner().capture(&lesson(title, body)).unwrap();
    }
    world.seen("a", 10, 0);
    world.seen("b", 10, 9);
    world.seen("c", 4, 0);
    world.seen("d", 10, 0);
    let at = Timestamp::from_seconds(1);
    world
        .store
        .choose(&world.key("d"), Choice::Pin(at))
        .unwrap();
    world.refresh();
    let looked = world.learner().decay(true).unwrap();
    assert_eq!(looked.len(), 1);
    assert!(!looked[0].archived);
    assert!(
        world
            .store
            .choices()
            .unwrap()
            .archived(&world.key("a"))
            .is_none()
    );
    let decayed = world.learner().decay(false).unwrap();
    assert_eq!(decayed[0].id, "a");
    let choices = world.store.choices().unwrap();
    let archived = choices.archived(&world.key("a")).unwrap();
    assert_eq!(
        archived.reason.as_ref().unwrap().as_str(),
        "it helped 0 of 10 times that it was read"
    );
    assert!(world.at(".agents/skills/a/SKILL.md").exists());
    assert!(world.learner().decay(false).unwrap().is_empty());
}

#[test]
fn reads_and_wins_are_counted_once_for_each_known_id() {
    let world = World::new();
    world.learner().capture(&lesson("A", BODIES[0])).unwrap();
    world.learner().capture(&lesson("B", BODIES[1])).unwrap();
    let learner = world.learner();
    assert_eq!(
        learner
            .reinforce(&["a", "a", "b", "ghost", ""], true)
            .unwrap(),
        2
    );
    assert_eq!(learner.reinforce(&["a"], false).unwrap(), 1);
    let list = learner.list().unwrap();
    let seen = |index: usize| (list[index].evidence.reads, list[index].evidence.wins);
    assert_eq!((seen(0), seen(1)), ((2, 1), (1, 1)));
}

fn checked(world: &World, check: &str) {
    let new = Lesson {
        check: Some(check.to_owned()),
        ..lesson("A", BODIES[0])
    };
    world.learner().capture(&new).unwrap();
}

#[test]
fn a_check_runs_only_for_the_files_that_a_person_approved() {
    let world = World::new();
    checked(&world, "exit 0");
    let script = Script::of(&[CheckResult::Passed, CheckResult::Passed]);
    let regrade = || {
        let graded = world.learner().with_checker(&script).regrade(None).unwrap();
        graded[0].grade.as_str()
    };
    assert_eq!(regrade(), "not-approved");
    let (skill, _) = world.learner().approve_check("a").unwrap();
    assert_eq!(skill.check.as_deref(), Some("exit 0"));
    let path = ".agents/skills/a/SKILL.md";
    let text = world.read(path);
    world.write(path, text.replace("exit 0", "rm -rf x"));
    assert_eq!(regrade(), "not-approved");
    world.write(path, &text);
    world.write(".agents/skills/a/more.sh", "x");
    assert_eq!(regrade(), "not-approved");
    std::fs::remove_file(world.at(".agents/skills/a/more.sh")).unwrap();
    assert!(script.lines.borrow().is_empty());

    assert_eq!(regrade(), "verified");
    assert_eq!(world.read(path), text.replace("unverified", "verified"));
    assert_eq!(regrade(), "verified", "the approval followed the tag");
    assert_eq!(*script.lines.borrow(), ["exit 0", "exit 0"]);
    world.learner().withdraw_check("a").unwrap();
    assert_eq!(regrade(), "not-approved");
}

#[test]
fn one_failure_changes_nothing_and_two_put_it_away() {
    let world = World::new();
    checked(&world, "exit 1");
    world.learner().approve_check("a").unwrap();
    let grade = |results: &[CheckResult]| {
        let script = Script::of(results);
        let graded = world.learner().with_checker(&script).regrade(None).unwrap();
        graded[0].grade.as_str()
    };
    let text = world.read(".agents/skills/a/SKILL.md");
    assert_eq!(grade(&[failed(), CheckResult::Passed]), "flaky");
    assert_eq!(grade(&[CheckResult::NotRun("x".to_owned())]), "not-run");
    assert_eq!(world.read(".agents/skills/a/SKILL.md"), text);
    assert!(
        world
            .store
            .choices()
            .unwrap()
            .archived(&world.key("a"))
            .is_none()
    );
    assert_eq!(grade(&[failed(), failed()]), "archived");
    let choices = world.store.choices().unwrap();
    let archived = choices.archived(&world.key("a")).unwrap();
    assert_eq!(
        archived.reason.as_ref().unwrap().as_str(),
        "its check failed twice: exit code 1"
    );
    assert!(
        world.learner().regrade(None).unwrap().is_empty(),
        "it is put away"
    );
}

#[test]
fn what_has_no_check_is_left_alone() {
    let world = World::new();
    world.learner().capture(&lesson("A", BODIES[0])).unwrap();
    assert!(world.learner().regrade(None).unwrap().is_empty());
    let error = world.learner().regrade(Some("a")).unwrap_err();
    assert!(matches!(error, LearnError::NoCheck(_)));
    let error = world.learner().approve_check("nobody").unwrap_err();
    assert!(matches!(error, LearnError::NotLearned(_)));
}

#[cfg(unix)]
#[test]
fn the_shell_runs_a_check_in_a_copy() {
    let world = World::new();
    checked(&world, "test -f SKILL.md && rm SKILL.md");
    world.learner().approve_check("a").unwrap();
    let host = skillful::Host::new("/").with_variable("PATH", std::env::var("PATH").unwrap());
    let shell = Shell::of(&host, None);
    let graded = world.learner().with_checker(&shell).regrade(None).unwrap();
    assert_eq!(graded[0].grade.as_str(), "verified");
    assert!(world.at(".agents/skills/a/SKILL.md").exists());
}
