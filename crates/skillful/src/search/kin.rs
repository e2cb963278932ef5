//! Words that people use for the same thing.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::query::Word;
use super::stem::stem;

/// Groups, one a line.
const TEXT: &str = include_str!("kin.txt");

/// What is known of words of the same meaning.
struct Thesaurus {
    /// The members of each group that are one word, as stems.
    groups: Vec<Vec<String>>,
    /// The stems of a member → its groups.
    members: HashMap<Vec<String>, Vec<usize>>,
    /// Words of the longest member.
    longest: usize,
}

static THESAURUS: LazyLock<Thesaurus> = LazyLock::new(|| Thesaurus::read(TEXT));

impl Thesaurus {
    fn read(text: &str) -> Self {
        let mut thesaurus = Self {
            groups: Vec::new(),
            members: HashMap::new(),
            longest: 0,
        };
        for line in text
            .lines()
            .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        {
            let group = thesaurus.groups.len();
            let mut single = Vec::new();
            for member in line.split(',') {
                let stems: Vec<String> = member.split_whitespace().map(stem).collect();
                thesaurus.longest = thesaurus.longest.max(stems.len());
                if let [only] = &stems[..] {
                    single.push(only.clone());
                }
                thesaurus.members.entry(stems).or_default().push(group);
            }
            thesaurus.groups.push(single);
        }
        thesaurus
    }
}

/// For each word of a request, the stems of words that mean the same as it, or as the phrase that begins with it.
pub(super) fn of_request(words: &[Word]) -> Vec<Vec<&'static str>> {
    let thesaurus = &*THESAURUS;
    let stems: Vec<String> = words.iter().map(|word| word.stem.clone()).collect();
    (0..words.len())
        .map(|start| {
            let mut found: Vec<&str> = (1..=thesaurus.longest)
                .filter_map(|length| thesaurus.members.get(stems.get(start..start + length)?))
                .flatten()
                .filter_map(|&group| thesaurus.groups.get(group))
                .flatten()
                .map(String::as_str)
                .filter(|member| stems.get(start).is_none_or(|own| own != member))
                .collect();
            found.sort_unstable();
            found.dedup();
            found
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::words::{Piece, pieces};

    fn kin(request: &str) -> Vec<&'static str> {
        of_request(&crate::search::query::words(request)).concat()
    }

    #[test]
    fn groups_are_symmetrical() {
        assert!(kin("k8s").contains(&"kubernet"));
        assert!(kin("kubernetes").contains(&"k8s"));
        assert!(kin("天气").contains(&&*stem("weather")));
        assert!(kin("xqzwvk").is_empty());
    }

    #[test]
    fn phrases_are_found_as_a_whole() {
        assert!(kin("verify a json web token").contains(&"jwt"));
        assert!(!kin("a web server").contains(&"jwt"));
    }

    #[test]
    fn every_member_can_be_met_and_found() {
        for line in TEXT
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty())
        {
            assert!(line.split(',').count() > 1, "{line}: alone in its group");
            for word in line.split(',').flat_map(str::split_whitespace) {
                let mut found = Vec::new();
                pieces(word, |piece| {
                    let (Piece::Word(piece) | Piece::Pair(piece)) = piece;
                    found.push(piece.to_owned());
                });
                assert_eq!(found, [word], "not one piece: it is never met in a request");
            }
        }
    }
}
