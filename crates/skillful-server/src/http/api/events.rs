//! What happens, as it happens.

use aide::axum::ApiRouter;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::http::app::App;
use crate::http::extract::Params;
use crate::http::problem::Problem;

pub(super) fn routes() -> ApiRouter<App> {
    ApiRouter::new().route("/events", get(events))
}

/// Where the events begin.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EventsParams {
    /// The number of the last event that is known; without one, events begin now. `Last-Event-ID` says the same, and
    /// counts more.
    since: Option<u64>,
}

async fn events(
    State(app): State<App>,
    Params(params): Params<EventsParams>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let since = match last {
        Some(id) => Some(
            id.parse()
                .map_err(|_| Problem::invalid(format_args!("`{id}` is no number of an event")))?,
        ),
        None => params.since,
    };
    let subscription = app
        .run(move |engine| {
            let system = engine.system()?;
            Ok(match since {
                Some(sequence) => system.subscribe_from(sequence),
                None => system.subscribe(),
            })
        })
        .await?;
    Ok(app.stream(subscription)?.into_answer().into_response())
}
