//! Lines that begin an entry, told from prose by their looks alone: for text that no parser could read as a whole.

/// The colon that keyboards for Chinese and Japanese write.
pub(crate) const WIDE_COLON: char = '：';

/// Most bytes of a key in words, and of one in letters beyond ASCII: scripts without blanks write a sentence as one word.
const WORDS_BYTES: usize = 32;

/// Whether a line begins with `key:` at its first column, as the entries of a YAML frontmatter do.
pub(crate) fn is_key_line(line: &str) -> bool {
    key_of(line).is_some()
}

/// The key of a line `key: …` and the length up to and with the colon. Keys are words or quoted; anything else is prose.
pub(crate) fn key_of(line: &str) -> Option<(&str, usize)> {
    let (key, written) = match line.chars().next()? {
        quote @ ('"' | '\'') => {
            let inner = &line[1..];
            let end = inner.find(quote)?;
            (&inner[..end], end + 2)
        }
        first if first.is_alphabetic() || matches!(first, '_' | '$') => {
            let end = line.find(|c: char| !(c.is_alphanumeric() || "-_./$".contains(c)))?;
            (&line[..end], end)
        }
        _ => return None,
    };
    if !key.is_ascii() && key.len() > WORDS_BYTES {
        return None;
    }
    let rest = line.get(written..)?;
    let blanks = rest.len() - rest.trim_start_matches(' ').len();
    let from_colon = rest.trim_start_matches(' ');
    let value = from_colon.strip_prefix([':', WIDE_COLON])?;
    let colon = from_colon.len() - value.len();
    let separated = value.is_empty() || value.starts_with([' ', '\t']);
    // `name:value` and `name：value` are no YAML, but what else could they mean under these two keys?
    let is_certain = matches!(key, "name" | "description");
    (is_certain || (separated && colon == 1)).then_some((key, written + blanks + colon))
}

/// The same for a key of two or three words. In prose a colon may follow any words, so the caller must know that the
/// line cannot be prose.
pub(crate) fn key_of_words(line: &str) -> Option<(&str, usize)> {
    let (key, value) = line.split_once(':')?;
    let is_key = key.len() <= WORDS_BYTES
        && key.starts_with(|first: char| first.is_ascii_alphabetic())
        && key.split(' ').count() <= 3
        && key
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"-_ ".contains(&b))
        && !key.ends_with(' ');
    (is_key && (value.is_empty() || value.starts_with([' ', '\t']))).then_some((key, key.len() + 1))
}

/// The bare key of a TOML line `key = …`.
pub(crate) fn toml_key(line: &str) -> Option<&str> {
    let (key, _) = line.split_once('=')?;
    let key = key.trim();
    let is_bare = |b: u8| b.is_ascii_alphanumeric() || b"-_".contains(&b);
    (!key.is_empty() && key.bytes().all(is_bare)).then_some(key)
}

/// Whether a TOML line begins an entry, under whatever kind of key.
pub(crate) fn is_toml_key_line(line: &str) -> bool {
    line.split_once('=').is_some_and(|(key, _)| {
        let key = key.trim();
        let is_part = |b: u8| b.is_ascii_alphanumeric() || b"-_.\"'".contains(&b);
        !key.is_empty() && key.bytes().all(is_part)
    })
}
