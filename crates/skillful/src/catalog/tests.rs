use std::path::PathBuf;

use proptest::prelude::*;

use super::*;
use crate::roots::Source;

fn entry(name: &str, description: &str) -> Entry {
    Entry {
        id: name.to_owned(),
        name: name.to_owned(),
        description: description.to_owned(),
        when: None,
        version: None,
        location: PathBuf::from(format!("/s/{name}/SKILL.md")),
        source: Source::Global,
        mode: Mode::Auto,
        usage: Usage::default(),
        category: None,
    }
}

const DESCRIPTIONS: [&str; 6] = [
    "Extract text and tables from PDF files, fill forms, merge documents. Use when working with PDF files.",
    "Create and edit presentations (.pptx) with layouts, speaker notes and charts. Use when the user asks for slides.",
    "Comprehensive toolkit for Kubernetes deployments: Helm charts, rollbacks, ingress debugging and cluster upgrades.",
    "This skill helps you write release notes from the git history, grouped by component. Trigger: \"cut a release\".",
    "Reviews SQL migrations for locks, missing indexes and irreversible statements before they reach production.",
    "生成周报的工具，用于整理日历和邮件，当用户要求总结本周工作时使用",
];

fn library() -> Vec<Entry> {
    let names = [
        "pdf",
        "slides",
        "kubernetes",
        "release-notes",
        "migrations",
        "weekly",
    ];
    names
        .iter()
        .zip(DESCRIPTIONS)
        .map(|(name, text)| entry(name, text))
        .collect()
}

fn options(form: Form, characters: usize) -> Options<'static> {
    Options {
        form,
        budget: Budget {
            characters: Some(characters),
            ..Budget::default()
        },
        ..Options::default()
    }
}

fn within(characters: usize) -> Catalog {
    render(&library(), &options(Form::ClaudeCode, characters))
}

#[test]
fn with_room_for_all_nothing_is_lost() {
    let whole = render(&library(), &Options::default());
    assert_eq!(whole.included.len(), 6);
    assert!(whole.shortened.is_empty() && whole.name_only.is_empty() && whole.omitted.is_empty());
    assert_eq!(whole.characters, whole.text.chars().count());
    assert_eq!(
        render(&library(), &options(Form::Aleph, whole.characters)),
        whole
    );
}

#[test]
fn descriptions_are_shortened_to_their_most_telling_words() {
    insta::assert_snapshot!(
        "shortened",
        format!("{}\n\n{}", within(420).text, within(200).text)
    );
}

#[test]
fn below_the_names_skills_are_left_out_and_counted() {
    let catalog = within(110);
    insta::assert_snapshot!("omitted", catalog.text);
    assert_eq!(catalog.omitted.len(), 6 - catalog.included.len());
    let one = Options {
        budget: Budget {
            entries: Some(5),
            ..Budget::default()
        },
        ..Options::default()
    };
    let catalog = render(&library(), &one);
    assert_eq!(catalog.omitted, ["weekly"]);
    assert!(
        catalog
            .text
            .contains("1 more skill is not listed; call skill_search to find them")
    );
    assert!(within(3).text.is_empty());
    assert_eq!(within(3).omitted.len(), 6);
}

#[test]
fn pinned_skills_are_shortened_last_and_required_ones_must_fit() {
    let mut entries = library();
    entries[4].mode = Mode::Pinned;
    let catalog = render(&entries, &options(Form::ClaudeCode, 300));
    assert!(catalog.text.contains(DESCRIPTIONS[4]));
    assert!(!catalog.shortened.contains(&"migrations".to_owned()));

    entries[5].mode = Mode::Required;
    let catalog = render(&entries, &options(Form::ClaudeCode, 105));
    assert!(catalog.included.contains(&"weekly".to_owned()));
    assert!(catalog.missing_required.is_empty());
    let catalog = render(&entries, &options(Form::ClaudeCode, 20));
    assert_eq!(catalog.missing_required, ["weekly"]);
}

#[test]
fn sources_and_use_decide_between_equals() {
    let text = DESCRIPTIONS[0];
    let mut entries = vec![entry("aa", text), entry("bb", text), entry("cc", text)];
    entries[1].source = Source::Workspace { distance: 0 };
    entries[2].usage = Usage {
        uses: 12,
        idle_days: Some(1),
    };
    let catalog = render(&entries, &options(Form::ClaudeCode, 190));
    let lengths: Vec<usize> = catalog.text.lines().map(str::len).collect();
    assert!(
        lengths[1] > lengths[0] && lengths[2] > lengths[0],
        "{}",
        catalog.text
    );
    assert!(
        lengths[0] > "- aa: ".len(),
        "the unused are not forgotten: {}",
        catalog.text
    );

    let few = Options {
        budget: Budget {
            entries: Some(2),
            ..Budget::default()
        },
        ..Options::default()
    };
    assert_eq!(render(&entries, &few).omitted, ["aa"]);
}

#[test]
fn a_skill_by_name_alone_has_only_its_name() {
    let mut entries = library();
    entries[0].mode = Mode::NameOnly;
    entries[0].when = Some("always".to_owned());
    entries[0].version = Some("sha256:0".to_owned());
    let catalog = render(&entries, &Options::default());
    assert!(
        catalog.text.starts_with(
            "<available_skills>\n  <skill>\n    <name>pdf</name>\n  </skill>\n  <skill>"
        )
    );
    assert_eq!(catalog.name_only, ["pdf"]);
}

#[test]
fn when_is_kept_before_descriptions_and_shortened_before_skills_are_left_out() {
    let mut entries = library();
    for (entry, text) in entries.iter_mut().zip(DESCRIPTIONS) {
        entry.when = Some(text.to_owned());
    }
    let whens: usize = DESCRIPTIONS.iter().map(|text| text.chars().count()).sum();
    let catalog = render(&entries, &options(Form::ClaudeCode, whens + 100));
    for text in DESCRIPTIONS {
        assert!(
            catalog.text.contains(&format!(" - {text}")),
            "{}",
            catalog.text
        );
    }
    let catalog = render(&entries, &options(Form::ClaudeCode, 300));
    assert!(catalog.omitted.is_empty(), "{}", catalog.text);
    assert_eq!(catalog.included.len(), 6);
}

#[test]
fn the_order_of_entries_does_not_depend_on_the_budget() {
    let mut entries = library();
    entries[3].mode = Mode::Required;
    entries[5].source = Source::Workspace { distance: 0 };
    for characters in (0..900).step_by(7) {
        let catalog = render(&entries, &options(Form::ClaudeCode, characters));
        let order: Vec<usize> = catalog
            .included
            .iter()
            .map(|id| entries.iter().position(|entry| entry.id == *id).unwrap())
            .collect();
        assert!(order.is_sorted());
    }
}

#[test]
fn a_budget_of_tokens() {
    let whole = render(&library(), &Options::default());
    for tokens in [0, 5, 40, 60, 100, 150, whole.tokens] {
        let options = Options {
            budget: Budget {
                tokens: Some(tokens),
                ..Budget::default()
            },
            ..Options::default()
        };
        let catalog = render(&library(), &options);
        assert!(catalog.tokens <= tokens, "{} > {tokens}", catalog.tokens);
        if tokens >= 100 {
            assert!(
                catalog.tokens * 10 >= tokens * 9,
                "{} of {tokens} are used",
                catalog.tokens
            );
        }
    }
}

#[test]
fn a_text_without_end_has_one() {
    let mut entries = library();
    entries[0].description = "boundless ".repeat(10_000);
    let catalog = render(&entries, &Options::default());
    assert!(catalog.characters < crate::limits::CATALOG_TEXT_CHARS + 2_000);
    assert_eq!(catalog.shortened, ["pdf"]);
}

#[test]
fn nothing_at_all_without_skills() {
    for form in Form::ALL {
        let text = render(
            &[],
            &Options {
                form,
                ..Options::default()
            },
        )
        .text;
        match form {
            Form::Agentskills => assert_eq!(text, "<available_skills>\n</available_skills>"),
            _ => assert_eq!(text, "", "{form}"),
        }
    }
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => proptest::sample::subsequence(DESCRIPTIONS.join(" ").split(' ').map(str::to_owned).collect::<Vec<_>>(), 0..40).prop_map(|words| words.join(" ")),
        1 => "[ -~]{0,80}",
        1 => "\\PC{0,60}",
        1 => any::<String>(),
        1 => "[\\u{0}-\\u{20}\\u{200b}-\\u{202e}<>&\"'#\\[\\]`。，的用于周报ア-ンe\\u{301}👨\\u{200d}👩]{0,60}",
    ]
}

prop_compose! {
    fn any_entry()(
        name in "[a-z<&#_\\PC]{1,20}",
        description in any_text(),
        when in proptest::option::of(any_text()),
        mode in proptest::sample::select(Mode::ALL.to_vec()),
        distance in proptest::option::of(0u32..3),
        uses in 0u64..20,
    ) -> Entry {
        Entry {
            when,
            mode,
            version: Some("sha256:0123456789abcdef".to_owned()),
            source: distance.map_or(Source::Bundled, |distance| Source::Workspace { distance }),
            usage: Usage { uses, idle_days: (uses > 3).then_some(2) },
            ..entry(&name, &description)
        }
    }
}

proptest! {
    #[test]
    fn no_budget_is_ever_exceeded(
        entries in proptest::collection::vec(any_entry(), 0..12),
        form in proptest::sample::select(Form::ALL.to_vec()),
        characters in proptest::option::of(0usize..2_000),
        tokens in proptest::option::of(0usize..500),
        most in proptest::option::of(0usize..12),
        locations in any::<bool>(),
    ) {
        let budget = Budget { entries: most, characters, tokens };
        let options = Options { form, budget, locations, ..Options::default() };
        let catalog = render(&entries, &options);
        let empty = form == Form::Agentskills && catalog.included.is_empty() && catalog.omitted.is_empty();
        prop_assert!(empty || budget.holds(&catalog, options.counter), "{catalog:?}");
        prop_assert_eq!(catalog.characters, catalog.text.chars().count());
        prop_assert_eq!(catalog.included.len() + catalog.omitted.len(), entries.len());
        prop_assert_eq!(&render(&entries, &options), &catalog);
        let hostile = |character: char| {
            character != '\n' && character != '\t' && character.is_control() || matches!(character, '\u{202a}'..='\u{202e}')
        };
        prop_assert!(!catalog.text.contains(hostile), "{:?}", catalog.text);
    }
}
