//! One event as a line of JSON.

use std::path::Path;

use serde::Serialize;
use skillful_store::Timestamp;

use super::schedule::RunJson;
use super::{PathText, VERSION};
use crate::events::Event;
use crate::schedule::Fired;

/// A line: `{"version", "sequence", "kind", "id"?, "path"?, "detail"?}`; of a run that is due also `"expression"`, `"due"`
/// (the moment that it should have run at, in RFC 3339) and what it asks for.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventLine<'a> {
    version: u32,
    sequence: u64,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<PathText<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'a str>,
    #[serde(flatten)]
    run: Option<FiredJson<'a>>,
}

/// `{"expression", "due", "prompt"?, "deliver"?, "no_agent"?}`.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FiredJson<'a> {
    expression: &'a str,
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    due: Timestamp,
    #[serde(flatten)]
    run: RunJson<'a>,
}

impl<'a> From<&'a Fired> for FiredJson<'a> {
    fn from(fired: &'a Fired) -> Self {
        Self {
            expression: &fired.expression,
            due: fired.due.into(),
            run: RunJson::from(&fired.run),
        }
    }
}

impl<'a> From<&'a Event> for EventLine<'a> {
    fn from(event: &'a Event) -> Self {
        let happening = &event.happening;
        Self {
            version: VERSION,
            sequence: event.sequence,
            kind: happening.kind.as_str(),
            id: happening.id.as_deref(),
            path: happening.path.as_deref().map(|path: &Path| PathText(path)),
            detail: happening.detail.as_deref(),
            run: happening.run.as_ref().map(FiredJson::from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::{EventKind, Happening};
    use crate::schedule::{Moment, Run};

    #[test]
    fn a_line_leaves_out_what_there_is_not() {
        let line = |happening| {
            let event = Event {
                sequence: 7,
                happening,
            };
            serde_json::to_string(&EventLine::from(&event)).unwrap()
        };
        assert_eq!(
            line(Happening::new(EventKind::Reloaded)),
            r#"{"version":1,"sequence":7,"kind":"reloaded"}"#
        );
        let full = Happening::new(EventKind::Broken)
            .of("deploy")
            .at("/r/deploy/SKILL.md")
            .saying("a \"reason\"\n");
        assert_eq!(
            line(full),
            r#"{"version":1,"sequence":7,"kind":"broken","id":"deploy","path":"/r/deploy/SKILL.md","detail":"a \"reason\"\n"}"#
        );
        let due = Happening::due(Fired {
            skill: "report".to_owned(),
            path: "/r/report/SKILL.md".into(),
            expression: "daily".to_owned(),
            run: Run::Automation {
                prompt: Some("Go".to_owned()),
                deliver: None,
                no_agent: false,
            },
            due: Moment(86_400),
        });
        assert_eq!(
            line(due),
            r#"{"version":1,"sequence":7,"kind":"due","id":"report","path":"/r/report/SKILL.md","detail":"`daily`: Go","expression":"daily","due":"1970-01-02T00:00:00Z","prompt":"Go","no_agent":false}"#
        );
    }
}
