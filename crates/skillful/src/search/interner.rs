//! Texts as numbers: each different text once, one after the other in one piece of memory.

use std::hash::BuildHasher as _;

use hashbrown::HashTable;

/// Different texts, numbered in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Interner {
    text: String,
    /// Where each text ends.
    ends: Vec<u32>,
    /// The numbers, by the hashes of their texts.
    numbers: HashTable<u32>,
    hasher: foldhash::fast::RandomState,
}

impl Interner {
    /// The number of a text, and whether it is new.
    pub(super) fn number(&mut self, text: &str) -> (u32, bool) {
        let (all, ends, hasher) = (&self.text, &self.ends, &self.hasher);
        let hash = hasher.hash_one(text);
        if let Some(&number) = self
            .numbers
            .find(hash, |&number| get(all, ends, number) == text)
        {
            return (number, false);
        }
        let number = u32::try_from(ends.len()).unwrap_or(u32::MAX);
        self.numbers.insert_unique(hash, number, |&number| {
            hasher.hash_one(get(all, ends, number))
        });
        self.text.push_str(text);
        self.ends
            .push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
        (number, true)
    }

    /// The text of a number; empty when there is none.
    pub(super) fn get(&self, number: u32) -> &str {
        get(&self.text, &self.ends, number)
    }

    /// All texts, in the order of their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|number| self.get(u32::try_from(number).unwrap_or(u32::MAX)))
    }
}

fn get<'t>(text: &'t str, ends: &[u32], number: u32) -> &'t str {
    let place = number as usize;
    let start = place
        .checked_sub(1)
        .and_then(|before| ends.get(before))
        .map_or(0, |&end| end as usize);
    let end = ends.get(place).map_or(start, |&end| end as usize);
    text.get(start..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_has_one_number() {
        let mut interner = Interner::default();
        assert_eq!(interner.number("a"), (0, true));
        assert_eq!(interner.number(""), (1, true));
        assert_eq!(interner.number("bc"), (2, true));
        assert_eq!(interner.number("a"), (0, false));
        assert_eq!(interner.iter().collect::<Vec<_>>(), ["a", "", "bc"]);
        assert_eq!(interner.get(7), "");
        for number in 0..10_000 {
            interner.number(&number.to_string());
        }
        assert_eq!(interner.number("bc"), (2, false));
        assert_eq!(interner.number("5000"), (5_003, false));
    }
}
