//! Events as they happen, for as long as somebody reads them.
//!
//! All readers read from the one ring of the runtime, at their own pace: one that is slow costs nothing but its place, and
//! one that lags behind the ring is told to look at the whole state again.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use futures_core::Stream;
use skillful::contract::EventLine;
use skillful::{Event, Subscription};
use tokio::sync::OwnedSemaphorePermit;

use super::stop::Stopping;

/// How often a reader is sent a sign of life.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// The events of a subscription, until the server ends.
pub(super) struct EventStream {
    subscription: Subscription,
    stopping: Stopping,
    /// Its place among all readers, which is free again when it is dropped.
    _place: OwnedSemaphorePermit,
}

impl EventStream {
    pub(super) fn new(
        subscription: Subscription,
        stopping: Stopping,
        place: OwnedSemaphorePermit,
    ) -> Self {
        Self {
            subscription,
            stopping,
            _place: place,
        }
    }

    pub(super) fn into_answer(self) -> Sse<impl Stream<Item = Result<SseEvent, axum::Error>>> {
        Sse::new(self).keep_alive(KeepAlive::new().interval(HEARTBEAT))
    }
}

impl Stream for EventStream {
    type Item = Result<SseEvent, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if Pin::new(&mut self.stopping).poll_stop(context) {
            return Poll::Ready(None);
        }
        let event = ready!(self.subscription.poll_next(context));
        Poll::Ready(event.map(|event| rendered(&event)))
    }
}

fn rendered(event: &Arc<Event>) -> Result<SseEvent, axum::Error> {
    SseEvent::default()
        .id(event.sequence.to_string())
        .event(event.happening.kind.as_str())
        .json_data(EventLine::from(&**event))
}
