//! Globs over the files that are touched.
//!
//! A glob is relative to the project and matches the whole path: `*.md` means files at the top, `**/*.md` all of them
//! (Claude Code's reading of `paths`). `*` does not cross a `/`, `**` does; `{a,b}` is either. A glob that ends in `/`
//! means everything below; one that begins with `!` takes back what others match.

use globset::{GlobBuilder, GlobMatcher};

use crate::limits;

/// The first touched path that a glob fits, with that glob. Globs that cannot be read fit nothing.
pub(super) fn first<'a>(globs: &'a [String], paths: &[&'a str]) -> Option<(&'a str, &'a str)> {
    if paths.is_empty() || globs.is_empty() {
        return None;
    }
    let (mut wanted, mut unwanted) = (Vec::new(), Vec::new());
    for glob in globs.iter().take(limits::GLOBS) {
        match glob.strip_prefix('!') {
            Some(glob) => unwanted.extend(compiled(glob)),
            None => wanted.extend(compiled(glob).map(|matcher| (matcher, glob.as_str()))),
        }
    }
    paths.iter().take(limits::TOUCHED_PATHS).find_map(|&path| {
        let relative = relative(path);
        let glob = wanted
            .iter()
            .find(|(matcher, _)| matcher.is_match(&relative))?
            .1;
        unwanted
            .iter()
            .all(|matcher| !matcher.is_match(&relative))
            .then_some((path, glob))
    })
}

fn compiled(glob: &str) -> Option<GlobMatcher> {
    if glob.len() > limits::GLOB_BYTES {
        return None;
    }
    let mut glob = relative(glob);
    if glob.ends_with('/') {
        glob.push_str("**");
    }
    let glob = GlobBuilder::new(&glob)
        .literal_separator(true)
        .empty_alternates(true)
        .build()
        .ok()?;
    Some(glob.compile_matcher())
}

/// A path as it is seen from the project's directory.
fn relative(path: &str) -> String {
    let path = path.trim().replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    path.trim_start_matches('/').to_owned()
}
