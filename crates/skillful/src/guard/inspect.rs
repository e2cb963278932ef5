//! Looking at skills: what is known of their files is taken from the records, and what is not is scanned.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use skillful_guard::{Policy, RuleBook};
use skillful_store::{Seen, Sighting, Sightings, Store, StoreError, Timestamp};

use super::acceptance_of;
use super::gather::gather_skill;
use super::inspection::Inspection;
use super::on_load::OnLoad;
use super::outcome::{ContentName, Outcome};
use super::stamp::{self, Stamp};
use crate::load::Skill;
use crate::setup::Setup;
use crate::state::State;

/// How carefully it is asked whether files changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// By the SKILL.md and its directory: for lists.
    Brief,
    /// By every file: for whoever hands a skill over.
    Full,
}

/// What is needed to look at skills.
#[derive(Clone, Copy)]
pub struct Guard<'a> {
    /// Where outcomes are kept. Without, skills are looked at only where the configuration says so.
    pub store: Option<&'a dyn Store>,
    /// The time.
    pub now: Timestamp,
    /// How carefully.
    pub care: Care,
    /// Which skills are looked at, in place of what the configuration says.
    pub on_load: Option<OnLoad>,
    /// How they are judged, in place of what the configuration says.
    pub policy: Option<&'a Policy>,
    /// Told of each skill whose files had to be read.
    pub on_read: &'a (dyn Fn() + Sync),
    /// Told of records that cannot be read or written. The work goes on.
    pub on_error: &'a (dyn Fn(StoreError) + Sync),
}

impl<'a> Guard<'a> {
    /// A guard that keeps nothing and tells nothing.
    pub fn without_records() -> Self {
        Self {
            store: None,
            now: Timestamp::default(),
            care: Care::Full,
            on_load: None,
            policy: None,
            on_read: &|| {},
            on_error: &|_| {},
        }
    }

    /// The same with records, at this time.
    #[must_use]
    pub fn with_store(self, store: &'a dyn Store, now: Timestamp) -> Self {
        Self {
            store: Some(store),
            now,
            ..self
        }
    }

    /// What is needed for one round of looking, under this setup.
    pub(crate) fn round(self, setup: &'a Setup) -> Round<'a> {
        Round {
            guard: self,
            setup,
            rules: RuleBook::built_in_digest(),
            policy: self
                .policy
                .cloned()
                .unwrap_or_else(|| setup.config.guard_policy()),
            on_load: self.on_load.unwrap_or_else(|| setup.config.guard_on_load()),
            known: Sightings::new(),
            new: Mutex::default(),
        }
    }
}

impl std::fmt::Debug for Guard<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guard")
            .field("store", &self.store)
            .field("now", &self.now)
            .field("care", &self.care)
            .finish_non_exhaustive()
    }
}

/// One round of looking at skills.
pub(crate) struct Round<'a> {
    guard: Guard<'a>,
    setup: &'a Setup,
    /// The digest of the rules.
    rules: &'static str,
    policy: Policy,
    on_load: OnLoad,
    known: Sightings,
    new: Mutex<Vec<skillful_store::Scanned>>,
}

impl Round<'_> {
    /// Reads what is known of all places, which pays where many skills are looked at.
    pub(crate) fn read_ahead(&mut self) {
        let Some(store) = self.guard.store.filter(|_| self.on_load != OnLoad::Never) else {
            return;
        };
        match store.sightings(self.rules) {
            Ok(known) => self.known = known,
            Err(error) => (self.guard.on_error)(error),
        }
    }

    /// Whether a skill is to be looked at before it is handed over.
    fn is_for(&self, skill: &Skill) -> bool {
        let choices = self.setup.conditions().records.choices();
        skill.state != State::Broken
            && self.on_load != OnLoad::Never
            && (self.on_load.covers(skill.root.trust) || acceptance_of(choices, skill).is_some())
    }

    /// Whether skills are looked at before anybody asks for one. Where nothing can be kept, that would be done again each
    /// time.
    fn is_ahead(&self) -> bool {
        self.guard.store.is_some() || self.on_load == OnLoad::Always
    }

    /// What is known of a skill, which is looked at if need be; nothing for one that nobody wants looked at.
    pub(crate) fn inspection(&self, skill: &Skill) -> Option<Arc<Inspection>> {
        if !self.is_ahead() || !self.is_for(skill) {
            return None;
        }
        match &skill.inspection {
            Some(known) => Some(known.under(&self.policy)),
            None => self.look(skill),
        }
    }

    /// The same for a skill that is about to be handed over: all its files are read.
    pub(crate) fn look_closely(&self, skill: &Skill) -> Option<Arc<Inspection>> {
        if !self.is_for(skill) {
            return None;
        }
        self.read(skill, &place_of(skill)).map(Arc::new)
    }

    /// Looks at a skill of which nothing is known yet. Nothing is said where the rules of the guard cannot be read.
    fn look(&self, skill: &Skill) -> Option<Arc<Inspection>> {
        let place = place_of(skill);
        let inspection = match self
            .known
            .get(&*place)
            .and_then(|known| self.recognise(skill, known))
        {
            Some(inspection) => inspection,
            None => self.read(skill, &place)?,
        };
        Some(Arc::new(inspection))
    }

    /// What is known of files that did not change.
    fn recognise(&self, skill: &Skill, known: &Sighting) -> Option<Inspection> {
        let is_same = match self.guard.care {
            Care::Brief => stamp::looks_the_same(skill, &known.stamp),
            Care::Full => Stamp::of(skill)?.is(&known.stamp),
        };
        if !is_same {
            return None;
        }
        let outcome = Outcome::from_bytes(ContentName::kept(&known.digest), &known.outcome)?;
        Some(Inspection::new(outcome, &self.policy))
    }

    /// Reads all files, and scans them unless such content is known.
    fn read(&self, skill: &Skill, place: &str) -> Option<Inspection> {
        (self.guard.on_read)();
        let before = Stamp::of(skill);
        let gathered = gather_skill(skill);
        let content = ContentName::of(skill, &gathered);
        let outcome = if let Some(known) = self.known_outcome(&content) {
            known
        } else {
            let rules = RuleBook::built_in().ok()?;
            let scan = skillful_guard::scan(&gathered.bundle, rules);
            Outcome::of(scan, content, gathered.digest)
        };
        let stamp = before.filter(|before| {
            let now = self.guard.now.as_seconds();
            before.is_settled(now) && Stamp::of(skill).as_ref() == Some(before)
        });
        let scanned = skillful_store::Scanned {
            digest: outcome.content().as_str().to_owned(),
            outcome: outcome.to_bytes(),
            seen: stamp.map(|stamp| Seen {
                place: place.to_owned(),
                stamp: stamp.to_bytes(),
            }),
        };
        let mut new = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        new.push(scanned);
        drop(new);
        Some(Inspection::new(outcome, &self.policy))
    }

    fn known_outcome(&self, content: &ContentName) -> Option<Outcome> {
        let store = self.guard.store?;
        match store.outcome(self.rules, content.as_str()) {
            Ok(bytes) => Outcome::from_bytes(content.clone(), &bytes?),
            Err(error) => {
                (self.guard.on_error)(error);
                None
            }
        }
    }

    /// Keeps what is new.
    pub(crate) fn keep(self) {
        let new = self
            .new
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let Some(store) = self.guard.store.filter(|_| !new.is_empty()) else {
            return;
        };
        let mut new = new;
        new.sort_by(|a, b| a.digest.cmp(&b.digest));
        if let Err(error) = store.keep_verdicts(self.rules, &new) {
            (self.guard.on_error)(error);
        }
    }
}

/// What the place of a skill is called in the records: the place without links.
fn place_of(skill: &Skill) -> Cow<'_, str> {
    let root = &skill.root;
    // To put the path together takes longer than all else that is asked of a skill that did not change.
    if skill.real_directory.is_none() && root.real.as_os_str() == root.path.as_os_str() {
        return skill.form.place(&skill.path).to_string_lossy();
    }
    Cow::Owned(skill.real_place().to_string_lossy().into_owned())
}
