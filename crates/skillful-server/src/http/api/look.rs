//! Questions about all skills: search, match, catalog, status.

use aide::axum::ApiRouter;
use aide::axum::routing::{get_with, post_with};
use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;
use skillful::Budget;
use skillful::catalog::Form;
use skillful::contract::{CatalogDocument, MatchDocument, SearchDocument, StatusDocument};
use skillful::status::Filter;

use crate::http::app::App;
use crate::http::extract::{Body, Params};
use crate::http::page;
use crate::http::problem::Problem;
use crate::http::reply::Answered;
use crate::limits;
use crate::operations::{CatalogQuery, MatchQuery, SearchQuery, StatusQuery};

pub(super) fn routes() -> ApiRouter<App> {
    ApiRouter::new()
        .api_route(
            "/search",
            get_with(search, |it| {
                it.summary("Skills for a request, the best first")
            }),
        )
        .api_route(
            "/match",
            post_with(matches, |it| {
                it.summary("The skills that a message brings up by itself")
            }),
        )
        .api_route(
            "/prompt",
            get_with(prompt, |it| {
                it.summary("The catalog that a model is shown")
                    .description("Nothing is counted.")
            }),
        )
        .api_route(
            "/status",
            get_with(status, |it| it.summary("What is known of every skill")),
        )
}

/// What is looked for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SearchParams {
    /// The request, in any words.
    q: String,
    /// The most results.
    limit: Option<usize>,
}

async fn search(
    State(app): State<App>,
    Params(params): Params<SearchParams>,
) -> Answered<SearchDocument<'static>> {
    let limit = page::limit(
        params.limit,
        limits::SEARCH_RESULTS,
        limits::PAGE_ENTRIES_MAX,
    )?;
    let query = SearchQuery {
        text: params.q,
        limit: Some(limit),
    };
    app.answer(move |engine| engine.search(&query)).await
}

/// A message to an agent.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Message {
    /// Its text.
    #[serde(rename = "message")]
    text: String,
    /// The skill that a schedule names.
    skill: Option<String>,
    /// The most rounds of tool calls that the turn may take anyway.
    rounds: Option<u32>,
}

async fn matches(
    State(app): State<App>,
    Body(message): Body<Message>,
) -> Answered<MatchDocument<'static>> {
    let query = MatchQuery {
        text: message.text,
        skill: message.skill,
        rounds: message.rounds,
    };
    app.answer(move |engine| engine.matches(&query)).await
}

/// The room and form of a catalog; what is not said is taken from the configuration.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PromptParams {
    /// Most tokens, estimated.
    max_tokens: Option<usize>,
    /// Most characters.
    max_chars: Option<usize>,
    /// Most skills.
    max_skills: Option<usize>,
    /// The form, such as `aleph`, `markdown` or `claude-code`.
    r#as: Option<String>,
    /// Whether paths are named.
    locations: Option<bool>,
}

async fn prompt(
    State(app): State<App>,
    Params(params): Params<PromptParams>,
) -> Answered<CatalogDocument<'static>> {
    let form: Result<Option<Form>, _> = params.r#as.map(|word| word.parse()).transpose();
    let query = CatalogQuery {
        form: form.map_err(Problem::invalid)?.unwrap_or_default(),
        budget: Budget {
            entries: params.max_skills,
            characters: params.max_chars,
            tokens: params.max_tokens,
        },
        locations: params.locations.unwrap_or(false),
    };
    app.answer(move |engine| engine.catalog(&query)).await
}

/// Whose status is asked for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StatusParams {
    /// `all`, `ready`, `needs-setup`, `disabled`, `broken`, `stale`, `archived`, `withheld` or `suspect`.
    filter: Option<String>,
}

async fn status(
    State(app): State<App>,
    Params(params): Params<StatusParams>,
) -> Answered<StatusDocument<'static>> {
    let filter: Result<Option<Filter>, _> = params.filter.map(|word| word.parse()).transpose();
    let query = StatusQuery {
        ids: Vec::new(),
        filter: filter.map_err(Problem::invalid)?.unwrap_or_default(),
    };
    app.answer(move |engine| engine.status(&query)).await
}
