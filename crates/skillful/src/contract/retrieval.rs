//! The JSON of `test`.

use serde::Serialize;

use super::search::{MatchJson, ReasonJson, reasons};
use super::{PathText, VERSION};
use crate::retrieval::{Found, Rival, Row, Rows, Verdict};

/// What became of retrieval rows: `{"version", "files", "summary"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TestDocument<'a> {
    version: u32,
    files: Vec<FileJson<'a>>,
    summary: TestSummary,
}

/// How many rows there are, and how many of them are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TestSummary {
    /// All rows.
    pub rows: usize,
    /// Rows all of whose promises are kept.
    pub passed: usize,
    /// The others.
    pub failed: usize,
    /// Lines and files that could not be read.
    pub problems: usize,
}

impl TestSummary {
    /// Counts.
    pub fn of(files: &[(Rows, Vec<Verdict<'_>>)]) -> Self {
        let verdicts = || files.iter().flat_map(|(_, verdicts)| verdicts);
        let rows = verdicts().count();
        let passed = verdicts().filter(|verdict| verdict.is_kept()).count();
        let problems = files.iter().map(|(rows, _)| rows.problems.len()).sum();
        Self {
            rows,
            passed,
            failed: rows - passed,
            problems,
        }
    }

    /// Whether every row was read and is kept.
    pub fn is_fine(&self) -> bool {
        self.failed == 0 && self.problems == 0
    }
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FileJson<'a> {
    path: PathText<'a>,
    rows: Vec<RowJson<'a>>,
    problems: Vec<ProblemJson<'a>>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ProblemJson<'a> {
    line: usize,
    message: &'a str,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct RowJson<'a> {
    line: usize,
    prompt: &'a str,
    passed: bool,
    expectations: Vec<ExpectationJson<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    outranked_by: Vec<RivalJson<'a>>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ExpectationJson<'a> {
    name: &'a str,
    id: Option<&'a str>,
    must_be_offered: bool,
    passed: bool,
    rank: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<ReasonJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matched: Option<MatchJson<'a>>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct RivalJson<'a> {
    id: &'a str,
    rank: usize,
    reasons: Vec<ReasonJson<'a>>,
}

impl<'a> TestDocument<'a> {
    /// The document of files with a verdict for each of their rows.
    pub fn new(files: &'a [(Rows, Vec<Verdict<'a>>)]) -> Self {
        let file = |(rows, verdicts): &'a (Rows, Vec<Verdict<'a>>)| FileJson {
            path: PathText(&rows.path),
            rows: rows
                .rows
                .iter()
                .zip(verdicts)
                .map(|(row, verdict)| row_json(row, verdict))
                .collect(),
            problems: rows
                .problems
                .iter()
                .map(|problem| ProblemJson {
                    line: problem.line,
                    message: &problem.message,
                })
                .collect(),
        };
        Self {
            version: VERSION,
            files: files.iter().map(file).collect(),
            summary: TestSummary::of(files),
        }
    }
}

fn row_json<'a>(row: &'a Row, verdict: &'a Verdict<'a>) -> RowJson<'a> {
    RowJson {
        line: row.line,
        prompt: &row.prompt,
        passed: verdict.is_kept(),
        expectations: verdict.found.iter().map(expectation).collect(),
        outranked_by: verdict.rivals.iter().map(rival).collect(),
    }
}

fn expectation<'a>(found: &'a Found<'a>) -> ExpectationJson<'a> {
    ExpectationJson {
        name: &found.name,
        id: found.id,
        must_be_offered: found.must,
        passed: found.is_kept,
        rank: found.rank,
        reasons: reasons(&found.reasons),
        matched: found.matched.as_ref().map(MatchJson::of),
    }
}

fn rival<'a>(rival: &'a Rival<'a>) -> RivalJson<'a> {
    RivalJson {
        id: rival.id,
        rank: rival.rank,
        reasons: reasons(&rival.reasons),
    }
}
