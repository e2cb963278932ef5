//! Doing what was asked on a thread that may block, in turn, and only as long as somebody waits for the answer.

use std::sync::Arc;

use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};

use super::McpServer;
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Unanswered {
    /// It could not be done.
    Failed(Failure),
    /// Nobody waits for it any more.
    Gone,
}

impl From<Unanswered> for ErrorData {
    fn from(reason: Unanswered) -> Self {
        match reason {
            Unanswered::Failed(failure) => protocol_error(&failure),
            Unanswered::Gone => Self::internal_error("the request was cancelled", None),
        }
    }
}

impl McpServer {
    /// Runs `work` with the engine. A request that is cancelled while it waits for its turn is never begun, and nobody
    /// waits for one that is under way.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        work: impl FnOnce(&Engine) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Unanswered> {
        let turn = tokio::select! {
            biased;
            () = context.ct.cancelled() => return Err(Unanswered::Gone),
            turn = Arc::clone(&self.shared.turns).acquire_owned() => turn,
        };
        let Ok(turn) = turn else {
            return Err(Unanswered::Gone);
        };
        let engine = self.engine().clone();
        let task = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work(&engine)
        });
        tokio::select! {
            biased;
            done = task => match done {
                Ok(done) => done.map_err(Unanswered::Failed),
                Err(_) => Err(Unanswered::Failed(Failure::new(
                    FailureKind::Unavailable,
                    "the server failed while it worked on this; its log says more",
                ))),
            },
            () = context.ct.cancelled() => Err(Unanswered::Gone),
        }
    }
}

/// A failure as an error of the protocol: where what was asked for is not there, the code says so; what a person or a
/// model can do about it is part of the message.
pub(super) fn protocol_error(failure: &Failure) -> ErrorData {
    let mut message = failure.message.clone();
    for hint in &failure.hints {
        message.push_str("; ");
        message.push_str(hint);
    }
    match failure.kind {
        FailureKind::NotFound | FailureKind::Refused => {
            ErrorData::resource_not_found(message, None)
        }
        FailureKind::Invalid | FailureKind::TooLarge | FailureKind::Conflict => {
            ErrorData::invalid_params(message, None)
        }
        FailureKind::Unavailable => ErrorData::internal_error(message, None),
    }
}
