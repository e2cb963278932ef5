//! "Did you mean": the known name that is nearest to what was typed.

/// How alike two names must be for one to be meant by the other, from 0 to 1.
const ALIKE: f64 = 0.75;

/// The nearest of `known`, when one is near enough to have been meant.
pub(crate) fn nearest<'a>(typed: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|name| (strsim::jaro_winkler(typed, name), name))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_have_been_meant() {
        let known = ["name-missing", "body-empty"];
        assert_eq!(
            nearest("name-mising", known.into_iter()),
            Some("name-missing")
        );
        assert_eq!(nearest("zzz", known.into_iter()), None);
    }
}
