//! What else hangs on the same address: the Model Context Protocol at `/mcp`, and the panel at `/`.
//!
//! Who is asked and who asks has been looked at by then, for every request alike.

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use rmcp::transport::streamable_http_server::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use tower::ServiceExt;

use super::access::{Caller, require};
use super::app::App;
use super::stop::UntilStop;
use super::tokens::Scope;
use crate::mcp::{self, McpOptions, McpReach, McpServer};
use crate::panel;

type Service = StreamableHttpService<McpServer, LocalSessionManager>;

/// One server for those who may change skills, and one for those who may not.
#[derive(Clone)]
struct Servers {
    reading: Service,
    writing: Service,
    app: App,
}

/// `/mcp`, and `/`, as far as they are wanted.
pub(crate) fn routes(app: &App) -> Router<App> {
    let options = app.options();
    let mut routes = Router::new();
    if let Some(options) = &options.mcp {
        let service = |allow_write| {
            let options = McpOptions {
                allow_write,
                ..options.clone()
            };
            let server = McpServer::new(app.engine().clone(), options);
            mcp::service(&server, McpReach::Checked)
        };
        let servers = Servers {
            reading: service(false),
            writing: service(options.allow_write),
            app: app.clone(),
        };
        let mcp: Router<App> = Router::new()
            .route("/mcp", any(answer))
            .with_state(servers)
            .route_layer(from_fn_with_state(Scope::Read, require));
        routes = routes.merge(mcp);
    }
    if options.panel {
        routes = routes.merge(panel::router());
    }
    routes
}

async fn answer(State(servers): State<Servers>, mut request: Request) -> Response {
    let scope = request
        .extensions()
        .get::<Caller>()
        .and_then(|caller| caller.scope);
    // It was looked at, and means nothing to the service, which knows no other names of this server.
    request.headers_mut().remove(header::ORIGIN);
    let service = if scope >= Some(Scope::Write) {
        servers.writing
    } else {
        servers.reading
    };
    match service.oneshot(request).await {
        // A client listens for as long as it likes, and the server ends all the same.
        Ok(response) => response
            .map(|body| {
                Body::new(UntilStop::new(
                    Body::new(body),
                    servers.app.stop().listener(),
                ))
            })
            .into_response(),
        Err(never) => match never {},
    }
}
