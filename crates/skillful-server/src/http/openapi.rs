//! The description of the interface: for programs as `OpenAPI` 3.1, for people as a page that runs no script.

use std::fmt::Write as _;
use std::sync::Arc;

use aide::openapi::{OpenApi, SecurityScheme, Server};
use aide::transform::TransformOpenApi;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::app::App;
use super::problem::{KINDS, Problem};

/// Where the interface lies.
pub(crate) const BASE: &str = "/api/v1";

const TITLE: &str = "Skillful";

const ABOUT: &str = "The Agent Skills of this machine. Answers are the documents that the command `skillful` prints with \
    `--json`; errors are problem documents (RFC 9457) with `kind` and `hints`. Send `If-None-Match` with the tag of an \
    answer to be told only what changed. Whatever changes something must say `Content-Type: application/json`.";

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;\
    color:#1c1c1e;background:#fff}code{font:14px/1.5 ui-monospace,monospace}table{border-collapse:collapse;width:100%}\
    th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid #ccc}\
    dt{margin-top:1rem}@media(prefers-color-scheme:dark){body{color:#eee;background:#161618}td,th{border-color:#444}\
    a{color:#8ab4ff}}";

/// What is said of the interface as a whole.
#[expect(
    clippy::default_trait_access,
    reason = "the type is that of a crate which is not used otherwise"
)]
pub(crate) fn described(api: TransformOpenApi<'_>) -> TransformOpenApi<'_> {
    let bearer = SecurityScheme::Http {
        scheme: "bearer".to_owned(),
        bearer_format: None,
        description: Some("A token of `skillful token create`.".to_owned()),
        extensions: Default::default(),
    };
    api.title(TITLE)
        .version(env!("CARGO_PKG_VERSION"))
        .description(ABOUT)
        .server(Server {
            url: BASE.to_owned(),
            ..Server::default()
        })
        .security_scheme("token", bearer)
        .security_requirement("token")
        .default_response::<Problem>()
}

/// Both forms, made once.
#[derive(Debug)]
struct Pages {
    document: Vec<u8>,
    page: String,
    policy: HeaderValue,
}

/// Where both forms are had. They say nothing about whose skills are served, so that nobody needs a token for them.
pub(crate) fn routes(document: &OpenApi) -> Router<App> {
    let document = serde_json::to_value(document).unwrap_or_default();
    let style = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{style}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    );
    let pages = Arc::new(Pages {
        page: page(&document),
        document: serde_json::to_vec(&document).unwrap_or_default(),
        policy: HeaderValue::from_str(&policy)
            .unwrap_or(HeaderValue::from_static("default-src 'none'")),
    });
    Router::new()
        .route("/openapi.json", get(for_programs))
        .route("/docs", get(for_people))
        .with_state(pages)
}

async fn for_programs(State(pages): State<Arc<Pages>>) -> Response {
    let json = HeaderValue::from_static("application/json");
    ([(header::CONTENT_TYPE, json)], pages.document.clone()).into_response()
}

async fn for_people(State(pages): State<Arc<Pages>>) -> Response {
    let headers: [(HeaderName, HeaderValue); 2] = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/html; charset=utf-8"),
        ),
        (header::CONTENT_SECURITY_POLICY, pages.policy.clone()),
    ];
    (headers, pages.page.clone()).into_response()
}

const METHODS: [&str; 4] = ["get", "post", "put", "delete"];

fn page(document: &Value) -> String {
    let mut rows = String::new();
    let empty = serde_json::Map::new();
    let paths = document["paths"].as_object().unwrap_or(&empty);
    for (path, methods) in paths {
        for method in METHODS {
            if let Some(operation) = methods.get(method) {
                // Writing to a string cannot fail.
                let _ = write!(
                    rows,
                    "<tr><td><code>{} {BASE}{}</code></td><td>{}{}</td></tr>",
                    method.to_uppercase(),
                    escaped(path),
                    escaped(operation["summary"].as_str().unwrap_or_default()),
                    parameters(operation)
                );
            }
        }
    }
    let mut kinds = String::new();
    for (kind, title) in KINDS {
        let _ = write!(
            kinds,
            "<dt id=\"{kind}\"><code>{kind}</code></dt><dd>{title}.</dd>"
        );
    }
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>{TITLE}: the interface for programs</title><style>{STYLE}</style></head>\
         <body><h1>The interface for programs</h1><p>{}</p><p>The same for programs: \
         <a href=\"{BASE}/openapi.json\">openapi.json</a>. Events as they happen: <code>GET {BASE}/events</code> and \
         <code>GET {BASE}/plans/{{plan}}/events</code>, as server-sent events.</p><h2>Routes</h2><table><thead><tr>\
         <th scope=\"col\">Route</th><th scope=\"col\">What it is for</th></tr></thead><tbody>{rows}</tbody></table>\
         <h2>Problems</h2><dl>{kinds}</dl></body></html>",
        escaped(ABOUT)
    )
}

fn parameters(operation: &Value) -> String {
    let Some(parameters) = operation["parameters"].as_array() else {
        return String::new();
    };
    let queries = parameters.iter().filter(|it| it["in"] == "query");
    let names: Vec<String> = queries
        .filter_map(|it| Some(format!("<code>{}</code>", escaped(it["name"].as_str()?))))
        .collect();
    if names.is_empty() {
        return String::new();
    }
    format!("<br>Takes {}.", names.join(", "))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
