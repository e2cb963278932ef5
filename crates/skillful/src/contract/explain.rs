//! What `explain` answers.

use serde::Serialize;
use skillful_guard::Rule;
use skillmd::Code;

use super::VERSION;
use super::scan::RuleJson;

/// All codes and all rules of the guard: `{"version", "codes", "rules"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CodesDocument<'a> {
    version: u32,
    codes: Vec<CodeJson>,
    rules: Vec<RuleJson<'a>>,
}

impl<'a> CodesDocument<'a> {
    /// The document of all codes, in the order of their table, and of these rules.
    pub fn all(rules: impl IntoIterator<Item = &'a Rule>) -> Self {
        Self {
            version: VERSION,
            codes: Code::ALL.iter().copied().map(CodeJson::from).collect(),
            rules: rules.into_iter().map(RuleJson::from).collect(),
        }
    }
}

/// The page of one code: that of [`CodesDocument`] with `"version"` and `"explanation"`, in Markdown.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExplainDocument {
    #[serde(flatten)]
    code: CodeJson,
    version: u32,
    explanation: &'static str,
}

impl From<Code> for ExplainDocument {
    fn from(code: Code) -> Self {
        Self {
            code: CodeJson::from(code),
            version: VERSION,
            explanation: code.explanation(),
        }
    }
}

/// One code: `{"code", "severity", "checked_severity", "summary"}`; `check` has the second severity, `list` and `show`
/// the first.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct CodeJson {
    code: &'static str,
    severity: &'static str,
    checked_severity: &'static str,
    summary: &'static str,
}

impl From<Code> for CodeJson {
    fn from(code: Code) -> Self {
        Self {
            code: code.as_str(),
            severity: code.severity().as_str(),
            checked_severity: code.checked_severity().as_str(),
            summary: code.summary(),
        }
    }
}
