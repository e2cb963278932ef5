//! The runtime.
pub mod clients;
pub mod discover;
pub mod host;
pub mod limits;
pub mod problem;
mod read;
pub mod roots;
