use proptest::prelude::*;

use super::*;

/// Monday, 1 January 2024, 10:30:15 UTC.
const NOW: Moment = Moment(1_704_105_015);
const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
/// The beginning of that day.
const TODAY: i64 = 1_704_067_200;

fn next(text: &str) -> i64 {
    let when: When = text.parse().unwrap();
    when.next_after(NOW, &Zone::utc()).unwrap().0
}

#[test]
fn times_in_words() {
    for (text, expected) in [
        ("every 30m", NOW.0 + 30 * MINUTE),
        ("@every 2 hours", NOW.0 + 2 * HOUR),
        ("every day", NOW.0 + DAY),
        ("every week", NOW.0 + 7 * DAY),
        ("hourly", TODAY + 11 * HOUR),
        ("@daily", TODAY + DAY),
        ("@midnight", TODAY + DAY),
        ("weekly", TODAY + 6 * DAY),
        ("monthly", TODAY + 31 * DAY),
        ("@annually", TODAY + 366 * DAY),
        ("08:00", TODAY + DAY + 8 * HOUR),
        ("11:05", TODAY + 11 * HOUR + 5 * MINUTE),
        ("Daily 9:00", TODAY + DAY + 9 * HOUR),
        ("daily:08:00", TODAY + DAY + 8 * HOUR),
        ("every day at 12:00", TODAY + 12 * HOUR),
        ("weekends 10:00", TODAY + 5 * DAY + 10 * HOUR),
        (
            "every tuesday at 09:30",
            TODAY + DAY + 9 * HOUR + 30 * MINUTE,
        ),
    ] {
        assert_eq!(next(text), expected, "{text}");
    }
}

#[test]
fn cron_fields() {
    for (text, expected) in [
        ("0 8 * * 1-5", TODAY + DAY + 8 * HOUR),
        ("*/15 * * * *", TODAY + 10 * HOUR + 45 * MINUTE),
        ("0 12 * * MON-FRI", TODAY + 12 * HOUR),
        ("10 31 10 * * *", TODAY + 10 * HOUR + 31 * MINUTE + 10),
        ("20 30 10 * * *", TODAY + 10 * HOUR + 30 * MINUTE + 20),
        ("15 30 10 * * *", TODAY + DAY + 10 * HOUR + 30 * MINUTE + 15),
        ("0 0 12 * * MON", TODAY + 12 * HOUR),
        ("0 12 * * * UTC", TODAY + 12 * HOUR),
        ("0 0 12 * * * UTC", TODAY + 12 * HOUR),
        ("0 0 29 2 *", TODAY + 59 * DAY),
    ] {
        assert_eq!(next(text), expected, "{text}");
    }
}

#[test]
fn the_next_time_is_later_by_all_means() {
    let when: When = "0 12 * * *".parse().unwrap();
    let noon = Moment(TODAY + 12 * HOUR);
    assert_eq!(
        when.next_after(noon, &Zone::utc()),
        Some(Moment(noon.0 + DAY))
    );
    assert_eq!(
        when.next_after(Moment(noon.0 - 1), &Zone::utc()),
        Some(noon)
    );
    assert_eq!(when.next_after(Moment(i64::MAX), &Zone::utc()), None);
    assert_eq!(when.next_after(Moment(i64::MIN), &Zone::utc()), None);
}

#[test]
fn names_are_schedules_of_somebody_else() {
    for text in ["morning-briefing", "session_start", "daily:briefing"] {
        assert_eq!(text.parse(), Ok(When::Named(text.to_owned())));
    }
    let named = When::Named("x".to_owned());
    assert_eq!(named.next_after(NOW, &Zone::utc()), None);
}

#[test]
fn what_is_no_schedule_is_refused_with_a_reason() {
    let refused = |text: &str| text.parse::<When>().unwrap_err().to_string();
    for (text, part) in [
        (" ", "empty"),
        ("every 5s", "one minute"),
        ("every 0m", "one minute"),
        ("every 99999999999999999999d", "a year"),
        ("25:00", "not a schedule"),
        ("tomorrow at noon", "not a schedule"),
        ("täglich", "not a schedule"),
        ("61 * * * *", "not a schedule"),
        ("* * * * * *", "second"),
        ("0 8 * * * Mars/Olympus", "not a time zone"),
        ("0 8 * * * ../../etc/passwd", "not a time zone"),
        ("0 0 0 * * * UTC x", "more than"),
        ("0 0 31 2 *", "never comes"),
        (&"x".repeat(1_000), "limit of 256"),
    ] {
        let message = refused(text);
        assert!(message.contains(part), "{text}: {message}");
        assert!(!message.contains('\n'), "{message}");
    }
}

#[test]
fn time_zones() {
    assert_eq!("UTC".parse(), Ok(Zone::utc()));
    assert!("".parse::<Zone>().is_err());
    // A system without a time zone database knows no other.
    let Ok(berlin) = "Europe/Berlin".parse::<Zone>() else {
        return;
    };
    let when: When = "08:00".parse().unwrap();
    let at = |moment| when.next_after(Moment(moment), &berlin).unwrap().0;
    assert_eq!(at(TODAY), TODAY + 7 * HOUR, "winter time");
    let june = TODAY + 152 * DAY;
    assert_eq!(at(june), june + 6 * HOUR, "summer time");
    let own: When = "0 8 * * * UTC".parse().unwrap();
    let moment = own.next_after(Moment(TODAY), &berlin);
    assert_eq!(
        moment,
        Some(Moment(TODAY + 8 * HOUR)),
        "the author's zone counts"
    );
}

proptest! {
    /// No text makes it panic, and every schedule moves on.
    #[test]
    fn any_text_is_read_or_refused(text in "[ -~]{0,40}|([0-9*/,-]{1,6} ){4,6}[A-Z0-9*#L-]{1,6}|\\PC{0,20}", seconds in -4_000_000_000i64..8_000_000_000) {
        if let Ok(when) = text.parse::<When>()
            && let Some(next) = when.next_after(Moment(seconds), &Zone::utc())
        {
            prop_assert!(next > Moment(seconds));
        }
    }
}
