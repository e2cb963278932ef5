//! Search: which skills fit a request, the best first.
//!
//! ```text
//! Skill, text ─→ Document ─analyse→ terms ─build→ Index ─search(query)→ Hits
//! ```
//!
//! An [`Index`] is built once for a snapshot and never changed. It knows, for every term, in which skills it occurs and
//! how much it counts there: a term in a name says more than one in a heading, and one in a short description more
//! than one in a long text (BM25F). A query is brought into the same terms; a word that no skill uses is taken for a
//! slip of the keyboard, and words of the trade that mean the same find each other. The same skills and the same query
//! give the same hits in the same order on every machine.
//!
//! How well it works is measured by `benches/search_quality.rs`; docs/search.md tells how the ranking works.

#![expect(
    clippy::cast_precision_loss,
    reason = "scores are estimates, made of counts that a float holds exactly"
)]

mod analysis;
mod blend;
mod document;
mod filler;
mod index;
mod interner;
mod kin;
mod query;
mod rank;
mod stem;
mod vocabulary;
pub(crate) mod words;

pub use blend::{Blended, EmbedError, Embedder};
pub use document::Document;
pub use index::Index;
pub use rank::{Evidence, Hit, Options, Reason};

#[cfg(test)]
mod tests;
