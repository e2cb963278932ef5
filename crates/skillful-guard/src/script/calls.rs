//! What the known functions of Python and JavaScript do with their arguments.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::context::Language;

/// What a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Role {
    /// Runs its first argument as a program of this language.
    Run,
    /// Runs its first argument as a command, or a list of words.
    Command,
    /// Takes an encoding off.
    Decode,
    /// Characters from numbers.
    Characters,
    /// Brings something from the network, and may send with it.
    Request,
    /// Sends its arguments.
    Send,
    /// Looks a name up.
    Resolve,
    /// Opens or reads the file that its first argument names.
    Read,
    /// Writes a file that its first argument names.
    Write,
    /// Writes what it is given into the file that its object is.
    WriteInto,
    /// Fetches into a file.
    FetchFile,
    /// Gives a variable of the environment.
    Variable,
    /// Clipboard, screen, keys.
    Personal,
    /// A store of secrets.
    SecretStore,
    /// Names of the machine and its user.
    Machine,
    /// Deletes a tree.
    DeleteTree,
    /// Loads what may run.
    Deserialize,
    /// The same text in another form, computed where it is known.
    Fold,
    /// Gives its argument back, as `expanduser` does.
    Same,
    /// Puts texts together.
    Join,
    /// Finds a module or function by a name that is a value.
    Import,
    /// Asks the user.
    Ask,
    /// Lists files.
    List,
    /// Gives the user's home.
    Home,
    /// Anything else.
    Other,
}

type Table = BTreeMap<Role, Vec<String>>;

static PYTHON: LazyLock<Table> =
    LazyLock::new(|| toml::from_str(include_str!("python.toml")).unwrap_or_default());
static JAVASCRIPT: LazyLock<Table> =
    LazyLock::new(|| toml::from_str(include_str!("javascript.toml")).unwrap_or_default());

/// The role of the function with this dotted path.
pub(crate) fn role(path: &str, language: Language) -> Role {
    let table = match language {
        Language::Python => &*PYTHON,
        _ => &*JAVASCRIPT,
    };
    let known = table
        .iter()
        .find(|(_, paths)| paths.iter().any(|known| is_path(path, known)));
    known.map_or(Role::Other, |(role, _)| *role)
}

/// `a.b.c` is `b.c`; single words that are builtins are no methods.
fn is_path(path: &str, known: &str) -> bool {
    if path == known {
        return true;
    }
    let is_builtin = matches!(
        known,
        "exec"
            | "eval"
            | "compile"
            | "open"
            | "input"
            | "getattr"
            | "chr"
            | "bytes"
            | "str"
            | "Function"
            | "fetch"
            | "request"
            | "axios"
            | "got"
            | "String"
            | "setTimeout"
            | "setInterval"
            | "atob"
            | "unescape"
    );
    !is_builtin
        && path
            .strip_suffix(known)
            .is_some_and(|before| before.ends_with('.'))
}

/// Arguments and keys that carry a secret to where it belongs.
pub(crate) fn is_credential_slot(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    matches!(
        lower.as_str(),
        "headers"
            | "auth"
            | "env"
            | "cookies"
            | "cert"
            | "authorization"
            | "x-api-key"
            | "api_key"
            | "apikey"
            | "token"
            | "password"
            | "proxies"
            | "cwd"
            | "credentials"
            | "key"
            | "access_token"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_can_be_read() {
        assert!(PYTHON.len() > 15 && JAVASCRIPT.len() > 15);
    }

    #[test]
    fn paths_end_in_known_ones_and_builtins_are_no_methods() {
        assert_eq!(role("my.requests.post", Language::Python), Role::Request);
        assert_eq!(role("exec", Language::Python), Role::Run);
        assert_eq!(role("db.exec", Language::JavaScript), Role::Other);
        assert_eq!(role("cursor.eval", Language::Python), Role::Other);
        assert_eq!(
            role("fs.promises.readFile", Language::JavaScript),
            Role::Read
        );
    }
}
