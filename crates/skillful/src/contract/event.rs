//! One event as a line of JSON.

use std::path::Path;

use serde::Serialize;

use super::{PathText, VERSION};
use crate::events::Event;

/// A line: `{"version", "sequence", "kind", "id"?, "path"?, "detail"?}`.
#[derive(Clone, Debug, Serialize)]
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
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::{EventKind, Happening};

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
    }
}
