//! Authoring as those who embed it meet it: a home of its own for each test, and the verbs by their public API.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where its helpers fail"
)]

mod create;
mod files;
mod forms;
mod law;
mod links;
mod text;
mod undo;
mod world;
