//! Reads, checks, edits and writes Agent Skills: the `SKILL.md` format of agentskills.io and all its dialects.
//!
//! The way of the data, each arrow one function:
//!
//! ```text
//! bytes ─decode→ text ─parse→ Document ─read→ Manifest
//!                               │  └ validate, lint, profile → Diagnostics ─ fixes → text
//!                               └ format, convert, publish → text
//! ```
//!
//! Reading is tolerant: one fault costs one field, and what is wrong is a [`Diagnostic`] with a place and, where a
//! program can mend it, a [`Fix`]. Checking is strict. A [`Document`] keeps its source: unedited it gives back its exact
//! bytes. The crate is pure: no files, no clock, no environment.

mod block;
pub mod code;
pub mod convert;
pub mod decode;
pub mod diagnostic;
pub mod display;
pub mod document;
pub mod edit;
mod excerpt;
mod fence;
pub mod field;
pub mod format;
pub mod install;
pub mod invocation;
mod json;
mod key_line;
pub mod keys;
pub mod limits;
mod lines;
pub mod lint;
pub mod list;
pub mod manifest;
pub mod name;
pub mod node;
mod outline;
mod parse;
mod plain;
pub mod platform;
pub mod profile;
pub mod publish;
pub mod quote;
mod reader;
mod recover;
pub mod requirements;
mod shape;
pub mod sidecar;
pub mod span;
mod spelling;
mod tokens;
mod toml;
mod toml_write;
pub mod trigger;
pub mod validate;
mod yaml;
mod yaml_write;

pub use code::Code;
pub use decode::{DecodeError, Encoding, decode};
pub use diagnostic::{Diagnostic, Edit, Fix, Reporter, Severity};
pub use document::{Document, Entry, Frontmatter, Language};
pub use field::{Field, FieldValue};
pub use manifest::Manifest;
pub use name::{NameProblem, skill_id};
pub use node::{Node, Pair, Resolved, Scalar, ScalarStyle, Value};
pub use parse::{parse, parse_text};
#[doc(hidden)]
pub use plain::agrees_with_library;
pub use span::{Position, Span};
