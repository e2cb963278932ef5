//! Skills: the list of them, and what there is to know of one.

use aide::axum::ApiRouter;
use aide::axum::routing::get_with;
use axum::extract::{OriginalUri, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Deserialize;
use skillful::activate::Framing;
use skillful::contract::{
    ActivationDocument, ListDocument, ShowDocument, StatusDocument, WhyDocument,
};
use skillful::guard::Verdict;
use skillful::{Invoker, Range, State as Standing};

use crate::http::app::App;
use crate::http::extract::{In, Params};
use crate::http::page;
use crate::http::problem::Problem;
use crate::http::reply::{Answered, Reply};
use crate::limits;
use crate::operations::{ListQuery, Order, Page, ReadQuery, StatusQuery};

pub(super) fn routes() -> ApiRouter<App> {
    ApiRouter::new()
        .api_route(
            "/skills",
            get_with(list, |it| it.summary("All skills, with their states")),
        )
        .api_route(
            "/skills/{id}",
            get_with(show, |it| it.summary("One skill in full")),
        )
        .api_route(
            "/skills/{id}/content",
            get_with(content, |it| {
                it.summary("A skill as an agent is given it")
                    .description("The same as `skillful read`; it counts as a read.")
            }),
        )
        .api_route(
            "/skills/{id}/files/{*path}",
            get_with(file, |it| {
                it.summary("A file of a skill")
                    .description("With `Accept: application/octet-stream` its bytes.")
            }),
        )
        .api_route(
            "/skills/{id}/why",
            get_with(why, |it| it.summary("Why it can be used, or cannot")),
        )
        .api_route(
            "/skills/{id}/status",
            get_with(status, |it| it.summary("What is known of it")),
        )
}

/// Which skills are listed: those that everything that is said takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListParams {
    /// Part of the id, name or description, in any case.
    text: Option<String>,
    /// States with commas in between: `ready`, `ineligible`, `disabled`, `archived`, `withheld`, `shadowed`, `broken`.
    state: Option<String>,
    /// `bundled`, `global`, `plugin` or `workspace`.
    source: Option<String>,
    /// A client that reads them.
    client: Option<String>,
    /// `safe`, `caution` or `dangerous`.
    verdict: Option<String>,
    /// `name`, `state`, `verdict` or `source`.
    sort: Option<String>,
    /// How many are left out before the page.
    offset: Option<usize>,
    /// How many the page may have.
    limit: Option<usize>,
}

async fn list(
    State(app): State<App>,
    OriginalUri(uri): OriginalUri,
    Params(params): Params<ListParams>,
) -> Answered<ListDocument<'static>> {
    let page = Page {
        offset: params.offset.unwrap_or(0),
        limit: page::limit(params.limit, limits::PAGE_ENTRIES, limits::PAGE_ENTRIES_MAX)?,
    };
    let query = ListQuery {
        text: params.text,
        states: states(params.state.as_deref().unwrap_or_default())?,
        source: params.source,
        client: params.client,
        verdict: params.verdict.as_deref().map(verdict).transpose()?,
        order: params
            .sort
            .as_deref()
            .map(order)
            .transpose()?
            .unwrap_or_default(),
        page,
    };
    let reply: Reply<_> = app.answer(move |engine| engine.list(&query)).await?;
    let total = reply.value()["total"].as_u64().unwrap_or(0);
    let links = page::links(&uri, page, usize::try_from(total).unwrap_or(usize::MAX));
    Ok(reply.with_header(header::LINK, &links))
}

fn states(text: &str) -> Result<Vec<Standing>, Problem> {
    const ALL: [Standing; 7] = [
        Standing::Ready,
        Standing::Ineligible,
        Standing::Disabled,
        Standing::Archived,
        Standing::Withheld,
        Standing::Shadowed,
        Standing::Broken,
    ];
    let words = text.split(',').filter(|word| !word.is_empty());
    words
        .map(|word| {
            let known = ALL.into_iter().find(|state| state.as_str() == word);
            known.ok_or_else(|| Problem::invalid(format_args!("`{word}` is no state")))
        })
        .collect()
}

fn verdict(word: &str) -> Result<Verdict, Problem> {
    let known = [Verdict::Safe, Verdict::Caution, Verdict::Dangerous];
    let known = known.into_iter().find(|verdict| verdict.as_str() == word);
    known.ok_or_else(|| Problem::invalid(format_args!("`{word}` is no verdict")))
}

fn order(word: &str) -> Result<Order, Problem> {
    let known = Order::ALL.into_iter().find(|(known, _)| *known == word);
    let unknown = || Problem::invalid(format_args!("`{word}` is no order of a list"));
    known.map(|(_, order)| order).ok_or_else(unknown)
}

async fn show(State(app): State<App>, In(id): In<String>) -> Answered<ShowDocument<'static>> {
    app.answer(move |engine| engine.show(&id)).await
}

/// How the text is wanted.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ContentParams {
    /// What the skill is activated with, as it was typed.
    arguments: Option<String>,
    /// What stands around the text: `wrapped`, `body`, `file` or `kesoku`.
    framing: Option<String>,
    /// Who wants it: `person` or `model`.
    invoker: Option<String>,
    /// The conversation's id.
    session: Option<String>,
    /// How many characters come before the part.
    start: Option<usize>,
    /// Most characters of the part.
    length: Option<usize>,
}

async fn content(
    State(app): State<App>,
    In(id): In<String>,
    Params(params): Params<ContentParams>,
) -> Answered<ActivationDocument<'static>> {
    let framing: Result<Option<Framing>, _> = params.framing.map(|word| word.parse()).transpose();
    let invoker = match params.invoker.as_deref() {
        None | Some("person") => Invoker::Person,
        Some("model") => Invoker::Model,
        Some(word) => {
            let detail = format_args!("`{word}` is nobody; it is `person` or `model`");
            return Err(Problem::invalid(detail));
        }
    };
    let query = ReadQuery {
        file: None,
        arguments: params.arguments,
        framing: framing.map_err(Problem::invalid)?.unwrap_or_default(),
        range: range(params.start, params.length),
        invoker,
        session: params.session,
    };
    app.answer(move |engine| engine.activate(&id, &query)).await
}

fn range(start: Option<usize>, length: Option<usize>) -> Range {
    match (start, length) {
        (None, None) => Range::Whole,
        (start, limit) => Range::Characters {
            offset: start.unwrap_or(0),
            limit,
        },
    }
}

/// Which part of a file is wanted.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FileParams {
    /// How many characters come before the part; bytes where the file is no text.
    start: Option<usize>,
    /// The most of the part.
    length: Option<usize>,
}

async fn file(
    State(app): State<App>,
    In((id, path)): In<(String, String)>,
    Params(params): Params<FileParams>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let range = range(params.start, params.length);
    if wants_bytes(&headers) {
        let bytes = app
            .run(move |engine| engine.bytes(&id, &path, range))
            .await?;
        let headers = [
            (
                header::CONTENT_TYPE,
                HeaderValue::from_static("application/octet-stream"),
            ),
            (
                header::CONTENT_DISPOSITION,
                HeaderValue::from_static("attachment"),
            ),
        ];
        return Ok((headers, bytes).into_response());
    }
    let reply: Reply<_> = app
        .answer(move |engine| engine.file(&id, &path, range))
        .await?;
    Ok(reply.into_response())
}

fn wants_bytes(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT);
    accepted.is_some_and(|accepted| accepted.as_bytes().starts_with(b"application/octet-stream"))
}

async fn why(State(app): State<App>, In(id): In<String>) -> Answered<WhyDocument<'static>> {
    app.answer(move |engine| engine.why(&id)).await
}

async fn status(State(app): State<App>, In(id): In<String>) -> Answered<StatusDocument<'static>> {
    let query = StatusQuery {
        ids: vec![id],
        ..StatusQuery::default()
    };
    app.answer(move |engine| engine.status(&query)).await
}
