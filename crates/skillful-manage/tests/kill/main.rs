//! Processes that are killed in the middle of a change, and disks that fail in the middle of one.
//!
//! `harness.rs` knows nothing of what is changed or by which program: it can drive any command that changes the files of
//! a [`harness::Stage`]. `scenarios.rs` has one scenario for every kind of change.

#![expect(clippy::unwrap_used, reason = "a test ends where its helpers fail")]

mod at_random;
mod at_steps;
mod failing;
mod harness;
mod scenarios;
