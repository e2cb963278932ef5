//! Which request goes where.

use axum::Router;
use axum::middleware::from_fn;

use super::api;
use super::app::App;
use super::reply::only_if_changed;

/// All routes.
pub(crate) fn router(app: &App) -> Router {
    let mut document = aide::openapi::OpenApi::default();
    let api = api::routes().finish_api(&mut document);
    Router::new()
        .nest("/api/v1", api.layer(from_fn(only_if_changed)))
        .with_state(app.clone())
}
