//! What git's words mean. They are those of its `C` locale, and of the servers behind it.

use crate::source::fetch::FetchError;

/// Words that say that a server does not give out the commit by its hash.
const REFUSES_COMMITS: &[&str] = &[
    "does not allow request for unadvertised object",
    "not our ref",
    "could not find remote ref",
    "couldn't find remote ref",
    "no such remote ref",
    "unadvertised",
];

const NOT_FOUND_OR_PRIVATE: &[&str] = &[
    "repository not found",
    "not found",
    "could not read username",
    "could not read password",
    "unable to get password from user",
    "authentication failed",
    "permission denied",
    "access denied",
    "the requested url returned error: 401",
    "the requested url returned error: 403",
    "the requested url returned error: 404",
    "does not appear to be a git repository",
    "does not exist",
    "could not read from remote repository",
    "repository not exported",
    "project you were looking for could not be found",
];

const NETWORK: &[&str] = &[
    "could not resolve host",
    "could not resolve hostname",
    "failed to connect",
    "couldn't connect",
    "connection refused",
    "connection timed out",
    "connection reset",
    "network is unreachable",
    "no route to host",
    "ssl",
    "certificate",
    "early eof",
    "unexpected disconnect",
    "hung up unexpectedly",
    "rpc failed",
    "host key verification failed",
];

/// The error that git's last words stand for.
pub(super) fn fault(url: &str, errors: &str) -> FetchError {
    let lower = errors.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let url = url.to_owned();
    let said = words(errors);
    // A host that cannot be found ends with "could not read from remote repository" as well.
    if has(NETWORK) {
        FetchError::Network { url, said }
    } else if has(NOT_FOUND_OR_PRIVATE) {
        FetchError::NotFoundOrPrivate { url, said }
    } else {
        FetchError::Network { url, said }
    }
}

/// Whether an error says that the server does not know the commit, or does not give it out by its hash.
pub(super) fn refuses_commit(error: &FetchError) -> bool {
    match error {
        FetchError::Network { said, .. } | FetchError::NotFoundOrPrivate { said, .. } => {
            let lower = said.to_lowercase();
            REFUSES_COMMITS.iter().any(|word| lower.contains(word))
        }
        _ => false,
    }
}

/// Whether an error says that the server leads elsewhere.
pub(super) fn is_redirection(error: &FetchError) -> bool {
    let FetchError::Network { said, .. } = error else {
        return false;
    };
    let said = said.to_lowercase();
    [301, 302, 303, 307, 308]
        .iter()
        .any(|status| said.contains(&format!("the requested url returned error: {status}")))
}

/// The lines that matter, as one.
fn words(errors: &str) -> String {
    let lines: Vec<&str> = errors
        .lines()
        .filter_map(|line| {
            ["fatal: ", "error: ", "ERROR: ", "remote: "]
                .iter()
                .find_map(|start| line.strip_prefix(start))
        })
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take(4)
        .collect();
    if lines.is_empty() {
        let last = errors.lines().rev().find(|line| !line.trim().is_empty());
        return super::redacted(last.unwrap_or("git gave no reason"));
    }
    super::redacted(&lines.join("; "))
}
