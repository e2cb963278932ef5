//! The write side of Skillful: everything that changes skills on disk, whoever asks for it.
//!
//! All of it is one thing, a *change*: a list of swaps, each of which takes one path from the state that it was seen in
//! to another. What both states hold lies in a store of objects before the change begins, so that a process killed at
//! any point leaves every skill wholly old or wholly new, and so that each change can be undone by its inverse.
//!
//! ```text
//! source ─fetch→ staging ─find→ skills ─gate→ Plan ─→ Change ─commit→ disk, journal, lock
//! ```

pub mod contract;
pub mod deps;
pub mod find;
pub mod limits;
pub mod pack;
pub mod progress;
pub mod publish;
pub mod source;
pub mod unpack;
