//! What a key can hold, and how it is read from TOML and from what a person types.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use skillful_guard::{Preset, RuleBook, Suppression};
use skillmd::Code;
use skillmd::invocation::Scope;
use toml_edit::{Item, Value as Toml};

use crate::guard::{Acceptance, OnLoad};
use crate::mode::Mode;
use crate::roots::Trust;

/// What a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Flag,
    /// A whole number from 1.
    Count,
    /// A [`Mode`].
    Mode,
    /// A [`Scope`].
    Scope,
    /// A [`Trust`], but not that of the program itself.
    Trust,
    /// A text that is not empty.
    Text,
    /// A list of texts.
    List,
    /// A list of diagnostic codes.
    Codes,
    /// A [`Preset`] of the guard.
    Preset,
    /// An [`OnLoad`].
    OnLoad,
    /// A list of tables, each a [`Suppression`].
    Suppressions,
    /// A list of tables, each an [`Acceptance`].
    Acceptances,
    /// Anything.
    Any,
}

impl Kind {
    /// What the key takes, in words.
    pub const fn expected(self) -> &'static str {
        match self {
            Self::Flag => "`true` or `false`",
            Self::Count => "a whole number from 1",
            Self::Mode => "`auto`, `pinned`, `name-only`, `manual-only`, `required` or `disabled`",
            Self::Scope => "`system`, `tool`, `standalone` or `disabled`",
            Self::Trust => "`trusted`, `community` or `agent`",
            Self::Text => "a text",
            Self::List => "a list of texts",
            Self::Codes => "a list of diagnostic codes",
            Self::Preset => "`strict`, `balanced` or `permissive`",
            Self::OnLoad => "`third-party`, `always` or `never`",
            Self::Suppressions => "tables with `rule`, `digest` and `reason`, written in the file",
            Self::Acceptances => "tables with `digest` and `reason`, written in the file",
            Self::Any => "any value",
        }
    }
}

/// The value of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A switch.
    Flag(bool),
    /// A number from 1.
    Count(u64),
    /// How a skill is brought up.
    Mode(Mode),
    /// Where a skill is offered.
    Scope(Scope),
    /// How far a root is trusted.
    Trust(Trust),
    /// A text.
    Text(String),
    /// Texts, in the order in which they were given.
    List(Vec<String>),
    /// How strictly skills are judged.
    Preset(Preset),
    /// Which skills are scanned before they are used.
    OnLoad(OnLoad),
    /// Findings that do not count.
    Suppressions(Vec<Suppression>),
    /// Content that is accepted.
    Acceptances(Vec<Acceptance>),
    /// Anything, of [`Kind::Any`].
    Any(Json),
}

/// A value, and what had to be left out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// What is left.
    pub value: Value,
    /// Why parts of a list do not count.
    pub faults: Vec<String>,
}

impl Value {
    /// What is wrong with suppressions that name rules that there are not: they hide nothing.
    fn unknown_rules(&self) -> Vec<String> {
        let (Self::Suppressions(entries), Ok(rules)) = (self, RuleBook::built_in()) else {
            return Vec::new();
        };
        let unknown = entries
            .iter()
            .filter(|entry| rules.get(&entry.rule).is_none());
        unknown
            .map(|entry| {
                let near: Vec<String> = rules
                    .nearest(&entry.rule)
                    .iter()
                    .map(|id| format!("`{id}`"))
                    .collect();
                let help = if near.is_empty() {
                    "`skillful scan --list-rules` lists all".to_owned()
                } else {
                    format!("did you mean {}?", near.join(" or "))
                };
                format!("there is no rule `{}`: {help}", entry.rule)
            })
            .collect()
    }

    /// Reads what a file says.
    ///
    /// # Errors
    ///
    /// What is wrong with it, as a sentence without a full stop.
    pub fn from_toml(kind: Kind, item: &Item) -> Result<Taken, String> {
        let wrong = || format!("takes {}, not {}", kind.expected(), type_name(item));
        let value = match kind {
            Kind::Flag => Self::Flag(item.as_bool().ok_or_else(wrong)?),
            Kind::Count => {
                let count = item
                    .as_integer()
                    .and_then(|count| u64::try_from(count).ok());
                Self::Count(count.filter(|count| *count > 0).ok_or_else(wrong)?)
            }
            Kind::List | Kind::Codes => return list(kind, item).ok_or_else(wrong),
            Kind::Suppressions => {
                let mut taken = tables(item, Self::Suppressions).ok_or_else(wrong)?;
                taken.faults.extend(taken.value.unknown_rules());
                return Ok(taken);
            }
            Kind::Acceptances => return tables(item, Self::Acceptances).ok_or_else(wrong),
            Kind::Any => Self::Any(json(item)),
            Kind::Mode | Kind::Scope | Kind::Trust | Kind::Text | Kind::Preset | Kind::OnLoad => {
                Self::word(kind, item.as_str().ok_or_else(wrong)?)?
            }
        };
        Ok(Taken {
            value,
            faults: Vec::new(),
        })
    }

    /// Reads what a person typed: a list is separated by commas or written as in TOML.
    ///
    /// # Errors
    ///
    /// As [`Value::from_toml`]; a list with a fault in it is refused as a whole.
    pub fn from_text(kind: Kind, text: &str) -> Result<Self, String> {
        let text = text.trim();
        let toml = text.parse::<Toml>().ok().map(Item::Value);
        let wrong = || format!("takes {}, not `{text}`", kind.expected());
        match kind {
            Kind::Flag | Kind::Count => {
                let item = toml.ok_or_else(wrong)?;
                Self::from_toml(kind, &item)
                    .map(|taken| taken.value)
                    .map_err(|_| wrong())
            }
            Kind::List | Kind::Codes => {
                let written = toml.filter(Item::is_array);
                let item = written.unwrap_or_else(|| {
                    let parts = text.split(',').map(str::trim);
                    Item::Value(parts.filter(|part| !part.is_empty()).collect())
                });
                let taken = list(kind, &item).ok_or_else(wrong)?;
                match taken.faults.into_iter().next() {
                    Some(fault) => Err(fault),
                    None => Ok(taken.value),
                }
            }
            Kind::Any => Ok(Self::Any(match toml {
                Some(item) => json(&item),
                None => Json::from(text),
            })),
            Kind::Suppressions | Kind::Acceptances => Err(wrong()),
            Kind::Mode | Kind::Scope | Kind::Trust | Kind::Text | Kind::Preset | Kind::OnLoad => {
                Self::word(kind, text)
            }
        }
    }

    fn word(kind: Kind, text: &str) -> Result<Self, String> {
        fn read<T: FromStr<Err: fmt::Display>>(text: &str) -> Result<T, String> {
            text.parse().map_err(|error: T::Err| error.to_string())
        }
        match kind {
            Kind::Mode => read(text).map(Self::Mode),
            Kind::Scope => read(text).map(Self::Scope),
            Kind::Preset => read(text).map(Self::Preset),
            Kind::OnLoad => read(text).map(Self::OnLoad),
            Kind::Trust => match text.parse() {
                Ok(trust) if trust != Trust::Builtin => Ok(Self::Trust(trust)),
                _ => Err(format!("takes {}, not `{text}`", kind.expected())),
            },
            _ if text.trim().is_empty() => Err(format!("takes {}, not nothing", kind.expected())),
            _ => Ok(Self::Text(text.to_owned())),
        }
    }

    /// The value as TOML writes it.
    pub fn to_toml(&self) -> Toml {
        match self {
            Self::Flag(flag) => Toml::from(*flag),
            Self::Count(count) => Toml::from(i64::try_from(*count).unwrap_or(i64::MAX)),
            Self::Mode(mode) => Toml::from(mode.as_str()),
            Self::Scope(scope) => Toml::from(scope.as_str()),
            Self::Trust(trust) => Toml::from(trust.as_str()),
            Self::Text(text) => Toml::from(text),
            Self::Preset(preset) => Toml::from(preset.as_str()),
            Self::OnLoad(on_load) => Toml::from(on_load.as_str()),
            Self::Suppressions(_) | Self::Acceptances(_) => json_to_toml(&self.to_json()),
            Self::List(items) => items.iter().map(String::as_str).collect(),
            Self::Any(value) => json_to_toml(value),
        }
    }

    /// The value as JSON.
    pub fn to_json(&self) -> Json {
        match self {
            Self::Flag(flag) => Json::from(*flag),
            Self::Count(count) => Json::from(*count),
            Self::Mode(mode) => Json::from(mode.as_str()),
            Self::Scope(scope) => Json::from(scope.as_str()),
            Self::Trust(trust) => Json::from(trust.as_str()),
            Self::Text(text) => Json::from(text.as_str()),
            Self::List(items) => Json::from(items.clone()),
            Self::Preset(preset) => Json::from(preset.as_str()),
            Self::OnLoad(on_load) => Json::from(on_load.as_str()),
            Self::Suppressions(entries) => serde_json::to_value(entries).unwrap_or_default(),
            Self::Acceptances(entries) => serde_json::to_value(entries).unwrap_or_default(),
            Self::Any(value) => value.clone(),
        }
    }
}

impl fmt::Display for Value {
    /// As people read it: texts without quotes, lists with commas, anything else as JSON.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::List(items) => f.write_str(&items.join(", ")),
            _ => match self.to_json() {
                Json::String(text) => f.write_str(&text),
                other => write!(f, "{other}"),
            },
        }
    }
}

/// The texts of a list; nothing when it is none. A single text is a list of one.
fn list(kind: Kind, item: &Item) -> Option<Taken> {
    let mut faults = Vec::new();
    let mut seen = HashSet::new();
    let mut items: Vec<String> = Vec::new();
    let given = match (item.as_array(), item.as_str()) {
        (Some(array), _) => array.iter().map(Toml::as_str).collect(),
        (None, Some(text)) => vec![Some(text)],
        (None, None) => return None,
    };
    for text in given {
        let fault = match text {
            None => Some(format!("takes {}; one entry is no text", kind.expected())),
            Some(text) if kind == Kind::Codes => {
                text.parse::<Code>().err().map(|error| error.to_string())
            }
            Some(_) => None,
        };
        faults.extend(fault.clone());
        let new = text.filter(|text| fault.is_none() && seen.insert(*text));
        items.extend(new.map(str::to_owned));
    }
    Some(Taken {
        value: Value::List(items),
        faults,
    })
}

/// The entries of a list of tables; nothing when it is none. One that is faulty costs itself alone.
fn tables<T: DeserializeOwned>(item: &Item, value: impl Fn(Vec<T>) -> Value) -> Option<Taken> {
    let Json::Array(items) = json(item) else {
        return None;
    };
    let mut faults = Vec::new();
    let mut entries = Vec::new();
    for (number, item) in (1..).zip(items) {
        match serde_json::from_value(item) {
            Ok(entry) => entries.push(entry),
            Err(error) => faults.push(format!("entry {number} does not count: {error}")),
        }
    }
    Some(Taken {
        value: value(entries),
        faults,
    })
}

fn type_name(item: &Item) -> String {
    match item.type_name() {
        "integer" => format!("the number {}", item.as_integer().unwrap_or_default()),
        "array" | "integer number" => "a list".to_owned(),
        "inline table" | "table" => "a table".to_owned(),
        "array of tables" => "a list of tables".to_owned(),
        "string" => format!("the text `{}`", item.as_str().unwrap_or_default()),
        other => format!("a {other}"),
    }
}

/// A TOML value as JSON. Dates become their text; so do infinity and NaN, which JSON does not have.
fn json(item: &Item) -> Json {
    match item {
        Item::None => Json::Null,
        Item::Value(value) => value_json(value),
        Item::Table(table) => table.iter().map(|(key, item)| (key, json(item))).collect(),
        Item::ArrayOfTables(tables) => tables
            .iter()
            .map(|table| table.iter().map(|(key, item)| (key, json(item))).collect())
            .collect::<Vec<Json>>()
            .into(),
    }
}

fn value_json(value: &Toml) -> Json {
    match value {
        Toml::String(text) => Json::from(text.value().as_str()),
        Toml::Integer(number) => Json::from(*number.value()),
        Toml::Float(number) => serde_json::Number::from_f64(*number.value())
            .map_or_else(|| Json::from(number.value().to_string()), Json::from),
        Toml::Boolean(flag) => Json::from(*flag.value()),
        Toml::Datetime(date) => Json::from(date.value().to_string()),
        Toml::Array(items) => items.iter().map(value_json).collect::<Vec<_>>().into(),
        Toml::InlineTable(table) => table
            .iter()
            .map(|(key, value)| (key, value_json(value)))
            .collect(),
    }
}

/// JSON as TOML, which has no null: it becomes an empty text, which counts as missing as well.
fn json_to_toml(value: &Json) -> Toml {
    match value {
        Json::Null => Toml::from(""),
        Json::Bool(flag) => Toml::from(*flag),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Toml::from(number),
            None => Toml::from(number.as_f64().unwrap_or(f64::MAX)),
        },
        Json::String(text) => Toml::from(text),
        Json::Array(items) => items.iter().map(json_to_toml).collect(),
        Json::Object(members) => Toml::InlineTable(
            members
                .iter()
                .map(|(key, value)| (key.as_str(), json_to_toml(value)))
                .collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toml(kind: Kind, text: &str) -> Result<Taken, String> {
        let item = Item::Value(text.parse().unwrap());
        Value::from_toml(kind, &item)
    }

    #[test]
    fn each_kind_takes_its_values_and_no_other() {
        let value = |kind, text| toml(kind, text).map(|taken| taken.value);
        assert_eq!(value(Kind::Flag, "true"), Ok(Value::Flag(true)));
        assert_eq!(value(Kind::Count, "7"), Ok(Value::Count(7)));
        assert_eq!(
            value(Kind::Mode, "\"pinned\""),
            Ok(Value::Mode(Mode::Pinned))
        );
        assert_eq!(
            value(Kind::Scope, "\"tool\""),
            Ok(Value::Scope(Scope::Tool))
        );
        assert_eq!(
            value(Kind::Trust, "\"agent\""),
            Ok(Value::Trust(Trust::Agent))
        );
        for (kind, text) in [
            (Kind::Flag, "\"true\""),
            (Kind::Flag, "1"),
            (Kind::Count, "0"),
            (Kind::Count, "-1"),
            (Kind::Count, "1.5"),
            (Kind::Mode, "\"loud\""),
            (Kind::Mode, "[]"),
            (Kind::Scope, "3"),
            (Kind::Trust, "\"builtin\""),
            (Kind::Text, "\" \""),
            (Kind::List, "{}"),
        ] {
            assert!(toml(kind, text).is_err(), "{kind:?} {text}");
        }
    }

    #[test]
    fn tables_are_read_one_by_one() {
        let text = "[[accept]]\ndigest = \"sha256:0\"\nreason = \"mine\"\n[[accept]]\ndigest = \"sha256:1\"\n";
        let document = text.parse::<toml_edit::DocumentMut>().unwrap();
        let taken = Value::from_toml(Kind::Acceptances, &document["accept"]).unwrap();
        let Value::Acceptances(entries) = &taken.value else {
            panic!("{taken:?}");
        };
        assert_eq!(entries.len(), 1, "{entries:?}");
        assert_eq!(taken.faults.len(), 1, "{:?}", taken.faults);
        assert!(taken.faults[0].contains("entry 2"), "{:?}", taken.faults);
        assert!(toml(Kind::Suppressions, "'x'").is_err());
        assert!(Value::from_text(Kind::Acceptances, "sha256:0").is_err());
    }

    #[test]
    fn a_suppression_of_no_rule_is_told_with_those_that_are_like_it() {
        let faults = |rule: &str| {
            let text = format!(
                "[[suppress]]\nrule = \"{rule}\"\ndigest = \"sha256:0\"\nreason = \"mine\"\n"
            );
            let document = text.parse::<toml_edit::DocumentMut>().unwrap();
            Value::from_toml(Kind::Suppressions, &document["suppress"])
                .unwrap()
                .faults
        };
        assert_eq!(faults("pipe-to-shell"), [""; 0]);
        let near = faults("pipe-to-shel");
        assert!(near[0].contains("did you mean `pipe-to-shell`"), "{near:?}");
        let far = faults("xyz");
        assert!(far[0].contains("--list-rules"), "{far:?}");
    }

    #[test]
    fn a_fault_in_a_list_costs_its_entry() {
        let taken = toml(Kind::Codes, r#"["body-empty", "no-such", 3]"#).unwrap();
        assert_eq!(taken.value, Value::List(vec!["body-empty".to_owned()]));
        assert_eq!(taken.faults.len(), 2, "{:?}", taken.faults);
        let twice = toml(Kind::List, r#"["a", "b", "a"]"#).unwrap();
        assert_eq!(
            twice.value,
            Value::List(vec!["a".to_owned(), "b".to_owned()])
        );
    }

    #[test]
    fn people_type_without_quotes() {
        let list = Value::List(vec!["a".to_owned(), "b c".to_owned()]);
        assert_eq!(Value::from_text(Kind::List, "a, b c"), Ok(list.clone()));
        assert_eq!(Value::from_text(Kind::List, "[\"a\", 'b c']"), Ok(list));
        assert_eq!(
            Value::from_text(Kind::List, ""),
            Ok(Value::List(Vec::new()))
        );
        assert_eq!(
            Value::from_text(Kind::Flag, " false "),
            Ok(Value::Flag(false))
        );
        assert!(Value::from_text(Kind::Flag, "no").is_err());
        assert_eq!(
            Value::from_text(Kind::Any, "3"),
            Ok(Value::Any(Json::from(3)))
        );
        assert_eq!(
            Value::from_text(Kind::Any, "plain words"),
            Ok(Value::Any(Json::from("plain words")))
        );
        assert!(Value::from_text(Kind::Codes, "body-empty,odd").is_err());
    }

    #[test]
    fn what_toml_writes_is_read_back() {
        for (kind, value) in [
            (Kind::Flag, Value::Flag(true)),
            (Kind::Count, Value::Count(9)),
            (Kind::Text, Value::Text("a \"b\"\n".to_owned())),
            (
                Kind::List,
                Value::List(vec!["x".to_owned(), "y".to_owned()]),
            ),
            (
                Kind::Any,
                Value::Any(serde_json::json!({"a": [1, 2.5, {"b": "c"}], "d": false})),
            ),
        ] {
            let item = Item::Value(value.to_toml().to_string().parse().unwrap());
            assert_eq!(Value::from_toml(kind, &item).unwrap().value, value);
        }
    }
}
