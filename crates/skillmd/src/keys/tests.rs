use super::find::root;
use super::*;

fn row(path: &str) -> usize {
    KEYS.iter()
        .position(|key| key.path == path)
        .unwrap_or_else(|| panic!("no key {path}"))
}

fn found(names: &[&str]) -> Option<&'static str> {
    let mut branch = root();
    let mut row = None;
    for name in names {
        let child = branch.child(name)?;
        branch = &child.branch;
        row = child.row;
    }
    row.map(|row| KEYS[row].path)
}

#[test]
fn rows_stand_in_order_of_precedence() {
    let rank = |key: &Key| match key {
        key if key.is_standard() => 0,
        key if key.top_level() != "metadata" => 1,
        _ => 2,
    };
    assert!(KEYS.is_sorted_by_key(rank));
    for standard in STANDARD {
        assert!(KEYS[row(standard)].is_standard());
    }
}

#[test]
fn paths_are_unique_and_meanings_short() {
    let mut seen = std::collections::HashSet::new();
    for key in KEYS {
        assert!(seen.insert(key.path), "{} stands twice", key.path);
        assert!(!key.meaning.is_empty() && key.meaning.len() < 90);
        assert!(!key.meaning.ends_with('.'));
    }
}

#[test]
fn every_row_is_found_by_its_own_path() {
    for key in KEYS {
        let names: Vec<_> = key.names().collect();
        assert_eq!(found(&names), Some(key.path));
    }
}

#[test]
fn other_spellings_are_found() {
    for (written, path) in [
        ("allowed_tools", "allowed-tools"),
        ("allowedTools", "allowed-tools"),
        ("Name", "name"),
        ("user-invokable", "user-invocable"),
        ("userInvokable", "user-invocable"),
        ("maxToolRounds", "max_tool_rounds"),
        ("when_to_use", "when_to_use"),
        ("when-to-use", "when-to-use"),
        ("whenToUse", "when_to_use"),
        ("displayName", "displayName"),
        ("display_name", "display-name"),
    ] {
        assert_eq!(found(&[written]), Some(path), "{written}");
    }
    assert_eq!(
        found(&["metadata", "openclaw", "requires", "any_bins"]),
        Some("metadata.openclaw.requires.anyBins")
    );
    assert_eq!(found(&["no-such-key"]), None);
}

#[test]
fn a_name_may_hold_a_dot() {
    let key = KEYS[row("metadata.\"flynnhq.com/check\"")];
    assert_eq!(
        key.names().collect::<Vec<_>>(),
        ["metadata", "flynnhq.com/check"]
    );
    assert!(!key.is_top_level());
}

#[test]
fn clients_are_asked_by_id() {
    let is_read_by = |client: &str, path: &str| KEYS[row(path)].is_read_by(client);
    assert!(is_read_by("claude-code", "when_to_use"));
    assert!(!is_read_by("claude-code", "when-to-use"));
    assert!(is_read_by("openclaw", "metadata.openclaw.requires.bins"));
    assert!(!KEYS.iter().any(|key| key.is_read_by("no-such-client")));
    let license = KEYS[row("license")];
    assert!(license.is_known_to("claude-code") && !license.is_read_by("claude-code"));
    assert!(!license.is_known_to("codex"));
}

#[test]
fn containers_are_known_keys() {
    assert_eq!(known_top_level("eligibility"), Some("eligibility"));
    assert_eq!(known_top_level("Requires"), Some("requires"));
    assert_eq!(known_top_level("nist_csf"), None);
    assert_eq!(keys_under("requires").count(), 1);
}
