//! `owner/repo[/path][@skill][#ref]`, on GitHub or on the host that is named.

use std::borrow::Cow;

use super::grammar::{Wrong, in_a, selector};
use super::part::{Commit, RefName, Selector, SubPath};
use super::{Address, Fault, GitSource, Permission, Place, Reference, Repository};

const REPOSITORY: &str = "a repository as `owner/repo[/path][@skill][#ref]`";

/// Without a host in front it is GitHub's. A first part with a dot or a port is a host.
pub(super) fn parse(text: &str) -> Result<GitSource, Wrong> {
    let (first, rest) = text.split_once('/').unwrap_or((text, ""));
    if rest.is_empty() {
        let word = first.split(['@', '#']).next().unwrap_or(first);
        return Err(Wrong::new("", Fault::Form)
            .near(format!("./{word}"))
            .near(format!("hub:{word}"))
            .near(format!("owner/{word}")));
    }
    let is_host = first.contains(['.', ':']) && !first.starts_with('.');
    if is_host {
        on_host(&first.to_ascii_lowercase(), rest).map_err(|wrong| match wrong.fault {
            Fault::Repository => wrong.near(format!("https://{text}")),
            _ => wrong,
        })
    } else {
        on_host("github.com", text).map_err(|wrong| match wrong.fault {
            Fault::Repository | Fault::Path(_) => wrong.near(format!("./{text}")),
            _ => wrong,
        })
    }
}

/// The same on a host. Where groups may lie in groups, `//` ends the repository's name.
pub(super) fn on_host(host: &str, text: &str) -> Result<GitSource, Wrong> {
    let wrong = in_a(REPOSITORY);
    if !is_host(host) {
        return Err(wrong(Fault::Address(
            "its host has a character that none may have".to_owned(),
        )));
    }
    let (text, reference) = split_reference(text).map_err(&wrong)?;
    let (text, skill) = split_skill(text).map_err(&wrong)?;
    let (name, path) = match text.split_once("//") {
        Some(parts) => parts,
        None => match text.match_indices('/').nth(1) {
            Some((at, _)) => text.split_at(at),
            None => (text, ""),
        },
    };
    Ok(GitSource {
        repository: hosted(host, name).map_err(&wrong)?,
        place: Place::Known {
            reference,
            path: sub_path(path).map_err(&wrong)?,
        },
        skill,
    })
}

/// `owner/repo/skill` of skills.sh, which lists skills of GitHub.
pub(super) fn of_listing(text: &str) -> Result<GitSource, Wrong> {
    let mut source = on_host("github.com", text.trim_matches('/'))?;
    if let Place::Known { path, .. } = &mut source.place
        && let Some(slug) = path.take()
    {
        source.skill = selector(slug.as_str()).map_err(in_a("a skill that skills.sh lists"))?;
    }
    Ok(source)
}

/// A repository by its host and name, whose parts are checked.
pub(super) fn hosted(host: &str, name: &str) -> Result<Repository, Fault> {
    let name = name.trim_matches('/');
    let name = name.trim_end_matches(".git");
    let parts: Vec<&str> = name.split('/').collect();
    // On GitHub and its kin there are two parts; GitLab's groups may lie in groups, twenty deep.
    let fits = (2..=22).contains(&parts.len()) && parts.iter().all(|part| is_name(part));
    // No owner on GitHub has a dot or a tilde; with one it would be taken for a host or a home.
    let fits_github = || {
        parts.len() == 2
            && parts
                .iter()
                .take(1)
                .all(|owner| !owner.contains(['.', '~']))
    };
    if !fits || host == "github.com" && !fits_github() {
        return Err(Fault::Repository);
    }
    // Without a dot or a port in front the shorthand of a host would be that of an owner, and odd hosts have none.
    if !host.contains(['.', ':']) || !is_host(host) {
        let url = format!("https://{host}/{name}");
        return Address::parse(&url, Permission::Encrypted).map(Repository::Url);
    }
    Ok(Repository::Hosted {
        host: host.to_owned(),
        name: name.to_owned(),
    })
}

fn is_name(part: &str) -> bool {
    !part.is_empty()
        && part != "."
        && part != ".."
        && part.len() <= 255
        && !part.starts_with('-')
        && part
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'~'))
}

fn is_host(host: &str) -> bool {
    let (name, port) = host.split_once(':').unwrap_or((host, "0"));
    !name.is_empty()
        && !name.starts_with(['-', '.'])
        && !name.ends_with('.')
        && name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'.'))
        && port.parse::<u16>().is_ok()
}

/// Parts off what follows `#`.
pub(super) fn split_reference(text: &str) -> Result<(&str, Option<Reference>), Fault> {
    match text.split_once('#') {
        Some((text, reference)) => Ok((text, Some(self::reference(reference)?))),
        None => Ok((text, None)),
    }
}

/// A branch, a tag, a commit or a range of versions.
pub(super) fn reference(text: &str) -> Result<Reference, Fault> {
    if let Some(commit) = Commit::parse(text) {
        return Ok(Reference::Commit(commit));
    }
    if text.starts_with(['^', '~']) {
        return match semver::VersionReq::parse(text) {
            Ok(_) if !text.contains([',', ' ']) => Ok(Reference::Newest(text.to_owned())),
            _ => Err(Fault::Reference),
        };
    }
    RefName::parse(text).map(Reference::Name)
}

/// Parts off what follows the last `@` of the last part of the path. An `@` in a query is the query's.
pub(super) fn split_skill(text: &str) -> Result<(&str, Option<Selector>), Fault> {
    if text.contains('?') {
        return Ok((text, None));
    }
    let last = text.rfind('/').map_or(0, |at| at + 1);
    let authority_ends = text.find("://").map_or(0, |at| at + "://".len());
    // `https://user@host` has a user there, and no skill.
    let from = if last <= authority_ends {
        text.len()
    } else {
        last
    };
    let from = if authority_ends == 0 { last } else { from };
    match text.get(from..).and_then(|part| part.rfind('@')) {
        Some(at) => {
            let (text, skill) = text.split_at(from + at);
            Ok((text, selector(skill.get(1..).unwrap_or_default())?))
        }
        None => Ok((text, None)),
    }
}

/// A path with `%` and two digits for characters that mean something here; nothing when it is empty.
pub(super) fn sub_path(text: &str) -> Result<Option<SubPath>, Fault> {
    let text = text.trim_matches('/');
    if text.is_empty() {
        return Ok(None);
    }
    SubPath::parse(&decoded(text)).map(Some)
}

/// The other way round.
pub(super) fn escaped(path: &str) -> String {
    use std::fmt::Write;
    let mut text = String::with_capacity(path.len());
    for character in path.chars() {
        if matches!(character, '%' | '@' | '#' | '?') || character.is_whitespace() {
            let mut bytes = [0; 4];
            for byte in character.encode_utf8(&mut bytes).bytes() {
                let _infallible = write!(text, "%{byte:02X}");
            }
        } else {
            text.push(character);
        }
    }
    text
}

/// A text with the bytes that stand in it as `%` and two digits; as it is when they are no UTF-8.
pub(super) fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after
            .get(..2)
            .filter(|two| two.iter().all(u8::is_ascii_hexdigit))
            .and_then(|two| std::str::from_utf8(two).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if first == b'%' => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}
