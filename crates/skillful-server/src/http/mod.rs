//! The engine over HTTP: an interface for programs under `/api/v1`, and whatever else hangs on the same address.
//!
//! ```text
//! connection ─listen→ Host, Origin, rate ─gate→ who asks ─scope→ handler ─spawn_blocking→ operation ─→ document
//! ```
//!
//! A handler extracts, asks one operation, and renders its document; it decides nothing.

mod api;
mod app;
mod events;
mod extract;
mod listen;
mod page;
mod problem;
mod reply;
mod router;
mod stop;

pub use app::Options;
pub use listen::{Bound, ServeError};
