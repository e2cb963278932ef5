//! What a tool answers.
//!
//! Clients hand a model either the structured content or the text, seldom both; those that take the structured content
//! drop the text. So each of the two says everything, and what is one long text, a skill's, is text alone. Of an error
//! some clients take the text alone: its hints stand there as well.

use std::fmt::Write as _;

use rmcp::model::{CallToolResult, ContentBlock, MetaObject};
use serde_json::{Value, json};

use crate::failure::Failure;

/// A tool's answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Reply {
    /// What there is to read.
    pub(super) content: Vec<ContentBlock>,
    /// The same as data; nothing where the text is all there is to say.
    pub(super) structured: Option<Value>,
    /// What a program may want to know beside it, and a model need not.
    pub(super) meta: Option<MetaObject>,
}

impl Reply {
    /// A text, and the same as data.
    pub(super) fn both(text: impl Into<String>, structured: Value) -> Self {
        Self {
            content: vec![ContentBlock::text(text)],
            structured: Some(structured),
            meta: None,
        }
    }
}

impl From<Reply> for CallToolResult {
    fn from(reply: Reply) -> Self {
        let mut result = Self::success(reply.content);
        result.structured_content = reply.structured;
        result.meta = reply.meta;
        result
    }
}

/// A failure as a tool's answer, with what to do next.
pub(super) fn failed(failure: &Failure) -> CallToolResult {
    let mut text = sentence(&failure.message);
    for hint in &failure.hints {
        // Writing to a string cannot fail.
        let _ = write!(text, "\nWhat to do: {}", sentence(hint));
    }
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    result.structured_content = Some(json!({
        "error": {
            "kind": failure.kind.as_str(),
            "message": failure.message,
            "hints": failure.hints,
        }
    }));
    result
}

/// The text with an end.
fn sentence(text: &str) -> String {
    let end = if text.ends_with(['.', '?', '!']) {
        ""
    } else {
        "."
    };
    format!("{text}{end}")
}
