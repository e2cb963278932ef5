//! Why something was not fetched.

use std::io;

use crate::find::PickError;
use crate::source::Fault;
use crate::unpack::{Reason, UnpackError};

/// Something was not fetched. Texts name addresses without credentials, and hold no control characters.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// There is no git.
    #[error(
        "git is needed for this source and `{0}` cannot be run; install git, or give the address of an archive"
    )]
    GitMissing(String),
    /// The server says that there is no such repository, or that it is not for everybody.
    #[error(
        "{url} was not found, or is not open to you: {said}; for a private repository set up git's credential helper or use its ssh address"
    )]
    NotFoundOrPrivate {
        /// The repository.
        url: String,
        /// What git said.
        said: String,
    },
    /// The server could not be reached, or stopped in the middle.
    #[error("{url} could not be fetched: {said}")]
    Network {
        /// The address.
        url: String,
        /// What went wrong.
        said: String,
    },
    /// It took too long.
    #[error("{url} took longer than {seconds} seconds and was given up")]
    Timeout {
        /// The address.
        url: String,
        /// The limit.
        seconds: u64,
    },
    /// Whoever asked for it changed their mind.
    #[error("cancelled")]
    Cancelled,
    /// There is no such branch or tag.
    #[error("{url} has no branch or tag `{reference}`{}", or_near(near))]
    ReferenceNotFound {
        /// The repository.
        url: String,
        /// What was asked for.
        reference: String,
        /// Branches and tags that may be meant.
        near: Vec<String>,
    },
    /// There is no such commit, or no more.
    #[error("{url} has no commit {commit}, or has it no more: its history may have been rewritten")]
    CommitNotFound {
        /// The repository.
        url: String,
        /// The commit.
        commit: String,
    },
    /// The repository is empty.
    #[error("{0} is an empty repository")]
    EmptyRepository(String),
    /// There is no such path.
    #[error("{place} has no `{path}`{}", or_near(near))]
    PathNotFound {
        /// The repository or directory.
        place: String,
        /// The path.
        path: String,
        /// Paths that may be meant.
        near: Vec<String>,
    },
    /// Too much.
    #[error("{what} is larger than {limit} bytes and was not fetched to its end")]
    TooLarge {
        /// What was fetched.
        what: String,
        /// The limit.
        limit: u64,
    },
    /// Too many.
    #[error("{what} has more than {limit} {of}")]
    TooMany {
        /// What was fetched.
        what: String,
        /// What there is too much of.
        of: &'static str,
        /// The limit.
        limit: u64,
    },
    /// A path that is not taken.
    #[error("{place} is refused: `{path}` {reason}")]
    Refused {
        /// Where it comes from.
        place: String,
        /// The path.
        path: String,
        /// What is wrong with it.
        reason: Reason,
    },
    /// The archive cannot be unpacked.
    #[error("{place}: {error}")]
    Unpack {
        /// Where it comes from.
        place: String,
        /// Why not.
        error: UnpackError,
    },
    /// The server answers that it will not.
    #[error("{url} answers {status}{}", hint(*status))]
    Status {
        /// The address.
        url: String,
        /// The status of HTTP.
        status: u16,
    },
    /// More redirections than anybody needs.
    #[error("{url} leads {}", too_far(*limit))]
    Redirections {
        /// The first address.
        url: String,
        /// How many were followed.
        limit: usize,
    },
    /// An address in a redirection, an index or an answer that is not followed.
    #[error("{from} leads to `{to}`, which is not followed: {fault}")]
    Address {
        /// Who names it.
        from: String,
        /// The address.
        to: String,
        /// What is wrong with it.
        fault: Fault,
    },
    /// A public server that leads into a private network.
    #[error("{from} leads to {to}, which lies in a private network; a public address must not")]
    PrivateNetwork {
        /// The first address.
        from: String,
        /// The address that is not followed.
        to: String,
    },
    /// Other bytes than were promised.
    #[error("{url} is not what its index says: its SHA-256 is {found}, and should be {expected}")]
    Digest {
        /// The address.
        url: String,
        /// In hexadecimal digits.
        expected: String,
        /// In hexadecimal digits.
        found: String,
    },
    /// A document that cannot be read.
    #[error("{url} cannot be used: {reason}")]
    Document {
        /// The address.
        url: String,
        /// What is wrong.
        reason: String,
    },
    /// Neither a list of skills nor a repository.
    #[error(
        "{url} lists no skills at a well-known place ({listing}), and is no git repository ({repository})"
    )]
    NothingThere {
        /// The address.
        url: String,
        /// Why there is no list.
        listing: String,
        /// Why it is no repository.
        repository: String,
    },
    /// A registry says that the skill is gone.
    #[error("`{0}` was removed from the hub")]
    Removed(String),
    /// A registry does not know the skill.
    #[error("the hub at {hub} has no skill `{slug}`")]
    NotOnHub {
        /// The registry.
        hub: String,
        /// The skill.
        slug: String,
    },
    /// No registry is known.
    #[error(
        "no hub is known here; name the skill by its repository, or by the address of its archive"
    )]
    NoHub,
    /// A marketplace of this name is not known.
    #[error(
        "no marketplace is called `{name}`{}; name its repository instead: `PLUGIN@owner/repo`",
        or_near(near)
    )]
    UnknownMarketplace {
        /// The name.
        name: String,
        /// Those that are known.
        near: Vec<String>,
    },
    /// A marketplace without the plugin.
    #[error(
        "the marketplace at {marketplace} has no plugin `{plugin}`{}",
        or_near(near)
    )]
    UnknownPlugin {
        /// The marketplace.
        marketplace: String,
        /// The plugin.
        plugin: String,
        /// Plugins that may be meant.
        near: Vec<String>,
    },
    /// A plugin that is not fetched.
    #[error("the plugin `{plugin}` is not fetched: {reason}")]
    Plugin {
        /// The plugin.
        plugin: String,
        /// Why not.
        reason: String,
    },
    /// Nothing is at a path of this machine.
    #[error("{path} cannot be read: {error}")]
    Local {
        /// The path.
        path: String,
        /// What the operating system says.
        error: io::Error,
    },
    /// The skill that was asked for is not there.
    #[error(transparent)]
    Pick(#[from] PickError),
    /// git behaves in a way that is not understood.
    #[error("git cannot be understood: {0}")]
    Git(String),
    /// The staging directory cannot be used.
    #[error("the staging directory cannot be used: {0}")]
    Io(#[from] io::Error),
}

fn or_near(near: &[String]) -> String {
    if near.is_empty() {
        String::new()
    } else {
        format!("; did you mean `{}`?", near.join("` or `"))
    }
}

fn too_far(limit: usize) -> String {
    match limit {
        0 => "elsewhere, where it may not".to_owned(),
        limit => format!("through more than {limit} redirections"),
    }
}

fn hint(status: u16) -> &'static str {
    match status {
        401 | 403 => ": it is not open to everybody; what needs a password is fetched by git only",
        404 => ": it is not there",
        410 => ": it was removed",
        429 => ": it was asked too often; try again later",
        500..=599 => ": it has trouble of its own; try again later",
        _ => "",
    }
}
