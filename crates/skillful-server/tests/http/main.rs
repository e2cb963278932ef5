//! The server as programs meet it: over real sockets, in a home of its own.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where its helpers fail"
)]

mod change;
mod connections;
mod discovery;
mod events;
mod interface;
mod plans;
mod read;
mod security;
mod server;
mod tokens;
