//! What is taken from a request: queries, paths and JSON bodies, whose faults are told as problems.

use aide::OperationInput;
use aide::generate::GenContext;
use aide::openapi::Operation;
use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::problem::Problem;

/// The query of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Params<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query: Result<Query<T>, QueryRejection> = Query::from_request_parts(parts, state).await;
        match query {
            Ok(Query(params)) => Ok(Self(params)),
            Err(rejection) => Err(Problem::invalid(rejection.body_text())),
        }
    }
}

impl<T: JsonSchema> OperationInput for Params<T> {
    fn operation_input(context: &mut GenContext, operation: &mut Operation) {
        Query::<T>::operation_input(context, operation);
    }
}

/// The parts of a path that vary.
#[derive(Clone, Copy, Debug)]
pub(crate) struct In<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for In<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path: Result<Path<T>, PathRejection> = Path::from_request_parts(parts, state).await;
        match path {
            Ok(Path(path)) => Ok(Self(path)),
            Err(rejection) => Err(Problem::invalid(rejection.body_text())),
        }
    }
}

impl<T: JsonSchema> OperationInput for In<T> {
    fn operation_input(context: &mut GenContext, operation: &mut Operation) {
        Path::<T>::operation_input(context, operation);
    }
}

/// A body in JSON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let json: Result<Json<T>, JsonRejection> = Json::from_request(request, state).await;
        match json {
            Ok(Json(body)) => Ok(Self(body)),
            Err(rejection) => Err(refused(&rejection)),
        }
    }
}

impl<T: JsonSchema> OperationInput for Body<T> {
    fn operation_input(context: &mut GenContext, operation: &mut Operation) {
        Json::<T>::operation_input(context, operation);
    }
}

fn refused(rejection: &JsonRejection) -> Problem {
    let (status, text) = (rejection.status(), rejection.body_text());
    match status {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::new(status, "too-large", text),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Problem::new(status, "media-type", text),
        _ => Problem::invalid(text),
    }
}

/// Whether a request may change something, by its method.
pub(crate) fn is_change(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}
