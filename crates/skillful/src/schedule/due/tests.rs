use proptest::prelude::*;

use super::*;
use crate::schedule::Run;

const HOUR: i64 = 3_600;

fn declared(expression: &str) -> Declared {
    Declared {
        skill: "report".to_owned(),
        origin: PathBuf::from("/r/report/SKILL.md"),
        digest: Some("sha256:1".to_owned()),
        run: Run::Skill,
        expression: expression.to_owned(),
        when: expression.parse().unwrap(),
    }
}

fn approved(declared: &Declared, approved: i64) -> Approvals {
    let approval = Approval {
        approved: Moment(approved),
        fired: None,
    };
    Approvals::from([(declared.binding().unwrap(), approval)])
}

/// What is due; whoever runs it notes the moment.
fn fire(declared: &[Declared], approvals: &mut Approvals, now: i64) -> usize {
    let runs: Vec<Binding> = due(declared, approvals, Moment(now), &Zone::utc())
        .into_iter()
        .map(|run| run.binding)
        .collect();
    for binding in &runs {
        approvals.get_mut(binding).unwrap().fired = Some(Moment(now));
    }
    runs.len()
}

#[test]
fn nothing_runs_unless_it_was_approved() {
    let runs = [declared("hourly")];
    let later = Moment(1_000 * HOUR);
    let none = Approvals::new();
    assert_eq!(due(&runs, &none, later, &Zone::utc()), []);
    assert_eq!(next_due(&runs, &none, &Zone::utc()), None);
}

#[test]
fn an_approval_holds_for_what_was_approved() {
    let run = declared("hourly");
    let approvals = approved(&run, 0);
    let is_due = |run: &Declared| {
        let declared = std::slice::from_ref(run);
        !due(declared, &approvals, Moment(10 * HOUR), &Zone::utc()).is_empty()
    };
    assert!(is_due(&run));
    let other = |change: fn(&mut Declared)| {
        let mut other = run.clone();
        change(&mut other);
        other
    };
    assert!(!is_due(&other(
        |run| run.digest = Some("sha256:2".to_owned())
    )));
    assert!(!is_due(&other(|run| run.digest = None)));
    assert!(!is_due(&other(
        |run| run.origin = PathBuf::from("/s/report/SKILL.md")
    )));
    assert!(!is_due(&declared("daily")));
}

#[test]
fn what_was_missed_runs_once() {
    let runs = [declared("hourly")];
    let mut approvals = approved(&runs[0], 10);
    assert_eq!(
        fire(&runs, &mut approvals, 20),
        0,
        "nothing before its time"
    );
    let overdue = due(&runs, &approvals, Moment(9 * HOUR + 5), &Zone::utc());
    assert_eq!(overdue[0].at, Moment(HOUR), "the first that was missed");
    assert_eq!(fire(&runs, &mut approvals, 9 * HOUR + 5), 1);
    assert_eq!(fire(&runs, &mut approvals, 9 * HOUR + 5), 0);
    assert_eq!(
        next_due(&runs, &approvals, &Zone::utc()),
        Some(Moment(10 * HOUR))
    );
}

#[test]
fn a_clock_that_goes_back_fires_nothing_twice() {
    let runs = [declared("hourly"), declared("every 30m")];
    let mut approvals = approved(&runs[0], 0);
    approvals.extend(approved(&runs[1], 0));
    assert_eq!(fire(&runs, &mut approvals, 2 * HOUR), 2);
    assert_eq!(fire(&runs, &mut approvals, HOUR), 0);
    assert_eq!(fire(&runs, &mut approvals, 2 * HOUR), 0);
    assert_eq!(fire(&runs, &mut approvals, 3 * HOUR), 2);
}

#[test]
fn the_longest_overdue_comes_first() {
    let runs = [declared("every 2h"), declared("hourly")];
    let mut approvals = approved(&runs[0], 0);
    approvals.extend(approved(&runs[1], 0));
    let order: Vec<_> = due(&runs, &approvals, Moment(5 * HOUR), &Zone::utc())
        .into_iter()
        .map(|run| run.declared.expression.clone())
        .collect();
    assert_eq!(order, ["hourly", "every 2h"]);
}

proptest! {
    /// Whatever the clock does, two runs are at least an interval apart in what it showed at its latest.
    #[test]
    fn runs_are_an_interval_apart(steps in prop::collection::vec(-50_000i64..50_000, 1..80)) {
        let runs = [declared("every 1h")];
        let mut approvals = approved(&runs[0], 0);
        let (mut now, mut last) = (0, 0);
        for step in steps {
            now += step;
            let fired = fire(&runs, &mut approvals, now);
            prop_assert_eq!(fired, usize::from(now >= last + HOUR));
            if fired > 0 {
                last = now;
            }
        }
    }
}
