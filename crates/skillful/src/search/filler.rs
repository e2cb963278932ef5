//! Words that say nothing about a subject.

/// Words that hold sentences together. They are looked for in names and tags, where every word was chosen, and nowhere
/// else. Sorted.
const FUNCTION: &[&str] = &[
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can",
    "could", "did", "do", "does", "each", "else", "for", "from", "had", "has", "have", "he", "her", "his", "how", "i",
    "if", "in", "into", "is", "it", "its", "may", "me", "more", "my", "no", "not", "of", "off", "on", "or", "other",
    "our", "out", "own", "she", "should", "so", "some", "such", "than", "that", "the", "their", "them", "then", "there",
    "these", "they", "this", "those", "to", "too", "up", "us", "use", "used", "user", "users", "uses", "using", "was",
    "we", "were", "what", "when", "where", "which", "who", "why", "will", "with", "would", "you", "your",
];

/// Words that requests begin with or are padded with, beside those of [`FUNCTION`]. Sorted.
const REQUEST: &[&str] = &[
    "already", "always", "best", "der", "die", "das", "ein", "eine", "einen", "every", "everybody", "fur", "get",
    "gets", "give", "go", "goes", "going", "good", "great", "help", "ich", "im", "it's", "ist", "just", "keep", "kind",
    "know", "let", "like", "look", "lot", "make", "makes", "many", "mir", "much", "need", "needs", "new", "nicht",
    "now", "one", "ones", "please", "put", "really", "right", "said", "shall", "show", "someone", "something",
    "somebody", "sure", "tell", "thanks", "thing", "things", "try", "und", "very", "von", "want", "wants", "way",
    "well", "wie",
];

/// Whether a folded word only holds a sentence together.
pub(super) fn is_function_word(word: &str) -> bool {
    FUNCTION.binary_search(&word).is_ok()
}

/// Whether a folded word of a request says nothing about what is wanted.
pub(super) fn is_filler(word: &str) -> bool {
    is_function_word(word) || REQUEST.contains(&word)
}
