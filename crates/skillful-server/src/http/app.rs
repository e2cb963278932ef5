//! What every handler works with.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::http::StatusCode;
use skillful::Subscription;
use tokio::sync::Semaphore;

use super::events::EventStream;
use super::problem::Problem;
use super::reply::Answered;
use super::stop::Stop;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::limits;
use crate::operations::Answer;

/// How the server is to be reached, and how much may be done.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address; port 0 takes a free one.
    pub listen: SocketAddr,
}

/// The state of the server. A clone is the same server.
#[derive(Clone, Debug)]
pub(crate) struct App(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    engine: Engine,
    options: Options,
    stop: Stop,
    /// Places for those who follow events.
    followers: Arc<Semaphore>,
}

impl App {
    pub(crate) fn new(engine: Engine, options: Options) -> Self {
        Self(Arc::new(Inner {
            engine,
            options,
            stop: Stop::default(),
            followers: Arc::new(Semaphore::new(limits::FOLLOWERS)),
        }))
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.0.engine
    }

    pub(crate) fn options(&self) -> &Options {
        &self.0.options
    }

    pub(crate) fn stop(&self) -> &Stop {
        &self.0.stop
    }

    /// The events of a subscription, if there is a place for one more reader.
    pub(crate) fn stream(&self, subscription: Subscription) -> Result<EventStream, Problem> {
        let place = Arc::clone(&self.0.followers).try_acquire_owned();
        let place = place.map_err(|_| {
            let detail = format!(
                "{} follow events already, which is the most",
                limits::FOLLOWERS
            );
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", detail)
        })?;
        Ok(EventStream::new(
            subscription,
            self.0.stop.listener(),
            place,
        ))
    }

    /// Does what may block on a thread that may.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Engine) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Problem> {
        let engine = self.0.engine.clone();
        let done = tokio::task::spawn_blocking(move || work(&engine)).await;
        match done {
            Ok(done) => done.map_err(Problem::from),
            // What panicked has said so in the log.
            Err(_) => Err(Problem::unavailable(
                "the request ended in a fault of the server",
            )),
        }
    }

    /// Answers with the document of an operation.
    pub(crate) async fn answer<T: 'static>(
        &self,
        work: impl FnOnce(&Engine) -> Result<Answer<T>, Failure> + Send + 'static,
    ) -> Answered<T> {
        Ok(self.run(work).await?.into())
    }
}
