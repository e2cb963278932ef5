//! Every rule is found in each of its examples, and in none of its near ones with more than low confidence.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is the report")]

use skillful_guard::{Confidence, Example, Finding, RuleBook, scan};

fn of_rule(example: &Example, id: &str) -> Vec<Finding> {
    let rules = RuleBook::built_in().unwrap();
    let found = scan(&example.bundle(), rules).findings;
    found
        .into_iter()
        .filter(|finding| finding.rule == id)
        .collect()
}

#[test]
fn every_rule_is_found_in_its_examples() {
    let mut missed = Vec::new();
    for rule in RuleBook::built_in().unwrap().rules() {
        for example in &rule.matches {
            let sure = of_rule(example, &rule.id)
                .iter()
                .any(|finding| finding.confidence > Confidence::Low);
            if !sure {
                missed.push(format!("{} in {example:?}", rule.id));
            }
        }
    }
    assert!(missed.is_empty(), "not found:\n{}", missed.join("\n"));
}

#[test]
fn no_rule_is_found_in_what_only_looks_like_it() {
    let mut wrong = Vec::new();
    for rule in RuleBook::built_in().unwrap().rules() {
        for example in &rule.near {
            for finding in of_rule(example, &rule.id)
                .iter()
                .filter(|finding| finding.confidence > Confidence::Low)
            {
                wrong.push(format!("{} in {example:?}: {finding:?}", rule.id));
            }
        }
    }
    assert!(wrong.is_empty(), "found:\n{}", wrong.join("\n"));
}

#[test]
fn every_pattern_compiles() {
    RuleBook::built_in().unwrap().check().unwrap();
}

#[test]
fn every_rule_has_examples_a_page_and_a_tag() {
    for rule in RuleBook::built_in().unwrap().rules() {
        assert!(rule.matches.len() >= 3, "{} needs three examples", rule.id);
        assert!(
            rule.near.len() >= 3,
            "{} needs three near examples",
            rule.id
        );
        assert!(
            !rule.owasp.is_empty(),
            "{} needs an entry of the OWASP list",
            rule.id
        );
        assert!(rule.page().contains("## What to do"), "{}", rule.id);
        assert!(
            !rule.title.ends_with('.'),
            "{}: a title is no sentence",
            rule.id
        );
    }
}

#[test]
fn the_digest_of_the_rules_is_known_without_reading_them() {
    let book = RuleBook::built_in().unwrap();
    assert_eq!(RuleBook::built_in_digest(), book.digest());
}

#[test]
fn the_page_with_all_rules_is_current() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guard-rules.md");
    let written = std::fs::read_to_string(page).unwrap().replace("\r\n", "\n");
    let list = RuleBook::built_in().unwrap().list();
    assert!(
        written == list,
        "run: cargo run -p skillful-guard --example rules > docs/guard-rules.md"
    );
}
