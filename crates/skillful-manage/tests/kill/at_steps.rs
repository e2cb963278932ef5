//! A victim ends itself at each step of each kind of change.

use crate::harness::{Expected, Scenario, Stage, run};
use crate::scenarios::{KINDS, Kind, Own};

/// More steps than any change of ours has.
const MOST_STEPS: usize = 60;

fn killed_at_each_step(kinds: &[Kind], two_steps: bool) {
    for kind in kinds {
        let own = Own::new(*kind, two_steps);
        let expected = Expected::of(&own);
        let mut was_old = false;
        let mut was_new = false;
        for step in 0.. {
            assert!(step < MOST_STEPS);
            let own = Own {
                abort_at: Some(step),
                ..own
            };
            let stage = Stage::new(&own);
            let mut victim = own.victim(&stage);
            let status = victim
                .stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::null())
                .status()
                .unwrap();
            let what = format!("{own:?}");
            let before_recovery = (stage.snapshot(), stage.entries());
            own.recover(&stage);
            let is_new = expected.assert_one_of_both(&stage, &what);
            if status.success() {
                assert!(is_new, "{what}");
                assert_eq!(before_recovery, expected.new, "{what}");
                break;
            }
            assert!(is_new || !was_new, "{what}: once decided, always completed");
            was_old |= !is_new;
            was_new |= is_new;
            // Everything can go on from there.
            let own = Own {
                abort_at: None,
                ..own
            };
            run(own.victim(&stage), None);
            assert!(expected.assert_one_of_both(&stage, &what), "{what}");
        }
        assert!(was_old && was_new, "{kind:?}: the steps tell nothing");
    }
}

#[test]
fn trees() {
    killed_at_each_step(&KINDS[..4], false);
}

#[test]
fn files_and_links() {
    killed_at_each_step(&KINDS[4..11], false);
}

#[test]
fn many_paths_at_once() {
    killed_at_each_step(&KINDS[11..13], false);
}

#[test]
fn undone_and_made_again() {
    killed_at_each_step(&KINDS[13..], false);
}

#[test]
fn trees_without_exchange() {
    killed_at_each_step(&KINDS[..4], true);
}

#[test]
fn files_and_links_without_exchange() {
    killed_at_each_step(&KINDS[4..11], true);
}

#[test]
fn many_paths_without_exchange() {
    killed_at_each_step(&KINDS[11..], true);
}
