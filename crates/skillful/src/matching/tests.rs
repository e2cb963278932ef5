use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use skillmd::trigger::Trigger;

use super::*;

/// A skill with these triggers, which a person may also call by its name.
struct Made {
    id: String,
    invocation: Invocation,
    is_user_invocable: bool,
    is_automatic: bool,
}

impl Made {
    fn new(id: &str, triggers: &[&str]) -> Self {
        let triggers = triggers
            .iter()
            .map(|text| Trigger::parse_phrase(text).unwrap())
            .collect();
        Self {
            id: id.to_owned(),
            invocation: Invocation {
                triggers,
                ..Invocation::default()
            },
            is_user_invocable: true,
            is_automatic: true,
        }
    }

    fn with_paths(id: &str, paths: &[&str]) -> Self {
        let mut made = Self::new(id, &[]);
        made.invocation.paths = paths.iter().map(|&glob| glob.to_owned()).collect();
        made
    }

    fn capped(mut self, rounds: u32) -> Self {
        self.invocation.max_tool_rounds = Some(rounds);
        self
    }

    fn candidate(&self) -> Candidate<'_> {
        Candidate {
            id: &self.id,
            name: &self.id,
            place_name: &self.id,
            invocation: &self.invocation,
            is_user_invocable: self.is_user_invocable,
            is_automatic: self.is_automatic,
        }
    }
}

fn candidates(made: &[Made]) -> Vec<Candidate<'_>> {
    made.iter().map(Made::candidate).collect()
}

/// Ids and kinds of what a text brings up.
fn by_text(made: &[Made], text: &str) -> Vec<(String, Kind)> {
    let message = Message {
        text,
        ..Message::default()
    };
    found(made, &message, Ambient::None)
}

fn found(made: &[Made], message: &Message<'_>, ambient: Ambient<'_>) -> Vec<(String, Kind)> {
    matches(&candidates(made), message, ambient)
        .into_iter()
        .map(|found| (found.id.to_owned(), found.kind))
        .collect()
}

fn one(id: &str, kind: Kind) -> Vec<(String, Kind)> {
    vec![(id.to_owned(), kind)]
}

#[test]
fn commands_in_every_spelling() {
    let made = [Made::new("morning", &["command:Briefing"])];
    for text in [
        "/briefing",
        "!briefing",
        "/Briefing",
        "  /briefing weather news",
        "/briefing\nweather",
        "/briefing\tx",
        "/BRIEFING@some_bot now",
    ] {
        assert_eq!(
            by_text(&made, text),
            one("morning", Kind::Command),
            "{text}"
        );
    }
    for text in [
        "briefing",
        "/other",
        "say /briefing",
        "/",
        "!",
        "/@bot",
        "//briefing",
        "/briefings",
        "",
    ] {
        assert!(by_text(&made, text).is_empty(), "{text}");
    }
}

#[test]
fn a_command_of_two_words() {
    let made = [Made::new("tidy", &["command:clean up"])];
    assert_eq!(by_text(&made, "/clean  Up now"), one("tidy", Kind::Command));
    assert!(by_text(&made, "/clean").is_empty());
}

#[test]
fn what_follows_a_command_is_handed_over_as_typed() {
    let made = [
        Made::new("deploy", &["command:deploy", "command:deploy all"]),
        Made::new("notes", &["keyword:release notes"]),
    ];
    let arguments = |text| {
        let message = Message {
            text,
            ..Message::default()
        };
        let found = matches(&candidates(&made), &message, Ambient::None);
        let arguments = found.into_iter().map(|found| found.arguments);
        arguments.collect::<Vec<_>>()
    };
    assert_eq!(arguments("/deploy"), [""]);
    assert_eq!(
        arguments(" /Deploy@bot  Staging 'the  web' \n"),
        ["Staging 'the  web'"]
    );
    assert_eq!(
        arguments("!deploy\nall  but one"),
        ["but one"],
        "the longest command counts"
    );
    assert_eq!(arguments("/notes 1.4"), ["1.4"], "its name is a command");
    assert_eq!(
        arguments("write release notes for 1.4"),
        [""],
        "no command, no arguments"
    );
}

#[test]
fn a_name_is_a_command_unless_its_author_minds() {
    let mut made = [Made::new("deploy", &[])];
    assert_eq!(by_text(&made, "/Deploy prod"), one("deploy", Kind::Command));
    made[0].is_user_invocable = false;
    assert!(by_text(&made, "/deploy").is_empty());
}

#[test]
fn an_id_is_meant_before_a_name_in_a_plugin() {
    let made = [Made::new("deploy", &[]), Made::new("tools:deploy", &[])];
    assert_eq!(by_text(&made, "/deploy"), one("deploy", Kind::Command));
    assert_eq!(
        by_text(&made, "/tools:deploy"),
        one("tools:deploy", Kind::Command)
    );
    assert_eq!(
        by_text(&made[1..], "/deploy"),
        one("tools:deploy", Kind::Command)
    );
}

#[test]
fn what_is_named_matches_whatever_its_triggers() {
    let made = [
        Made::new("report", &["command:x"]),
        Made::new("other", &["schedule:nightly"]),
    ];
    let named = Message {
        skill: Some("Report"),
        ..Message::default()
    };
    assert_eq!(
        found(&made, &named, Ambient::None),
        one("report", Kind::Named)
    );
    let fired = |schedule| Message {
        schedule: Some(schedule),
        ..Message::default()
    };
    assert_eq!(
        found(&made, &fired("report"), Ambient::None),
        one("report", Kind::Schedule)
    );
    assert_eq!(
        found(&made, &fired("Nightly"), Ambient::None),
        one("other", Kind::Schedule)
    );
    assert!(found(&made, &fired("weekly"), Ambient::None).is_empty());
    assert!(
        found(
            &[Made::new("x", &["schedule:"])],
            &fired(" "),
            Ambient::None
        )
        .is_empty()
    );
}

#[test]
fn phrases_are_whole_words() {
    let made = [
        Made::new("art", &["keyword:art"]),
        Made::new("alarm", &["keyword:Red  Alert"]),
    ];
    for text in ["modern art.", "ART", "(art)", "art-house", "什么art吗"] {
        assert_eq!(by_text(&made, text), one("art", Kind::Keyword), "{text}");
    }
    for text in ["start", "arts", "party", "red alerts", "Redalert", "artß"] {
        assert!(by_text(&made, text).is_empty(), "{text}");
    }
    assert_eq!(
        by_text(&made, "a RED\n alert!"),
        one("alarm", Kind::Keyword)
    );
}

#[test]
fn phrases_without_blanks_may_stand_anywhere() {
    let made = [
        Made::new("weather", &["天气预报"]),
        Made::new("cat", &["猫"]),
    ];
    assert_eq!(
        by_text(&made, "查询天气预报吧"),
        one("weather", Kind::Keyword)
    );
    assert_eq!(by_text(&made, "我的猫"), one("cat", Kind::Keyword));
    assert!(by_text(&made, "天气").is_empty());
}

#[test]
fn a_phrase_that_must_not_occur_wins() {
    let made = [Made::new("review", &["review", "!draft"])];
    assert_eq!(by_text(&made, "review this"), one("review", Kind::Keyword));
    assert!(by_text(&made, "review this draft").is_empty());
}

#[test]
fn signs_belong_to_phrases() {
    let made = [Made::new("cpp", &["c++"]), Made::new("net", &[".net"])];
    assert_eq!(by_text(&made, "in C++ please"), one("cpp", Kind::Keyword));
    assert_eq!(by_text(&made, "a .NET app"), one("net", Kind::Keyword));
    assert!(by_text(&made, "in C").is_empty());
}

#[test]
fn longer_phrases_come_first() {
    let made = [
        Made::new("a", &["code"]),
        Made::new("b", &["review my code"]),
    ];
    let message = Message {
        text: "please review my code",
        ..Message::default()
    };
    let found = matches(&candidates(&made), &message, Ambient::None);
    assert_eq!(found[0].id, "b");
    assert!(found[0].score > found[1].score);
    assert_eq!(found[0].why, "the message contains `review my code`");
}

#[test]
fn touched_paths() {
    let touched = |globs: &[&str], path: &str| {
        let made = [Made::with_paths("x", globs)];
        !found(
            &made,
            &Message {
                paths: &[path],
                ..Message::default()
            },
            Ambient::None,
        )
        .is_empty()
    };
    assert!(touched(&["src/**/*.{ts,tsx}"], "src/a/b.tsx"));
    assert!(touched(&["src/**/*.ts"], "./src/b.ts"));
    assert!(touched(&["docs/"], "docs/a/b.md"));
    assert!(touched(&["*.md"], "README.md"));
    assert!(!touched(&["*.md"], "docs/a.md"));
    assert!(touched(&["**/*.md"], "docs/a.md"));
    assert!(touched(&["/src/*.rs"], "src\\a.rs"));
    assert!(!touched(&["**/*.ts", "!vendor/**"], "vendor/a.ts"));
    assert!(
        !touched(&["[", "{", "a{b"], "a"),
        "globs that cannot be read"
    );
}

#[test]
fn automatic_means_need_the_authors_consent() {
    let mut made = [Made::new("a", &["deploy now"])];
    made[0].is_automatic = false;
    assert!(by_text(&made, "deploy now").is_empty());
    assert_eq!(by_text(&made, "/a"), one("a", Kind::Command));
}

#[test]
fn ambient_is_for_the_operator_to_say() {
    let made = [Made::new("plain", &[]), Made::new("busy", &["command:x"])];
    let message = Message {
        text: "hello",
        ..Message::default()
    };
    assert!(found(&made, &message, Ambient::None).is_empty());
    assert_eq!(
        found(&made, &message, Ambient::Untriggered),
        one("plain", Kind::Ambient)
    );
    let chosen = BTreeSet::from(["busy".to_owned()]);
    assert_eq!(
        found(&made, &message, Ambient::Chosen(&chosen)),
        one("busy", Kind::Ambient)
    );
}

#[test]
fn only_the_driving_skill_limits_the_rounds_and_only_lowers() {
    let made = [
        Made::new("a", &["command:go"]).capped(8),
        Made::new("b", &["command:go two", "keyword:night"]).capped(3),
        Made::new("c", &[]).capped(2),
    ];
    let candidates = candidates(&made);
    let cap = |message: Message<'_>, limit| {
        let found = matches(&candidates, &message, Ambient::Untriggered);
        max_tool_rounds(&candidates, &found, limit).map(|cap| (cap.id, cap.rounds))
    };
    let says = |text| Message {
        text,
        ..Message::default()
    };
    assert_eq!(
        cap(says("/go"), Some(50)),
        Some(("a", 8)),
        "the ambient one does not disturb"
    );
    assert_eq!(cap(says("/go"), None), Some(("a", 8)));
    assert_eq!(cap(says("/go"), Some(5)), None, "never raised");
    assert_eq!(cap(says("/go two"), Some(50)), None, "two drive nothing");
    assert_eq!(
        cap(says("hello"), Some(50)),
        None,
        "ambient alone drives nothing"
    );
    assert_eq!(cap(says("last night"), Some(50)), Some(("b", 3)));
    assert_eq!(
        cap(
            Message {
                skill: Some("c"),
                ..says("/go")
            },
            Some(50)
        ),
        Some(("c", 2))
    );
    assert_eq!(
        cap(
            Message {
                skill: Some("missing"),
                ..says("hi")
            },
            Some(50)
        ),
        None
    );
}

#[test]
fn hostile_triggers_and_globs_end_soon() {
    let phrases: Vec<String> = (0..10_000).map(|number| format!("a {number}")).collect();
    let phrases: Vec<&str> = phrases.iter().map(String::as_str).collect();
    let globs = [
        "**/".repeat(170) + "*",
        "{a,b}".repeat(100),
        "*".repeat(500),
        "{".repeat(500),
        "a".repeat(100_000),
    ];
    let globs: Vec<&str> = globs.iter().map(String::as_str).collect();
    let made = [
        Made::new("phrases", &phrases),
        Made::with_paths("globs", &globs),
    ];
    let text = "a ".repeat(100_000);
    let path = "a/".repeat(1_000) + "b";
    let paths = vec![path.as_str(); 100];
    let started = Instant::now();
    found(
        &made,
        &Message {
            text: &text,
            paths: &paths,
            ..Message::default()
        },
        Ambient::None,
    );
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "{:?}",
        started.elapsed()
    );
}

proptest! {
    #[test]
    fn any_message_and_any_skill(text in ".*", phrase in "\\PC{1,20}", glob in "\\PC{0,20}", path in "\\PC{0,20}") {
        let mut made = Made::with_paths("x", &[&glob]);
        made.invocation.triggers = vec![Trigger::Keyword(phrase.clone()), Trigger::Command(phrase)];
        let message = Message { text: &text, paths: &[&path], ..Message::default() };
        let made = [made];
        let candidates = candidates(&made);
        let all = matches(&candidates, &message, Ambient::None);
        prop_assert!(all.len() <= 1);
        prop_assert!(all.iter().all(|found| (0.0..=1.0).contains(&found.score)));
    }

    #[test]
    fn a_phrase_is_found_between_blanks(phrase in "[a-z]{1,6}( [a-z]{1,6}){0,2}", before in "[a-z ]{0,12}", after in "[a-z ]{0,12}") {
        let made = [Made::new("x", &[&format!("keyword:{phrase}")])];
        prop_assert_eq!(by_text(&made, &format!("{before} {} {after}", phrase.to_uppercase())).len(), 1);
    }
}
