//! Installing: plans that somebody decides about, and how what is installed stands.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use aide::axum::ApiRouter;
use aide::axum::routing::{delete_with, get_with, post_with};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillful_manage::contract::{
    DepsDocument, DiffDocument, InstalledDocument, OutdatedDocument, RemoveDocument, VerifyDocument,
};
use tokio::sync::{mpsc, watch};

use crate::http::app::App;
use crate::http::extract::{Body, In, Params};
use crate::http::problem::Problem;
use crate::http::reply::{Answered, Reply};
use crate::limits;
use crate::operations::{
    Adding, PlanProgress, PlanState, PlanStatusDocument, Proposing, Told, Updating,
};

/// What needs the scope `read`.
pub(super) fn reading() -> ApiRouter<App> {
    ApiRouter::new()
        .api_route(
            "/installed",
            get_with(installed, |it| it.summary("What is installed")),
        )
        .api_route(
            "/outdated",
            get_with(outdated, |it| {
                it.summary("Whether there is something newer")
                    .description("Asks the sources.")
            }),
        )
        .api_route(
            "/verify",
            get_with(verify, |it| {
                it.summary("Whether what is installed is as it was installed")
            }),
        )
        .api_route(
            "/diff/{id}",
            get_with(diff, |it| {
                it.summary("What was changed in an installed skill by hand")
            }),
        )
        .api_route(
            "/skills/{id}/deps",
            get_with(needs, |it| {
                it.summary("How the programs that it needs can be had")
            }),
        )
}

/// What needs the scope `write`.
pub(super) fn writing() -> ApiRouter<App> {
    ApiRouter::new()
        .api_route(
            "/plans",
            post_with(propose, |it| {
                it.summary("Fetch skills and look at them; nothing is placed")
            }),
        )
        .api_route(
            "/updates",
            post_with(propose_update, |it| {
                it.summary("The same with the newest versions of what is installed")
            }),
        )
        .api_route(
            "/plans/{plan}",
            get_with(plan, |it| it.summary("How a plan stands"))
                .delete_with(cancel, |it| it.summary("Give it up")),
        )
        .route("/plans/{plan}/events", axum::routing::get(follow))
        .api_route(
            "/plans/{plan}/apply",
            post_with(apply, |it| it.summary("Do what it says")),
        )
        .api_route(
            "/installed/{id}",
            delete_with(remove, |it| {
                it.summary("Take an installed skill away from every client")
            }),
        )
}

/// What needs the scope `admin`.
pub(super) fn administering() -> ApiRouter<App> {
    ApiRouter::new().api_route(
        "/skills/{id}/deps/install",
        post_with(install_needs, |it| {
            it.summary("Install the programs that it needs")
        }),
    )
}

/// Whose skills are meant.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReachParams {
    /// Those of the user rather than of the project.
    global: Option<bool>,
}

async fn installed(
    State(app): State<App>,
    Params(params): Params<ReachParams>,
) -> Answered<InstalledDocument<'static>> {
    app.answer(move |engine| engine.installed(params.global.unwrap_or(false)))
        .await
}

/// Which are asked about.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OutdatedParams {
    /// Ids with commas in between; all where none is named.
    ids: Option<String>,
    /// Those of the user rather than of the project.
    global: Option<bool>,
}

async fn outdated(
    State(app): State<App>,
    Params(params): Params<OutdatedParams>,
) -> Answered<OutdatedDocument<'static>> {
    let ids = params.ids.unwrap_or_default();
    let ids: Vec<String> = ids
        .split(',')
        .filter(|id| !id.is_empty())
        .map(str::to_owned)
        .collect();
    app.answer(move |engine| engine.outdated(&ids, params.global.unwrap_or(false)))
        .await
}

async fn verify(
    State(app): State<App>,
    Params(params): Params<ReachParams>,
) -> Answered<VerifyDocument<'static>> {
    app.answer(move |engine| engine.verify(params.global.unwrap_or(false)))
        .await
}

async fn diff(
    State(app): State<App>,
    In(id): In<String>,
    Params(params): Params<ReachParams>,
) -> Answered<DiffDocument<'static>> {
    app.answer(move |engine| engine.diff(&id, params.global.unwrap_or(false)))
        .await
}

async fn needs(State(app): State<App>, In(id): In<String>) -> Answered<DepsDocument<'static>> {
    app.answer(move |engine| engine.needs(&id)).await
}

/// What is to be added.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Add {
    /// Where it comes from, as `skillful add` takes it.
    source: String,
    /// Which of its skills; those that it offers by default where none is named.
    #[serde(default)]
    skills: Vec<String>,
    /// Ids of the clients that are to have them, or `all`; those that are there where none is named.
    #[serde(default)]
    clients: Vec<String>,
    /// For the user rather than for the project.
    #[serde(default)]
    global: bool,
    /// Every client gets a copy.
    #[serde(default)]
    copy: bool,
    /// Places that were changed since are replaced.
    #[serde(default)]
    discard_edits: bool,
}

async fn propose(State(app): State<App>, Body(add): Body<Add>) -> Answered<PlanStatusDocument> {
    begin(
        app,
        Proposing::Add(Adding {
            sources: vec![add.source],
            skills: add.skills,
            clients: add.clients,
            global: add.global,
            copy: add.copy,
            discard_edits: add.discard_edits,
        }),
    )
    .await
}

/// What is to be brought to its newest version.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Update {
    /// Which; all where none is named.
    #[serde(default)]
    ids: Vec<String>,
    /// Those that their source has no more are taken away.
    #[serde(default)]
    prune: bool,
    /// Those of the user rather than of the project.
    #[serde(default)]
    global: bool,
    /// Places that were changed since are replaced.
    #[serde(default)]
    discard_edits: bool,
}

async fn propose_update(
    State(app): State<App>,
    Body(update): Body<Update>,
) -> Answered<PlanStatusDocument> {
    begin(
        app,
        Proposing::Update(Updating {
            ids: update.ids,
            prune: update.prune,
            global: update.global,
            discard_edits: update.discard_edits,
        }),
    )
    .await
}

async fn begin(app: App, wish: Proposing) -> Answered<PlanStatusDocument> {
    let plans = app.plans().clone();
    let id = app.run(move |engine| plans.begin(engine, wish)).await?;
    let reply = status(&app, id.clone()).await?;
    Ok(reply
        .with_status(StatusCode::ACCEPTED)
        .with_header(header::LOCATION, &format!("/api/v1/plans/{id}")))
}

async fn status(app: &App, id: String) -> Answered<PlanStatusDocument> {
    let plans = app.plans().clone();
    app.answer(move |_| plans.status(&id)).await
}

async fn plan(State(app): State<App>, In(id): In<String>) -> Answered<PlanStatusDocument> {
    status(&app, id).await
}

async fn cancel(State(app): State<App>, In(id): In<String>) -> Result<Response, Problem> {
    let plans = app.plans().clone();
    app.run(move |_| plans.cancel(&id)).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// What somebody looked at.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Apply {
    /// The digests of the skills with findings that a person has looked at.
    #[serde(default)]
    digests: Vec<String>,
}

async fn apply(
    State(app): State<App>,
    In(id): In<String>,
    Body(decision): Body<Apply>,
) -> Answered<PlanStatusDocument> {
    let plans = app.plans().clone();
    let known = id.clone();
    app.run(move |engine| plans.apply(engine, &known, &decision.digests))
        .await?;
    let reply: Reply<_> = status(&app, id).await?;
    Ok(reply.with_status(StatusCode::ACCEPTED))
}

/// How a plan stands, as those who follow it are told.
#[derive(Debug, Serialize)]
struct Line {
    version: u32,
    state: PlanState,
    progress: PlanProgress,
}

/// Tells how far a plan comes, until it waits or is done.
async fn follow(State(app): State<App>, In(id): In<String>) -> Result<Response, Problem> {
    let plans = app.plans().clone();
    let told = app.run(move |_| plans.follow(&id)).await?;
    let place = app.follower()?;
    let (sender, receiver) = mpsc::channel(1);
    let stopping = app.stop().listener();
    tokio::spawn(async move {
        let _place = place;
        tokio::select! {
            () = pass_on(told, sender) => {}
            () = stopping.wait() => {}
        }
    });
    let stream = Sse::new(Channel(receiver));
    let stream = stream.keep_alive(KeepAlive::new().interval(Duration::from_secs(15)));
    Ok(stream.into_response())
}

/// What happens while the reader is busy is told as one: how it stands then.
async fn pass_on(mut told: watch::Receiver<Told>, sender: mpsc::Sender<SseEvent>) {
    loop {
        let line = {
            let told = told.borrow_and_update();
            Line {
                version: skillful::contract::VERSION,
                state: told.state,
                progress: told.progress.clone(),
            }
        };
        let is_over = line.state.is_at_rest();
        let event = SseEvent::default().id(line.progress.step.to_string());
        let Ok(event) = event.event("progress").json_data(&line) else {
            return;
        };
        if sender.send(event).await.is_err() || is_over || told.changed().await.is_err() {
            return;
        }
    }
}

struct Channel(mpsc::Receiver<SseEvent>);

impl Stream for Channel {
    type Item = Result<SseEvent, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|event| event.map(Ok))
    }
}

/// Whose, and how.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RemoveParams {
    /// That of the user rather than of the project.
    global: Option<bool>,
    /// Even if it was changed by hand.
    discard_edits: Option<bool>,
}

async fn remove(
    State(app): State<App>,
    In(id): In<String>,
    Params(params): Params<RemoveParams>,
) -> Answered<RemoveDocument<'static>> {
    let global = params.global.unwrap_or(false);
    let discard_edits = params.discard_edits.unwrap_or(false);
    app.answer(move |engine| engine.remove(&id, global, discard_edits))
        .await
}

/// What somebody agreed to.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct InstallNeeds {
    /// The digest that the plan names.
    digest: String,
    /// Seconds that one step may take.
    timeout: Option<u64>,
}

async fn install_needs(
    State(app): State<App>,
    In(id): In<String>,
    Body(agreed): Body<InstallNeeds>,
) -> Answered<DepsDocument<'static>> {
    let usual = limits::DEPS_SECONDS;
    let timeout = Duration::from_secs(agreed.timeout.unwrap_or(usual).clamp(1, usual));
    app.answer(move |engine| engine.install_needs(&id, agreed.digest, timeout))
        .await
}
