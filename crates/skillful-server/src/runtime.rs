//! The asynchronous runtime that servers run on, and its end.

use std::io;

use tokio::runtime::Builder;

use crate::limits;

/// Runs a server to its end. Nothing that still waits for the world outside, such as a read of standard input, holds up
/// the process after that.
///
/// # Errors
///
/// When the system gives no threads.
pub fn block_on<T>(server: impl Future<Output = T>) -> io::Result<T> {
    let runtime = Builder::new_multi_thread()
        .enable_all()
        .thread_name("skillful-server")
        .max_blocking_threads(limits::BLOCKING_THREADS)
        .build()?;
    let done = runtime.block_on(server);
    runtime.shutdown_background();
    Ok(done)
}

/// Waits until the process is told to end: by Ctrl-C, or by the signal that service managers send.
pub async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let Ok(mut terminate) = signal(SignalKind::terminate()) else {
            return wait_for_interrupt().await;
        };
        tokio::select! {
            _ = terminate.recv() => {}
            () = wait_for_interrupt() => {}
        }
    }
    #[cfg(not(unix))]
    wait_for_interrupt().await;
}

async fn wait_for_interrupt() {
    if tokio::signal::ctrl_c().await.is_err() {
        // It cannot be told; the end comes another way.
        std::future::pending::<()>().await;
    }
}
