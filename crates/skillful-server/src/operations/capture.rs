//! Storing what an agent learned.

use skillful::contract::AuthoredDocument;
use skillful_manage::Writer;
use skillful_manage::author::Where;
use skillful_manage::gate::Gate;
use skillful_manage::learn::{CaptureOutcome, LearnError, Learner, Lesson};

use super::Answer;
use super::author::refused;
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};

impl Engine {
    /// Stores a lesson as a skill. That it was not needed, or that the guard stands against it, is an outcome with its
    /// reason.
    pub fn capture(
        &self,
        lesson: &Lesson,
        place: Where,
    ) -> Result<Answer<AuthoredDocument<'static>>, Failure> {
        let _turn = self.turn();
        let snapshot = self.snapshot()?;
        let data = self.data()?;
        let unavailable =
            |error: &dyn std::fmt::Display| Failure::new(FailureKind::Unavailable, error);
        let Some(store) = self.store() else {
            let message = "there is no home to keep records in";
            return Err(Failure::new(FailureKind::Refused, message)
                .hint("start the server with --home DIR"));
        };
        Writer::settle(data).map_err(|error| unavailable(&error))?;
        let gate = Gate::of(&snapshot.setup().config).map_err(|error| unavailable(&error))?;
        let learner = Learner::new(snapshot.setup(), data, &gate, &**store, place);
        let captured = learner.capture(lesson).map_err(|error| match error {
            LearnError::Author(error) => refused(&snapshot, &error),
            error => unavailable(&error),
        })?;
        if matches!(
            captured.outcome,
            CaptureOutcome::Stored | CaptureOutcome::Refreshed
        ) {
            self.system()?.rescan();
        }
        Ok(Answer::of(&AuthoredDocument::from(&captured))?.typed())
    }
}
