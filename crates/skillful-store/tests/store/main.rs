//! What every store does, told once for all of them, and what stores share with other threads and processes.

#![expect(clippy::unwrap_used, reason = "a test ends where its helpers fail")]

mod backends;
mod journal;
mod laws;
mod sharing;
mod story;
