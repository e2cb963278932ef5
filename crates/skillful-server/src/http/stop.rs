//! The end of the server, known to everything that takes long.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::sync::watch;

/// Says that the server ends.
#[derive(Debug)]
pub(crate) struct Stop(watch::Sender<bool>);

impl Default for Stop {
    fn default() -> Self {
        Self(watch::Sender::new(false))
    }
}

impl Stop {
    /// From now on nothing new is begun.
    pub(crate) fn begin(&self) {
        self.0.send_replace(true);
    }

    /// Somebody who wants to know.
    pub(crate) fn listener(&self) -> Stopping {
        let mut receiver = self.0.subscribe();
        Stopping(Box::pin(async move {
            // That nobody can say so any more means the same.
            let _ = receiver.wait_for(|is_over| *is_over).await;
        }))
    }
}

/// Ready when the server ends.
pub(crate) struct Stopping(Pin<Box<dyn Future<Output = ()> + Send>>);

impl Stopping {
    /// Whether it ends. Where it does not, the task is woken when it does; to be asked until it says yes, and not again.
    pub(crate) fn poll_stop(&mut self, context: &mut Context<'_>) -> bool {
        self.0.as_mut().poll(context).is_ready()
    }

    /// Waits for the end.
    pub(crate) async fn wait(self) {
        self.0.await;
    }
}

/// A body without an end of its own, which ends with the server.
pub(crate) struct UntilStop {
    body: Body,
    stopping: Stopping,
    has_ended: bool,
}

impl UntilStop {
    pub(crate) const fn new(body: Body, stopping: Stopping) -> Self {
        Self {
            body,
            stopping,
            has_ended: false,
        }
    }
}

impl HttpBody for UntilStop {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        // What is there already is sent.
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if polled.is_pending() && (self.has_ended || self.stopping.poll_stop(context)) {
            self.has_ended = true;
            return Poll::Ready(None);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.has_ended || self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
