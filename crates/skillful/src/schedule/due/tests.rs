use proptest::prelude::*;

use skillful_store::Applied;

use super::*;

const HOUR: i64 = 3_600;

fn suggestion(expression: &str) -> Declared {
    Declared {
        key: Key::new("report", "/r"),
        path: PathBuf::from("/r/report/SKILL.md"),
        digest: Some("sha256:1".to_owned()),
        run: Run::Skill,
        expression: expression.to_owned(),
        when: expression.parse().unwrap(),
    }
}

/// All of these, approved at this time.
fn approved(declared: &[Declared], at: i64) -> Choices {
    let mut choices = Choices::default();
    for declared in declared {
        let approve = Choice::Approve {
            what: declared.permission(),
            approval: Approval::new("sha256:1", Timestamp::from_seconds(at)),
        };
        choices.apply(&declared.key, approve);
    }
    choices
}

/// How many are due; whoever runs them puts so on record.
fn fire(declared: &[Declared], choices: &mut Choices, now: i64) -> usize {
    let runs = due(declared, choices, Moment(now), &Zone::utc());
    for run in &runs {
        let usage = run.usage(Timestamp::from_seconds(now));
        assert_eq!(choices.apply(run.key(), usage), Applied::Changed);
    }
    runs.len()
}

#[test]
fn nothing_runs_unless_it_was_approved() {
    let runs = [suggestion("hourly")];
    let later = Moment(1_000 * HOUR);
    let none = Choices::default();
    assert_eq!(due(&runs, &none, later, &Zone::utc()), []);
    assert_eq!(next_due(&runs, &none, Moment(0), &Zone::utc()), None);
}

#[test]
fn an_approval_holds_for_what_was_approved() {
    let run = suggestion("hourly");
    let approvals = approved(std::slice::from_ref(&run), 0);
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
    assert!(!is_due(&other(|run| run.key = Key::new("report", "/s"))));
    assert!(!is_due(&suggestion("daily")));
}

#[test]
fn what_was_missed_runs_once() {
    let runs = [suggestion("hourly")];
    let mut approvals = approved(&runs, 10);
    assert_eq!(
        fire(&runs, &mut approvals, 20),
        0,
        "nothing before its time"
    );
    let overdue = due(&runs, &approvals, Moment(9 * HOUR + 5), &Zone::utc());
    assert_eq!(overdue[0].at, Moment(HOUR), "the first that was missed");
    assert_eq!(fire(&runs, &mut approvals, 9 * HOUR + 5), 1);
    assert_eq!(fire(&runs, &mut approvals, 9 * HOUR + 5), 0);
    let next = next_due(&runs, &approvals, Moment(9 * HOUR + 5), &Zone::utc());
    assert_eq!(next, Some(Moment(10 * HOUR)));
}

#[test]
fn a_clock_that_goes_back_fires_nothing_twice() {
    let runs = [suggestion("hourly"), suggestion("every 30m")];
    let mut approvals = approved(&runs, 0);
    assert_eq!(fire(&runs, &mut approvals, 2 * HOUR), 2);
    assert_eq!(fire(&runs, &mut approvals, HOUR), 0);
    assert_eq!(fire(&runs, &mut approvals, 2 * HOUR), 0);
    assert_eq!(fire(&runs, &mut approvals, 3 * HOUR), 2);
}

#[test]
fn the_longest_overdue_comes_first() {
    let runs = [suggestion("every 2h"), suggestion("hourly")];
    let approvals = approved(&runs, 0);
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
        let runs = [suggestion("every 1h")];
        let mut approvals = approved(&runs, 0);
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
