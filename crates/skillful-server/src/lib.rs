//! The same engine for any agent over MCP, for programs over HTTP, for people in a browser.
//!
//! ```text
//!  MCP client ─→ mcp ──┐
//!  program    ─→ http ─┼→ operations ─→ Engine ─→ runtime (skillful), write side (skillful-manage)
//!  browser    ─→ panel ┘                  └→ events ─→ notifications, SSE
//! ```
//!
//! Nothing here decides anything about skills: requests are translated, authorised, and handed down.

pub mod demo;
mod engine;
mod failure;
mod hex;
pub mod http;
pub mod limits;
pub mod mcp;
pub mod operations;
pub mod panel;
mod runtime;

pub use engine::{Engine, Settings};
pub use failure::{Failure, FailureKind};
pub use runtime::{block_on, interrupted};
