use std::borrow::Cow;

use proptest::prelude::*;

use super::*;

/// Id, description and body of a skill.
type Made = (&'static str, &'static str, &'static str);

const SKILLS: &[Made] = &[
    (
        "pdf-forms",
        "Fills in PDF forms. Use when a form is to be completed.",
        "# Checkboxes\n\nTick them.\n",
    ),
    (
        "pdf-merge",
        "Merges several PDF files into one.",
        "Give it the files in order.\n",
    ),
    (
        "charts",
        "Draws charts from tables of numbers.",
        "# Bars and pies\n\nNumbers become bars.\n",
    ),
    (
        "commit-messages",
        "Writes commit messages from staged changes.",
        "Read the diff first.\n",
    ),
    (
        "kubernetes-debug",
        "Finds out why pods restart in Kubernetes.",
        "kubectl describe\n",
    ),
    ("weather-zh", "查询城市的天气预报。", "# 温度\n"),
    (
        "tools:deploy",
        "Deploys to staging with oauth2 tokens.",
        "See `rolloutStatus`.\n",
    ),
    (
        "sleep-log",
        "Keeps a diary of your nights.",
        "pdf pdf pdf pdf\n",
    ),
];

fn document(made: &Made) -> Document<'_> {
    Document {
        id: made.0,
        name: made.0,
        description: Cow::Borrowed(made.1),
        body: Cow::Borrowed(made.2),
        ..Document::default()
    }
}

fn index() -> Index {
    Index::build(SKILLS, document)
}

fn ids(index: &Index, request: &str) -> Vec<String> {
    index
        .search(request, &Options::default())
        .iter()
        .map(|hit| hit.id.to_owned())
        .collect()
}

#[track_caller]
fn assert_first(request: &str, id: &str) {
    let index = index();
    assert_eq!(
        ids(&index, request).first().map(String::as_str),
        Some(id),
        "{request}: {:?}",
        ids(&index, request)
    );
}

#[test]
fn forms_of_a_word_find_each_other() {
    assert_first("I want to merge PDFs", "pdf-merge");
    assert_first("filling in a form", "pdf-forms");
    assert_first("a chart of these numbers, please", "charts");
}

#[test]
fn an_id_or_a_name_comes_first_whatever_else_is_there() {
    for request in ["charts", "Charts", " CHARTS "] {
        assert_first(request, "charts");
    }
    assert_first("PDF Merge", "pdf-merge");
    assert_first("deploy", "tools:deploy");
    assert_first("tools:deploy", "tools:deploy");
}

#[test]
fn slips_of_the_keyboard_are_mended() {
    assert_first("kuberntes", "kubernetes-debug");
    assert_first("comit mesages", "commit-messages");
    assert!(ids(&index(), "xqzwvk").is_empty());
}

#[test]
fn words_of_the_same_meaning_find_each_other() {
    assert_first("k8s trouble", "kubernetes-debug");
    assert_first("join documents", "pdf-merge");
    assert_first("plot", "charts");
    assert_first("forecast", "weather-zh");
}

#[test]
fn scripts_without_blanks_are_searched() {
    assert_first("明天的天气", "weather-zh");
    assert_first("城市温度", "weather-zh");
    let made: &[Made] = &[
        ("ja", "データからグラフを描く。", ""),
        ("ko", "문서를 번역합니다.", ""),
        ("th", "แปลเอกสาร", ""),
    ];
    let index = Index::build(made, document);
    assert_eq!(ids(&index, "グラフ"), ["ja"]);
    assert_eq!(ids(&index, "번역"), ["ko"]);
    assert_eq!(ids(&index, "เอกสาร"), ["th"]);
}

#[test]
fn glued_words_are_found_by_their_parts_and_the_other_way_round() {
    assert_first("status of a rollout", "tools:deploy");
    assert_first("OAuth2Tokens", "tools:deploy");
    assert_first("kuber netes", "kubernetes-debug");
}

#[test]
fn headings_and_bodies_are_searched() {
    assert_first("checkboxes", "pdf-forms");
    assert_first("kubectl", "kubernetes-debug");
}

#[test]
fn a_head_counts_more_than_a_body() {
    let found = ids(&index(), "pdf");
    let place = |id: &str| found.iter().position(|other| other == id);
    assert!(place("pdf-forms") < place("sleep-log"), "{found:?}");
}

#[test]
fn what_answers_next_to_nothing_is_no_hit() {
    assert!(ids(&index(), "translate poems from medieval icelandic manuscripts into modern english verse about pdf").is_empty());
    assert!(ids(&index(), "").is_empty());
    assert!(ids(&index(), "  \n?! ").is_empty());
}

#[test]
fn a_word_that_is_being_typed_finds_what_begins_with_it() {
    let options = Options {
        is_typing: true,
        ..Options::default()
    };
    assert_eq!(
        index().search("write comm", &options)[0].id,
        "commit-messages"
    );
    assert!(index().search("comm", &Options::default()).is_empty());
}

#[test]
fn evidence_decides_between_equals_alone() {
    let made: &[Made] = &[
        ("b", "Sorts mail.", ""),
        ("a", "Sorts mail.", ""),
        ("mail", "Sorts mail quickly.", ""),
    ];
    let index = Index::build(made, document);
    assert_eq!(ids(&index, "sorting"), ["a", "b", "mail"]);
    let prefers_b = |id: &str| f64::from(u8::from(id == "b"));
    let options = Options {
        evidence: Some(&prefers_b),
        ..Options::default()
    };
    let found: Vec<&str> = index
        .search("sorting", &options)
        .iter()
        .map(|hit| hit.id)
        .collect();
    assert_eq!(found, ["b", "a", "mail"]);
}

#[test]
fn a_hit_says_why() {
    let index = index();
    let hits = index.search("draw a diagram of numbrs", &Options::default());
    let words: Vec<(&str, &str)> = hits[0]
        .reasons
        .iter()
        .map(|reason| (reason.word.as_str(), reason.term))
        .collect();
    assert!(words.contains(&("numbrs", "number")), "{words:?}");
    assert!(words.contains(&("draw", "draw")), "{words:?}");
}

#[test]
fn an_empty_index_has_no_hits() {
    let index = Index::build::<Made>(&[], document);
    assert!(index.is_empty() && ids(&index, "pdf").is_empty());
}

#[test]
fn the_number_of_threads_makes_no_difference() {
    let searched = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let index = index();
            (
                index.bytes(),
                format!(
                    "{:?}",
                    index.search("pdf form with numbers", &Options::default())
                ),
            )
        })
    };
    assert_eq!(searched(1).1, searched(3).1);
}

#[test]
fn hostile_texts_take_bounded_time_and_memory() {
    let long = "ab cd-ef GhIj 天气 ".repeat(20_000);
    let documents = [long.as_str(); 3];
    let index = Index::build(&documents, |text| Document {
        id: "x",
        name: text,
        description: Cow::Borrowed(*text),
        ..Document::default()
    });
    assert!(index.bytes() < 4 * long.len(), "{}", index.bytes());
    assert!(index.search(&long, &Options::default()).len() <= 3);
}

proptest! {
    #[test]
    fn any_request_is_answered_in_order(request in "\\PC{0,60}", limit in 0_usize..5) {
        let index = index();
        let hits = index.search(&request, &Options { limit, ..Options::default() });
        prop_assert!(hits.len() <= limit);
        prop_assert!(hits.is_sorted_by(|a, b| b.score.total_cmp(&a.score).then(a.id.cmp(b.id)).is_le()));
        prop_assert!(hits.iter().all(|hit| hit.score > 0.0));
    }

    #[test]
    fn a_longer_limit_only_adds(request in "[a-z]{2,8}( [a-z]{2,8}){0,4}", limit in 1_usize..8) {
        let index = index();
        let few = index.search(&request, &Options { limit, ..Options::default() });
        let many = index.search(&request, &Options { limit: limit + 1, ..Options::default() });
        prop_assert_eq!(&few[..], &many[..few.len()]);
    }

    #[test]
    fn every_skill_is_found_by_its_id(place in 0..SKILLS.len()) {
        let id = SKILLS[place].0;
        prop_assert_eq!(&ids(&index(), id)[0], id);
    }
}
