//! Which request goes where.

use aide::openapi::OpenApi;
use axum::Router;
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::access::require;
use super::api;
use super::app::App;
use super::gate::gate;
use super::health::{health, readiness};
use super::metrics::metrics;
use super::problem::Problem;
use super::reply::only_if_changed;
use super::tokens::Scope;
use super::well_known;
use super::{mount, openapi};

/// All routes.
pub(crate) fn router(app: &App) -> Router {
    let mut document = OpenApi::default();
    let api = api::routes().finish_api_with(&mut document, openapi::described);
    let api = api.merge(openapi::routes(&document));
    let machine = Router::new()
        .route("/metrics", get(metrics))
        .merge(well_known::routes())
        .route_layer(from_fn_with_state(Scope::Read, require));
    Router::new()
        .nest(openapi::BASE, api)
        .merge(machine)
        .merge(mount::routes(app))
        .route("/healthz", get(health))
        .route("/readyz", get(readiness))
        .fallback(absent)
        .method_not_allowed_fallback(not_so)
        .layer(from_fn(only_if_changed))
        .layer(from_fn_with_state(app.clone(), gate))
        .with_state(app.clone())
}

async fn absent(uri: Uri) -> Response {
    Problem::not_found(format_args!("there is nothing at {:?}", uri.path()))
        .hint("/api/v1/docs says what there is")
        .into_response()
}

async fn not_so(method: Method, uri: Uri) -> Response {
    let detail = format!("{:?} cannot be asked with {method}", uri.path());
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method", detail).into_response()
}
