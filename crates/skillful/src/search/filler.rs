//! Words that say nothing about a subject.

/// Words that hold sentences together. They are looked for in names and tags, where every word was chosen, and nowhere
/// else. Sorted.
const FUNCTION: &[&str] = &[
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be",
    "because", "been", "before", "between", "both", "but", "by", "can", "could", "d", "did", "do",
    "does", "during", "each", "else", "for", "from", "had", "has", "have", "he", "her", "his",
    "how", "i", "if", "in", "into", "is", "it", "its", "just", "ll", "m", "may", "me", "more",
    "my", "no", "not", "of", "off", "on", "only", "or", "other", "our", "out", "over", "own", "re",
    "s", "she", "should", "so", "some", "such", "t", "than", "that", "the", "their", "them",
    "then", "there", "these", "they", "this", "those", "through", "to", "too", "under", "up", "us",
    "use", "used", "user", "users", "uses", "using", "ve", "very", "was", "we", "were", "what",
    "when", "where", "which", "while", "who", "why", "will", "with", "would", "you", "your",
];

/// Words that requests begin with or are padded with, beside those of [`FUNCTION`]. Sorted.
const REQUEST: &[&str] = &[
    "again",
    "already",
    "always",
    "anybody",
    "anyone",
    "anything",
    "ask",
    "asked",
    "auch",
    "auf",
    "begin",
    "best",
    "between",
    "bitte",
    "come",
    "comes",
    "das",
    "dem",
    "den",
    "der",
    "des",
    "die",
    "ein",
    "eine",
    "einen",
    "es",
    "every",
    "everybody",
    "everyone",
    "everything",
    "find",
    "fuer",
    "fur",
    "get",
    "gets",
    "give",
    "go",
    "goes",
    "going",
    "good",
    "great",
    "haben",
    "happening",
    "happens",
    "hat",
    "help",
    "ich",
    "im",
    "ist",
    "it's",
    "just",
    "kann",
    "keep",
    "kind",
    "know",
    "let",
    "like",
    "look",
    "lot",
    "make",
    "makes",
    "many",
    "mein",
    "meine",
    "meinen",
    "mine",
    "mir",
    "mit",
    "much",
    "need",
    "needs",
    "new",
    "nicht",
    "now",
    "one",
    "ones",
    "own",
    "please",
    "put",
    "really",
    "right",
    "said",
    "say",
    "says",
    "see",
    "shall",
    "show",
    "sich",
    "soll",
    "somebody",
    "someone",
    "something",
    "start",
    "still",
    "sure",
    "take",
    "takes",
    "tell",
    "thanks",
    "there",
    "thing",
    "things",
    "today",
    "tomorrow",
    "try",
    "und",
    "very",
    "von",
    "want",
    "wants",
    "way",
    "well",
    "wie",
    "without",
    "work",
    "working",
    "works",
    "yet",
    "yours",
    "zu",
];

/// Whether a folded word only holds a sentence together.
pub(super) fn is_function_word(word: &str) -> bool {
    FUNCTION.binary_search(&word).is_ok()
}

/// Whether a folded word of a request says nothing about what is wanted.
pub(super) fn is_filler(word: &str) -> bool {
    is_function_word(word) || REQUEST.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted_and_folded() {
        for list in [FUNCTION, REQUEST] {
            assert!(list.is_sorted_by(|a, b| a < b));
            assert!(
                list.iter()
                    .all(|word| crate::search::words::folded(word) == *word)
            );
        }
    }

    #[test]
    fn a_request_keeps_what_it_is_about() {
        assert!(is_filler("please") && is_filler("the"));
        assert!(!is_filler("pdf") && !is_filler("merge"));
        assert!(!is_function_word("please"));
    }
}
