//! Telling clients what changed: the events of the runtime, gathered for a moment, and told to each client in the way of
//! its era of the protocol.
//!
//! Lists changed when skills come, go, or can be used or not any more; a resource changed when the files of its skill did.
//! The list of tools never changes.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rmcp::RoleServer;
use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::{Peer, SubscriptionSink};
use skillful::SkillSystem;
use skillful::events::{EventKind, Happening, Subscription};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{Receiver, Sender, channel};
use tokio::task::AbortHandle;
use tokio::time::{Instant, timeout_at};

use super::uri::Address;
use crate::engine::Engine;
use crate::limits;

/// What changed in a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Changed {
    /// Whether lists did.
    lists: bool,
    /// The skills whose files did.
    skills: BTreeSet<String>,
    /// Whether anything may have changed, because it is not known what did.
    all: bool,
}

impl Changed {
    fn everything() -> Self {
        Self {
            lists: true,
            all: true,
            ..Self::default()
        }
    }

    fn note(&mut self, happening: &Happening) {
        match happening.kind {
            // Of a changed one the name or description may be another.
            EventKind::Changed
            | EventKind::Broken
            | EventKind::Recovered
            | EventKind::Loaded
            | EventKind::Removed
            | EventKind::Shadowed
            | EventKind::BecameEligible
            | EventKind::BecameIneligible
            | EventKind::ConfigChanged => self.lists = true,
            EventKind::Resync => *self = Self::everything(),
            _ => return,
        }
        self.skills.extend(happening.id.clone());
    }

    fn is_about(&self, uri: &str) -> bool {
        let skill = || Address::parse(uri).map(|address| address.id);
        self.all || skill().is_some_and(|id| self.skills.contains(&id))
    }

    fn is_empty(&self) -> bool {
        !self.lists && !self.all && self.skills.is_empty()
    }
}

/// The changes of an engine's skills, for any number of clients. Nothing is followed before somebody wants to know.
#[derive(Debug)]
pub(super) struct Changes {
    engine: Engine,
    sender: OnceLock<Sender<Arc<Changed>>>,
}

impl Changes {
    pub(super) fn new(engine: Engine) -> Self {
        Self {
            engine,
            sender: OnceLock::new(),
        }
    }

    /// The changes from now on.
    pub(super) fn follow(&self) -> Receiver<Arc<Changed>> {
        let sender = self.sender.get_or_init(|| {
            let (sender, _) = channel(limits::MCP_LAG);
            tokio::spawn(gather(self.engine.clone(), sender.clone()));
            sender
        });
        sender.subscribe()
    }
}

/// Gathers events until the engine is gone.
async fn gather(engine: Engine, sender: Sender<Arc<Changed>>) {
    // What the first search finds is no change: who asks for skills waits for it.
    let events = tokio::task::spawn_blocking(move || engine.system().map(SkillSystem::subscribe));
    let Ok(Ok(mut events)) = events.await else {
        return;
    };
    while let Some(changed) = next(&mut events).await {
        if !changed.is_empty() {
            // Nobody may be listening at the moment.
            let _ = sender.send(Arc::new(changed));
        }
    }
}

/// What changes from the next event on within [`limits::MCP_NOTICE_DELAY`]; nothing at the end.
async fn next(events: &mut Subscription) -> Option<Changed> {
    let mut changed = Changed::default();
    changed.note(&events.next_event().await?.happening);
    let end = Instant::now() + limits::MCP_NOTICE_DELAY;
    while let Ok(event) = timeout_at(end, events.next_event()).await {
        changed.note(&event?.happening);
    }
    Some(changed)
}

/// What is known of one client.
#[derive(Debug, Default)]
pub(super) struct Session {
    /// The resources that a client of an older era subscribed to.
    subscribed: Arc<Mutex<BTreeSet<String>>>,
    /// What tells it; ends with the client.
    teller: Mutex<Option<AbortHandle>>,
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(teller) = lock(&self.teller).take() {
            teller.abort();
        }
    }
}

impl Session {
    /// Subscribes to a resource. Gives whether there was room.
    pub(super) fn subscribe(&self, uri: String) -> bool {
        let mut subscribed = lock(&self.subscribed);
        if subscribed.len() >= limits::MCP_SUBSCRIPTIONS && !subscribed.contains(&uri) {
            return false;
        }
        subscribed.insert(uri);
        true
    }

    pub(super) fn unsubscribe(&self, uri: &str) {
        lock(&self.subscribed).remove(uri);
    }

    /// Tells a client of an older era what changes, from now until it is gone.
    pub(super) fn tell(&self, peer: Peer<RoleServer>, changes: Receiver<Arc<Changed>>) {
        let subscribed = Arc::clone(&self.subscribed);
        let teller = tokio::spawn(tell_peer(peer, subscribed, changes)).abort_handle();
        if let Some(before) = lock(&self.teller).replace(teller) {
            before.abort();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The next change; one that stands for all that was missed by a client that lagged behind.
async fn receive(changes: &mut Receiver<Arc<Changed>>) -> Option<Arc<Changed>> {
    match changes.recv().await {
        Ok(moment) => Some(moment),
        Err(RecvError::Lagged(_)) => Some(Arc::new(Changed::everything())),
        Err(RecvError::Closed) => None,
    }
}

async fn tell_peer(
    peer: Peer<RoleServer>,
    subscribed: Arc<Mutex<BTreeSet<String>>>,
    mut changes: Receiver<Arc<Changed>>,
) {
    while let Some(moment) = receive(&mut changes).await {
        let is_about = |uri: &&String| moment.is_about(uri);
        let updated: Vec<String> = lock(&subscribed).iter().filter(is_about).cloned().collect();
        for uri in updated {
            let update = ResourceUpdatedNotificationParam::new(uri);
            if peer.notify_resource_updated(update).await.is_err() {
                return;
            }
        }
        if moment.lists
            && (peer.notify_resource_list_changed().await.is_err()
                || peer.notify_prompt_list_changed().await.is_err())
        {
            return;
        }
    }
}

/// Tells one subscription of the present era what changes, until it cannot be told any more.
pub(super) async fn tell_subscription(
    sink: &SubscriptionSink,
    mut changes: Receiver<Arc<Changed>>,
) {
    let accepted = sink.accepted();
    let uris = accepted
        .resource_subscriptions
        .as_deref()
        .unwrap_or_default();
    while let Some(moment) = receive(&mut changes).await {
        for uri in uris.iter().filter(|uri| moment.is_about(uri)) {
            if sink.notify_resource_updated(uri.as_str()).await.is_err() {
                return;
            }
        }
        if !moment.lists {
            continue;
        }
        if accepted.resources_list_changed == Some(true)
            && sink.notify_resource_list_changed().await.is_err()
        {
            return;
        }
        if accepted.prompts_list_changed == Some(true)
            && sink.notify_prompt_list_changed().await.is_err()
        {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_tells_which_skills_and_whether_lists() {
        let mut changed = Changed::default();
        changed.note(&Happening::new(EventKind::Records));
        changed.note(&Happening::new(EventKind::Due).of("a"));
        assert!(changed.is_empty());
        changed.note(&Happening::new(EventKind::Changed).of("a"));
        assert!(changed.lists);
        assert!(changed.is_about("skill://a/SKILL.md"));
        assert!(changed.is_about("skill://a/x/y.md"));
        assert!(!changed.is_about("skill://b/SKILL.md"));
        changed.note(&Happening::new(EventKind::Resync));
        assert!(changed.is_about("skill://b/SKILL.md"));
    }
}
