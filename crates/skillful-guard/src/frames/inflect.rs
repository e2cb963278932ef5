//! The forms of English words, so that the tables need one of each. A form that nobody uses costs nothing.

/// A verb in its forms; what follows its first word stays as it is.
pub(super) fn verb(phrase: &str) -> Vec<String> {
    let (verb, rest) = match phrase.split_once(' ') {
        Some((verb, rest)) => (verb, format!(" {rest}")),
        None => (phrase, String::new()),
    };
    let mut forms = vec![verb.to_owned(), plural(verb)];
    let stem = verb.strip_suffix('e').unwrap_or(verb);
    match verb.as_bytes() {
        [.., b'e', b'e'] => forms.extend([format!("{verb}ing"), format!("{verb}d")]),
        [.., before, b'y'] if !b"aeiou".contains(before) => {
            let stem = verb.strip_suffix('y').unwrap_or(verb);
            forms.extend([format!("{verb}ing"), format!("{stem}ied")]);
        }
        _ => forms.extend([format!("{stem}ing"), format!("{stem}ed")]),
    }
    if let [.., a, b, c] = verb.as_bytes()
        && !b"aeiou".contains(a)
        && b"aeiou".contains(b)
        && !b"aeiouwxy".contains(c)
    {
        let last = char::from(*c);
        forms.extend([format!("{verb}{last}ing"), format!("{verb}{last}ed")]);
    }
    forms.into_iter().map(|form| form + &rest).collect()
}

/// A noun and its plural; the last word of a phrase carries it.
pub(super) fn noun(phrase: &str) -> Vec<String> {
    vec![phrase.to_owned(), plural(phrase)]
}

fn plural(word: &str) -> String {
    match word.as_bytes() {
        [.., b's' | b'x' | b'z'] | [.., b'c' | b's', b'h'] => format!("{word}es"),
        [.., before, b'y'] if !b"aeiou".contains(before) => {
            format!("{}ies", word.strip_suffix('y').unwrap_or(word))
        }
        _ => format!("{word}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_and_nouns_have_their_forms() {
        assert_eq!(
            verb("copy over"),
            ["copy over", "copies over", "copying over", "copied over"]
        );
        assert_eq!(
            verb("skip"),
            ["skip", "skips", "skiping", "skiped", "skipping", "skipped"]
        );
        assert_eq!(verb("hide"), ["hide", "hides", "hiding", "hided"]);
        assert_eq!(noun("api key"), ["api key", "api keys"]);
        assert_eq!(noun("branch"), ["branch", "branches"]);
    }
}
