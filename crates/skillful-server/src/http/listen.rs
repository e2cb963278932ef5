//! Taking connections, and ending in good order.

use std::io;
use std::net::SocketAddr;

use tokio::net::TcpListener;

use super::app::{App, Options};
use super::router::router;
use crate::engine::Engine;

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
    /// Threads, signals or sockets cannot be had.
    #[error("the server cannot run: {0}")]
    Run(io::Error),
}

/// A server that has its address and answers nobody yet.
#[derive(Debug)]
pub struct Bound {
    listener: std::net::TcpListener,
    app: App,
}

impl Bound {
    /// Takes the address.
    ///
    /// # Errors
    ///
    /// [`ServeError::Listen`].
    pub fn new(engine: Engine, options: Options) -> Result<Self, ServeError> {
        let address = options.listen;
        let taken = |error| ServeError::Listen { address, error };
        let listener = std::net::TcpListener::bind(address).map_err(taken)?;
        listener.set_nonblocking(true).map_err(taken)?;
        Ok(Self {
            listener,
            app: App::new(engine, options),
        })
    }

    /// The address; with the port that was found where port 0 was asked for.
    ///
    /// # Errors
    ///
    /// [`ServeError::Run`].
    pub fn address(&self) -> Result<SocketAddr, ServeError> {
        self.listener.local_addr().map_err(ServeError::Run)
    }

    /// Answers requests until the process is told to end.
    ///
    /// # Errors
    ///
    /// [`ServeError::Run`].
    pub fn run(self) -> Result<(), ServeError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(ServeError::Run)?;
        runtime.block_on(async move {
            let listener = TcpListener::from_std(self.listener).map_err(ServeError::Run)?;
            axum::serve(listener, router(&self.app))
                .with_graceful_shutdown(async move {
                    let _ = tokio::signal::ctrl_c().await;
                    self.app.stop().begin();
                })
                .await
                .map_err(ServeError::Run)
        })
    }
}
