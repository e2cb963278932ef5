//! Words that tell no skill from another: those of every English text, and those of most skills.
//!
//! How rare a word is in the catalog says the same, but only of a large catalog.

use std::collections::HashMap;
use std::sync::LazyLock;

/// How rare each of the usual words is, in lines of the form `BITS WORD…`: a word with 2 bits is in a quarter of the
/// bodies of published skills, of which some two thousand were counted. Words with 5 bits and more are not listed.
const TABLE: &str = include_str!("common.txt");

/// What the table says, in sixteenths of a bit.
static BITS: LazyLock<HashMap<&'static str, u64>> = LazyLock::new(|| {
    let mut bits = HashMap::new();
    for line in TABLE.lines() {
        let mut words = line.split(' ');
        let halves = words.next().and_then(sixteenths).unwrap_or_default();
        bits.extend(words.map(|word| (word, halves)));
    }
    bits
});

fn sixteenths(number: &str) -> Option<u64> {
    let (whole, half) = match number.strip_suffix(".5") {
        Some(whole) => (whole, 8),
        None => (number, 0),
    };
    Some(whole.parse::<u64>().ok()? * 16 + half)
}

/// How rare a word in lower case is in texts about skills, in sixteenths of a bit; nothing for one that is not usual.
pub(super) fn background(word: &str) -> Option<u64> {
    BITS.get(word).copied()
}

/// Words that only hold others together.
const FUNCTION: &[&str] = &[
    "a", "about", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "been",
    "before", "both", "but", "by", "can", "could", "do", "does", "each", "else", "etc", "for",
    "from", "has", "have", "if", "in", "into", "is", "it", "its", "may", "more", "most", "must",
    "my", "no", "not", "of", "on", "only", "or", "other", "our", "over", "should", "so", "some",
    "such", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this",
    "those", "through", "to", "up", "via", "was", "we", "were", "what", "when", "where", "which",
    "while", "who", "will", "with", "without", "would", "you", "your",
];

/// Words that most descriptions of skills have.
const BOILERPLATE: &[&str] = &[
    "across",
    "activate",
    "activates",
    "activating",
    "advanced",
    "agent",
    "agents",
    "ai",
    "allows",
    "always",
    "asked",
    "asks",
    "assistant",
    "automatically",
    "based",
    "best",
    "capabilities",
    "claude",
    "common",
    "complete",
    "comprehensive",
    "covering",
    "covers",
    "create",
    "creating",
    "designed",
    "enables",
    "ensure",
    "expert",
    "find",
    "first",
    "functionality",
    "general",
    "guidance",
    "guide",
    "handling",
    "help",
    "helps",
    "including",
    "invoke",
    "like",
    "mentions",
    "multiple",
    "need",
    "needs",
    "phrases",
    "powerful",
    "practices",
    "provide",
    "provides",
    "request",
    "requests",
    "says",
    "skill",
    "skills",
    "specific",
    "support",
    "supports",
    "task",
    "tasks",
    "tool",
    "tools",
    "trigger",
    "triggers",
    "use",
    "used",
    "user",
    "users",
    "uses",
    "using",
    "want",
    "wants",
    "whenever",
    "work",
    "working",
];

/// Ideographs that only hold others together.
const IDEOGRAPHS: &[char] = &[
    '的', '了', '和', '与', '與', '或', '及', '等', '在', '是', '时', '時', '当', '當', '将', '將',
    '并',
];

/// Whether a word, in any case, only holds others together.
pub(super) fn is_function_word(word: &str) -> bool {
    // The longest are `through` and `without`; most other words are longer, and need no search.
    word.len() <= 7 && is_in(FUNCTION, word)
}

/// Whether a word, in any case, is one that most descriptions have.
pub(super) fn is_boilerplate(word: &str) -> bool {
    is_in(BOILERPLATE, word)
}

/// Whether a clause that begins with this word says when to use the skill.
pub(super) fn says_when(first_word: &str) -> bool {
    const WORDS: [&str; 8] = [
        "use", "when", "whenever", "trigger", "triggers", "activate", "invoke", "if",
    ];
    WORDS
        .iter()
        .any(|word| word.eq_ignore_ascii_case(first_word))
        || first_word.starts_with(['当', '當'])
}

pub(super) fn is_small_ideograph(character: char) -> bool {
    IDEOGRAPHS.contains(&character)
}

fn is_in(list: &[&str], word: &str) -> bool {
    const LONGEST: usize = 16;
    if word.len() > LONGEST || !word.is_ascii() {
        return false;
    }
    let lower = |byte: &u8| byte.to_ascii_lowercase();
    list.binary_search_by(|known| known.bytes().cmp(word.as_bytes().iter().map(lower)))
        .is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_words_have_their_bits() {
        assert_eq!(background("and"), Some(8));
        assert_eq!(background("after"), Some(32));
        assert_eq!(background("trademark"), None);
        assert!(BITS.len() > 1_400);
        assert!(BITS.values().all(|bits| (8..80).contains(bits)));
    }

    #[test]
    fn the_lists_are_sorted_so_that_they_can_be_searched() {
        assert!(FUNCTION.is_sorted());
        assert!(BOILERPLATE.is_sorted());
        assert!(FUNCTION.iter().all(|word| is_function_word(word)));
        assert!(BOILERPLATE.iter().all(|word| is_boilerplate(word)));
        assert!(is_boilerplate("Comprehensive") && !is_boilerplate("pdf"));
        assert!(is_function_word("THE") && !is_function_word("th"));
    }
}
