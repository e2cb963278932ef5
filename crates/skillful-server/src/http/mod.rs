//! The engine over HTTP: an interface for programs under `/api/v1`, and whatever else hangs on the same address.
//!
//! ```text
//! connection ─listen→ Host, Origin, rate ─gate→ who asks ─scope→ handler ─spawn_blocking→ operation ─→ document
//! ```
//!
//! A handler extracts, asks one operation, and renders its document; it decides nothing.

mod access;
mod api;
mod app;
mod connections;
mod events;
mod extract;
mod gate;
mod health;
mod listen;
mod logs;
mod metrics;
mod mount;
mod openapi;
mod origin;
mod page;
mod problem;
mod rate;
mod reply;
mod router;
mod stop;
mod tokens;
mod well_known;

pub use app::Options;
pub use listen::{Bound, ServeError};
pub use logs::{LogFormat, UnknownLogFormat, start_log};
pub use tokens::{Scope, Token, TokenError, TokenFile, Tokens, UnknownScope};
pub use well_known::{Offered, UnknownOffer};
