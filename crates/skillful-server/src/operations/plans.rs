//! Long work that a person decides about: fetched and looked at first, done only when somebody says so.
//!
//! ```text
//! begin ─→ fetching ─→ ready ─apply→ applying ─→ done
//!              └──────────┴─────────────┴─→ failed        cancel: gone, wherever it is
//! ```
//!
//! A plan is known by an id that nobody can guess. What it fetched lies in private places that go with it: when it is
//! cancelled, when nobody has asked for it for long, and when the server ends. There are only so many at once.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;
use skillful_manage::progress::{Progress, Step};
use tokio::sync::watch;

use super::Answer;
use super::install::{Applying, Prepared, Proposing};
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use crate::hex::hex;
use crate::limits;

/// All plans of a server. A clone is the same.
#[derive(Clone, Debug, Default)]
pub struct Plans(Arc<Mutex<BTreeMap<String, Arc<Job>>>>);

/// One of them.
struct Job {
    stage: Mutex<Stage>,
    is_cancelled: AtomicBool,
    told: watch::Sender<Told>,
}

/// How far a plan has come.
enum Stage {
    Fetching,
    Ready(Box<Prepared>),
    Applying,
    Done(Value),
    Failed(Failure),
}

/// What those who wait are told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// How it stands.
    pub state: PlanState,
    /// What is under way.
    pub progress: PlanProgress,
    touched: Instant,
}

/// How a plan stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlanState {
    /// Sources are fetched and looked at.
    Fetching,
    /// It waits for a decision.
    Ready,
    /// It is being done.
    Applying,
    /// It was done.
    Done,
    /// It could not be made, or not be done.
    Failed,
}

impl PlanState {
    /// Whether nothing more happens by itself.
    pub const fn is_at_rest(self) -> bool {
        matches!(self, Self::Ready | Self::Done | Self::Failed)
    }
}

/// How far long work has come: `{"step", "phase"?, "line"?, "done"?, "total"?}`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct PlanProgress {
    /// One more with everything that happens.
    pub step: u64,
    /// The piece of work that is under way, such as `scanning`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// What another program said last about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// Bytes or things that are done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub done: Option<u64>,
    /// How many there are, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
}

/// A plan: `{"version", "id", "state", "progress", "document"?, "failure"?}`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct PlanStatusDocument {
    version: u32,
    id: String,
    state: PlanState,
    progress: PlanProgress,
    /// What would be or was done, as `add` or `update` prints it.
    #[serde(skip_serializing_if = "Option::is_none")]
    document: Option<Value>,
    /// Why it could not be.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<FailureJson>,
}

/// `{"kind", "message", "hints"}`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
struct FailureJson {
    kind: String,
    message: String,
    hints: Vec<String>,
}

impl Plans {
    /// Begins to make a plan. Returns its id at once.
    ///
    /// # Errors
    ///
    /// When there are too many already, or the wish makes no sense.
    pub fn begin(&self, engine: &Engine, wish: Proposing) -> Result<String, Failure> {
        self.sweep();
        wish.check(engine)?;
        let id = random_id()?;
        let job = Arc::new(Job::new());
        {
            let mut plans = self.lock();
            if plans.len() >= limits::PLANS {
                let message = format!("there are {} plans, which is the most", limits::PLANS);
                return Err(Failure::new(FailureKind::TooLarge, message)
                    .hint("apply or cancel one of them"));
            }
            plans.insert(id.clone(), Arc::clone(&job));
        }
        let engine = engine.clone();
        self.work(&id, move || {
            let outcome = wish.prepare(&engine, &*job);
            job.settle(outcome.map(|it| Stage::Ready(Box::new(it))));
        })?;
        Ok(id)
    }

    /// How a plan stands.
    ///
    /// # Errors
    ///
    /// When there is none with this id.
    pub fn status(&self, id: &str) -> Result<Answer<PlanStatusDocument>, Failure> {
        self.sweep();
        let job = self.find(id)?;
        job.touch();
        let told = job.told.borrow().clone();
        let (document, failure) = match &*job.stage() {
            Stage::Ready(prepared) => (Some(prepared.document()?), None),
            Stage::Done(document) => (Some(document.clone()), None),
            Stage::Failed(failure) => (None, Some(FailureJson::from(failure))),
            Stage::Fetching | Stage::Applying => (None, None),
        };
        Answer::of(&PlanStatusDocument {
            version: skillful::contract::VERSION,
            id: id.to_owned(),
            state: told.state,
            progress: told.progress,
            document,
            failure,
        })
    }

    /// Hears how far a plan comes.
    ///
    /// # Errors
    ///
    /// As [`Plans::status`].
    pub fn follow(&self, id: &str) -> Result<watch::Receiver<Told>, Failure> {
        Ok(self.find(id)?.told.subscribe())
    }

    /// Begins to do what a plan says. `digests` are those that a person has looked at.
    ///
    /// # Errors
    ///
    /// When it is not ready, or a person has to look at something first: it is ready still then.
    pub fn apply(&self, engine: &Engine, id: &str, digests: &[String]) -> Result<(), Failure> {
        let job = self.find(id)?;
        let applying: Applying = {
            let mut stage = job.stage();
            let Stage::Ready(prepared) = &*stage else {
                let message = "the plan is not waiting for a decision";
                return Err(Failure::new(FailureKind::Conflict, message));
            };
            prepared.decide(digests)?;
            match std::mem::replace(&mut *stage, Stage::Applying) {
                Stage::Ready(prepared) => prepared.into_work(),
                other => {
                    *stage = other;
                    return Ok(());
                }
            }
        };
        job.tell(|told| told.state = PlanState::Applying);
        let engine = engine.clone();
        let working = Arc::clone(&job);
        self.work(id, move || {
            let done = applying.apply(&engine);
            working.settle(done.map(Stage::Done));
        })
    }

    /// Gives a plan up. What is being done already is done.
    ///
    /// # Errors
    ///
    /// As [`Plans::status`].
    pub fn cancel(&self, id: &str) -> Result<(), Failure> {
        let job = self.find(id)?;
        job.is_cancelled.store(true, Ordering::SeqCst);
        self.lock().remove(id);
        Ok(())
    }

    /// Forgets the plans that nobody has asked for lately.
    pub fn sweep(&self) {
        self.lock().retain(|_, job| {
            let told = job.told.borrow();
            !told.state.is_at_rest() || told.touched.elapsed() < limits::PLAN_LIFE
        });
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn find(&self, id: &str) -> Result<Arc<Job>, Failure> {
        self.lock().get(id).cloned().ok_or_else(|| {
            Failure::new(FailureKind::NotFound, "there is no such plan")
                .hint("plans are forgotten when nobody asks for them; make another one")
        })
    }

    fn work(&self, id: &str, work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
        let thread = thread::Builder::new().name("skillful-plan".to_owned());
        match thread.spawn(work) {
            Ok(_) => Ok(()),
            Err(error) => {
                self.lock().remove(id);
                Err(Failure::new(FailureKind::Unavailable, error))
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Job>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Job {
    fn new() -> Self {
        Self {
            stage: Mutex::new(Stage::Fetching),
            is_cancelled: AtomicBool::new(false),
            told: watch::Sender::new(Told {
                state: PlanState::Fetching,
                progress: PlanProgress::default(),
                touched: Instant::now(),
            }),
        }
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn settle(&self, outcome: Result<Stage, Failure>) {
        let stage = outcome.unwrap_or_else(Stage::Failed);
        let now = match stage {
            Stage::Fetching => PlanState::Fetching,
            Stage::Ready(_) => PlanState::Ready,
            Stage::Applying => PlanState::Applying,
            Stage::Done(_) => PlanState::Done,
            Stage::Failed(_) => PlanState::Failed,
        };
        *self.stage() = stage;
        self.tell(|told| told.state = now);
    }

    fn touch(&self) {
        self.told.send_if_modified(|told| {
            told.touched = Instant::now();
            false
        });
    }

    fn tell(&self, change: impl FnOnce(&mut Told)) {
        self.told.send_modify(|told| {
            change(told);
            told.touched = Instant::now();
            told.progress.step += 1;
        });
    }
}

impl Progress for Job {
    fn step(&self, step: Step<'_>) {
        self.tell(|told| {
            let progress = &mut told.progress;
            match step {
                Step::Begin(phase) => {
                    *progress = PlanProgress {
                        step: progress.step,
                        phase: Some(phase.to_owned()),
                        ..PlanProgress::default()
                    };
                }
                Step::Line(line) => progress.line = Some(line.to_owned()),
                Step::Bytes { done, total } => {
                    progress.done = Some(done);
                    progress.total = total;
                }
                Step::Count { done, total } => {
                    progress.done = Some(done);
                    progress.total = Some(total);
                }
                _ => {}
            }
        });
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::SeqCst)
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told = self.told.borrow();
        f.debug_struct("Job")
            .field("state", &told.state)
            .finish_non_exhaustive()
    }
}

impl From<&Failure> for FailureJson {
    fn from(failure: &Failure) -> Self {
        Self {
            kind: failure.kind.as_str().to_owned(),
            message: failure.message.clone(),
            hints: failure.hints.clone(),
        }
    }
}

fn random_id() -> Result<String, Failure> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).map_err(|error| Failure::new(FailureKind::Unavailable, error))?;
    Ok(hex(&bits))
}

/// How long is waited between two looks for plans that nobody asks for.
pub const SWEEP: Duration = Duration::from_secs(60);
