//! Reports: the JSON contract, SARIF for code hosts, Markdown for people who review changes. All are values or texts;
//! writing them somewhere is the caller's work.

mod json;
mod markdown;
mod sarif;

pub use json::{BundleReport, FindingReport, GapReport, Report, SuppressedReport};
pub use markdown::markdown;
pub use sarif::{Located, sarif};
