//! The machine: what there is in all, clients, roots, configuration, history, and what codes mean.

use aide::axum::ApiRouter;
use aide::axum::routing::{get_with, post_with};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Deserialize;
use skillful::contract::{
    ClientsDocument, CodesDocument, HistoryDocument, OverviewDocument, RootsDocument, ScanDocument,
    SettingsDocument, SourceDocument, TextCheckDocument, UsageDocument,
};

use crate::engine::Engine;
use crate::http::app::App;
use crate::http::extract::{Body, In, Params};
use crate::http::page;
use crate::http::problem::Problem;
use crate::http::reply::{Answered, Reply};
use crate::limits;
use crate::operations::Explained;

pub(super) fn routes() -> ApiRouter<App> {
    ApiRouter::new()
        .api_route(
            "/overview",
            get_with(overview, |it| {
                it.summary("What there is in all, and what needs attention")
            }),
        )
        .api_route(
            "/clients",
            get_with(clients, |it| {
                it.summary("The clients that are known, and what each reads")
            }),
        )
        .api_route(
            "/roots",
            get_with(roots, |it| it.summary("The directories that are searched")),
        )
        .api_route(
            "/config",
            get_with(config, |it| it.summary("What is set, and where")),
        )
        .api_route(
            "/explain",
            get_with(codes, |it| {
                it.summary("All codes of diagnostics and rules of the guard")
            }),
        )
        .api_route(
            "/explain/{code}",
            get_with(explain, |it| it.summary("The page of a code or rule")),
        )
        .api_route(
            "/check",
            post_with(check, |it| {
                it.summary("What is wrong with a text that is being edited")
                    .description("Nothing is written.")
            }),
        )
        .api_route(
            "/history",
            get_with(history, |it| it.summary("What was changed, newest first")),
        )
        .api_route(
            "/skills/{id}/source",
            get_with(source, |it| {
                it.summary("The text of a skill as it is on disk")
            }),
        )
        .api_route(
            "/skills/{id}/usage",
            get_with(usage, |it| it.summary("How it was used, day by day")),
        )
        .api_route(
            "/skills/{id}/findings",
            get_with(findings, |it| {
                it.summary("What the guard finds in its files")
            }),
        )
        .api_route(
            "/skills/{id}/history",
            get_with(history_of, |it| it.summary("What was changed of it")),
        )
}

async fn overview(State(app): State<App>) -> Answered<OverviewDocument<'static>> {
    app.answer(Engine::overview).await
}

async fn clients(State(app): State<App>) -> Answered<ClientsDocument<'static>> {
    app.answer(Engine::clients).await
}

async fn roots(State(app): State<App>) -> Answered<RootsDocument<'static>> {
    app.answer(Engine::roots).await
}

/// Which keys are meant.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ConfigParams {
    /// A key, or a section; all where none is named.
    key: Option<String>,
}

async fn config(
    State(app): State<App>,
    Params(params): Params<ConfigParams>,
) -> Answered<SettingsDocument<'static>> {
    app.answer(move |engine| engine.configuration(params.key.as_deref()))
        .await
}

async fn codes(State(app): State<App>) -> Answered<CodesDocument<'static>> {
    app.answer(Engine::codes).await
}

async fn explain(State(app): State<App>, In(code): In<String>) -> Result<Response, Problem> {
    Ok(match app.run(move |engine| engine.explain(&code)).await? {
        Explained::Code(answer) => Reply::from(answer).into_response(),
        Explained::Rule(answer) => Reply::from(answer).into_response(),
    })
}

/// A text that is being edited.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Text {
    /// The whole SKILL.md.
    text: String,
    /// The name of the directory that it is to lie in.
    name: Option<String>,
}

async fn check(
    State(app): State<App>,
    Body(text): Body<Text>,
) -> Answered<TextCheckDocument<'static>> {
    app.answer(move |engine| engine.check_text(&text.text, text.name.as_deref()))
        .await
}

/// Which changes are asked for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct HistoryParams {
    /// A skill; it may be gone.
    id: Option<String>,
    /// Only changes with a smaller number: the last one of the page before.
    before: Option<u64>,
    /// The most entries.
    limit: Option<usize>,
}

async fn history(
    State(app): State<App>,
    Params(params): Params<HistoryParams>,
) -> Answered<HistoryDocument<'static>> {
    let limit = page::limit(params.limit, limits::PAGE_ENTRIES, limits::PAGE_ENTRIES_MAX)?;
    app.answer(move |engine| engine.history(params.id.as_deref(), limit, params.before))
        .await
}

/// Which part of the history of a skill.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PartParams {
    /// Only changes with a smaller number.
    before: Option<u64>,
    /// The most entries.
    limit: Option<usize>,
}

async fn history_of(
    State(app): State<App>,
    In(id): In<String>,
    Params(params): Params<PartParams>,
) -> Answered<HistoryDocument<'static>> {
    let limit = page::limit(params.limit, limits::PAGE_ENTRIES, limits::PAGE_ENTRIES_MAX)?;
    app.answer(move |engine| engine.history(Some(&id), limit, params.before))
        .await
}

async fn source(State(app): State<App>, In(id): In<String>) -> Answered<SourceDocument<'static>> {
    app.answer(move |engine| engine.source(&id)).await
}

/// How far back.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UsageParams {
    /// How many days, today included; 30 where nobody says.
    days: Option<u32>,
}

async fn usage(
    State(app): State<App>,
    In(id): In<String>,
    Params(params): Params<UsageParams>,
) -> Answered<UsageDocument<'static>> {
    let days = params
        .days
        .unwrap_or(limits::USAGE_DAYS)
        .clamp(1, limits::USAGE_DAYS_MAX);
    app.answer(move |engine| engine.usage(&id, days)).await
}

async fn findings(State(app): State<App>, In(id): In<String>) -> Answered<ScanDocument<'static>> {
    app.answer(move |engine| engine.scan(&id)).await
}
