//! What the libraries of the languages without an engine call their sources and sinks.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use serde::Deserialize;

use crate::flow::consequences::is_secret_variable;
use crate::flow::{PathKind, Taint, path_kind};

/// Longest quoted text that is looked at as a path, in bytes.
const PATH_BYTES: usize = 200;

/// What a word is to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordKind {
    Source,
    Send,
    Run,
}

/// A word of the tables in a program.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub kind: WordKind,
    pub taint: Taint,
    pub range: Range<usize>,
}

#[derive(Deserialize, Default)]
struct Table {
    source: BTreeMap<String, Vec<String>>,
    sink: BTreeMap<String, Vec<String>>,
}

struct Known {
    automaton: AhoCorasick,
    meanings: Vec<(WordKind, Taint)>,
}

static KNOWN: LazyLock<Option<Known>> = LazyLock::new(|| {
    let table: Table = toml::from_str(include_str!("words.toml")).ok()?;
    let mut words = Vec::new();
    let mut meanings = Vec::new();
    for (name, list) in table.source {
        let taint = match name.as_str() {
            "environment" => Taint::ENVIRONMENT,
            "personal" => Taint::PERSONAL,
            "visitor" => Taint::VISITOR,
            "fetched" => Taint::FETCHED,
            "decoded" => Taint::DECODED,
            "machine" => Taint::MACHINE,
            _ => continue,
        };
        meanings.extend(list.iter().map(|_| (WordKind::Source, taint)));
        words.extend(list);
    }
    for (name, list) in table.sink {
        let kind = if name == "send" {
            WordKind::Send
        } else {
            WordKind::Run
        };
        meanings.extend(list.iter().map(|_| (kind, Taint::NONE)));
        words.extend(list);
    }
    let automaton = AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .build(words)
        .ok()?;
    Some(Known {
        automaton,
        meanings,
    })
});

/// The words of a program that mean something, sorted by place.
pub(super) fn words(text: &str) -> Vec<Word> {
    let Some(known) = &*KNOWN else {
        return Vec::new();
    };
    let mut found: Vec<Word> = known
        .automaton
        .find_iter(text)
        .filter(|word| is_whole(text, word.start()))
        .filter_map(|word| {
            let (kind, taint) = *known.meanings.get(word.pattern().as_usize())?;
            Some(Word {
                kind,
                taint,
                range: word.range(),
            })
        })
        .collect();
    if found.iter().any(|word| word.kind != WordKind::Source) {
        found.extend(secrets(text));
        found.sort_by_key(|word| word.range.start);
    }
    found
}

/// Whether no letter stands before a word that begins with one.
fn is_whole(text: &str, at: usize) -> bool {
    let begins_with_letter = text
        .get(at..)
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
    let before = text.get(..at).and_then(|before| before.chars().next_back());
    !begins_with_letter || !before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Quoted texts that name a file of secrets, or a variable of the environment that is one.
fn secrets(text: &str) -> Vec<Word> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        let mut start = at;
        at += line.len();
        while let Some(open) = rest.find(['"', '\'']) {
            let quote = rest.as_bytes().get(open).copied().map_or('"', char::from);
            let inside = rest.get(open + 1..).unwrap_or_default();
            let Some(close) = inside.find(quote) else {
                break;
            };
            let quoted = inside.get(..close).unwrap_or_default();
            if let Some(taint) = taint_of(quoted) {
                let from = start + open + 1;
                found.push(Word {
                    kind: WordKind::Source,
                    taint,
                    range: from..from + quoted.len(),
                });
            }
            start += open + close + 2;
            rest = inside.get(close + 1..).unwrap_or_default();
        }
    }
    found
}

fn taint_of(quoted: &str) -> Option<Taint> {
    if quoted.len() > PATH_BYTES || quoted.contains("://") {
        return None;
    }
    let is_path = quoted.contains(['.', '/', '\\']) && !quoted.contains(' ');
    if is_path && (path_kind(quoted, PathKind::Secret) || quoted.contains("/credentials")) {
        Some(Taint::SECRET)
    } else if is_path && path_kind(quoted, PathKind::Personal) {
        Some(Taint::PERSONAL)
    } else if is_secret_variable(quoted) && quoted.len() > 4 {
        Some(Taint::TOKEN)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read() {
        assert!(KNOWN.as_ref().unwrap().meanings.len() > 100);
    }

    #[test]
    fn words_are_whole_and_quoted_secrets_are_sources() {
        let kinds: Vec<WordKind> = words("Net::HTTP.post(u, File.read('/root/.ssh/id_rsa'))")
            .into_iter()
            .map(|word| word.kind)
            .collect();
        assert_eq!(kinds, [WordKind::Send, WordKind::Source]);
        assert!(words("filesystem(x)").is_empty());
    }
}
