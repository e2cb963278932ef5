//! What every handler works with.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use axum::http::StatusCode;
use skillful::Subscription;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::events::EventStream;
use super::listen::ServeError;
use super::metrics::Metrics;
use super::origin::Names;
use super::problem::Problem;
use super::rate::Rate;
use super::reply::Answered;
use super::stop::Stop;
use super::tokens::{Scope, TokenError, TokenFile, Tokens};
use super::well_known::{Offered, Shelf};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::hex::hex;
use crate::limits;
use crate::mcp::McpOptions;
use crate::operations::{Answer, Plans};

/// How the server is to be reached, and how much may be done.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Nobody may change anything, whatever token they show.
    pub read_only: bool,
    /// Everybody has to show a token, also programs of this machine.
    pub require_token: bool,
    /// Names of this server beside those of this machine, without a port.
    pub allow_hosts: Vec<String>,
    /// Sites whose pages may ask, such as `https://app.example.org`.
    pub allow_origins: Vec<String>,
    /// What agents may do over the Model Context Protocol at `/mcp`; nothing where there is no such.
    pub mcp: Option<McpOptions>,
    /// Whether there is a page for people at `/`.
    pub panel: bool,
    /// The skills that others may install from here.
    pub offered: Offered,
    /// Requests per second of one client in the long run; twice as many may come at once.
    pub requests_per_second: NonZeroU32,
    /// Connections at the same time. When there are as many, the one that has been idle for longest makes room.
    pub connections: usize,
    /// How long a client may take to send the head of a request, and how long a connection may be idle.
    pub head_time: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], limits::PORT)),
            read_only: false,
            require_token: false,
            allow_hosts: Vec::new(),
            allow_origins: Vec::new(),
            mcp: Some(McpOptions::default()),
            panel: true,
            offered: Offered::default(),
            requests_per_second: limits::REQUESTS_PER_SECOND,
            connections: limits::CONNECTIONS,
            head_time: limits::HEAD_TIME,
        }
    }
}

impl Options {
    /// The most that anybody may do.
    pub(crate) const fn most(&self) -> Scope {
        if self.read_only {
            Scope::Read
        } else {
            Scope::Admin
        }
    }

    /// Whether names and origins can be some.
    pub(crate) fn check(&self) -> Result<(), ServeError> {
        let faulty = |text: &String, what| ServeError::Name {
            text: text.clone(),
            what,
        };
        for host in &self.allow_hosts {
            let parsed = url::Host::parse(host);
            if parsed.map_or(true, |parsed| parsed.to_string() != host.to_lowercase()) {
                return Err(faulty(
                    host,
                    "name of a host, which has neither scheme nor port",
                ));
            }
        }
        for origin in &self.allow_origins {
            let parsed = url::Url::parse(origin).map(|url| url.origin().ascii_serialization());
            if parsed.map_or(true, |parsed| parsed != origin.to_lowercase()) {
                return Err(faulty(origin, "origin such as https://app.example.org"));
            }
        }
        Ok(())
    }
}

/// The state of the server. A clone is the same server.
#[derive(Clone, Debug)]
pub(crate) struct App(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    engine: Engine,
    options: Options,
    names: Names,
    rate: Rate,
    metrics: Metrics,
    tokens: Mutex<Option<ReadTokens>>,
    stop: Stop,
    shelf: Shelf,
    plans: Plans,
    /// Places for those who follow events.
    followers: Arc<Semaphore>,
    /// What our own request ids begin with, so that those of two runs differ.
    run: String,
    requests: AtomicU64,
}

/// Tokens as they were read, and the stamp of the file.
#[derive(Debug)]
struct ReadTokens {
    stamp: Option<(SystemTime, u64)>,
    read: SystemTime,
    tokens: Arc<Tokens>,
}

impl App {
    pub(crate) fn new(engine: Engine, options: Options, address: SocketAddr) -> Self {
        let mut run = [0; 4];
        // It need not be a secret.
        let _ = getrandom::fill(&mut run);
        Self(Arc::new(Inner {
            names: Names::new(address, &options.allow_hosts, &options.allow_origins),
            rate: Rate::new(options.requests_per_second),
            metrics: Metrics::default(),
            tokens: Mutex::new(None),
            stop: Stop::default(),
            shelf: Shelf::default(),
            plans: Plans::default(),
            followers: Arc::new(Semaphore::new(limits::FOLLOWERS)),
            run: hex(&run),
            requests: AtomicU64::new(0),
            engine,
            options,
        }))
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.0.engine
    }

    pub(crate) fn options(&self) -> &Options {
        &self.0.options
    }

    pub(crate) fn names(&self) -> &Names {
        &self.0.names
    }

    pub(crate) fn rate(&self) -> &Rate {
        &self.0.rate
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    pub(crate) fn stop(&self) -> &Stop {
        &self.0.stop
    }

    pub(crate) fn plans(&self) -> &Plans {
        &self.0.plans
    }

    pub(crate) fn shelf(&self) -> &Shelf {
        &self.0.shelf
    }

    pub(crate) fn next_request_id(&self) -> String {
        let number = self.0.requests.fetch_add(1, Ordering::Relaxed);
        format!("{}-{number}", self.0.run)
    }

    /// How many follow events.
    pub(crate) fn followers(&self) -> i64 {
        let free = self.0.followers.available_permits();
        i64::try_from(limits::FOLLOWERS - free).unwrap_or(i64::MAX)
    }

    /// Whether nobody has to show a token: only programs of this machine reach the server, and its owner made no token.
    pub(crate) fn is_open(&self) -> Result<bool, Problem> {
        let options = self.options();
        if options.require_token || !options.listen.ip().is_loopback() {
            return Ok(false);
        }
        Ok(self.tokens()?.is_none_or(|tokens| tokens.all().is_empty()))
    }

    /// The tokens as they are now; nothing where there is no place to keep any.
    pub(crate) fn tokens(&self) -> Result<Option<Arc<Tokens>>, Problem> {
        let Ok(data) = self.engine().data() else {
            return Ok(None);
        };
        let file = TokenFile::of(data);
        let stamp = file.stamp();
        let mut kept = self.0.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = &*kept
            && kept.stamp == stamp
            && is_settled(stamp, kept.read)
        {
            return Ok(Some(Arc::clone(&kept.tokens)));
        }
        let read = SystemTime::now();
        let tokens = Arc::new(file.read().map_err(Problem::unavailable)?);
        *kept = Some(ReadTokens {
            stamp,
            read,
            tokens: Arc::clone(&tokens),
        });
        Ok(Some(tokens))
    }

    /// The tokens at the start.
    pub(crate) fn read_tokens(engine: &Engine) -> Result<Option<Tokens>, TokenError> {
        let data = engine.data().ok();
        data.map(|data| TokenFile::of(data).read()).transpose()
    }

    /// A place among those who follow something.
    pub(crate) fn follower(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let place = Arc::clone(&self.0.followers).try_acquire_owned();
        place.map_err(|_| {
            let most = limits::FOLLOWERS;
            let detail = format!("{most} follow events already, which is the most");
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", detail)
        })
    }

    /// The events of a subscription, if there is a place for one more reader.
    pub(crate) fn stream(&self, subscription: Subscription) -> Result<EventStream, Problem> {
        let place = self.follower()?;
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

/// Whether a file that was read with this stamp would have another one if it was changed since: clocks of file systems
/// are coarse.
fn is_settled(stamp: Option<(SystemTime, u64)>, read: SystemTime) -> bool {
    let Some((modified, _)) = stamp else {
        return true;
    };
    let age = read.duration_since(modified);
    age.is_ok_and(|age| age > limits::COARSE_CLOCK)
}
