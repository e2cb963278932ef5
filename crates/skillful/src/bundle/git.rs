//! What lies in a `.git` directory: what Git keeps there of its own, and what it runs.
//!
//! A digest covers what Git runs, so that nobody accepts a hook that comes later. A clone as Git makes it has nothing of
//! the kind, and the digest that it would have without its `.git`.

/// What Git's own directory is called.
pub(crate) const GIT: &str = ".git";

/// Whether an entry at this path in a `.git` directory is Git's own storage, by its name alone: objects, which are packed,
/// and the index. Anything else there is read.
pub(crate) fn is_storage(below_git: &str) -> bool {
    let parts: Vec<&str> = below_git.split('/').collect();
    let is_hex = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    match parts.as_slice() {
        ["modules", _, rest @ ..] if !rest.is_empty() => is_storage(&rest.join("/")),
        ["index"] => true,
        ["objects", "pack", name] => {
            let ending = name.rsplit('.').next().unwrap_or_default();
            name.starts_with("pack-")
                && matches!(ending, "pack" | "idx" | "rev" | "bitmap" | "mtimes")
        }
        ["objects", folder, name] => {
            folder.len() == 2 && is_hex(folder) && is_hex(name) && matches!(name.len(), 38 | 62)
        }
        ["lfs", "objects", .., name] => is_hex(name) && name.len() == 64,
        _ => false,
    }
}

/// The part of a path behind its first `.git` directory; nothing where there is none.
pub(crate) fn below_git(path: &str) -> Option<&str> {
    match path.strip_prefix(".git/") {
        Some(below) => Some(below),
        None => path.split_once("/.git/").map(|(_, below)| below),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storage_is_told_by_its_exact_name() {
        let hex = "0".repeat(38);
        for path in [
            "index".to_owned(),
            format!("objects/ab/{hex}"),
            format!("modules/a/objects/ab/{hex}"),
            "objects/pack/pack-ab.idx".to_owned(),
        ] {
            assert!(is_storage(&path), "{path}");
        }
        for path in [
            "config",
            "objects/ab/run.sh",
            "objects/pack/run.sh",
            "objects/info/alternates",
            "hooks/index",
            "modules/index",
        ] {
            assert!(!is_storage(path), "{path}");
        }
    }

    #[test]
    fn what_lies_below_git() {
        assert_eq!(below_git(".git/config"), Some("config"));
        assert_eq!(below_git("a/.git/hooks/x"), Some("hooks/x"));
        assert_eq!(below_git("a.git/config"), None);
        assert_eq!(below_git(".git"), None);
    }
}
