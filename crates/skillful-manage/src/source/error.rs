//! A text that is no source.

use crate::unpack::{Reason, shown};

/// A text that is no source: what was understood of it, what is wrong, and what is near.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is no source of skills: {}{fault}{}",
    understood_as(understood),
    near_forms(near)
)]
pub struct SourceError {
    /// The text, fit to be shown: without credentials and without what a terminal obeys.
    pub text: String,
    /// What it was taken for, such as `a repository on GitHub`; empty when for nothing.
    pub understood: &'static str,
    /// What is wrong.
    pub fault: Fault,
    /// Forms that may be meant, the likeliest first.
    pub near: Vec<String>,
}

fn understood_as(understood: &str) -> String {
    if understood.is_empty() {
        String::new()
    } else {
        format!("read as {understood}, ")
    }
}

fn near_forms(near: &[String]) -> String {
    if near.is_empty() {
        String::new()
    } else {
        format!("; did you mean `{}`?", near.join("` or `"))
    }
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Nothing at all.
    #[error("it is empty")]
    Empty,
    /// More than [`crate::limits::SOURCE_BYTES`].
    #[error("it is longer than {} bytes", crate::limits::SOURCE_BYTES)]
    TooLong,
    /// A line break, an escape, and the like.
    #[error("it has a control character or a blank where none may be")]
    Control,
    /// It would be taken for an option.
    #[error("it begins with a hyphen, like an option")]
    LeadingHyphen,
    /// None of the forms.
    #[error("it has none of the forms of a source")]
    Form,
    /// An owner or repository that cannot be one.
    #[error(
        "the name of the owner or repository has a character that none may have, or is missing"
    )]
    Repository,
    /// A path that cannot be one.
    #[error("the path {0}")]
    Path(Reason),
    /// A branch, tag or commit that cannot be one.
    #[error(
        "what follows `#` is no name of a branch or tag that git allows, no commit, and no range such as `^1.2`"
    )]
    Reference,
    /// A name of a registry, a plugin or a version.
    #[error(
        "a name may have letters, digits, `.`, `_`, `-` and `+`, and begins with a letter or digit"
    )]
    Slug,
    /// A skill's name.
    #[error("what follows `@` is no name of a skill")]
    Skill,
    /// An address that cannot be read.
    #[error("the address cannot be read: {0}")]
    Address(String),
    /// A scheme that nobody here speaks.
    #[error("`{0}:` is no scheme that skills are fetched by")]
    Scheme(String),
    /// `http:` and the like.
    #[error(
        "`{0}:` is not encrypted, and anybody on the way could change what arrives; use `https:`"
    )]
    Unencrypted(String),
    /// A password or token in an address.
    #[error(
        "it holds credentials; addresses are kept in files, so leave them out and let git's credential helper give them"
    )]
    Credentials,
    /// `~` without a home.
    #[error("`~` stands for the home directory, which is not known here")]
    NoHome,
    /// `~somebody`.
    #[error("`~` stands for your own home only; write the other path in full")]
    OtherHome,
    /// A path of Windows elsewhere.
    #[error("it is a path of Windows, and this is another system")]
    WindowsPath,
    /// `oci:`.
    #[error("images of OCI registries cannot be fetched yet")]
    NotYet,
    /// `npm:`.
    #[error("packages of npm are not fetched: installing one runs its programs")]
    Npm,
}

impl SourceError {
    pub(super) fn new(text: &str, understood: &'static str, fault: Fault, near: &[String]) -> Self {
        let fit = |text: &str| without_credentials(&shown(text.as_bytes()));
        Self {
            text: fit(text),
            understood,
            fault,
            near: near.iter().map(|form| fit(form)).collect(),
        }
    }
}

/// Takes out whatever stands between `//` and `@` in front of a host.
pub(crate) fn without_credentials(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else {
        return text.to_owned();
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at(end);
    match authority.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://{host}{tail}"),
        None => text.to_owned(),
    }
}
