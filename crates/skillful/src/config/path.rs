//! Dotted paths: `skills.pdf-forms.mode`, `browser."profile.name"`, `models.providers[0].key`.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use skillmd::name::skill_id;

use crate::limits;

/// A path into a tree of tables and arrays. It has at least one segment, and is never joined to a file's path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyPath(Vec<String>);

/// A text that is no dotted path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a key: {reason}")]
pub struct KeyPathError {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl KeyPath {
    /// The path of these segments; nothing when there are none.
    pub fn new(segments: Vec<String>) -> Option<Self> {
        (!segments.is_empty()).then_some(Self(segments))
    }

    /// The path of one segment, whatever characters it has.
    pub fn single(segment: impl Into<String>) -> Self {
        Self(vec![segment.into()])
    }

    /// Its parts, the outermost first.
    pub fn segments(&self) -> &[String] {
        &self.0
    }

    /// The path of `segment` below this one.
    #[must_use]
    pub fn join(&self, segment: impl Into<String>) -> Self {
        let mut segments = self.0.clone();
        segments.push(segment.into());
        Self(segments)
    }

    /// The same with the id of a skill, below `skills`, in the form of ids; nothing when it cannot be one.
    pub fn with_ids(mut self) -> Option<Self> {
        if let [section, id, ..] = &mut self.0[..]
            && section == "skills"
        {
            *id = id_form(id)?;
        }
        Some(self)
    }

    /// All paths that this one lies below, the outermost first.
    pub fn ancestors(&self) -> Vec<Self> {
        let lengths = 1..self.0.len();
        lengths
            .filter_map(|length| Some(Self(self.0.get(..length)?.to_vec())))
            .collect()
    }

    /// Whether the path is `outer` or lies below it.
    pub fn is_within(&self, outer: &Self) -> bool {
        self.0.starts_with(&outer.0)
    }
}

/// The id that a key below `skills` means: each part of `plugin:name` in the form of ids.
pub fn id_form(key: &str) -> Option<String> {
    let id = |part: &str| skill_id(part).map(Cow::into_owned);
    match key.split_once(':') {
        Some((plugin, name)) => Some(format!("{}:{}", id(plugin)?, id(name)?)),
        None => id(key),
    }
}

impl FromStr for KeyPath {
    type Err = KeyPathError;

    /// Reads segments between dots. A segment in quotes may hold dots; `[2]` after a segment is the segment `2`.
    fn from_str(text: &str) -> Result<Self, KeyPathError> {
        let failed = |reason| KeyPathError {
            text: text.to_owned(),
            reason,
        };
        let mut segments = Vec::new();
        let mut rest = text.trim();
        loop {
            let (segment, after) = segment(rest).map_err(failed)?;
            segments.push(segment);
            rest = after;
            while let Some(index) = rest.strip_prefix('[') {
                let (digits, after) = index.split_once(']').ok_or_else(|| failed(OPEN_INDEX))?;
                if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
                    return Err(failed("between `[` and `]` stands a number"));
                }
                segments.push(digits.to_owned());
                rest = after;
            }
            if segments.len() > limits::KEY_DEPTH {
                return Err(failed("it has too many parts"));
            }
            if rest.is_empty() {
                return Ok(Self(segments));
            }
            rest = rest.strip_prefix('.').ok_or_else(|| failed(NO_DOT))?;
        }
    }
}

const OPEN_INDEX: &str = "a `[` has no `]`";
const NO_DOT: &str = "between two parts stands a dot";

/// The first segment of a path, and what follows it.
fn segment(text: &str) -> Result<(String, &str), &'static str> {
    if let Some(quote) = text
        .chars()
        .next()
        .filter(|first| matches!(first, '"' | '\''))
    {
        let inner = text.strip_prefix(quote).unwrap_or(text);
        return inner
            .split_once(quote)
            .map(|(segment, rest)| (segment.to_owned(), rest))
            .ok_or("a quote is not closed");
    }
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let (segment, rest) = text.split_at(end);
    if segment.is_empty() {
        return Err("a part is empty");
    }
    Ok((segment.to_owned(), rest))
}

impl fmt::Display for KeyPath {
    /// The form that TOML takes as well: a segment of other characters than letters, digits, `-` and `_` in quotes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, segment) in self.0.iter().enumerate() {
            let dot = if index == 0 { "" } else { "." };
            let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
            if !segment.is_empty() && segment.bytes().all(is_bare) {
                write!(f, "{dot}{segment}")?;
            } else {
                let quote = if segment.contains('"') { '\'' } else { '"' };
                write!(f, "{dot}{quote}{segment}{quote}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<String> {
        text.parse::<KeyPath>().unwrap().segments().to_vec()
    }

    #[test]
    fn dots_quotes_and_indexes() {
        assert_eq!(parts("a.b-c.d_e"), ["a", "b-c", "d_e"]);
        assert_eq!(parts(r#"a."b.c".d"#), ["a", "b.c", "d"]);
        assert_eq!(parts("a.'b\"c'"), ["a", "b\"c"]);
        assert_eq!(parts("a[0][12].b"), ["a", "0", "12", "b"]);
        assert_eq!(parts("a.0.b"), ["a", "0", "b"]);
        assert_eq!(
            parts("skills.tools:lint.mode"),
            ["skills", "tools:lint", "mode"]
        );
    }

    #[test]
    fn what_is_no_path_is_told() {
        for text in [
            "", ".", "a.", ".a", "a..b", "a.\"b", "a[", "a[x]", "a[]", "a[0]b", "\"a\"b",
        ] {
            assert!(text.parse::<KeyPath>().is_err(), "{text}");
        }
        assert!("a.".repeat(1_000).parse::<KeyPath>().is_err());
    }

    #[test]
    fn what_is_shown_reads_back() {
        for segments in [vec!["a", "b.c"], vec!["tools:lint"], vec!["", "x\"y"]] {
            let path = KeyPath::new(segments.into_iter().map(str::to_owned).collect()).unwrap();
            assert_eq!(path.to_string().parse(), Ok(path));
        }
    }

    #[test]
    fn a_path_lies_within_what_it_begins_with() {
        let path: KeyPath = "skills.a.mode".parse().unwrap();
        assert!(path.is_within(&"skills.a".parse().unwrap()));
        assert!(path.is_within(&path));
        assert!(!path.is_within(&"skills.b".parse().unwrap()));
        assert_eq!("skills.a".parse::<KeyPath>().unwrap().join("mode"), path);
    }
}
