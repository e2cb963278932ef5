//! All terms of an index, sorted: exact look-up, look-up by prefix, and what a mistyped word may have meant.

use super::analysis::Term;

/// Shortest word, in characters, that may be mistyped by one character.
const ONE_SLIP: usize = 4;
/// Shortest word that may be mistyped by two.
const TWO_SLIPS: usize = 8;
/// A correction that is this many times rarer than another that is as near was not meant.
const COMMON: u32 = 10;
/// Most corrections of one word.
const CORRECTIONS: usize = 3;

/// Sorted terms in one piece of text.
#[derive(Clone, Debug, Default)]
pub(super) struct Vocabulary {
    text: String,
    /// Where each term ends in the text.
    ends: Vec<u32>,
}

impl Vocabulary {
    /// Takes terms that are sorted and differ from each other.
    pub(super) fn new<'t>(terms: impl Iterator<Item = &'t str>) -> Self {
        let mut vocabulary = Self::default();
        for term in terms {
            vocabulary.text.push_str(term);
            vocabulary
                .ends
                .push(u32::try_from(vocabulary.text.len()).unwrap_or(u32::MAX));
        }
        vocabulary.text.shrink_to_fit();
        vocabulary.ends.shrink_to_fit();
        vocabulary
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Bytes that it takes in memory.
    pub(super) fn bytes(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * size_of::<u32>()
    }

    /// The term of this number; empty when there is none.
    pub(super) fn term(&self, number: usize) -> &str {
        let end = self.ends.get(number).copied().unwrap_or_default();
        let start = number
            .checked_sub(1)
            .and_then(|before| self.ends.get(before))
            .copied();
        self.text
            .get(start.unwrap_or_default() as usize..end as usize)
            .unwrap_or_default()
    }

    /// The number of a term.
    pub(super) fn find(&self, term: &str) -> Option<Term> {
        let number = self.first_from(term);
        (number < self.len() && self.term(number) == term).then(|| to_term(number))
    }

    /// The numbers of all terms with this prefix.
    pub(super) fn with_prefix<'v>(&'v self, prefix: &'v str) -> impl Iterator<Item = Term> + 'v {
        (self.first_from(prefix)..self.len())
            .take_while(move |&number| self.term(number).starts_with(prefix))
            .map(to_term)
    }

    /// What a word that is not in the vocabulary may have meant: the nearest terms, `commonness` deciding between
    /// equally near ones. Terms that it gives 0 for are not considered. The first character is taken to be right.
    pub(super) fn corrections(&self, word: &str, commonness: impl Fn(Term) -> u32) -> Vec<Term> {
        let length = word.chars().count();
        let slips = match length {
            TWO_SLIPS.. => 2,
            ONE_SLIP.. => 1,
            _ => return Vec::new(),
        };
        let Some(first) = word.chars().next() else {
            return Vec::new();
        };
        let mut found: Vec<(usize, std::cmp::Reverse<u32>, Term)> = self
            .with_prefix(first.encode_utf8(&mut [0; 4]))
            .filter_map(|term| {
                let common = commonness(term);
                let other = self.term(term as usize);
                if common == 0 || other.len().abs_diff(word.len()) > slips {
                    return None;
                }
                let distance = strsim::osa_distance(word, other);
                (distance <= slips).then_some((distance, std::cmp::Reverse(common), term))
            })
            .collect();
        found.sort_unstable();
        let Some(&(nearest, std::cmp::Reverse(most), _)) = found.first() else {
            return Vec::new();
        };
        found
            .into_iter()
            .take_while(|(distance, common, _)| *distance == nearest && common.0 * COMMON >= most)
            .take(CORRECTIONS)
            .map(|(.., term)| term)
            .collect()
    }

    fn first_from(&self, term: &str) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.term(middle) < term {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// There are never more terms than a number can say: their text would not fit either.
fn to_term(number: usize) -> Term {
    Term::try_from(number).unwrap_or(Term::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary() -> Vocabulary {
        Vocabulary::new(
            [
                "convert",
                "converter",
                "generate",
                "git",
                "kubernetes",
                "péché",
            ]
            .into_iter(),
        )
    }

    fn words(vocabulary: &Vocabulary, terms: impl IntoIterator<Item = Term>) -> Vec<&str> {
        terms
            .into_iter()
            .map(|term| vocabulary.term(term as usize))
            .collect()
    }

    #[test]
    fn terms_are_found() {
        let vocabulary = vocabulary();
        assert_eq!(vocabulary.find("git"), Some(3));
        assert_eq!(vocabulary.find("gi"), None);
        assert_eq!(vocabulary.find("zzz"), None);
        assert_eq!(
            words(&vocabulary, vocabulary.with_prefix("conv")),
            ["convert", "converter"]
        );
        assert_eq!(Vocabulary::default().find("git"), None);
        assert_eq!(vocabulary.term(99), "");
    }

    #[test]
    fn slips_are_mended_within_bounds() {
        let vocabulary = vocabulary();
        let mend = |word: &str| words(&vocabulary, vocabulary.corrections(word, |_| 1));
        assert_eq!(mend("genarate"), ["generate"]);
        assert_eq!(
            mend("kubenretes"),
            ["kubernetes"],
            "two letters that changed places are one slip"
        );
        assert_eq!(mend("pécé"), ["péché"]);
        assert!(mend("gti").is_empty(), "short words are not guessed at");
        assert!(mend("generosity").is_empty());
        assert!(vocabulary.corrections("genarate", |_| 0).is_empty());
    }
}
