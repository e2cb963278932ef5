//! Computes texts that are put together from constants, as far as a program's author meant to hide them.

use unicode_normalization::UnicodeNormalization;

use crate::flow::{Flow, Taint, UNKNOWN};

/// What a method that changes texts gives, when everything about it is known.
pub(super) fn method(name: &str, object: &Flow, arguments: &[Flow]) -> Flow {
    let mut result = object.clone();
    for argument in arguments {
        result.absorb(argument);
    }
    let known: Option<Vec<&str>> = arguments
        .iter()
        .map(|argument| argument.text.as_deref())
        .collect();
    let folded = match (object.text.as_deref(), known) {
        (Some(text), Some(arguments)) => fold(name, text, &arguments),
        _ => None,
    };
    // Case, blanks and encodings change nothing that a reader would miss.
    let hides = matches!(
        name,
        "replace"
            | "replaceAll"
            | "translate"
            | "normalize"
            | "sub"
            | "reversed"
            | "reverse"
            | "swapcase"
    );
    if hides
        && folded
            .as_deref()
            .is_some_and(|folded| Some(folded) != object.text.as_deref() && folded.len() > 2)
    {
        result.taint |= Taint::ASSEMBLED;
    }
    result.sketch = match (&folded, object.text.as_deref(), name) {
        (None, Some(text), "format") if text.contains("{}") => {
            Some(arguments.iter().fold(text.to_owned(), |text, value| {
                text.replacen("{}", value.outline().unwrap_or(UNKNOWN), 1)
            }))
        }
        _ => None,
    };
    result.text = folded;
    result
}

fn fold(name: &str, text: &str, arguments: &[&str]) -> Option<String> {
    Some(match (name, arguments) {
        ("replace" | "replaceAll", [from, to, ..]) if !from.is_empty() => text.replace(from, to),
        ("strip" | "trim", []) => text.trim().to_owned(),
        ("lower" | "toLowerCase", _) => text.to_lowercase(),
        ("swapcase", _) => text.chars().map(swap_case).collect(),
        ("decode" | "encode" | "toString", _) => text.to_owned(),
        ("format", values) => values
            .iter()
            .fold(text.to_owned(), |text, value| text.replacen("{}", value, 1)),
        ("normalize", [_]) => text.nfkc().collect(),
        ("concat", values) => values
            .iter()
            .fold(text.to_owned(), |text, value| text + value),
        _ => return None,
    })
}

fn swap_case(character: char) -> char {
    if character.is_ascii_lowercase() {
        character.to_ascii_uppercase()
    } else {
        character.to_ascii_lowercase()
    }
}

/// A text written backwards.
pub(super) fn reversed(value: &Flow) -> Flow {
    let mut result = value.clone();
    result.sketch = None;
    result.text = value
        .text
        .as_deref()
        .map(|text| text.chars().rev().collect());
    if result.text.is_some() {
        result.taint |= Taint::ASSEMBLED;
    }
    result
}

/// What decoding a value gives.
pub(super) fn decoded(value: &Flow) -> Flow {
    let mut result = value.clone();
    result.taint |= Taint::DECODED;
    result.sketch = None;
    result.text = value.text.as_deref().and_then(crate::decode::decode_text);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_computed_and_marked() {
        let folded = method(
            "replace",
            &Flow::text("c#u#r#l"),
            &[Flow::text("#"), Flow::text("")],
        );
        assert_eq!(folded.text.as_deref(), Some("curl"));
        assert!(folded.taint.has(Taint::ASSEMBLED));
        let unknown = method(
            "replace",
            &Flow::default(),
            &[Flow::text("#"), Flow::text("")],
        );
        assert!(unknown.text.is_none() && unknown.taint.is_none());
        assert!(method("strip", &Flow::text(" a "), &[]).taint.is_none());
        assert_eq!(reversed(&Flow::text("lruc")).text.as_deref(), Some("curl"));
    }
}
