//! What every request passes, whatever it is for: who it is meant for, where it comes from, who sends it and how often;
//! and what every answer is given along.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Instant;

use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::timeout;

use super::access::caller;
use super::app::App;
use super::extract::is_change;
use super::problem::Problem;
use crate::limits;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Where everything lies that only programs ask for.
const API: &str = "/api/";

/// Lets a request through, or says why not.
pub(crate) async fn gate(State(app): State<App>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let id = request_id(&app, request.headers());
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or("none", MatchedPath::as_str).to_owned();
    let is_api = path.starts_with(API);
    let mut allowed_origin = None;
    let mut response = match admit(&app, request, is_api, &mut allowed_origin).await {
        Ok(Admitted::Request(request)) => next.run(*request).await,
        Ok(Admitted::Preflight) => preflight(),
        Err(problem) => problem.into_response(),
    };
    let status = response.status();
    dress(response.headers_mut(), &id, is_api, allowed_origin);
    let took = begun.elapsed();
    app.metrics().answered(&method, &route, status, took);
    tracing::info!(
        request = id,
        method = %method,
        path = ?path,
        status = status.as_u16(),
        milliseconds = u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        "answered"
    );
    response
}

/// What becomes of a request that nothing stands against.
enum Admitted {
    Request(Box<Request>),
    /// A browser asks whether a page of another site may ask.
    Preflight,
}

async fn admit(
    app: &App,
    request: Request,
    is_api: bool,
    allowed_origin: &mut Option<HeaderValue>,
) -> Result<Admitted, Problem> {
    *allowed_origin = app.names().check(request.uri(), request.headers())?;
    if is_api && allowed_origin.is_none() {
        refuse_other_sites(request.headers())?;
    }
    let address = address(&request);
    if request.method() == Method::OPTIONS && allowed_origin.is_some() {
        app.rate().take(&address.to_string())?;
        return Ok(Admitted::Preflight);
    }
    let caller = caller(app, request.headers()).inspect_err(|_| {
        // Guessing is slowed down as everything else is.
        let _ = app.rate().take(&address.to_string());
    })?;
    app.rate().take(&caller.key(address))?;
    let mut request = request;
    request.extensions_mut().insert(caller);
    if is_change(request.method()) {
        if is_api {
            demand_json(request.headers())?;
        }
        request = with_whole_body(request).await?;
    }
    Ok(Admitted::Request(Box::new(request)))
}

/// A page of another site can make a browser ask without an `Origin`, as for an image. Browsers say so.
fn refuse_other_sites(headers: &HeaderMap) -> Result<(), Problem> {
    match headers.get(FETCH_SITE).map(HeaderValue::as_bytes) {
        Some(b"cross-site" | b"same-site") => Err(Problem::new(
            StatusCode::FORBIDDEN,
            "foreign-origin",
            "a page of another site may not ask this server",
        )),
        _ => Ok(()),
    }
}

/// Only JSON changes anything: a form of another site cannot send that without asking first.
fn demand_json(headers: &HeaderMap) -> Result<(), Problem> {
    let given = headers.get(header::CONTENT_TYPE);
    let given = given
        .and_then(|given| given.to_str().ok())
        .unwrap_or_default();
    let essence = given.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "media-type",
        "what changes something must say `Content-Type: application/json`",
    ))
}

/// The same request with its body read, as far as that is not too much and does not take too long.
async fn with_whole_body(request: Request) -> Result<Request, Problem> {
    let too_large = || {
        Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too-large",
            format_args!("a request has at most {} bytes", limits::BODY_BYTES),
        )
    };
    let declared = request.headers().get(header::CONTENT_LENGTH);
    let declared = declared.and_then(|it| it.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|length| length > limits::BODY_BYTES as u64) {
        return Err(too_large());
    }
    let (parts, body) = request.into_parts();
    match timeout(limits::BODY_TIME, to_bytes(body, limits::BODY_BYTES)).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(parts, Body::from(bytes))),
        Ok(Err(_)) => Err(too_large()),
        Err(_) => Err(Problem::new(
            StatusCode::REQUEST_TIMEOUT,
            "invalid",
            "the request took too long to arrive",
        )),
    }
}

fn address(request: &Request) -> IpAddr {
    let known = request.extensions().get::<ConnectInfo<SocketAddr>>();
    known.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |known| known.0.ip())
}

fn preflight() -> Response {
    let headers = [
        (
            header::ACCESS_CONTROL_ALLOW_METHODS,
            HeaderValue::from_static("GET, HEAD, POST, PUT, DELETE"),
        ),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            HeaderValue::from_static("authorization, content-type, if-none-match, last-event-id"),
        ),
        (
            header::ACCESS_CONTROL_MAX_AGE,
            HeaderValue::from_static("600"),
        ),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}

/// What every answer says. What a handler said itself stays.
fn dress(headers: &mut HeaderMap, id: &str, is_api: bool, allowed_origin: Option<HeaderValue>) {
    let mut set = |name: HeaderName, value: &'static str| {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    };
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    set(header::X_FRAME_OPTIONS, "DENY");
    set(
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    );
    set(
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    );
    if is_api {
        // Kept to be asked about, where there is a tag to ask with.
        let has_tag = headers.contains_key(header::ETAG);
        let kept = if has_tag {
            "private, no-cache"
        } else {
            "no-store"
        };
        headers
            .entry(header::CACHE_CONTROL)
            .or_insert(HeaderValue::from_static(kept));
        headers.append(
            header::VARY,
            HeaderValue::from_static("authorization, origin"),
        );
    }
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(REQUEST_ID, id);
    }
    if let Some(origin) = allowed_origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(
            header::ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static("etag, link, location, retry-after, x-request-id"),
        );
        let cross = HeaderValue::from_static("cross-origin");
        headers.insert(
            HeaderName::from_static("cross-origin-resource-policy"),
            cross,
        );
    }
}

/// The id that a request is spoken of by: the one that it came with where that is plain, else one of our own.
fn request_id(app: &App, headers: &HeaderMap) -> String {
    let given = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok());
    let is_plain = |id: &&str| {
        (1..=64).contains(&id.len())
            && id
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    match given.filter(is_plain) {
        Some(id) => id.to_owned(),
        None => app.next_request_id(),
    }
}
