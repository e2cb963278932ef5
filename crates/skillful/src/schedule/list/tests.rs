use skillful_store::Applied;

use super::*;
use crate::schedule::tests::skill;

const NOW: Timestamp = Timestamp::from_seconds(1_000);

/// A skill's schedules, and the words for where they stand.
fn standings(skill: &Skill, choices: &Choices) -> Vec<(String, &'static str)> {
    let schedules = Schedules::of([skill], choices, &Zone::utc()).schedules;
    let words = |it: &Schedule| (it.declared.expression.clone(), it.standing.as_str());
    schedules.iter().map(words).collect()
}

#[test]
fn an_approval_holds_until_the_files_change() {
    let (directory, skill) = skill("name: a\ntriggers: ['schedule:every 1h']\n");
    let mut choices = Choices::default();
    let approval = approve(&skill, None, NOW).unwrap();
    assert_eq!(approval.expression, "every 1h");
    let key = crate::records::key_of(&skill);
    assert_eq!(choices.apply(&key, approval.choice), Applied::Changed);
    let [schedule] = &Schedules::of([&skill], &choices, &Zone::utc()).schedules[..] else {
        panic!("one is suggested");
    };
    assert!(matches!(schedule.standing, Standing::Approved(_)));
    assert_eq!(schedule.next, Some(Moment(4_600)));

    std::fs::write(directory.path().join("x/run.sh"), "true\n").unwrap();
    let expression = || "every 1h".to_owned();
    assert_eq!(standings(&skill, &choices), [(expression(), "outdated")]);
    let again = approve(&skill, Some("every 1h"), NOW).unwrap();
    assert_eq!(choices.apply(&key, again.choice), Applied::Changed);
    assert_eq!(standings(&skill, &choices), [(expression(), "approved")]);

    let withdrawal = withdraw(&key, &choices, None).unwrap().unwrap();
    assert_eq!(choices.apply(&key, withdrawal.choice), Applied::Changed);
    assert_eq!(
        standings(&skill, &choices),
        [(expression(), "not-approved")]
    );
    assert_eq!(withdraw(&key, &choices, None), Ok(None));
}

#[test]
fn it_is_said_which_schedule_is_meant() {
    let (_directory, skill) = skill(
        "name: a\ntriggers: ['schedule:daily', 'schedule:hourly', 'schedule:night-watch', 'schedule:every 1s']\n",
    );
    let refusal = |expression| approve(&skill, expression, NOW).unwrap_err().to_string();
    assert_eq!(
        refusal(None),
        "`a` has several schedules: `daily`, `hourly`; say which one is meant"
    );
    assert_eq!(refusal(Some("weekly")), "`a` suggests no schedule `weekly`");
    assert_eq!(
        refusal(Some("night-watch")),
        "`night-watch` runs when the agent's host says so, never by the clock: there is nothing to approve"
    );
    assert_eq!(
        refusal(Some("every 1s")),
        "`every 1s` is not a schedule: an interval is between one minute and a year"
    );
    let mut choices = Choices::default();
    let key = crate::records::key_of(&skill);
    for expression in ["daily", " hourly "] {
        let approval = approve(&skill, Some(expression), NOW).unwrap();
        choices.apply(&key, approval.choice);
    }
    let several = withdraw(&key, &choices, None).unwrap_err();
    assert!(matches!(several, ChoiceError::Several { expressions, .. } if expressions.len() == 2));
    let withdrawal = withdraw(&key, &choices, Some("daily")).unwrap().unwrap();
    choices.apply(&key, withdrawal.choice);
    let words: Vec<&str> = standings(&skill, &choices)
        .iter()
        .map(|(_, word)| *word)
        .collect();
    assert_eq!(words, ["not-approved", "approved", "by-name"]);
}

#[test]
fn only_ready_skills_that_suggest_something_can_be_approved() {
    let (_directory, mut skill) = skill("name: a\ntriggers: ['schedule:daily']\n");
    skill.state = State::Disabled;
    assert_eq!(
        approve(&skill, None, NOW).unwrap_err().to_string(),
        "`a` is disabled, and only what is ready runs by the clock"
    );
    assert_eq!(
        Schedules::of([&skill], &Choices::default(), &Zone::utc()),
        Schedules::default()
    );
    let (_directory, plain) = crate::schedule::tests::skill("name: b\n");
    assert_eq!(
        approve(&plain, None, NOW).unwrap_err().to_string(),
        "`b` suggests no schedule"
    );
}
