//! A light stemmer for English: `converting`, `converted`, `converts` and `convert` are one word.
//!
//! It takes off endings of inflection and the commonest of derivation and leaves everything that it is not sure of.
//! Words of other languages pass nearly untouched, which a full stemmer for English would mangle. Search quality with
//! it and with the Porter stemmer is compared in `benches/search_quality.rs`.

/// Shortest stem, in letters; shorter words (`css`, `aws`, `bus`) are left alone.
const STEM: usize = 3;

/// Endings and what takes their place, the first that fits counts. None of them applies to a word whose stem would be
/// shorter than [`STEM`] or would have no vowel.
const DERIVATION: &[(&str, &str)] = &[
    ("ization", "iz"),
    ("isation", "iz"),
    ("ational", "at"),
    ("ations", "at"),
    ("ation", "at"),
    ("izing", "iz"),
    ("ising", "iz"),
    ("izer", "iz"),
    ("iser", "iz"),
    ("ized", "iz"),
    ("ised", "iz"),
    ("ize", "iz"),
    ("ise", "iz"),
    ("tional", "t"),
    ("tions", "t"),
    ("tion", "t"),
    ("sions", "s"),
    ("sion", "s"),
    ("ments", ""),
    ("ment", ""),
    ("ators", "at"),
    ("ator", "at"),
    ("ings", ""),
    ("ing", ""),
    ("edly", ""),
    ("ies", "y"),
    ("ied", "y"),
    ("ed", ""),
    ("ly", ""),
];

/// Endings of those who do something. They also end many a word that nobody does anything in (`number`, `docker`,
/// `server`, `paper`), so that what is left must be longer.
const AGENTS: [&str; 2] = ["er", "or"];

/// Shortest stem before one of [`AGENTS`], in letters.
const AGENT_STEM: usize = 5;

/// The stem of a folded word.
pub(super) fn stem(word: &str) -> String {
    if word.len() <= STEM || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    let word = singular(word);
    let cut = DERIVATION.iter().find_map(|(ending, replacement)| {
        let rest = word.strip_suffix(ending)?;
        is_stem(rest).then(|| format!("{rest}{replacement}"))
    });
    let agent = || {
        let rest = AGENTS.iter().find_map(|ending| word.strip_suffix(ending))?;
        (rest.len() >= AGENT_STEM).then(|| rest.to_owned())
    };
    let mut stem = cut.or_else(agent).unwrap_or_else(|| word.clone());
    undouble(&mut stem);
    if stem.len() > STEM && stem.ends_with('e') {
        stem.pop();
    }
    if stem.len() > STEM && stem.ends_with('y') {
        stem.pop();
        stem.push('i');
    }
    stem
}

fn singular(word: &str) -> String {
    if let Some(rest) = word.strip_suffix("ies").filter(|rest| rest.len() >= STEM) {
        return format!("{rest}y");
    }
    for ending in ["sses", "ches", "shes", "xes", "zes"] {
        if word.len() > ending.len() + 1 && word.ends_with(ending) {
            return word[..word.len() - 2].to_owned();
        }
    }
    let is_plural =
        word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    word[..word.len() - usize::from(is_plural)].to_owned()
}

fn is_stem(rest: &str) -> bool {
    rest.len() >= STEM && rest.contains(['a', 'e', 'i', 'o', 'u', 'y'])
}

/// `plann` → `plan`, but `call` and `pass` keep both letters.
fn undouble(stem: &mut String) {
    let mut ends = stem.bytes().rev();
    if let (Some(last), Some(before)) = (ends.next(), ends.next())
        && last == before
        && !matches!(last, b'l' | b's' | b'z' | b'a' | b'e' | b'i' | b'o' | b'u')
        && stem.len() > STEM
    {
        stem.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn forms_of_a_word_meet() {
        for forms in [
            &[
                "convert",
                "converts",
                "converted",
                "converting",
                "converter",
            ][..],
            &["plan", "plans", "planned", "planning", "planner"],
            &[
                "create", "creates", "created", "creating", "creator", "creation",
            ],
            &[
                "optimize",
                "optimise",
                "optimizing",
                "optimization",
                "optimizer",
            ],
            &["translate", "translation", "translating", "translator"],
            &["deploy", "deployment", "deploys", "deployed"],
            &["query", "queries"],
            &["summary", "summaries"],
            &["box", "boxes"],
            &["class", "classes"],
            &["analyzing", "analyzed", "analyze"],
        ] {
            let stems: std::collections::BTreeSet<_> =
                forms.iter().map(|word| stem(word)).collect();
            assert_eq!(stems.len(), 1, "{forms:?}: {stems:?}");
        }
    }

    #[test]
    fn short_and_foreign_words_stay() {
        for word in ["css", "aws", "k8s", "bus", "über", "git", "ring"] {
            assert_eq!(stem(word), word);
        }
        assert_eq!(stem("status"), "status");
        assert_eq!(stem("analysis"), "analysis");
    }
}
