//! Whether the server lives, and whether it can answer.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::app::App;

/// `{"status": "ok" | "starting", "version"}`.
#[derive(Debug, Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
}

/// `/healthz`: that the process answers.
pub(crate) async fn health() -> Response {
    told(StatusCode::OK, "ok")
}

/// `/readyz`: that the first search is done, so that nobody has to wait.
pub(crate) async fn readiness(State(app): State<App>) -> Response {
    if app.engine().is_ready() {
        told(StatusCode::OK, "ok")
    } else {
        told(StatusCode::SERVICE_UNAVAILABLE, "starting")
    }
}

fn told(code: StatusCode, status: &'static str) -> Response {
    let health = Health {
        status,
        version: env!("CARGO_PKG_VERSION"),
    };
    let headers = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    (code, headers, Json(health)).into_response()
}
