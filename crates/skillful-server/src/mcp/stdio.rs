//! A server for the one client that started it, over standard input and output.

use rmcp::ServiceExt;
use rmcp::service::{QuitReason, ServerInitializeError};
use rmcp::transport::stdio_pipes;

use super::McpServer;
use super::lines::Lines;

/// Why a server over standard input and output could not go on.
#[derive(Debug, thiserror::Error)]
pub enum StdioError {
    /// The handshake failed in a way that leaves nothing to say to each other.
    #[error("the client and this server do not understand each other: {0}")]
    Handshake(String),
    /// The server itself failed.
    #[error("the server failed: {0}")]
    Failed(String),
}

/// Serves until the client closes standard input, or until `end` is done. What is under way is answered before that.
///
/// # Errors
///
/// [`StdioError`]. That a client goes is none.
pub async fn serve_stdio(
    server: McpServer,
    end: impl Future<Output = ()> + Send,
) -> Result<(), StdioError> {
    let (input, output) = stdio_pipes();
    serve(server, input, output, end).await
}

async fn serve<R, W>(
    server: McpServer,
    input: R,
    output: W,
    end: impl Future<Output = ()> + Send,
) -> Result<(), StdioError>
where
    R: tokio::io::AsyncRead + Send + Unpin + 'static,
    W: tokio::io::AsyncWrite + Send + Unpin + 'static,
{
    let mut end = std::pin::pin!(end);
    let started = tokio::select! {
        started = server.serve(Lines::new(input, output)) => started,
        () = &mut end => return Ok(()),
    };
    let running = match started {
        Ok(running) => running,
        // The client went before it had said who it is, or does not listen to the answer.
        Err(
            ServerInitializeError::ConnectionClosed(_)
            | ServerInitializeError::Cancelled
            | ServerInitializeError::TransportError { .. },
        ) => return Ok(()),
        Err(error) => return Err(StdioError::Handshake(error.to_string())),
    };
    let stop = running.cancellation_token();
    let mut waiting = std::pin::pin!(running.waiting());
    let ended = tokio::select! {
        ended = &mut waiting => ended,
        () = &mut end => {
            stop.cancel();
            waiting.await
        }
    };
    match ended {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(StdioError::Failed(error.to_string())),
        Ok(_) => Ok(()),
    }
}
