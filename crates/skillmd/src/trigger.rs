//! Triggers: what brings a skill up without the model's own choice.
//!
//! Denkeeper's grammar is `command:NAME` and `schedule:…`; `keyword:…` is an addition of Skillful's. Clients that write
//! their skills in YAML list bare phrases instead, a leading `!` meaning that the phrase must not occur.

use std::fmt;
use std::str::FromStr;

/// One declared trigger.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Trigger {
    /// `command:NAME`: the message begins with `/NAME` or `!NAME`. The name is in lower case and not empty.
    Command(String),
    /// `schedule:…`: a scheduled run may use the skill. The text says when, in the author's words; it may be empty.
    Schedule(String),
    /// `keyword:…` or a bare phrase: the message contains it. Not empty.
    Keyword(String),
    /// `!phrase`: the message does not contain it. Not empty.
    NotKeyword(String),
}

/// Why a text is not a trigger.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TriggerError {
    /// Nothing but blanks.
    #[error("a trigger is empty")]
    Empty,
    /// No `TYPE:` in front.
    #[error("the trigger `{0}` has no type: write `command:`, `schedule:` or `keyword:` in front")]
    NoType(String),
    /// A `TYPE:` that is not known.
    #[error("the trigger type `{0}` is not known: use `command`, `schedule` or `keyword`")]
    UnknownType(String),
    /// `command:` or `keyword:` and nothing else.
    #[error("the trigger `{0}:` names nothing")]
    NoName(&'static str),
}

impl Trigger {
    /// Whether the grammar has the type `kind`.
    pub(crate) fn is_type(kind: &str) -> bool {
        matches!(kind, "command" | "schedule" | "keyword")
    }

    /// Reads a trigger as YAML skills write it: what has no type is a phrase to look for.
    ///
    /// # Errors
    ///
    /// As [`Trigger::from_str`], save that a missing type is none. Only a single lower-case word right before the colon
    /// is taken for a type, so that `note: urgent` stays a phrase.
    pub fn parse_phrase(text: &str) -> Result<Self, TriggerError> {
        let text = text.trim();
        if let Some(phrase) = text.strip_prefix('!') {
            return named("!", phrase).map(Self::NotKeyword);
        }
        let typed = text.split_once(':').is_some_and(|(kind, rest)| {
            Self::is_type(kind)
                || (!kind.is_empty()
                    && kind.bytes().all(|byte| byte.is_ascii_lowercase())
                    && !rest.starts_with([' ', '/']))
        });
        if typed || text.is_empty() {
            text.parse()
        } else {
            Ok(Self::Keyword(text.to_owned()))
        }
    }
}

fn named(kind: &'static str, name: &str) -> Result<String, TriggerError> {
    let name = name.trim();
    if name.is_empty() {
        return Err(TriggerError::NoName(kind));
    }
    Ok(name.to_owned())
}

impl FromStr for Trigger {
    type Err = TriggerError;

    /// Denkeeper's grammar: the type is exact, the rest is trimmed.
    fn from_str(text: &str) -> Result<Self, TriggerError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(TriggerError::Empty);
        }
        let Some((kind, rest)) = text.split_once(':') else {
            return Err(TriggerError::NoType(text.to_owned()));
        };
        match kind {
            "command" => named("command", rest).map(|name| Self::Command(name.to_lowercase())),
            "schedule" => Ok(Self::Schedule(rest.trim().to_owned())),
            "keyword" => named("keyword", rest).map(Self::Keyword),
            _ => Err(TriggerError::UnknownType(kind.to_owned())),
        }
    }
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(name) => write!(f, "command:{name}"),
            Self::Schedule(when) => write!(f, "schedule:{when}"),
            Self::Keyword(phrase) => write!(f, "keyword:{phrase}"),
            Self::NotKeyword(phrase) => write!(f, "!{phrase}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn denkeepers_grammar() {
        assert_eq!(
            " command: Greet ".parse(),
            Ok(Trigger::Command("greet".to_owned()))
        );
        assert_eq!("schedule:".parse(), Ok(Trigger::Schedule(String::new())));
        assert_eq!(
            "schedule:0 9 * * 1".parse(),
            Ok(Trigger::Schedule("0 9 * * 1".to_owned()))
        );
        assert_eq!(
            "keyword:Red Alert".parse(),
            Ok(Trigger::Keyword("Red Alert".to_owned()))
        );
        let refused = |text: &str| text.parse::<Trigger>().unwrap_err();
        assert_eq!(refused("  "), TriggerError::Empty);
        assert_eq!(refused("greet"), TriggerError::NoType("greet".to_owned()));
        assert_eq!(
            refused("Command:x"),
            TriggerError::UnknownType("Command".to_owned())
        );
        assert_eq!(refused("command: "), TriggerError::NoName("command"));
    }

    #[test]
    fn bare_phrases_are_keywords() {
        let read = |text: &str| Trigger::parse_phrase(text).unwrap();
        for phrase in [
            "review my code",
            "note: urgent",
            "https://x.example",
            "Error:",
        ] {
            assert_eq!(read(phrase), Trigger::Keyword(phrase.to_owned()));
        }
        assert_eq!(read("!draft"), Trigger::NotKeyword("draft".to_owned()));
        assert_eq!(read("command:Go"), Trigger::Command("go".to_owned()));
        assert_eq!(read("command: Go"), Trigger::Command("go".to_owned()));
        assert_eq!(
            Trigger::parse_phrase("webhook:push"),
            Err(TriggerError::UnknownType("webhook".to_owned()))
        );
        assert_eq!(Trigger::parse_phrase("! "), Err(TriggerError::NoName("!")));
    }

    #[test]
    fn display_reads_back() {
        for text in ["command:go", "schedule:daily", "keyword:a b", "!c"] {
            assert_eq!(Trigger::parse_phrase(text).unwrap().to_string(), text);
        }
    }
}
