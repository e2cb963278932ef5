//! Which entries are asked for, and which are kept.

use super::entry::{ChangeId, Entry, Operation};

/// Which entries of the history are asked for. Everything that is said must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Of this skill alone.
    pub skill: Option<String>,
    /// Of this transaction alone.
    pub transaction: Option<ChangeId>,
    /// Older than this number alone, to read on where an answer ended.
    pub before: Option<u64>,
    /// Only what can be undone by "undo the last": neither undone nor an undo itself.
    pub undoable: bool,
    /// At most so many.
    pub limit: Option<usize>,
}

impl Query {
    /// Of one skill.
    pub fn skill(id: impl Into<String>) -> Self {
        Self {
            skill: Some(id.into()),
            ..Self::default()
        }
    }

    /// Of one transaction.
    pub fn transaction(id: ChangeId) -> Self {
        Self {
            transaction: Some(id),
            ..Self::default()
        }
    }

    /// At most so many.
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Older than this number.
    #[must_use]
    pub fn before(mut self, seq: u64) -> Self {
        self.before = Some(seq);
        self
    }

    /// Only what "undo the last" may take.
    #[must_use]
    pub fn undoable(mut self) -> Self {
        self.undoable = true;
        self
    }

    /// Whether an entry is asked for, the limit aside.
    pub(crate) fn asks_for(&self, entry: &Entry) -> bool {
        self.skill
            .as_ref()
            .is_none_or(|id| entry.skills.contains(id))
            && self
                .transaction
                .as_ref()
                .is_none_or(|id| entry.transaction == *id)
            && self.before.is_none_or(|seq| entry.seq < seq)
            && (!self.undoable || (!entry.is_undone() && entry.operation != Operation::UNDO))
    }
}

/// How much of the history is kept; an entry that is beyond any of these goes. The default keeps 1,000 entries, however
/// old, with 1 GiB of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// So many entries.
    pub entries: Option<u64>,
    /// Entries of so many days.
    pub days: Option<u64>,
    /// Entries from the newest back to where their content together has so many bytes.
    pub bytes: Option<u64>,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            entries: Some(1_000),
            days: None,
            bytes: Some(1024 * 1024 * 1024),
        }
    }
}

impl Retention {
    /// Everything is kept.
    pub const ALL: Self = Self {
        entries: None,
        days: None,
        bytes: None,
    };

    /// The number of the oldest entry that is kept, where `entries` gives number, age in days and bytes, newest first.
    pub(crate) fn oldest(&self, entries: impl Iterator<Item = (u64, u64, u64)>) -> Option<u64> {
        let mut bytes_so_far = 0_u64;
        let mut oldest = None;
        for (index, (seq, days, bytes)) in (0_u64..).zip(entries) {
            bytes_so_far = bytes_so_far.saturating_add(bytes);
            let is_kept = self.entries.is_none_or(|limit| index < limit)
                && self.days.is_none_or(|limit| days <= limit)
                && self.bytes.is_none_or(|limit| bytes_so_far <= limit);
            if !is_kept && index > 0 {
                break;
            }
            oldest = Some(seq);
        }
        oldest
    }
}

/// What pruning did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// How many entries are gone.
    pub entries: u64,
}
