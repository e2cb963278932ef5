//! The branches and tags of a repository, and which of them is meant.

use super::run::{Git, Input};
use crate::find::near;
use crate::source::fetch::FetchError;
use crate::source::{Place, RefName, Reference, SubPath};

/// What a server says that it has.
#[derive(Debug, Default)]
pub(super) struct Refs {
    head: Option<String>,
    /// Whole names with the commit, or what an annotated tag stands for.
    all: Vec<(String, String)>,
}

/// What to fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::source::fetch) struct Want {
    /// A whole name such as `refs/heads/main`, `HEAD`, or the hash of a commit.
    pub(super) name: String,
    /// The commit, as far as the server said.
    pub(super) commit: Option<String>,
    /// The reference as a source keeps it.
    pub(super) reference: Option<Reference>,
    pub(super) path: Option<SubPath>,
}

impl Refs {
    pub(super) fn ask(git: &Git<'_>) -> Result<Self, FetchError> {
        let output = git.ask(
            &[
                "ls-remote",
                "--symref",
                "--",
                "origin",
                "HEAD",
                "refs/heads/*",
                "refs/tags/*",
            ],
            Input::default(),
        )?;
        Ok(Self::read(&String::from_utf8_lossy(&output)))
    }

    fn read(text: &str) -> Self {
        let mut refs = Self::default();
        for line in text.lines() {
            let Some((value, name)) = line.split_once('\t') else {
                continue;
            };
            if value.starts_with("ref: ") {
                continue;
            }
            let value = value.to_owned();
            if name == "HEAD" {
                refs.head = Some(value);
            } else if let Some(tag) = name.strip_suffix("^{}") {
                // The commit behind an annotated tag follows it.
                if let Some(known) = refs.all.iter_mut().rev().find(|(known, _)| known == tag) {
                    known.1 = value;
                }
            } else {
                refs.all.push((name.to_owned(), value));
            }
        }
        refs
    }

    /// Finds what a place means.
    pub(super) fn find(&self, url: &str, place: &Place) -> Result<Want, FetchError> {
        match place {
            Place::Known { reference, path } => {
                let (name, commit) = self.reference(url, reference.as_ref())?;
                Ok(Want {
                    name,
                    commit: Some(commit),
                    reference: reference.clone(),
                    path: path.clone(),
                })
            }
            Place::Tail(tail) => self.tail(url, tail.as_str()),
        }
    }

    fn reference(
        &self,
        url: &str,
        reference: Option<&Reference>,
    ) -> Result<(String, String), FetchError> {
        let not_found = |name: &str| FetchError::ReferenceNotFound {
            url: url.to_owned(),
            reference: name.to_owned(),
            near: near(name, self.short_names()),
        };
        match reference {
            None => match &self.head {
                Some(commit) => Ok(("HEAD".to_owned(), commit.clone())),
                None => Err(FetchError::EmptyRepository(url.to_owned())),
            },
            Some(Reference::Commit(commit)) => {
                Ok((commit.as_str().to_owned(), commit.as_str().to_owned()))
            }
            Some(Reference::Name(name)) => self
                .named(name.as_str())
                .ok_or_else(|| not_found(name.as_str())),
            Some(Reference::Newest(range)) => self.newest(range).ok_or_else(|| not_found(range)),
        }
    }

    /// A branch comes before a tag of the same name, as in the addresses of pages.
    fn named(&self, name: &str) -> Option<(String, String)> {
        let forms = [
            name.to_owned(),
            format!("refs/heads/{name}"),
            format!("refs/tags/{name}"),
        ];
        forms.iter().find_map(|form| {
            let found = self.all.iter().find(|(known, _)| known == form)?;
            Some(found.clone())
        })
    }

    /// The greatest version among the tags that fits; `v1.2.3` and `1.2.3` are versions.
    fn newest(&self, range: &str) -> Option<(String, String)> {
        let range = semver::VersionReq::parse(range).ok()?;
        self.all
            .iter()
            .filter_map(|(name, commit)| {
                let tag = name.strip_prefix("refs/tags/")?;
                let version = semver::Version::parse(tag.strip_prefix('v').unwrap_or(tag)).ok()?;
                range.matches(&version).then_some((version, name, commit))
            })
            .max_by(|a, b| a.0.cmp(&b.0))
            .map(|(_, name, commit)| (name.clone(), commit.clone()))
    }

    /// `branch/with/slashes/path`: the longest beginning that is a branch or a tag.
    fn tail(&self, url: &str, tail: &str) -> Result<Want, FetchError> {
        let ends = tail.match_indices('/').map(|(end, _)| end);
        for end in ends
            .chain([tail.len()])
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
        {
            let (name, path) = tail.split_at(end);
            let Some((full, commit)) = self.named(name) else {
                continue;
            };
            return Ok(Want {
                name: full,
                commit: Some(commit),
                reference: RefName::parse(name).ok().map(Reference::Name),
                path: SubPath::parse(path).ok(),
            });
        }
        let first = tail.split('/').next().unwrap_or(tail);
        Err(FetchError::ReferenceNotFound {
            url: url.to_owned(),
            reference: first.to_owned(),
            near: near(first, self.short_names()),
        })
    }

    fn short_names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().filter_map(|(name, _)| {
            name.strip_prefix("refs/heads/")
                .or_else(|| name.strip_prefix("refs/tags/"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str = "ref: refs/heads/main\tHEAD\n\
        1111\tHEAD\n\
        1111\trefs/heads/main\n\
        2222\trefs/heads/feature/x\n\
        3333\trefs/tags/feature\n\
        4444\trefs/tags/v1.2.0\n\
        5555\trefs/tags/v1.2.0^{}\n\
        6666\trefs/tags/v1.10.1\n\
        7777\trefs/tags/2.0.0\n\
        8888\trefs/tags/v1.11.0-beta.1\n";

    fn find(place: &Place) -> Result<Want, FetchError> {
        Refs::read(ANSWER).find("u", place)
    }

    fn at(reference: &str) -> Place {
        let reference = if reference.starts_with(['^', '~']) {
            Reference::Newest(reference.to_owned())
        } else {
            Reference::Name(RefName::parse(reference).unwrap())
        };
        Place::Known {
            reference: Some(reference),
            path: None,
        }
    }

    #[test]
    fn names_ranges_and_the_default() {
        let commit = |place: &Place| find(place).unwrap().commit.unwrap();
        assert_eq!(commit(&Place::WHOLE), "1111");
        assert_eq!(commit(&at("main")), "1111");
        assert_eq!(commit(&at("refs/heads/feature/x")), "2222");
        assert_eq!(commit(&at("v1.2.0")), "5555", "the commit behind the tag");
        assert_eq!(commit(&at("^1.2")), "6666");
        assert_eq!(commit(&at("~1.2")), "5555");
        assert_eq!(commit(&at("^2")), "7777");
        let error = find(&at("mian")).unwrap_err().to_string();
        assert_eq!(error, "u has no branch or tag `mian`; did you mean `main`?");
        assert!(find(&at("^3")).is_err());
    }

    #[test]
    fn where_a_branch_ends_is_decided_by_the_branches() {
        let tail = |text: &str| {
            let want = find(&Place::Tail(SubPath::parse(text).unwrap())).unwrap();
            let path = want.path.map(|path| path.to_string());
            (want.name, path)
        };
        let path = |text: &str| Some(text.to_owned());
        assert_eq!(
            tail("main/skills/pdf"),
            ("refs/heads/main".into(), path("skills/pdf"))
        );
        assert_eq!(
            tail("feature/x/skills"),
            ("refs/heads/feature/x".into(), path("skills"))
        );
        assert_eq!(tail("feature/y"), ("refs/tags/feature".into(), path("y")));
        assert_eq!(tail("feature/x"), ("refs/heads/feature/x".into(), None));
        assert!(find(&Place::Tail(SubPath::parse("none/x").unwrap())).is_err());
    }

    #[test]
    fn an_empty_repository_says_so() {
        let error = Refs::read("").find("u", &Place::WHOLE).unwrap_err();
        assert!(matches!(error, FetchError::EmptyRepository(_)));
    }
}
