//! Looking up the operator's values by the dotted paths that skills require.

use serde_json::Value;

use crate::config::KeyPath;

/// Whether a value lies under a path and holds something.
///
/// What holds something is OpenClaw's rule: `null`, `false`, 0 and a blank text do not; lists and tables do, even empty
/// ones. A part in quotes may hold dots, a number is the place in a list. A text that is no path is one part.
pub(super) fn holds(values: &Value, path: &str) -> bool {
    let path = path.parse().unwrap_or_else(|_| KeyPath::single(path));
    at(values, path.segments()).is_some_and(is_something)
}

/// The text under a path of parts that need no reading.
pub(super) fn holds_at(values: &Value, path: &[&str]) -> bool {
    at(values, path).is_some_and(is_something)
}

fn at<'v>(values: &'v Value, segments: &[impl AsRef<str>]) -> Option<&'v Value> {
    segments.iter().try_fold(values, |value, segment| {
        let segment = segment.as_ref();
        match value {
            Value::Object(members) => members.get(segment),
            Value::Array(items) => items.get(segment.parse::<usize>().ok()?),
            _ => None,
        }
    })
}

fn is_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_go_through_tables_quotes_and_lists() {
        let values = serde_json::json!({
            "browser": {"enabled": true, "profile.name": "x", "tabs": [{"url": "u"}, {"url": " "}]},
            "a b": 1,
            "0": "zero",
        });
        for path in [
            "browser",
            "browser.enabled",
            "browser.\"profile.name\"",
            "browser.tabs",
            "browser.tabs[0].url",
            "browser.tabs.0.url",
            "a b",
            "0",
        ] {
            assert!(holds(&values, path), "{path}");
        }
        for path in [
            "browser.profile.name",
            "browser.tabs[1].url",
            "browser.tabs[2]",
            "browser.tabs.url",
            "browser.enabled.x",
            "browser..enabled",
            "none",
            "",
        ] {
            assert!(!holds(&values, path), "{path}");
        }
        assert!(!holds(&Value::Null, "a"));
    }

    #[test]
    fn what_holds_something() {
        for (value, holds_something) in [
            ("null", false),
            ("false", false),
            ("0", false),
            ("0.0", false),
            ("\"\"", false),
            ("\" \"", false),
            ("true", true),
            ("-1", true),
            ("\"false\"", true),
            ("[]", true),
            ("{}", true),
        ] {
            let value: Value = serde_json::from_str(value).unwrap();
            assert_eq!(is_something(&value), holds_something, "{value}");
        }
    }
}
