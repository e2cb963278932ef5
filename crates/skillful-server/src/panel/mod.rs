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
use axum::extract::Path;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

/// The page at `/` and its files below `/panel/`. Needs no state: nothing of it depends on whose skills are served.
/// Whether the browser has the page already is for the caller to say, by the tag.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/", get(page))
        .route("/panel/{version}/{*path}", get(file))
}

async fn page() -> Response {
    let mut headers = policy::headers();
    headers.insert(header::ETAG, assets::PAGE_TAG.clone());
    // Asked for again each time, so that it names the files of the program that runs.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    let kind = HeaderValue::from_static(assets::PAGE_KIND);
    headers.insert(header::CONTENT_TYPE, kind);
    (headers, assets::PAGE.as_str()).into_response()
}

async fn file(Path((version, path)): Path<(String, String)>) -> Response {
    let mut headers = policy::headers();
    let asset = assets::find(&path).filter(|_| version == *assets::VERSION);
    let Some(asset) = asset else {
        return (StatusCode::NOT_FOUND, headers, "no such file\n").into_response();
    };
    let for_good = HeaderValue::from_static("public, max-age=31536000, immutable");
    headers.insert(header::CACHE_CONTROL, for_good);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.kind));
    (headers, asset.content).into_response()
}

#[cfg(test)]
mod tests;
