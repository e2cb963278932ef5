//! How a document goes out: as JSON, with a tag that says whether it is the one that was asked for before.

use std::marker::PhantomData;

use aide::OperationOutput;
use aide::generate::GenContext;
use aide::openapi::{Operation, Response as ResponseDocument, StatusCode as StatusCodeDocument};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::problem::{Problem, described};
use crate::hex::hex;
use crate::operations::Answer;

/// What a handler gives: a document, or why there is none.
pub(crate) type Answered<T> = Result<Reply<T>, Problem>;

/// A document on its way out.
#[derive(Debug)]
pub(crate) struct Reply<T> {
    status: StatusCode,
    value: Value,
    headers: HeaderMap,
    contract: PhantomData<fn() -> T>,
}

impl<T> Reply<T> {
    pub(crate) fn of(value: Value) -> Self {
        Self {
            status: StatusCode::OK,
            value,
            headers: HeaderMap::new(),
            contract: PhantomData,
        }
    }

    /// The same with another status.
    pub(crate) fn with_status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// The same with a header, where its value can be one.
    pub(crate) fn with_header(mut self, name: header::HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.insert(name, value);
        }
        self
    }

    pub(crate) fn value(&self) -> &Value {
        &self.value
    }
}

impl<T> From<Answer<T>> for Reply<T> {
    fn from(answer: Answer<T>) -> Self {
        Self::of(answer.value)
    }
}

impl<T> IntoResponse for Reply<T> {
    fn into_response(self) -> Response {
        let body = match serde_json::to_vec(&self.value) {
            Ok(body) => body,
            Err(error) => return Problem::unavailable(error).into_response(),
        };
        let mut headers = self.headers;
        if self.status == StatusCode::OK
            && let Some(tag) = tag_of(&body)
        {
            headers.insert(header::ETAG, tag);
        }
        let json = HeaderValue::from_static("application/json");
        headers.insert(header::CONTENT_TYPE, json);
        (self.status, headers, body).into_response()
    }
}

/// The tag of an answer with this body.
pub(crate) fn tag_of(body: &[u8]) -> Option<HeaderValue> {
    let digest = hex(&Sha256::digest(body));
    HeaderValue::from_str(&format!("\"{digest}\"")).ok()
}

/// Leaves the body away where the one who asks has it already.
pub(crate) async fn only_if_changed(request: Request, next: Next) -> Response {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let known = request.headers().get(header::IF_NONE_MATCH).cloned();
    let response = next.run(request).await;
    let (Some(known), true) = (known, is_read && response.status() == StatusCode::OK) else {
        return response;
    };
    match response.headers().get(header::ETAG) {
        Some(tag) if matches(&known, tag) => {
            let headers = response.headers();
            let mut kept = HeaderMap::new();
            for name in [
                header::ETAG,
                header::CACHE_CONTROL,
                // A browser takes it for that of the page which it has.
                header::CONTENT_SECURITY_POLICY,
                header::LINK,
                header::VARY,
            ] {
                if let Some(value) = headers.get(&name) {
                    kept.insert(name, value.clone());
                }
            }
            (StatusCode::NOT_MODIFIED, kept).into_response()
        }
        _ => response,
    }
}

/// Whether a list of tags, as `If-None-Match` has it, holds this one. Tags are compared weakly (RFC 9110, 13.1.2).
fn matches(list: &HeaderValue, tag: &HeaderValue) -> bool {
    let (Ok(list), Ok(tag)) = (list.to_str(), tag.to_str()) else {
        return false;
    };
    list.split(',')
        .map(str::trim)
        .any(|item| item == "*" || item.strip_prefix("W/").unwrap_or(item) == tag)
}

impl<T: JsonSchema> OperationOutput for Reply<T> {
    type Inner = T;

    fn operation_response(
        _context: &mut GenContext,
        _operation: &mut Operation,
    ) -> Option<ResponseDocument> {
        let name = std::any::type_name::<T>();
        let name = name.split('<').next().unwrap_or(name);
        let name = name.rsplit("::").next().unwrap_or(name);
        let schema = skillful::contract::schema::of::<T>();
        Some(described(name, "application/json", schema))
    }

    fn inferred_responses(
        context: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<StatusCodeDocument>, ResponseDocument)> {
        let success = StatusCodeDocument::Range(2);
        let response = Self::operation_response(context, operation);
        response
            .into_iter()
            .map(|it| (Some(success.clone()), it))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_found_in_a_list_and_weak_ones_count() {
        let tag = tag_of(b"x").unwrap();
        let text = tag.to_str().unwrap();
        for list in [
            text.to_owned(),
            format!("\"a\", {text}"),
            format!("W/{text}"),
            "*".into(),
        ] {
            assert!(
                matches(&HeaderValue::from_str(&list).unwrap(), &tag),
                "{list}"
            );
        }
        assert!(!matches(&HeaderValue::from_static("\"a\""), &tag));
        assert_ne!(tag_of(b"y").unwrap(), tag);
    }
}
