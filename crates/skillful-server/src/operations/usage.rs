//! How a skill was used.

use std::time::SystemTime;

use skillful::contract::UsageDocument;
use skillful::records::key_of;
use skillful_store::{Day, Store, Timestamp};

use super::Answer;
use super::read::find;
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};

/// Seconds of a day.
const DAY: i64 = 24 * 60 * 60;

impl Engine {
    /// What happened to a skill on each of the last so many days, today included. Days without anything are left out.
    pub fn usage(&self, id: &str, days: u32) -> Result<Answer<UsageDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let skill = find(&snapshot, id)?;
        let days = match self.store() {
            Some(store) => {
                let today = Timestamp::from(SystemTime::now());
                let back = i64::from(days.saturating_sub(1)) * DAY;
                let first: Day = Timestamp::from_seconds(today.as_seconds() - back).day();
                let found = store.days(&key_of(skill), first..=today.day());
                found.map_err(|error| Failure::new(FailureKind::Unavailable, error))?
            }
            None => Vec::new(),
        };
        Ok(Answer::of(&UsageDocument::new(&skill.id, &days))?.typed())
    }
}
