//! `skill://` addresses: where a file of a skill is found over MCP.
//!
//! ```text
//! skill://pdf-forms/SKILL.md            the skill `pdf-forms`
//! skill://pdf-forms/references/api.md   a file of it
//! skill://plugin.acme/billing/SKILL.md  the skill `acme:billing` of a plugin
//! ```
//!
//! The segment before `SKILL.md` is the skill's name, as the Skills extension has it. No id holds a dot, so that the first
//! segment of a plugin's skills is none of another skill, whatever lies in that one's directory. Each address has one
//! spelling: what is spelled otherwise leads nowhere, and two addresses never mean one file.

use std::fmt::Write as _;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The name of a skill's own file in its addresses, whatever it is called on disk.
pub(super) const SKILL_MD: &str = "SKILL.md";

const SCHEME: &str = "skill://";
const PLUGIN: &str = "plugin.";
/// All but the characters that RFC 3986 calls unreserved.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// What an address means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// The skill's id.
    pub(super) id: String,
    /// The path in the skill, `/` between its parts; empty for its directory.
    pub(super) path: String,
}

impl Address {
    /// The address of a file or directory of a skill.
    pub(super) fn new(id: &str, path: &str) -> Self {
        Self {
            id: id.to_owned(),
            path: path.to_owned(),
        }
    }

    /// Reads an address; nothing for one that is not spelled as [`Address::uri`] does.
    pub(super) fn parse(uri: &str) -> Option<Self> {
        let mut segments = uri.strip_prefix(SCHEME)?.split('/').map(decoded);
        let first = segments.next()??;
        let id = match first.strip_prefix(PLUGIN) {
            Some(plugin) => format!("{plugin}:{}", segments.next()??),
            None => first,
        };
        let rest: Vec<String> = segments.collect::<Option<_>>()?;
        let address = Self {
            id,
            path: rest.join("/"),
        };
        (address.uri() == uri).then_some(address)
    }

    /// The address.
    pub(super) fn uri(&self) -> String {
        let mut uri = directory(&self.id);
        for part in self.path.split('/').filter(|part| !part.is_empty()) {
            uri.push('/');
            uri.extend(utf8_percent_encode(part, ENCODED));
        }
        uri
    }
}

/// The address of a skill's directory.
pub(super) fn directory(id: &str) -> String {
    format!("{SCHEME}{}", place(id))
}

/// What stands for a skill between the scheme and the path.
pub(super) fn place(id: &str) -> String {
    let mut text = String::new();
    if let Some((plugin, name)) = id.split_once(':') {
        let plugin = utf8_percent_encode(plugin, ENCODED);
        // Writing to a string cannot fail.
        let _ = write!(text, "{PLUGIN}{plugin}/");
        text.extend(utf8_percent_encode(name, ENCODED));
    } else {
        text.extend(utf8_percent_encode(id, ENCODED));
    }
    text
}

/// The address of a skill's own file.
pub(super) fn skill_md(id: &str) -> String {
    Address::new(id, SKILL_MD).uri()
}

fn decoded(segment: &str) -> Option<String> {
    let text = percent_decode_str(segment).decode_utf8().ok()?;
    let is_plain = !text.is_empty() && !text.contains('/');
    is_plain.then(|| text.into_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_skill_a_file_and_a_skill_of_a_plugin_have_addresses() {
        let cases = [
            ("pdf-forms", "SKILL.md", "skill://pdf-forms/SKILL.md"),
            ("pdf-forms", "a b/ö.md", "skill://pdf-forms/a%20b/%C3%B6.md"),
            (
                "acme:billing",
                "SKILL.md",
                "skill://plugin.acme/billing/SKILL.md",
            ),
            ("pdf-forms", "", "skill://pdf-forms"),
        ];
        for (id, path, uri) in cases {
            let address = Address::new(id, path);
            assert_eq!(address.uri(), uri);
            assert_eq!(Address::parse(uri), Some(address));
        }
    }

    #[test]
    fn other_spellings_lead_nowhere() {
        for uri in [
            "skill://",
            "skill:///SKILL.md",
            "skill://a//b",
            "skill://a/b/",
            "skill://a/%62.md",
            "skill://a/b%2fc",
            "skill://a/b?x",
            "skill://a/b#x",
            "skill://a/%ff",
            "skill://plugin.a",
            "SKILL://a/SKILL.md",
            "file:///etc/passwd",
            "skill://a b/SKILL.md",
        ] {
            assert_eq!(Address::parse(uri), None, "{uri}");
        }
    }

    proptest! {
        #[test]
        fn what_was_written_is_read_again(
            id in "[a-z0-9ö]{1,8}(:[a-z0-9-]{1,8})?",
            path in "[^/\\x00]{1,9}(/[^/\\x00]{1,9}){0,3}",
        ) {
            let address = Address::new(&id, &path);
            prop_assert_eq!(Address::parse(&address.uri()), Some(address));
        }

        #[test]
        fn no_text_makes_it_panic(text in "(skill://)?.{0,40}") {
            let _ = Address::parse(&text);
        }
    }
}
