//! Runs by the clock: what skills suggest, what people approve of it, and what is due.
//!
//! A run is put on record as begun before anybody is told that it is due. So it is told once, whatever happens: the clock
//! goes back, the process ends, two processes follow the same records. A crash in between loses this one run.

use std::time::Duration;

use skillful_store::{Applied, Choices};

use super::{Inner, LifecycleError, SkillSystem};
use crate::events::Happening;
use crate::limits;
use crate::records::key_of;
use crate::schedule::{self, Fired, Moment, ScheduleChoice, Schedules};

/// What came of a look at the clock.
pub(super) struct Round {
    fired: Vec<Fired>,
    now: Moment,
    /// When the next run is due.
    next: Option<Moment>,
}

impl SkillSystem {
    /// The runs by the clock that ready skills suggest, whether they are approved, and when they are due. All files of
    /// these skills are read.
    pub fn schedules(&self) -> Schedules {
        let snapshot = self.snapshot();
        let skills = snapshot.ready().map(AsRef::as_ref);
        Schedules::of(skills, &self.0.choices(), &self.0.zone)
    }

    /// Approves that a skill, with its files as they are now, runs at a schedule that it suggests: at its only one where
    /// none is named. Nothing that was due before is made up for.
    ///
    /// # Errors
    ///
    /// [`LifecycleError`]; nothing was approved then.
    pub fn approve_schedule(
        &self,
        id: &str,
        expression: Option<&str>,
    ) -> Result<Applied, LifecycleError> {
        let at = self.0.now();
        self.choose(id, |skill| {
            Ok(schedule::approve(skill, expression, at)?.choice)
        })
    }

    /// Takes back the approval of a schedule: of the only one where none is named.
    ///
    /// # Errors
    ///
    /// [`LifecycleError`]; nothing was taken back then.
    pub fn withdraw_schedule(
        &self,
        id: &str,
        expression: Option<&str>,
    ) -> Result<Applied, LifecycleError> {
        let snapshot = self.snapshot();
        let key = key_of(snapshot.find(id)?);
        match schedule::withdraw(&key, &self.0.store.choices()?, expression)? {
            Some(ScheduleChoice { choice, .. }) => self.choose(id, |_| Ok(choice)),
            None => Ok(Applied::Unchanged),
        }
    }

    /// Puts the approved runs that are due now on record as begun, tells subscribers, and hands them over to be run, the
    /// longest overdue first. A run that was missed several times is due once; whoever asks again gets nothing.
    ///
    /// A system that watches does so by itself.
    pub fn fire_due(&self) -> Vec<Fired> {
        self.0.fire().fired
    }
}

impl Inner {
    pub(super) fn fire(&self) -> Round {
        let mut choices = self.choices();
        let at = self.now();
        let mut round = Round {
            fired: Vec::new(),
            now: at.into(),
            next: None,
        };
        if choices.is_empty() {
            return round;
        }
        let snapshot = self.snapshot.load_full();
        let candidates = schedule::candidates(snapshot.ready().map(AsRef::as_ref), &choices);
        for run in schedule::due(&candidates, &choices, round.now, &self.zone) {
            match self.store.choose(run.key(), run.usage(at)) {
                Ok(Applied::Changed) => {
                    choices.apply(run.key(), run.usage(at));
                    let fired = run.fired();
                    self.events.publish(Happening::due(fired.clone()));
                    round.fired.push(fired);
                }
                // Another process has begun it, or it was withdrawn meanwhile.
                Ok(Applied::Unchanged) => {}
                Err(error) => self.tell_records(error.to_string()),
            }
        }
        self.tell_notices();
        round.next = schedule::next_due(&candidates, &choices, round.now, &self.zone);
        round
    }

    /// What was chosen, in other processes as well. What cannot be read counts as nothing, and is told.
    fn choices(&self) -> Choices {
        let choices = self.store.choices().unwrap_or_else(|error| {
            self.tell_records(error.to_string());
            Choices::default()
        });
        self.tell_notices();
        choices
    }
}

impl Round {
    /// How long there is nothing to do: until the next run, at least a second.
    ///
    /// There is a longest time, because the clock may be set, the machine may sleep, and other processes approve.
    pub(super) fn wait(&self) -> Duration {
        let left = self.next.and_then(|next| next.0.checked_sub(self.now.0));
        let left = left.and_then(|seconds| u64::try_from(seconds).ok());
        left.map_or(limits::SCHEDULE_WAIT, Duration::from_secs)
            .clamp(Duration::from_secs(1), limits::SCHEDULE_WAIT)
    }
}

#[cfg(test)]
mod tests;
