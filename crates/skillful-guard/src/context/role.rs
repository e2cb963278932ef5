//! What a file is for, as far as its path says it.

/// What a file is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Role {
    /// The skill itself, and all that no path sets apart.
    #[default]
    Skill,
    /// A test or its fixtures.
    Test,
    /// A fixture below a folder of tests.
    Fixture,
}

impl Role {
    /// By the path alone.
    pub(crate) fn of_path(path: &str) -> Self {
        if fixtures_of(path).is_some() {
            Self::Fixture
        } else if is_test_file(path) {
            Self::Test
        } else {
            Self::Skill
        }
    }
}

/// The name of the folder of fixtures that a path lies in, if that is one of tests.
pub(crate) fn fixtures_of(path: &str) -> Option<&str> {
    const FIXTURES: &[&str] = &[
        "fixtures",
        "fixture",
        "__fixtures__",
        "testdata",
        "cassettes",
    ];
    const TESTS: &[&str] = &["test", "tests", "__tests__", "spec", "specs"];
    let (folders, _) = path.rsplit_once('/')?;
    let mut folders = folders.split('/');
    folders.by_ref().find(|folder| TESTS.contains(folder))?;
    folders.find(|folder| FIXTURES.contains(folder))
}

/// Whether the path belongs to tests or fixtures. That takes a step or two of confidence from a finding, no more: a
/// hostile skill can name its folders as it likes.
fn is_test_file(path: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "test",
        "tests",
        "__tests__",
        "fixtures",
        "fixture",
        "testdata",
        "evals",
        "eval",
        "spec",
        "specs",
        "mocks",
    ];
    let mut parts: Vec<&str> = path.split(['/', '!']).collect();
    let name = parts.pop().unwrap_or_default().to_ascii_lowercase();
    parts
        .iter()
        .any(|part| FOLDERS.contains(&part.to_ascii_lowercase().as_str()))
        || name.starts_with("test_")
        || name.starts_with("conftest.")
        || [".test.", ".spec.", "_test."]
            .iter()
            .any(|mark| name.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_told_by_folder_or_name() {
        assert!(is_test_file("Tests/a.md"));
        assert!(is_test_file("scripts/test_a.py"));
        assert!(is_test_file("a/b.spec.ts"));
        assert!(!is_test_file("scripts/testing-guide.md"));
        assert!(!is_test_file("contest/a.py"));
    }
}
