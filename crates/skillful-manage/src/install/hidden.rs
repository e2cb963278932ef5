//! Files of a skill that a directory listing does not show. They are placed like all others, for a skill may need them;
//! but a person is told of them, and asked where their name says that they hold somebody's keys.

use crate::tree::{Node, Tree};

/// Names of files in which programs keep what is nobody else's, in small letters.
const SECRETS: [&str; 17] = [
    ".env",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".my.cnf",
    ".htpasswd",
    ".git-credentials",
    ".dockercfg",
    ".vault-token",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "credentials",
    ".credentials",
];

/// Directories in which they do.
const SECRET_DIRECTORIES: [&str; 5] = [".ssh", ".aws", ".gnupg", ".kube", ".docker"];

/// What an example of such a file ends with: it is there to be copied.
const EXAMPLES: [&str; 6] = [
    "example", "sample", "template", "dist", "defaults", "schema",
];

/// The files of a tree with a name that begins with a dot, or in a directory with such a name, sorted.
pub fn hidden_files(tree: &Tree) -> Vec<&str> {
    let is_hidden = |path: &&str| path.split('/').any(|part| part.starts_with('.'));
    files(tree).filter(is_hidden).collect()
}

/// Those whose name says that they hold somebody's keys, sorted.
pub fn secret_files(tree: &Tree) -> Vec<&str> {
    files(tree).filter(|path| is_secret(path)).collect()
}

fn files(tree: &Tree) -> impl Iterator<Item = &str> {
    let is_file = |(path, node): (_, &Node)| matches!(node, Node::File { .. }).then_some(path);
    tree.nodes().filter_map(is_file)
}

fn is_secret(path: &str) -> bool {
    let (directories, name) = path.rsplit_once('/').unwrap_or(("", path));
    let name = name.to_ascii_lowercase();
    let is_example = name.split('.').any(|part| EXAMPLES.contains(&part));
    if is_example {
        return false;
    }
    let mut above = directories.split('/').map(str::to_ascii_lowercase);
    SECRETS.contains(&&*name)
        || name.starts_with(".env.")
        || above.any(|directory| SECRET_DIRECTORIES.contains(&&*directory))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_somebodys_own() {
        for path in [
            ".env",
            "scripts/.env.local",
            ".ENV.production",
            "a/.ssh/config",
            "keys/id_ed25519",
            ".npmrc",
        ] {
            assert!(is_secret(path), "{path}");
        }
        for path in [
            ".env.example",
            ".env.sample.local",
            ".envrc.md",
            "references/env.md",
            "id_rsa.md",
            ".github/workflows/a.yml",
            ".gitignore",
        ] {
            assert!(!is_secret(path), "{path}");
        }
    }
}
