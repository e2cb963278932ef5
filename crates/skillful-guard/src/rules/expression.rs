//! One regular expression of a rule, and the memory that it keeps to be quick.
//!
//! There are hundreds of expressions, and each remembers the states that it was in, for each thread that searched with
//! it. All together may keep so much and no more: what was not used since the last time is let go first.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use aho_corasick::AhoCorasick;
use regex_automata::meta::{BuildError, Cache, Regex};
use regex_automata::nfa::thompson::WhichCaptures;
use regex_automata::util::syntax;
use regex_automata::{Input, MatchKind};

use super::required::required;

/// Largest compiled expression, in bytes: counted repeats of large classes are the only way to reach it.
const COMPILED_BYTES: usize = 1 << 20;

/// Most memory that one search of an expression keeps to be quick, in bytes, in each direction.
const CACHE_BYTES: usize = 256 * 1024;

/// Most memory that all expressions keep between searches, in bytes.
const KEPT_BYTES: usize = 12 * 1024 * 1024;

/// What all expressions keep now, in bytes.
static KEPT: AtomicUsize = AtomicUsize::new(0);

/// Whether expressions keep more than they may.
pub(super) fn keep_too_much() -> bool {
    KEPT.load(Ordering::Relaxed) > KEPT_BYTES
}

/// A compiled expression.
#[derive(Debug)]
pub(super) struct Expression {
    regex: Regex,
    /// Words of which one is in every match.
    required: Option<AhoCorasick>,
    /// What searches that are over remembered, with its size in bytes.
    kept: Mutex<Vec<(usize, Cache)>>,
    /// Whether it was used since memory was let go the last time.
    used: AtomicBool,
}

impl Expression {
    /// Compiles it, without regard to case. It is searched for where one of the anchors was found.
    ///
    /// # Errors
    ///
    /// When it is none, or too large.
    pub(super) fn new(source: &str, anchors: &[String]) -> Result<Self, Box<BuildError>> {
        let syntax = syntax::Config::new()
            .case_insensitive(true)
            .multi_line(true)
            // The classes of Unicode cost far more, and only patterns with letters beyond ASCII mean them.
            .unicode(!source.is_ascii())
            .utf8(false);
        let limits = Regex::config()
            .match_kind(MatchKind::LeftmostFirst)
            .utf8_empty(false)
            .which_captures(WhichCaptures::Implicit)
            .nfa_size_limit(Some(COMPILED_BYTES))
            .hybrid_cache_capacity(CACHE_BYTES);
        let regex = Regex::builder()
            .syntax(syntax)
            .configure(limits)
            .build(source)?;
        Ok(Self {
            regex,
            required: required(source, anchors),
            kept: Mutex::default(),
            used: AtomicBool::new(false),
        })
    }

    /// The first match.
    pub(super) fn find(&self, text: &str) -> Option<Range<usize>> {
        let mut cache = self.take();
        let found = self.regex.search_with(&mut cache, &Input::new(text));
        self.put(cache);
        found.map(|found| found.range())
    }

    /// Every match that is not empty, one after the other.
    pub(super) fn find_all(&self, text: &str) -> Vec<Range<usize>> {
        if self
            .required
            .as_ref()
            .is_some_and(|words| !words.is_match(text))
        {
            return Vec::new();
        }
        let mut cache = self.take();
        let mut input = Input::new(text);
        let mut all = Vec::new();
        while let Some(found) = self.regex.search_with(&mut cache, &input) {
            let end = found.end();
            if !found.is_empty() {
                all.push(found.range());
            }
            let next = end + usize::from(found.is_empty());
            if next > text.len() {
                break;
            }
            input.set_start(next);
        }
        self.put(cache);
        all
    }

    /// Lets go what is kept, unless it was used since the last time and only the unused is to go.
    pub(super) fn let_go(&self, only_unused: bool) {
        if self.used.swap(false, Ordering::Relaxed) && only_unused {
            return;
        }
        let caches = std::mem::take(&mut *self.lock());
        let bytes = caches.iter().map(|(bytes, _)| bytes).sum();
        KEPT.fetch_sub(bytes, Ordering::Relaxed);
    }

    fn take(&self) -> Cache {
        self.used.store(true, Ordering::Relaxed);
        let kept = self.lock().pop();
        match kept {
            Some((bytes, cache)) => {
                KEPT.fetch_sub(bytes, Ordering::Relaxed);
                cache
            }
            None => self.regex.create_cache(),
        }
    }

    fn put(&self, cache: Cache) {
        let bytes = cache.memory_usage();
        KEPT.fetch_add(bytes, Ordering::Relaxed);
        self.lock().push((bytes, cache));
    }

    /// A thread that panicked left whole entries.
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(usize, Cache)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_those_of_the_regex_crate() {
        for (source, text) in [
            (r"\ba+", "aa baa a"),
            ("x*", "axxb"),
            ("^b$", "a\nB\nb"),
            ("für|a", "FÜR a"),
            ("[^a]", "é"),
        ] {
            let expected: Vec<Range<usize>> = regex::bytes::RegexBuilder::new(source)
                .case_insensitive(true)
                .multi_line(true)
                .unicode(!source.is_ascii())
                .build()
                .unwrap()
                .find_iter(text.as_bytes())
                .map(|found| found.range())
                .filter(|range| !range.is_empty())
                .collect();
            let expression = Expression::new(source, &[]).unwrap();
            assert_eq!(expression.find_all(text), expected, "{source}");
        }
        assert_eq!(Expression::new("b", &[]).unwrap().find("abb"), Some(1..2));
        assert!(Expression::new("(", &[]).is_err());
    }

    #[test]
    fn what_is_kept_is_let_go() {
        let expression = Expression::new(r"(\w+ ){3}x", &[]).unwrap();
        expression.find("a b c x");
        assert_eq!(expression.lock().len(), 1);
        expression.let_go(true);
        assert_eq!(expression.lock().len(), 1);
        expression.let_go(true);
        assert_eq!(expression.lock().len(), 0);
        expression.find("a b c x");
        expression.let_go(false);
        assert_eq!(expression.lock().len(), 0);
    }
}
