//! Counts for whoever watches the server, in the text format of Prometheus.

use std::fmt;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use super::app::App;
use super::problem::Problem;
use crate::engine::Engine;

/// Bounds of times, in seconds.
const TIMES: [f64; 10] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Asked {
    method: String,
    route: String,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteTime {
    route: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Kind {
    kind: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct InState {
    state: &'static str,
}

type TimeFamily = Family<RouteTime, Histogram, fn() -> Histogram>;

/// All that is counted.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<Asked, Counter>,
    times: TimeFamily,
    events: Family<Kind, Counter>,
    skills: Family<InState, Gauge>,
    snapshots: Gauge<u64, AtomicU64>,
    followers: Gauge,
    connections: Gauge,
    memory: Gauge<u64, AtomicU64>,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("skillful");
        let times: TimeFamily = Family::new_with_constructor(|| Histogram::new(TIMES));
        let metrics = Self {
            requests: Family::default(),
            times,
            events: Family::default(),
            skills: Family::default(),
            snapshots: Gauge::default(),
            followers: Gauge::default(),
            connections: Gauge::default(),
            memory: Gauge::default(),
            registry: Registry::default(),
        };
        registry.register(
            "requests",
            "Requests that were answered",
            metrics.requests.clone(),
        );
        registry.register_with_unit(
            "request_duration",
            "Time to the head of the answer",
            Unit::Seconds,
            metrics.times.clone(),
        );
        registry.register(
            "events",
            "Events by kind; `reloaded` counts searches of everything",
            metrics.events.clone(),
        );
        registry.register("skills", "Skills by state", metrics.skills.clone());
        registry.register(
            "snapshots",
            "How often what is known of skills changed",
            metrics.snapshots.clone(),
        );
        registry.register(
            "event_followers",
            "Readers that follow events",
            metrics.followers.clone(),
        );
        registry.register(
            "connections",
            "Open connections",
            metrics.connections.clone(),
        );
        registry.register_with_unit(
            "process_memory",
            "Resident memory of the process",
            Unit::Bytes,
            metrics.memory.clone(),
        );
        Self {
            registry,
            ..metrics
        }
    }
}

impl Metrics {
    /// An answer went out.
    pub(crate) fn answered(
        &self,
        method: &Method,
        route: &str,
        status: StatusCode,
        took: Duration,
    ) {
        // A method that is not known would be a label of a stranger's choice.
        let method = match *method {
            Method::GET
            | Method::HEAD
            | Method::POST
            | Method::PUT
            | Method::DELETE
            | Method::OPTIONS => method.as_str(),
            _ => "other",
        };
        let labels = Asked {
            method: method.to_owned(),
            route: route.to_owned(),
            status: status.as_u16(),
        };
        self.requests.get_or_create(&labels).inc();
        let labels = RouteTime {
            route: route.to_owned(),
        };
        self.times
            .get_or_create(&labels)
            .observe(took.as_secs_f64());
    }

    /// Something happened.
    pub(crate) fn happened(&self, kind: &'static str) {
        self.events.get_or_create(&Kind { kind }).inc();
    }

    pub(crate) fn connections(&self) -> &Gauge {
        &self.connections
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

/// `/metrics`.
pub(crate) async fn metrics(State(app): State<App>) -> Result<Response, Problem> {
    let metrics = app.metrics();
    if app.engine().is_ready() {
        let counted = app.run(Engine::counts).await?;
        metrics.snapshots.set(counted.snapshots);
        for (state, count) in counted.states {
            let count = i64::try_from(count).unwrap_or(i64::MAX);
            metrics.skills.get_or_create(&InState { state }).set(count);
        }
    }
    metrics.followers.set(app.followers());
    metrics.memory.set(resident_memory().unwrap_or(0));
    let mut text = String::new();
    encode(&mut text, &metrics.registry).map_err(Problem::unavailable)?;
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8"),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((headers, text).into_response())
}

/// Bytes of memory that the process holds; nothing where the operating system is not asked.
fn resident_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
