//! Taking connections, and ending in good order.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::time::{sleep, timeout};

use super::app::{App, Options};
use super::connections::Connections;
use super::router::router;
use super::tokens::TokenError;
use crate::engine::Engine;
use crate::limits;
use crate::operations::SWEEP;
use crate::runtime::{block_on, interrupted};

/// How long is waited when the operating system has no room for one more connection.
const NO_ROOM: Duration = Duration::from_millis(50);

/// The server could not be started, or could not go on.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be had.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the operating system says.
        error: io::Error,
    },
    /// Other machines could reach it, and nobody would have to show who they are.
    #[error(
        "{address} can be reached from other machines, and there is no token that they would have to show"
    )]
    NoToken {
        /// The address.
        address: SocketAddr,
    },
    /// The tokens cannot be read, so that nobody knows who may ask.
    #[error(transparent)]
    Tokens(#[from] TokenError),
    /// A name or origin that can be none.
    #[error("`{text}` is no {what}")]
    Name {
        /// What was given.
        text: String,
        /// What it was to be.
        what: &'static str,
    },
    /// Threads, signals or sockets cannot be had.
    #[error("the server cannot run: {0}")]
    Run(io::Error),
}

/// A server that has its address and answers nobody yet.
#[derive(Debug)]
pub struct Bound {
    listener: std::net::TcpListener,
    address: SocketAddr,
    app: App,
}

impl Bound {
    /// Takes the address.
    ///
    /// # Errors
    ///
    /// Every [`ServeError`].
    pub fn new(engine: Engine, options: Options) -> Result<Self, ServeError> {
        let address = options.listen;
        let tokens = App::read_tokens(&engine)?;
        if !address.ip().is_loopback() && tokens.is_none_or(|tokens| tokens.all().is_empty()) {
            return Err(ServeError::NoToken { address });
        }
        options.check()?;
        let taken = |error| ServeError::Listen { address, error };
        let listener = std::net::TcpListener::bind(address).map_err(taken)?;
        listener.set_nonblocking(true).map_err(taken)?;
        let address = listener.local_addr().map_err(taken)?;
        Ok(Self {
            listener,
            address,
            app: App::new(engine, options, address),
        })
    }

    /// The address; with the port that was found where port 0 was asked for.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until the process is told to end; then finishes what is under way, as far as that does not take
    /// long.
    ///
    /// # Errors
    ///
    /// [`ServeError::Run`].
    pub fn run(self) -> Result<(), ServeError> {
        // Work that a thread is in the middle of is not waited for: a change that is cut off is finished or taken back by
        // whoever writes next.
        block_on(self.serve(interrupted())).map_err(ServeError::Run)?
    }

    /// The same until `end` is ready, in a runtime of the caller's.
    ///
    /// # Errors
    ///
    /// [`ServeError::Run`].
    pub async fn serve(self, end: impl Future<Output = ()>) -> Result<(), ServeError> {
        let listener = TcpListener::from_std(self.listener).map_err(ServeError::Run)?;
        let most = self.app.options().connections;
        let connections = Arc::new(Connections::new(most, self.app.options().head_time));
        let router = router(&self.app);
        let counting = tokio::spawn(count_events(self.app.clone()));
        let sweeping = tokio::spawn(sweep_plans(self.app.clone()));
        let mut end = std::pin::pin!(end);
        loop {
            let accepted = tokio::select! {
                () = end.as_mut() => break,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, _)) => {
                    let stopping = self.app.stop().listener();
                    let serving = connections.serve(stream, router.clone(), stopping);
                    tokio::select! {
                        () = end.as_mut() => break,
                        () = serving => {}
                    }
                }
                Err(error) if is_of_one_connection(&error) => {}
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be taken");
                    connections.make_room();
                    sleep(NO_ROOM).await;
                }
            }
            let open = i64::try_from(connections.len()).unwrap_or(i64::MAX);
            self.app.metrics().connections().set(open);
        }
        drop(listener);
        tracing::info!("ending");
        self.app.stop().begin();
        counting.abort();
        sweeping.abort();
        let ended = connections.ended(most);
        if timeout(limits::GRACE_TIME, ended).await.is_err() {
            tracing::warn!("answers were cut off: they took too long");
        }
        Ok(())
    }
}

/// Whether an error is about a connection that is gone already.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    )
}

/// Counts events by kind, until the server ends.
async fn count_events(app: App) {
    let Ok(mut subscription) = app.run(|engine| Ok(engine.system()?.subscribe())).await else {
        return;
    };
    while let Some(event) = subscription.next_event().await {
        app.metrics().happened(event.happening.kind.as_str());
    }
}

/// Forgets plans that nobody asks for, until the server ends.
async fn sweep_plans(app: App) {
    loop {
        sleep(SWEEP).await;
        let plans = app.plans().clone();
        // Private places are removed with them, which may take a while.
        let _ = tokio::task::spawn_blocking(move || plans.sweep()).await;
    }
}
