//! The server as its clients meet it: the SDK's own client over streams in memory, in each era of the protocol, and over
//! HTTP.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where its helpers fail"
)]

mod conformance;
mod eras;
mod extension;
mod http;
mod notices;
mod prompts;
mod resources;
mod tools;
mod world;
