//! Words without which an expression cannot match, read off the expression itself.
//!
//! An expression with gaps between its words costs far more than to look for one of the words. Of the words that every
//! match needs, those are taken that the anchors of the pattern have not shown to be there already.

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Hir, HirKind};

/// Shorter words are everywhere.
const LEAST_BYTES: usize = 3;

/// Most words of which one must be there.
const MOST_WORDS: usize = 60;

/// Finds out whether one of the words is there that a match of the expression needs; nothing where that would not pay.
pub(super) fn required(source: &str, anchors: &[String]) -> Option<AhoCorasick> {
    // Without gaps an expression is as quick as the look for its words.
    if !source.contains("{0,") {
        return None;
    }
    let words = best(sets_of(source), source.is_ascii(), anchors)?;
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .kind(Some(AhoCorasickKind::DFA))
        .build(words)
        .ok()
}

fn sets_of(source: &str) -> Vec<Vec<String>> {
    let parsed = ParserBuilder::new()
        .unicode(!source.is_ascii())
        .utf8(false)
        .multi_line(true)
        .build()
        .parse(source);
    parsed.map(|hir| sets(&hir)).unwrap_or_default()
}

/// Lists of words: of each, one is in every match.
fn sets(hir: &Hir) -> Vec<Vec<String>> {
    match hir.kind() {
        HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
            Ok(word) => vec![vec![word.to_owned()]],
            Err(_) => Vec::new(),
        },
        HirKind::Capture(capture) => sets(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => sets(&repetition.sub),
        HirKind::Concat(parts) => parts.iter().flat_map(sets).collect(),
        HirKind::Alternation(branches) => {
            let longest = |branch| sets(branch).into_iter().max_by_key(|set| shortest(set));
            let all: Option<Vec<Vec<String>>> = branches.iter().map(longest).collect();
            all.map(|all| vec![all.concat()]).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

fn shortest(set: &[String]) -> usize {
    set.iter().map(String::len).min().unwrap_or_default()
}

/// The list that says most.
fn best(sets: Vec<Vec<String>>, is_ascii: bool, anchors: &[String]) -> Option<Vec<String>> {
    // How many of the words are there already when an anchor is.
    let shown = |set: &[String]| {
        let is_shown = |word: &&String| {
            let word = word.to_ascii_lowercase();
            anchors
                .iter()
                .any(|anchor| anchor.contains(&*word) || word.contains(&**anchor))
        };
        set.iter().filter(is_shown).count()
    };
    let is_usable = |set: &Vec<String>| {
        shortest(set) >= LEAST_BYTES
            && set.len() <= MOST_WORDS
            && set.iter().all(|word| is_exact(word, is_ascii))
            && shown(set) * 2 <= set.len()
    };
    sets.into_iter()
        .filter(is_usable)
        .min_by_key(|set| (shown(set), usize::MAX - shortest(set), set.len()))
}

/// Whether to look for a word without regard to the case of ASCII is to look for it as the expression does. In Unicode,
/// letters have more spellings.
fn is_exact(word: &str, is_ascii: bool) -> bool {
    if is_ascii {
        word.is_ascii()
    } else {
        word.chars().all(|c| !c.is_lowercase() && !c.is_uppercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(source: &str, anchors: &[&str]) -> Option<Vec<String>> {
        let anchors: Vec<String> = anchors.iter().map(|&it| it.to_owned()).collect();
        best(sets_of(source), source.is_ascii(), &anchors)
    }

    #[test]
    fn words_that_every_match_needs() {
        let send = r"\b(send|post)(s|ing)?\b[^\n]{0,80}\b(token|password)s?\b";
        assert_eq!(
            words(send, &["send", "post"]).unwrap(),
            ["token", "password"]
        );
        assert_eq!(
            words(send, &["token", "password"]).unwrap(),
            ["send", "post"]
        );
        assert_eq!(words("(abc)?[^a]{0,9}(x|yyyy)", &[]), None);
        assert_eq!(
            words("(需要|必须)[^。]{0,40}(运行|工具)", &["需要", "必须"]).unwrap(),
            ["运行", "工具"]
        );
        assert_eq!(words("(für|über)[^a]{0,9}", &[]), None);
    }

    #[test]
    fn no_match_is_lost() {
        let source = r"\b(send|post)\b[^\n]{0,80}\b(token|pass(word|phrase))s?\b";
        let found = required(source, &["send".to_owned(), "post".to_owned()]).unwrap();
        assert!(found.is_match("Post your PassPhrase"));
        assert!(!found.is_match("Post your letter"));
    }
}
