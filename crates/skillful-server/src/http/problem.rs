//! What goes wrong, as programs are told it: `application/problem+json` (RFC 9457), with `kind` and `hints` beside its
//! own members.

use std::fmt::Display;

use aide::OperationOutput;
use aide::generate::GenContext;
use aide::openapi::{MediaType, Operation, Response as ResponseDocument, SchemaObject};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::Schema;
use serde::Serialize;

use crate::failure::{Failure, FailureKind};

/// The media type of a problem.
pub(crate) const MEDIA_TYPE: &str = "application/problem+json";

/// Why a request was not answered as it was meant.
#[derive(Clone, Debug)]
pub(crate) struct Problem(Box<Told>);

/// What is told of it.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Problem")]
struct Told {
    /// Where this kind is explained.
    #[serde(rename = "type")]
    address: String,
    /// The kind in words.
    title: &'static str,
    /// The status of the answer.
    status: u16,
    /// What went wrong, in one sentence.
    detail: String,
    /// The kind for programs.
    kind: &'static str,
    /// Ways out, the likeliest first.
    hints: Vec<String>,
    /// Seconds after which it may be tried again.
    #[serde(skip)]
    retry_after: Option<u64>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, kind: &'static str, detail: impl Display) -> Self {
        Self(Box::new(Told {
            address: format!("/api/v1/docs#{kind}"),
            title: title(kind),
            status: status.as_u16(),
            detail: detail.to_string(),
            kind,
            hints: Vec::new(),
            retry_after: None,
        }))
    }

    /// What was asked makes no sense.
    pub(crate) fn invalid(detail: impl Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid", detail)
    }

    /// There is nothing of that name.
    pub(crate) fn not_found(detail: impl Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", detail)
    }

    /// The machine says no.
    pub(crate) fn unavailable(detail: impl Display) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "unavailable", detail)
    }

    /// The same with one more way out.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hints.push(hint.into());
        self
    }

    /// The same with the time after which it may be tried again.
    pub(crate) fn retry_after(mut self, seconds: u64) -> Self {
        self.0.retry_after = Some(seconds);
        self
    }

    pub(crate) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

/// The kinds, each with its title; the page of the interface explains them in this order.
pub(crate) const KINDS: &[(&str, &str)] = &[
    ("invalid", "The request makes no sense"),
    ("unauthenticated", "A token is needed"),
    ("forbidden", "The token does not reach that far"),
    ("foreign-host", "The request is not meant for this server"),
    ("foreign-origin", "The request comes from another site"),
    ("not-found", "There is no such thing"),
    ("method", "It cannot be asked in this way"),
    ("refused", "It is there, and not handed over or not changed"),
    ("conflict", "It is not as you believed"),
    ("too-large", "It is over a limit"),
    ("media-type", "The request must be JSON"),
    ("too-many-requests", "Too many requests"),
    ("busy", "Too much is under way"),
    ("unavailable", "The machine says no"),
];

fn title(kind: &str) -> &'static str {
    let known = KINDS.iter().find(|(known, _)| *known == kind);
    known.map_or("The request failed", |(_, title)| *title)
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        let status = match failure.kind {
            FailureKind::NotFound => StatusCode::NOT_FOUND,
            FailureKind::Invalid => StatusCode::BAD_REQUEST,
            FailureKind::Refused => StatusCode::FORBIDDEN,
            FailureKind::Conflict => StatusCode::CONFLICT,
            FailureKind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            FailureKind::Unavailable => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let mut problem = Self::new(status, failure.kind.as_str(), failure.message);
        problem.0.hints = failure.hints;
        problem
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self.0).unwrap_or_default();
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE)),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ];
        let mut response = (self.status(), headers, body).into_response();
        let headers = response.headers_mut();
        if let Some(seconds) = self.0.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status() == StatusCode::UNAUTHORIZED {
            let bearer = HeaderValue::from_static("Bearer realm=\"skillful\"");
            headers.insert(header::WWW_AUTHENTICATE, bearer);
        }
        response
    }
}

impl OperationOutput for Problem {
    type Inner = Self;

    fn operation_response(
        context: &mut GenContext,
        _operation: &mut Operation,
    ) -> Option<ResponseDocument> {
        let schema = context.schema.subschema_for::<Told>();
        Some(described("Why not", MEDIA_TYPE, schema))
    }
}

/// The description of an answer with one media type.
pub(crate) fn described(
    description: &str,
    media_type: &str,
    json_schema: Schema,
) -> ResponseDocument {
    let media = MediaType {
        schema: Some(SchemaObject {
            json_schema,
            external_docs: None,
            example: None,
        }),
        ..MediaType::default()
    };
    ResponseDocument {
        description: description.to_owned(),
        content: [(media_type.to_owned(), media)].into_iter().collect(),
        ..ResponseDocument::default()
    }
}
