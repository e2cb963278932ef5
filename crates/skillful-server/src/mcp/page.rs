//! Pages of long lists. A cursor names the last entry of the page before it, so that nothing is missed or told twice
//! when the list changes between two pages.

use rmcp::ErrorData;
use rmcp::model::PaginatedRequestParams;

const AFTER: &str = "after:";

/// Where a page begins: behind an entry, or at the beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cursor(Option<String>);

impl Cursor {
    /// That of a request for a page.
    pub(super) fn of(params: Option<PaginatedRequestParams>) -> Result<Self, ErrorData> {
        Self::parse(params.and_then(|params| params.cursor))
    }

    /// One that a client sent. Clients are given cursors, and make none.
    pub(super) fn parse(text: Option<String>) -> Result<Self, ErrorData> {
        let Some(text) = text else {
            return Ok(Self::default());
        };
        match text.strip_prefix(AFTER) {
            Some(key) => Ok(Self(Some(key.to_owned()))),
            None => Err(ErrorData::invalid_params(
                "this cursor is none that was given; list again from the beginning",
                None,
            )),
        }
    }

    /// Whether an entry with this key comes after it.
    pub(super) fn is_before(&self, key: &str) -> bool {
        self.0.as_deref().is_none_or(|last| last < key)
    }
}

/// The cursor behind the entry with this key.
pub(super) fn after(key: &str) -> String {
    format!("{AFTER}{key}")
}

/// A page of entries that are sorted by their keys, and the cursor of the next.
pub(super) fn page<T>(
    entries: impl Iterator<Item = (String, T)>,
    cursor: &Cursor,
    limit: usize,
) -> (Vec<T>, Option<String>) {
    let mut rest = entries.filter(|(key, _)| cursor.is_before(key)).peekable();
    let (mut page, mut last) = (Vec::new(), None);
    while page.len() < limit
        && let Some((key, entry)) = rest.next()
    {
        page.push(entry);
        last = Some(key);
    }
    let next = last.filter(|_| rest.peek().is_some());
    (page, next.as_deref().map(after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_cover_a_list_that_changes() {
        let list = |keys: &[&str]| -> Vec<(String, String)> {
            let entry = |key: &&str| ((*key).to_owned(), (*key).to_owned());
            keys.iter().map(entry).collect()
        };
        let (first, next) = page(list(&["a", "b", "d"]).into_iter(), &Cursor::default(), 2);
        assert_eq!(first, ["a", "b"]);
        let cursor = Cursor::parse(next).unwrap();
        // `b` is gone, and `c` is new.
        let (second, next) = page(list(&["a", "c", "d"]).into_iter(), &cursor, 2);
        assert_eq!(second, ["c", "d"]);
        assert_eq!(next, None);
        assert!(Cursor::parse(Some("7".to_owned())).is_err());
    }
}
