//! The web panel: one page for people, made of files that are part of the program.
//!
//! ```text
//! browser ─GET /→ page ─→ modules and styles from /panel/ ─fetch→ /api/v1, as any other program
//! ```
//!
//! There is no way of its own into the engine: the panel sees and does what the interface for programs allows its token.
//! All that it shows of skills is hostile; see [`policy`] for what the browser is told, and [`markdown`] for text.

mod assets;
pub mod markdown;
pub mod policy;

use axum::Router;
use axum::body::Body;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use assets::Asset;

/// The page at `/` and its files below `/panel/`. Needs no state: nothing of it depends on whose skills are served.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/", get(page))
        .route("/panel/{*path}", get(file))
}

async fn page(headers: HeaderMap) -> Response {
    answer(&assets::PAGE, &headers)
}

async fn file(Path(path): Path<String>, headers: HeaderMap) -> Response {
    match assets::find(&path) {
        Some(asset) => answer(asset, &headers),
        None => (StatusCode::NOT_FOUND, policy::headers(), "no such file\n").into_response(),
    }
}

/// An asset, or that the one who asks has it already.
fn answer(asset: &'static Asset, headers: &HeaderMap) -> Response {
    let mut out = policy::headers();
    out.insert(header::ETAG, asset.tag());
    // Asked for again each time, and sent only after the program was replaced.
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    let known = headers.get_all(header::IF_NONE_MATCH);
    if known
        .iter()
        .any(|known| assets::is_among(&asset.tag(), known))
    {
        return (StatusCode::NOT_MODIFIED, out).into_response();
    }
    let kind = HeaderValue::from_static(asset.kind);
    out.insert(header::CONTENT_TYPE, kind);
    (out, Body::from(asset.content)).into_response()
}

#[cfg(test)]
mod tests;
