//! The guard: it reads every file of a skill and says what an attacker could be doing there, how bad that would be, and
//! how sure it is.
//!
//! The way of the data, each arrow one function:
//!
//! ```text
//! Bundle ─archive→ files ─units→ texts with their surroundings ─engines→ facts ─join→ findings ─judge→ Verdict
//! ```
//!
//! - A [`Bundle`] is bytes that the caller read. The crate opens no file, asks no network, and knows no clock.
//! - A *unit* is a text and where it stands: a paragraph under its headings, a fenced program, a value of the
//!   frontmatter, what an encoded piece holds.
//! - A *fact* is one observation: a pattern, a value that flows from a secret to the network, characters that hide.
//! - A [`Finding`] is what a rule makes of one fact, or of several that mean something together. Severity is the harm,
//!   confidence is lowered by context, one named reason at a time.
//! - The [`Verdict`] follows from findings and coverage by a [`Policy`], which is data.
//!
//! Work is counted, never clocked: the same bytes give the same report on every machine, with any number of threads.

mod archive;
mod binary;
mod budget;
mod bundle;
mod context;
mod coverage;
mod decode;
mod excerpt;
mod facts;
mod finding;
mod flow;
mod frontmatter;
mod git;
mod hex;
pub mod limits;
mod names;
mod packages;
mod padding;
mod policy;
mod powershell;
pub mod report;
mod rules;
mod scan;
mod script;
mod shell;
mod syntax;
mod text;
mod unicode;

pub use bundle::{Bundle, Content, FileInput};
pub use context::{Zone, program_name};
pub use coverage::{Coverage, Gap, GapKind};
#[doc(hidden)]
pub use decode::obey_laws;
pub use finding::{Category, Confidence, Finding, Lowering, Severity};
pub use git::is_run_by_git;
pub use policy::{
    Baseline, Decision, Judged, Policy, Preset, Suppressed, Suppression, Threshold, Trust,
    UnknownPreset, Verdict, decide,
};
pub use rules::{
    Engine, Example, ExampleFile, FactPattern, Pattern, Rule, RuleBook, RuleError, Scope, Together,
    Trigger, Within,
};
pub use scan::{Scan, scan};
