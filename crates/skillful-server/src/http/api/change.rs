//! Changing skills: writing them, and choosing how they are used.

use aide::axum::ApiRouter;
use aide::axum::routing::{delete_with, get_with, post_with, put_with};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::Deserialize;
use skillful::Mode;
use skillful::config::Level;
use skillful::contract::{
    AcceptDocument, AuthoredDocument, ChangeDocument, LifecycleDocument, UndoDocument,
};
use skillful_manage::author::{NewSkill, Target, Where};
use skillful_manage::contract::ChangedDocument;
use skillful_store::Reason;

use crate::http::app::App;
use crate::http::extract::{Body, In, Params};
use crate::http::problem::Problem;
use crate::http::reply::Answered;
use crate::operations::{By, Edit, Switches, Wish};

/// What needs the scope `read`.
pub(super) fn reading() -> ApiRouter<App> {
    ApiRouter::new().api_route(
        "/history/{seq}",
        get_with(changed, |it| {
            it.summary("One change, with what differs file by file")
        }),
    )
}

/// What needs the scope `write`.
pub(super) fn writing() -> ApiRouter<App> {
    ApiRouter::new()
        .api_route(
            "/skills",
            post_with(create, |it| it.summary("Write a new skill")),
        )
        .api_route(
            "/skills/{id}",
            delete_with(remove, |it| it.summary("Delete a skill; it can be undone")),
        )
        .api_route(
            "/skills/{id}/source",
            put_with(replace, |it| it.summary("Replace its SKILL.md")),
        )
        .api_route(
            "/skills/{id}/patch",
            post_with(patch, |it| it.summary("Replace one place of its text")),
        )
        .api_route(
            "/skills/{id}/rename",
            post_with(rename, |it| it.summary("Give it another name")),
        )
        .api_route(
            "/skills/{id}/fix",
            post_with(fix, |it| {
                it.summary("Apply the fixes that its diagnostics offer")
            }),
        )
        .api_route(
            "/skills/{id}/files/{*path}",
            put_with(write_file, |it| it.summary("Write a file of it"))
                .delete_with(remove_file, |it| it.summary("Remove a file of it")),
        )
        .api_route(
            "/skills/{id}/switches",
            put_with(switches, |it| {
                it.summary("Say whether, how and where it is used")
            }),
        )
        .api_route(
            "/skills/{id}/pin",
            post_with(pin, |it| {
                it.summary("Keep it as it is, and its catalog entry whole")
            }),
        )
        .api_route(
            "/skills/{id}/unpin",
            post_with(unpin, |it| it.summary("Treat it like any other")),
        )
        .api_route(
            "/skills/{id}/archive",
            post_with(archive, |it| it.summary("Put it away")),
        )
        .api_route(
            "/skills/{id}/restore",
            post_with(restore, |it| it.summary("Bring it back")),
        )
        .api_route(
            "/history/{seq}/undo",
            post_with(undo, |it| it.summary("Undo a change")),
        )
        .api_route(
            "/history/redo",
            post_with(redo, |it| it.summary("Make a change again that was undone")),
        )
}

/// What needs the scope `admin`.
pub(super) fn administering() -> ApiRouter<App> {
    ApiRouter::new()
        .api_route(
            "/skills/{id}/accept",
            post_with(accept, |it| {
                it.summary("Accept its files as a person looked at them")
            })
            .delete_with(revoke, |it| it.summary("Take that back")),
        )
        .api_route(
            "/config/{key}",
            put_with(set, |it| it.summary("Say something in the configuration"))
                .delete_with(unset, |it| it.summary("Take it out")),
        )
}

async fn edit(
    app: &App,
    edit: Edit,
    confirm: Option<String>,
) -> Answered<AuthoredDocument<'static>> {
    let by = By {
        confirmed: confirm,
        ..By::USER
    };
    app.answer(move |engine| engine.edit(&edit, &by)).await
}

/// The digest that the caller saw: what the body says, else `If-Match`.
fn expected(given: Option<String>, headers: &HeaderMap) -> Option<String> {
    let tag = headers
        .get(header::IF_MATCH)
        .and_then(|tag| tag.to_str().ok());
    let tag = tag.map(|tag| tag.trim_start_matches("W/").trim_matches('"').to_owned());
    given.or(tag).filter(|digest| digest != "*")
}

/// A new skill.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct New {
    /// Its name, which becomes its id.
    name: String,
    /// What it does and when to use it.
    description: String,
    /// Its instructions.
    body: Option<String>,
    /// `user` or `project`; the usual place where nothing is said.
    place: Option<Place>,
    /// The digest of what a person looked at, where the guard asked for that.
    confirm: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Place {
    User,
    Project,
}

async fn create(
    State(app): State<App>,
    Body(new): Body<New>,
) -> Answered<AuthoredDocument<'static>> {
    let place = match new.place {
        None => Where::Usual,
        Some(Place::User) => Where::User,
        Some(Place::Project) => Where::Project,
    };
    let mut skill = NewSkill::new(new.name, new.description).placed(place);
    skill.body = new.body;
    let reply = edit(&app, Edit::Create(skill), new.confirm).await?;
    let id = reply.value()["id"].as_str().unwrap_or_default().to_owned();
    Ok(reply
        .with_status(StatusCode::CREATED)
        .with_header(header::LOCATION, &format!("/api/v1/skills/{id}")))
}

/// A new text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Source {
    /// The whole SKILL.md.
    text: String,
    /// The digest of the skill's files as they were read; `If-Match` says the same.
    expect_digest: Option<String>,
    /// The digest of what a person looked at, where the guard asked for that.
    confirm: Option<String>,
}

async fn replace(
    State(app): State<App>,
    In(id): In<String>,
    headers: HeaderMap,
    Body(source): Body<Source>,
) -> Answered<AuthoredDocument<'static>> {
    let skill = Target::from(id).expecting(expected(source.expect_digest, &headers));
    let text = source.text;
    edit(&app, Edit::Replace { skill, text }, source.confirm).await
}

/// One place of a text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Patch {
    /// The file; the skill's own where none is named.
    file: Option<String>,
    /// What stands there exactly once.
    find: String,
    /// What is to stand there.
    replace: String,
    expect_digest: Option<String>,
    confirm: Option<String>,
}

async fn patch(
    State(app): State<App>,
    In(id): In<String>,
    headers: HeaderMap,
    Body(patch): Body<Patch>,
) -> Answered<AuthoredDocument<'static>> {
    let change = Edit::Patch {
        skill: Target::from(id).expecting(expected(patch.expect_digest, &headers)),
        file: patch.file,
        find: patch.find,
        replace: patch.replace,
    };
    edit(&app, change, patch.confirm).await
}

/// Another name.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Rename {
    name: String,
    expect_digest: Option<String>,
}

async fn rename(
    State(app): State<App>,
    In(id): In<String>,
    headers: HeaderMap,
    Body(rename): Body<Rename>,
) -> Answered<AuthoredDocument<'static>> {
    let skill = Target::from(id).expecting(expected(rename.expect_digest, &headers));
    let name = rename.name;
    edit(&app, Edit::Rename { skill, name }, None).await
}

/// What a file is to hold: `text`, or `base64`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FileContent {
    /// Its text.
    text: Option<String>,
    /// Its bytes, for what is no text.
    base64: Option<String>,
    /// Whether it may be executed; nothing leaves that as it is.
    executable: Option<bool>,
    expect_digest: Option<String>,
    confirm: Option<String>,
}

async fn write_file(
    State(app): State<App>,
    In((id, path)): In<(String, String)>,
    headers: HeaderMap,
    Body(file): Body<FileContent>,
) -> Answered<AuthoredDocument<'static>> {
    let content = match (file.text, file.base64) {
        (Some(text), None) => text.into_bytes(),
        (None, Some(text)) => STANDARD
            .decode(text)
            .map_err(|error| Problem::invalid(format_args!("`base64`: {error}")))?,
        _ => return Err(Problem::invalid("a file has `text` or `base64`")),
    };
    let change = Edit::WriteFile {
        skill: Target::from(id).expecting(expected(file.expect_digest, &headers)),
        path,
        content,
        executable: file.executable,
    };
    edit(&app, change, file.confirm).await
}

async fn remove_file(
    State(app): State<App>,
    In((id, path)): In<(String, String)>,
    headers: HeaderMap,
) -> Answered<AuthoredDocument<'static>> {
    let skill = Target::from(id).expecting(expected(None, &headers));
    edit(&app, Edit::RemoveFile { skill, path }, None).await
}

/// How much of it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RemoveParams {
    /// Even if its directory holds more than the skill.
    everything: Option<bool>,
}

async fn remove(
    State(app): State<App>,
    In(id): In<String>,
    Params(params): Params<RemoveParams>,
    headers: HeaderMap,
) -> Answered<AuthoredDocument<'static>> {
    let change = Edit::Delete {
        skill: Target::from(id).expecting(expected(None, &headers)),
        everything: params.everything.unwrap_or(false),
    };
    edit(&app, change, None).await
}

async fn fix(State(app): State<App>, In(id): In<String>) -> Answered<AuthoredDocument<'static>> {
    app.answer(move |engine| engine.fix(&id, &By::USER)).await
}

/// What is to be changed; what is not named stays.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Switched {
    /// Whether it is in use at all.
    enabled: Option<bool>,
    /// `auto`, `manual` and so on, as `skillful mode` has them.
    mode: Option<String>,
    /// Where it is offered.
    scope: Option<String>,
}

async fn switches(
    State(app): State<App>,
    In(id): In<String>,
    Body(wanted): Body<Switched>,
) -> Answered<ChangeDocument<'static>> {
    let mode: Option<Mode> = wanted
        .mode
        .map(|word| word.parse().map_err(Problem::invalid))
        .transpose()?;
    let scope = wanted
        .scope
        .map(|word| word.parse().map_err(Problem::invalid))
        .transpose()?;
    let switches = Switches {
        enabled: wanted.enabled,
        mode,
        scope,
    };
    app.answer(move |engine| engine.configure(&id, switches, &By::USER))
        .await
}

async fn wish(app: App, id: String, wish: Wish) -> Answered<LifecycleDocument<'static>> {
    app.answer(move |engine| engine.wish(&id, &wish)).await
}

async fn pin(State(app): State<App>, In(id): In<String>) -> Answered<LifecycleDocument<'static>> {
    wish(app, id, Wish::Pin).await
}

async fn unpin(State(app): State<App>, In(id): In<String>) -> Answered<LifecycleDocument<'static>> {
    wish(app, id, Wish::Unpin).await
}

/// Why.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Archiving {
    reason: Option<String>,
}

async fn archive(
    State(app): State<App>,
    In(id): In<String>,
    Body(archiving): Body<Archiving>,
) -> Answered<LifecycleDocument<'static>> {
    let reason: Option<Reason> = archiving
        .reason
        .map(|reason| reason.parse().map_err(Problem::invalid))
        .transpose()?;
    wish(app, id, Wish::Archive(reason)).await
}

async fn restore(
    State(app): State<App>,
    In(id): In<String>,
) -> Answered<LifecycleDocument<'static>> {
    wish(app, id, Wish::Restore).await
}

async fn changed(State(app): State<App>, In(seq): In<u64>) -> Answered<ChangedDocument<'static>> {
    app.answer(move |engine| engine.changed(seq)).await
}

async fn undo(State(app): State<App>, In(seq): In<u64>) -> Answered<UndoDocument<'static>> {
    app.answer(move |engine| engine.undo_by(Some(seq), &By::USER))
        .await
}

/// Which.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Redo {
    /// The number of the undo; the newest where none is named.
    seq: Option<u64>,
}

async fn redo(State(app): State<App>, Body(redo): Body<Redo>) -> Answered<UndoDocument<'static>> {
    app.answer(move |engine| engine.redo_by(redo.seq, &By::USER))
        .await
}

/// What was looked at, and why it is accepted.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Accepting {
    digest: String,
    reason: String,
}

async fn accept(
    State(app): State<App>,
    In(id): In<String>,
    Body(accepting): Body<Accepting>,
) -> Answered<AcceptDocument<'static>> {
    app.answer(move |engine| engine.accept(&id, &accepting.digest, &accepting.reason))
        .await
}

async fn revoke(State(app): State<App>, In(id): In<String>) -> Answered<AcceptDocument<'static>> {
    app.answer(move |engine| engine.revoke(&id)).await
}

/// The file that is changed.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Layer {
    /// The user's own.
    #[default]
    User,
    /// The project's.
    Project,
}

impl From<Layer> for Level {
    fn from(layer: Layer) -> Self {
        match layer {
            Layer::User => Self::User,
            Layer::Project => Self::Project,
        }
    }
}

/// What a key is to be. A list is written as `skillful config set` takes it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Setting {
    value: String,
    #[serde(default)]
    layer: Layer,
}

async fn set(
    State(app): State<App>,
    In(key): In<String>,
    Body(setting): Body<Setting>,
) -> Answered<ChangeDocument<'static>> {
    app.answer(move |engine| engine.set(&key, &setting.value, setting.layer.into()))
        .await
}

/// The file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UnsetParams {
    #[serde(default)]
    layer: Layer,
}

async fn unset(
    State(app): State<App>,
    In(key): In<String>,
    Params(params): Params<UnsetParams>,
) -> Answered<ChangeDocument<'static>> {
    app.answer(move |engine| engine.unset(&key, params.layer.into()))
        .await
}
