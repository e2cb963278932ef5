//! How alike two texts are: the share of sequences of three words that both have (the Jaccard index of their 3-shingles;
//! A. Broder, "On the resemblance and containment of documents", 1997).

use std::collections::BTreeSet;

/// Words of a sequence.
const LENGTH: usize = 3;

/// From 0, nothing in common, to 1, the same sequences. Case and punctuation do not count.
#[expect(
    clippy::cast_precision_loss,
    reason = "no text has as many words as a float has digits"
)]
pub(crate) fn similarity(a: &str, b: &str) -> f64 {
    let (a, b) = (words(a), words(b));
    let (a, b) = (shingles(&a), shingles(&b));
    let common = a.intersection(&b).count();
    let all = a.len() + b.len() - common;
    if all == 0 {
        return 1.0;
    }
    common as f64 / all as f64
}

/// The words of a text in lower case; a character of a script that parts no words is one by itself.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        let stands_alone = matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}');
        if !c.is_alphanumeric() || stands_alone {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            if stands_alone && c.is_alphanumeric() {
                words.push(c.to_string());
            }
        } else {
            word.push(c);
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// All sequences of a text; of a shorter one, the text itself.
fn shingles(words: &[String]) -> BTreeSet<&[String]> {
    if words.is_empty() {
        return BTreeSet::new();
    }
    words.windows(LENGTH.min(words.len())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_pairs() {
        let same = |a: &str, b: &str, expected: f64| {
            let found = similarity(a, b);
            assert!((found - expected).abs() < 1e-9, "{a:?} {b:?}: {found}");
        };
        same(
            "Hold the button, then wait.",
            "hold THE button then: wait",
            1.0,
        );
        same("", "", 1.0);
        same("a b c", "", 0.0);
        same("a b", "a b", 1.0);
        // {abc, bcd, cde} and {abc, bcd, cdx}
        same("a b c d e", "a b c d x", 0.5);
        same("先备份然后部署", "先备份然后部署", 1.0);
        // {先备份, 备份然, 份然后} and {先备份, 备份再, 份再来}
        same("先备份然后", "先备份再来", 0.2);
    }
}
