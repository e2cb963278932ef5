//! The table `wanted` of a `skills.toml`: which skills somebody wants installed, from where and for whom.
//!
//! It is for people to read and write; every change here leaves all else in the file as it is.
//!
//! ```toml
//! [wanted.pdf-forms]
//! source = "github.com/acme/skills/pdf-forms#v2"
//! clients = ["claude-code", "codex"]
//! hold = "3.0 drops the form filler"
//! ```

use std::collections::BTreeMap;

use skillful::config::edit::{self, EditError};
use skillful::config::{KeyPath, Value, id_form};
use toml_edit::{Document, Item, TableLike};

/// A skill that is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WantedSkill {
    /// The source, in any form that [`crate::source`] reads.
    pub source: String,
    /// The clients; nothing = those that are there.
    pub clients: Option<Vec<String>>,
    /// Whether every client gets a copy.
    pub copy: bool,
    /// Why it is not to be updated.
    pub hold: Option<String>,
}

/// A file that says what is wanted cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WantedError {
    /// It cannot be changed.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// It is not TOML.
    #[error("{0}")]
    Syntax(String),
    /// An entry is not what it must be.
    #[error("`wanted.{id}` {reason}")]
    Entry {
        /// The entry's key.
        id: String,
        /// What is wrong.
        reason: &'static str,
    },
}

/// What a file says is wanted, by id.
///
/// # Errors
///
/// When it is not TOML, or an entry cannot be understood: to install half of what is wanted would be worse.
pub fn read(text: &str) -> Result<BTreeMap<String, WantedSkill>, WantedError> {
    let document = Document::parse(text).map_err(|error| WantedError::Syntax(error.to_string()))?;
    let Some(wanted) = document.get("wanted") else {
        return Ok(BTreeMap::new());
    };
    let fault = |id: &str, reason| WantedError::Entry {
        id: id.to_owned(),
        reason,
    };
    let Some(wanted) = wanted.as_table_like() else {
        return Err(fault("*", "is not a table"));
    };
    let mut skills = BTreeMap::new();
    for (key, item) in wanted.iter() {
        let id = id_form(key).ok_or_else(|| fault(key, "is not the id of a skill"))?;
        let entry = item.as_table_like();
        let entry = entry.ok_or_else(|| fault(key, "is not a table"))?;
        let skill = entry_of(entry).map_err(|reason| fault(key, reason))?;
        if skills.insert(id, skill).is_some() {
            return Err(fault(key, "is there twice, in two spellings"));
        }
    }
    Ok(skills)
}

fn entry_of(entry: &dyn TableLike) -> Result<WantedSkill, &'static str> {
    let text = |item: &Item| item.as_str().map(str::to_owned);
    let source = entry.get("source").ok_or("has no `source`")?;
    let clients = entry.get("clients").map(|item| {
        let names = item.as_array()?.iter();
        names.map(|name| name.as_str().map(str::to_owned)).collect()
    });
    let clients: Option<Option<Vec<String>>> = clients;
    Ok(WantedSkill {
        source: text(source).ok_or("has a `source` that is no text")?,
        clients: match clients {
            Some(None) => return Err("has `clients` that are no list of texts"),
            Some(names) => names,
            None => None,
        },
        copy: match entry.get("copy") {
            Some(item) => item
                .as_bool()
                .ok_or("has a `copy` that is neither true nor false")?,
            None => false,
        },
        hold: match entry.get("hold") {
            Some(item) => Some(text(item).ok_or("has a `hold` that is no text")?),
            None => None,
        },
    })
}

/// The text with the entry of a skill as `skill` says it.
///
/// # Errors
///
/// When the file is not TOML, or something else stands where the entry would.
pub fn set(text: &str, id: &str, skill: &WantedSkill) -> Result<String, WantedError> {
    let key = |member: &str| KeyPath::single("wanted").join(id).join(member);
    let list = |names: &Vec<String>| Value::List(names.clone());
    let members = [
        ("source", Some(Value::Text(skill.source.clone()))),
        ("clients", skill.clients.as_ref().map(list)),
        ("copy", skill.copy.then_some(Value::Flag(true))),
        ("hold", skill.hold.clone().map(Value::Text)),
    ];
    let mut text = text.to_owned();
    for (member, value) in members {
        let key = key(member);
        text = match value {
            Some(value) => edit::set(&text, &key, &value)?,
            None => edit::unset(&text, &key)?.unwrap_or(text),
        };
    }
    Ok(text)
}

/// The text without the entry of a skill; nothing when there is none.
///
/// # Errors
///
/// When the file is not TOML.
pub fn unset(text: &str, id: &str) -> Result<Option<String>, WantedError> {
    let key = KeyPath::single("wanted").join(id);
    Ok(edit::unset(text, &key)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# mine\n[skills.x]\nmode = \"pinned\" # always\n\n[wanted.pdf]\nsource = \"o/r\"\n\
        clients = [\"codex\"]\nhold = \"why\" # see the wiki\n";

    fn pdf() -> WantedSkill {
        WantedSkill {
            source: "o/r".to_owned(),
            clients: Some(vec!["codex".to_owned()]),
            copy: false,
            hold: Some("why".to_owned()),
        }
    }

    #[test]
    fn what_is_written_is_read_again_and_all_else_stays() {
        assert_eq!(
            read(TEXT).unwrap(),
            BTreeMap::from([("pdf".to_owned(), pdf())])
        );
        let other = WantedSkill {
            source: "./here".to_owned(),
            copy: true,
            ..WantedSkill::default()
        };
        let text = set(TEXT, "notes", &other).unwrap();
        assert!(text.starts_with(TEXT), "{text}");
        assert_eq!(read(&text).unwrap()["notes"], other);
        assert_eq!(
            unset(&text, "notes").unwrap().unwrap().trim_end(),
            TEXT.trim_end()
        );
        let freed = WantedSkill {
            hold: None,
            ..pdf()
        };
        let text = set(TEXT, "pdf", &freed).unwrap();
        assert_eq!(read(&text).unwrap()["pdf"], freed);
        assert!(text.contains("mode = \"pinned\" # always"), "{text}");
        assert_eq!(unset(TEXT, "none").unwrap(), None);
        assert_eq!(read("").unwrap(), BTreeMap::new());
    }

    #[test]
    fn what_cannot_be_understood_is_refused() {
        for (text, says) in [
            ("wanted = 1", "`wanted.*` is not a table"),
            ("[wanted]\nx = 1", "`wanted.x` is not a table"),
            ("[wanted.x]\ncopy = true", "has no `source`"),
            ("[wanted.x]\nsource = 1", "`source` that is no text"),
            (
                "[wanted.x]\nsource = \"s\"\nclients = \"c\"",
                "no list of texts",
            ),
            (
                "[wanted.x]\nsource = \"s\"\ncopy = 1",
                "neither true nor false",
            ),
            (
                "[wanted.x]\nsource = \"s\"\n[wanted.X]\nsource = \"s\"",
                "there twice",
            ),
            ("[wanted.\"...\"]\nsource = \"s\"", "not the id of a skill"),
            ("[wanted", "TOML"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}\n→ {error}");
        }
    }
}
