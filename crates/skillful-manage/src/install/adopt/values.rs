//! Asking foreign JSON and TOML for texts. What has another type, or is not there, is nothing.

use serde_json::Value;

/// The text of a member that is not empty.
pub(super) fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    let text = value.get(name)?.as_str()?.trim();
    (!text.is_empty()).then_some(text)
}

/// The first of several members that is a text.
pub(super) fn first<'v>(value: &'v Value, names: &[&str]) -> Option<&'v str> {
    names.iter().find_map(|name| text(value, name))
}

/// The entries of a table that may also be a list, each with its name.
pub(super) fn named<'v>(value: Option<&'v Value>, name: &str) -> Vec<(String, &'v Value)> {
    match value {
        Some(Value::Object(entries)) => entries
            .iter()
            .map(|(name, entry)| (name.clone(), entry))
            .collect(),
        Some(Value::Array(entries)) => {
            let named = |entry| Some((text(entry, name)?.to_owned(), entry));
            entries.iter().filter_map(named).collect()
        }
        _ => Vec::new(),
    }
}

/// The hash of a git object; nothing for any other text.
pub(super) fn git_hash(text: &str) -> Option<String> {
    let is_hash = text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| text.to_ascii_lowercase())
}
