//! Addresses that are copied from a browser: pages of repositories, archives, files, sites.
//!
//! Pages are recognised by their paths, on any host, so that GitHub Enterprise, GitLab and Gitea servers of one's own
//! are known without a list of them.

use std::borrow::Cow;

use super::grammar::{Wrong, git_url, in_a, repository_address};
use super::part::{Commit, RefName, Selector, SubPath};
use super::{
    Address, Fault, GitSource, Permission, Place, Reference, Repository, Source, WebSource,
    shorthand,
};
use crate::unpack::Kind;

const PAGE: &str = "the page of a repository";
const WEB: &str = "an address of the web";

/// Hosts of which every address with two parts is a repository.
const GIT_HOSTS: [&str; 4] = ["github.com", "gitlab.com", "bitbucket.org", "codeberg.org"];

pub(super) fn parse(text: &str, permission: Permission) -> Result<Source, Wrong> {
    let (before, fragment) = match text.split_once('#') {
        Some((before, fragment)) => (before, Some(fragment)),
        None => (text, None),
    };
    let whole = Address::parse(before, permission).map_err(in_a(WEB))?;
    if let Some(source) = file(&whole) {
        return Ok(source);
    }
    let (before, skill) = shorthand::split_skill(before).map_err(in_a(WEB))?;
    let address = Address::parse(before, permission).map_err(in_a(WEB))?;
    if let Some(Source::Archive(archive)) = file(&address) {
        return Ok(Source::Archive(WebSource { skill, ..archive }));
    }
    if let Some(mut source) = azure(&address)? {
        source.skill = skill;
        return Ok(Source::Git(source));
    }
    if let Some(mut source) = page(&address)? {
        if let (Some(fragment), Place::Known { reference, .. }) = (fragment, &mut source.place)
            && reference.is_none()
        {
            *reference = Some(shorthand::reference(fragment).map_err(in_a(PAGE))?);
        }
        source.skill = skill.or(source.skill);
        return Ok(Source::Git(source));
    }
    if address.path().contains("/.well-known/") {
        return Ok(Source::WellKnown(WebSource { address, skill }));
    }
    let is_git = address
        .path()
        .trim_end_matches('/')
        .strip_suffix(".git")
        .is_some();
    // A branch is a repository's; sites have none. `//` parts a repository from a path in it.
    if is_git || fragment.is_some() || address.path().contains(".git//") {
        return git_url(text, permission).map(Source::Git);
    }
    Ok(Source::Site(WebSource { address, skill }))
}

/// `https` or `http`.
pub(super) fn check_web(address: &Address) -> Result<(), Fault> {
    match address.scheme() {
        "https" | "http" => Ok(()),
        other => Err(Fault::Scheme(other.to_owned())),
    }
}

/// A repository on a host that is known by name, else by its address.
pub(super) fn hosted_or_url(address: Address) -> Repository {
    let authority = address.authority();
    if address.scheme() == "https"
        && GIT_HOSTS.contains(&&*authority)
        && let Ok(repository) = shorthand::hosted(&authority, address.path())
    {
        return repository;
    }
    Repository::Url(address)
}

/// An archive or a Markdown file by the ending of its name, unless it is the page of one or a file of a repository.
fn file(address: &Address) -> Option<Source> {
    if is_repository_file(address) {
        return None;
    }
    let name = address.path().rsplit('/').next().unwrap_or_default();
    if Kind::of_name(name).is_some() {
        return Some(Source::Archive(WebSource {
            address: address.clone(),
            skill: None,
        }));
    }
    let is_markdown = name.to_ascii_lowercase().ends_with(".md");
    is_markdown.then(|| Source::Document(address.clone()))
}

fn is_repository_file(address: &Address) -> bool {
    let parts = parts(address);
    let words: Vec<&str> = parts.iter().map(|part| &**part).collect();
    let is_page = |kinds: &[&str]| words.get(2).is_some_and(|word| kinds.contains(word));
    address.scheme() == "https"
        && (address.host() == Some("raw.githubusercontent.com")
            || is_page(&["tree", "blob", "raw", "src"])
            || words
                .windows(2)
                .any(|pair| pair[0] == "-" && matches!(pair[1], "tree" | "blob" | "raw")))
}

/// The parts of the path, decoded; those that are no UTF-8 stay as they are.
fn parts(address: &Address) -> Vec<Cow<'_, str>> {
    address
        .path()
        .split('/')
        .filter(|part| !part.is_empty())
        .map(shorthand::decoded)
        .collect()
}

/// A page of a repository on any host.
fn page(address: &Address) -> Result<Option<GitSource>, Wrong> {
    if address.scheme() != "https" {
        return Ok(None);
    }
    let host = address.authority();
    let parts = parts(address);
    let words: Vec<&str> = parts.iter().map(|part| &**part).collect();
    let source = match (&*host, words.as_slice()) {
        ("raw.githubusercontent.com", [owner, name, tail @ ..]) if !tail.is_empty() => {
            at("github.com", &[owner, name], tail)?
        }
        ("codeload.github.com", [owner, name, _, tail @ ..]) if !tail.is_empty() => {
            at("github.com", &[owner, name], tail)?
        }
        ("skills.sh", [_, _] | [_, _, _]) => shorthand::of_listing(&words.join("/"))?,
        ("huggingface.co", ["spaces", owner, name, rest @ ..]) => {
            shorthand::hosted(&host, &format!("{owner}/{name}")).map_err(in_a(PAGE))?;
            let repository = Address::parse(
                &format!("https://huggingface.co/spaces/{owner}/{name}"),
                Permission::Encrypted,
            )
            .map_err(in_a(PAGE))?;
            let place = match rest {
                ["tree" | "blob" | "resolve", tail @ ..] => one_part_reference(tail)?,
                _ => Place::WHOLE,
            };
            GitSource {
                repository: Repository::Url(repository),
                place,
                skill: None,
            }
        }
        (_, words) => match of_words(&host, words)? {
            Some(source) => source,
            None => return Ok(None),
        },
    };
    Ok(Some(source))
}

fn of_words(host: &str, words: &[&str]) -> Result<Option<GitSource>, Wrong> {
    // GitLab: whatever stands before `-` is the repository.
    let dash = words.iter().position(|word| *word == "-");
    if let Some(dash) = dash.filter(|_| host != "github.com" && host != "bitbucket.org") {
        let (name, rest) = words.split_at(dash);
        return match rest {
            [_, "tree" | "blob" | "raw" | "commit" | "tags", tail @ ..] if !tail.is_empty() => {
                at(host, name, tail).map(Some)
            }
            _ => Ok(None),
        };
    }
    Ok(match words {
        [owner, name, "tree" | "blob" | "raw" | "commit", tail @ ..] if !tail.is_empty() => {
            // Gitea writes `raw/branch/NAME`.
            match tail {
                ["branch" | "tag" | "commit", rest @ ..]
                    if !rest.is_empty() && host != "github.com" =>
                {
                    Some(at(host, &[owner, name], rest)?)
                }
                _ => Some(at(host, &[owner, name], tail)?),
            }
        }
        [owner, name, "src", "branch" | "tag" | "commit", tail @ ..] if !tail.is_empty() => {
            Some(at(host, &[owner, name], tail)?)
        }
        [owner, name, "src", tail @ ..] if host == "bitbucket.org" && !tail.is_empty() => {
            Some(at(host, &[owner, name], tail)?)
        }
        [owner, name, "releases", "tag", tail @ ..] if !tail.is_empty() => {
            Some(at(host, &[owner, name], tail)?)
        }
        [_, _, ..] if GIT_HOSTS.contains(&host) => {
            let is_nested = host == "gitlab.com" && words.len() > 2;
            if words.len() > 2 && !is_nested {
                let form = words.join("/");
                return Err(Wrong::new(PAGE, Fault::Form).near(form));
            }
            Some(whole(host, words)?)
        }
        _ if GIT_HOSTS.contains(&host) => {
            return Err(Wrong::new(PAGE, Fault::Repository).near("owner/repo"));
        }
        _ => None,
    })
}

fn whole(host: &str, name: &[&str]) -> Result<GitSource, Wrong> {
    Ok(GitSource {
        repository: shorthand::hosted(host, &name.join("/")).map_err(in_a(PAGE))?,
        place: Place::WHOLE,
        skill: None,
    })
}

/// A repository at `ref/with/slashes/path`.
fn at(host: &str, name: &[&str], tail: &[&str]) -> Result<GitSource, Wrong> {
    let place = match tail {
        [only] => one_part_reference(&[only])?,
        [first, ..] if Commit::parse(first).is_some() => one_part_reference(tail)?,
        _ => Place::Tail(SubPath::parse(&tail.join("/")).map_err(in_a(PAGE))?),
    };
    Ok(GitSource {
        place,
        ..whole(host, name)?
    })
}

fn one_part_reference(tail: &[&str]) -> Result<Place, Wrong> {
    let (first, path) = tail.split_first().unwrap_or((&"", &[]));
    let reference = shorthand::reference(first).map_err(in_a(PAGE))?;
    let path = (!path.is_empty())
        .then(|| SubPath::parse(&path.join("/")))
        .transpose()
        .map_err(in_a(PAGE))?;
    Ok(Place::Known {
        reference: Some(reference),
        path,
    })
}

/// Azure Repos: `https://dev.azure.com/organisation/project/_git/repo?path=/skills/x&version=GBmain`.
fn azure(address: &Address) -> Result<Option<GitSource>, Wrong> {
    const AZURE: &str = "a repository on Azure";
    let host = address.host().unwrap_or_default();
    if host != "dev.azure.com" && !host.ends_with(".visualstudio.com") {
        return Ok(None);
    }
    let mut parts = address.path().split('/').filter(|part| !part.is_empty());
    let before: Vec<&str> = parts.by_ref().take_while(|part| *part != "_git").collect();
    let Some(name) = parts.next() else {
        return Ok(None);
    };
    let path = format!("/{}/_git/{name}", before.join("/"));
    let mut reference = None;
    let mut below: Option<SubPath> = None;
    for (key, value) in address.url().query_pairs() {
        match &*key {
            "path" if value.trim_matches('/').is_empty() => {}
            "path" => below = Some(SubPath::parse(&value).map_err(in_a(AZURE))?),
            "version" => {
                // GB is a branch, GT a tag, GC a commit.
                let name = value.get(2..).unwrap_or_default();
                reference = match value.get(..2) {
                    Some("GC") => Commit::parse(name).map(Reference::Commit),
                    Some("GB" | "GT") => RefName::parse(name).ok().map(Reference::Name),
                    _ => None,
                };
                if reference.is_none() {
                    return Err(Wrong::new(AZURE, Fault::Reference));
                }
            }
            _ => {}
        }
    }
    Ok(Some(GitSource {
        repository: Repository::Url(
            repository_address(address.with_path(&path).as_str(), Permission::Unencrypted)
                .map_err(in_a(AZURE))?,
        ),
        place: Place::Known {
            reference,
            path: below,
        },
        skill: None::<Selector>,
    }))
}
