//! The skills of this machine for whoever wants to install them: Agent Skills discovery, in both of its versions.
//!
//! What an index says of a skill is made of its files at that moment; what is fetched is made anew, and handed out only
//! if it is what the index said. Nothing is kept but names and digests.

use std::collections::BTreeSet;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use skillful::{Config, Skill, Snapshot, Source, State as Standing};
use skillful_manage::gate::Gate;
use skillful_manage::pack::{Prepared, Wishes, prepare};
use skillful_manage::publish::{self, Artifact, indexes};

use super::app::App;
use super::extract::In;
use super::problem::Problem;
use super::reply::tag_of;
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use crate::limits;

/// Which ready skills others may install from here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Offered {
    /// Those of the user and of the project. What came with a program or a plugin has a source of its own.
    #[default]
    Own,
    /// All.
    All,
    /// None.
    Nothing,
}

/// A word that is no choice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no choice of skills; the choices are own, all, none")]
pub struct UnknownOffer(pub String);

impl FromStr for Offered {
    type Err = UnknownOffer;

    fn from_str(text: &str) -> Result<Self, UnknownOffer> {
        match text {
            "own" => Ok(Self::Own),
            "all" => Ok(Self::All),
            "none" => Ok(Self::Nothing),
            _ => Err(UnknownOffer(text.to_owned())),
        }
    }
}

impl Offered {
    fn takes(self, skill: &Skill) -> bool {
        let is_own = matches!(skill.root.source, Source::Global | Source::Workspace { .. });
        skill.state == Standing::Ready
            && match self {
                Self::Own => is_own,
                Self::All => true,
                Self::Nothing => false,
            }
    }
}

/// What the indexes say, as long as no skill changes.
#[derive(Debug, Default)]
pub(crate) struct Shelf(Mutex<Option<Arc<Stock>>>);

#[derive(Debug)]
struct Stock {
    /// The number of the snapshot that it was made of.
    sequence: u64,
    skills: Vec<(publish::Offered, String)>,
    index: Vec<u8>,
    old_index: Vec<u8>,
}

impl Shelf {
    /// What is offered at this moment.
    fn stock(&self, engine: &Engine, offered: Offered) -> Result<Arc<Stock>, Failure> {
        let snapshot = engine.snapshot()?;
        // Whoever comes while it is made waits for it rather than to make it again.
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stock) = &*kept
            && stock.sequence == snapshot.sequence()
        {
            return Ok(Arc::clone(stock));
        }
        let stock = Arc::new(Stock::of(&snapshot, offered));
        *kept = Some(Arc::clone(&stock));
        Ok(stock)
    }
}

impl Stock {
    fn of(snapshot: &Snapshot, offered: Offered) -> Self {
        let mut names = BTreeSet::new();
        let taken = snapshot
            .skills()
            .iter()
            .filter(|skill| offered.takes(skill));
        let skills: Vec<_> = taken
            .filter_map(|skill| match packed(skill, &snapshot.setup().config) {
                Ok((prepared, artifact)) => Some((
                    publish::Offered::new(&prepared, &artifact),
                    skill.id.clone(),
                )),
                Err(failure) => {
                    tracing::info!(skill = ?skill.id, reason = ?failure.message, "not offered");
                    None
                }
            })
            .filter(|(offered, _)| names.insert(offered.name.clone()))
            .take(limits::OFFERED)
            .collect();
        let (index, old_index) = indexes(skills.iter().map(|(offered, _)| offered));
        Self {
            sequence: snapshot.sequence(),
            skills,
            index,
            old_index,
        }
    }
}

/// What is handed out of a skill: only what may be packed.
fn packed(skill: &Skill, config: &Config) -> Result<(Prepared, Artifact), Failure> {
    let refused = |error: &dyn std::fmt::Display| Failure::new(FailureKind::Refused, error);
    let gate = Gate::of(config).map_err(|error| refused(&error))?;
    let prepared = prepare(skill, &Wishes::through(gate)).map_err(|error| refused(&error))?;
    let artifact = Artifact::of(&prepared).map_err(|error| refused(&error))?;
    Ok((prepared, artifact))
}

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/.well-known/agent-skills/index.json", get(index))
        .route("/.well-known/agent-skills/{*path}", get(artifact))
        .route("/.well-known/skills/index.json", get(old_index))
        .route("/.well-known/skills/{name}/{*path}", get(file))
}

async fn stock(app: &App) -> Result<Arc<Stock>, Problem> {
    let (own, offered) = (app.clone(), app.options().offered);
    app.run(move |engine| own.shelf().stock(engine, offered))
        .await
}

async fn index(State(app): State<App>) -> Result<Response, Problem> {
    Ok(json(stock(&app).await?.index.clone()))
}

async fn old_index(State(app): State<App>) -> Result<Response, Problem> {
    Ok(json(stock(&app).await?.old_index.clone()))
}

async fn artifact(State(app): State<App>, In(path): In<String>) -> Result<Response, Problem> {
    let (own, offered) = (app.clone(), app.options().offered);
    let artifact = app
        .run(move |engine| {
            let stock = own.shelf().stock(engine, offered)?;
            let mut skills = stock.skills.iter();
            let (offered, id) = skills.find(|(it, _)| it.path == path).ok_or_else(absent)?;
            let snapshot = engine.snapshot()?;
            let (_, artifact) = packed(snapshot.find(id)?, &snapshot.setup().config)?;
            // It changed while it was looked up.
            if artifact.digest != offered.digest {
                return Err(absent());
            }
            Ok(artifact)
        })
        .await?;
    Ok(bytes(artifact.bytes))
}

async fn file(
    State(app): State<App>,
    In((name, path)): In<(String, String)>,
) -> Result<Response, Problem> {
    let (own, offered) = (app.clone(), app.options().offered);
    let found = app
        .run(move |engine| {
            let stock = own.shelf().stock(engine, offered)?;
            let mut skills = stock.skills.iter();
            let (_, id) = skills.find(|(it, _)| it.name == name).ok_or_else(absent)?;
            let snapshot = engine.snapshot()?;
            let (prepared, _) = packed(snapshot.find(id)?, &snapshot.setup().config)?;
            let mut files = prepared.files.into_iter();
            let file = files.find(|file| file.path == path).ok_or_else(absent)?;
            Ok(file.bytes)
        })
        .await?;
    Ok(bytes(found))
}

fn absent() -> Failure {
    Failure::new(FailureKind::NotFound, "nothing is offered here")
        .hint("/.well-known/agent-skills/index.json lists what there is")
}

fn json(body: Vec<u8>) -> Response {
    answer(body, "application/json")
}

fn bytes(body: Vec<u8>) -> Response {
    answer(body, "application/octet-stream")
}

fn answer(body: Vec<u8>, media_type: &'static str) -> Response {
    let tag = tag_of(&body);
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(media_type)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    let mut response = (headers, body).into_response();
    if let Some(tag) = tag {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}
