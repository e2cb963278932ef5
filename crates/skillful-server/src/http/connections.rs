//! The connections that are open, so that there are never too many, and that all can end in good order.

use std::collections::BTreeMap;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::sync::{Notify, Semaphore};
use tokio::time::{Duration, timeout};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

use super::stop::Stopping;
use crate::limits;

/// How long is waited for a place before it is looked again which connection is idle.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// How long a connection that was idle may take to end.
const FAREWELL: Duration = Duration::from_secs(1);

/// All that are open.
#[derive(Debug)]
pub(crate) struct Connections {
    places: Arc<Semaphore>,
    head_time: Duration,
    open: Mutex<BTreeMap<u64, Arc<Open>>>,
    opened: AtomicU64,
}

/// One of them.
#[derive(Debug, Default)]
struct Open {
    /// Answers that are under way.
    busy: AtomicUsize,
    /// Whether it was asked to make room.
    is_leaving: std::sync::atomic::AtomicBool,
    leave: Notify,
}

impl Connections {
    pub(crate) fn new(most: usize, head_time: Duration) -> Self {
        Self {
            places: Arc::new(Semaphore::new(most)),
            head_time,
            open: Mutex::new(BTreeMap::new()),
            opened: AtomicU64::new(0),
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.open().len()
    }

    /// Answers the requests of one more connection, in a task of its own. Where there are too many, waits until the one
    /// that has been open and idle for longest has made room.
    pub(crate) async fn serve(
        self: &Arc<Self>,
        stream: TcpStream,
        router: Router,
        stopping: Stopping,
    ) {
        let place = loop {
            let place = Arc::clone(&self.places);
            if let Ok(place) = Arc::clone(&place).try_acquire_owned() {
                break place;
            }
            self.make_room();
            match timeout(LOOK_AGAIN, place.acquire_owned()).await {
                Ok(Ok(place)) => break place,
                Ok(Err(_)) => return,
                Err(_) => {}
            }
        };
        let open = Arc::new(Open::default());
        let number = self.opened.fetch_add(1, Ordering::Relaxed);
        self.open().insert(number, Arc::clone(&open));
        let all = Arc::clone(self);
        tokio::spawn(async move {
            answer(stream, router, &open, stopping, all.head_time).await;
            all.open().remove(&number);
            drop(place);
        });
    }

    /// Asks the oldest connection that does nothing to end.
    pub(crate) fn make_room(&self) {
        let open = self.open();
        let mut idle = open.values().filter(|open| {
            open.busy.load(Ordering::SeqCst) == 0 && !open.is_leaving.load(Ordering::SeqCst)
        });
        if let Some(idle) = idle.next() {
            idle.is_leaving.store(true, Ordering::SeqCst);
            idle.leave.notify_one();
        }
    }

    /// Waits until all have ended.
    pub(crate) async fn ended(&self, most: usize) {
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        // All places at once are had when nobody has one.
        let _ = self.places.acquire_many(most).await;
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Open>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Answers what comes over a connection, until either side has enough.
async fn answer(
    stream: TcpStream,
    router: Router,
    open: &Arc<Open>,
    stopping: Stopping,
    head_time: Duration,
) {
    let Ok(address) = stream.peer_addr() else {
        return;
    };
    // Small answers must not wait for more to come. That it cannot be said is no harm.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(limits::WRITE_TIME));
    let busy = Arc::clone(open);
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let answering = Answering::begin(&busy);
        let router = router.clone();
        async move {
            let mut request: Request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(address));
            let answer = router.oneshot(request).await;
            answer.map(|response: Response| {
                response.map(|body| Watched {
                    body,
                    _answering: answering,
                })
            })
        }
    });
    let mut builder = http1::Builder::new();
    let builder = builder
        .timer(TokioTimer::new())
        .header_read_timeout(head_time)
        .max_buf_size(limits::HEAD_BYTES);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(Box::pin(stream)), service));
    let is_stopping = tokio::select! {
        // Faults of a connection are the client's own business.
        _ = connection.as_mut() => return,
        () = open.leave.notified() => false,
        () = stopping.wait() => true,
    };
    connection.as_mut().graceful_shutdown();
    if is_stopping {
        let _ = connection.await;
    } else {
        let _ = timeout(FAREWELL, connection).await;
    }
}

/// An answer that is under way, from its request to the last of its bytes.
struct Answering(Arc<Open>);

impl Answering {
    fn begin(open: &Arc<Open>) -> Self {
        open.busy.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(open))
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A body that says when it has been sent.
struct Watched {
    body: Body,
    _answering: Answering,
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
