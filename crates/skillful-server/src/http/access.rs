//! How far a request may reach: scopes, and who has which.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::app::App;
use super::problem::Problem;
use super::tokens::{Scope, Token};

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    /// The name of the token; nothing for who came without one.
    pub(crate) token: Option<String>,
    /// How far they reach; nothing for who must show a token first.
    pub(crate) scope: Option<Scope>,
}

impl Caller {
    /// What allowance counts for: the token, else the address.
    pub(crate) fn key(&self, address: IpAddr) -> String {
        match &self.token {
            Some(name) => format!("token {name}"),
            None => address.to_string(),
        }
    }
}

/// Who sent these headers.
///
/// # Errors
///
/// 401 for a token that is not known, or does not count any more: whoever shows one wants it to count.
pub(crate) fn caller(app: &App, headers: &HeaderMap) -> Result<Caller, Problem> {
    let most = app.options().most();
    let Some(header) = headers.get(header::AUTHORIZATION) else {
        return Ok(Caller {
            token: None,
            scope: app.is_open()?.then_some(most),
        });
    };
    let secret = header.to_str().ok().and_then(|text| {
        let (scheme, secret) = text.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
    });
    let Some(secret) = secret else {
        return Err(unauthenticated("the request shows no bearer token"));
    };
    let Token { name, scope, .. } = app
        .tokens()?
        .and_then(|tokens| tokens.find(secret))
        .ok_or_else(|| unauthenticated("the token is not known, has expired, or was revoked"))?;
    Ok(Caller {
        token: Some(name),
        scope: Some(scope.min(most)),
    })
}

fn unauthenticated(detail: &str) -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "unauthenticated", detail)
        .hint("`skillful token create NAME` makes one; send it as `Authorization: Bearer TOKEN`")
}

/// Lets through who reaches at least this far.
pub(crate) async fn require(State(needed): State<Scope>, request: Request, next: Next) -> Response {
    let scope = request
        .extensions()
        .get::<Caller>()
        .and_then(|caller| caller.scope);
    match scope {
        Some(scope) if scope >= needed => next.run(request).await,
        Some(scope) => {
            let detail = format!("this needs the scope `{needed}`, and you have `{scope}`");
            Problem::new(StatusCode::FORBIDDEN, "forbidden", detail)
                .hint(format!("`skillful token create NAME --scope {needed}`; a server that was started with --read-only gives no more than `read`"))
                .into_response()
        }
        None => unauthenticated("a token is needed here").into_response(),
    }
}
