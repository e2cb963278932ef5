//! From what is different in a new snapshot to events.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::events::{EventKind, Events, Happening};
use crate::snapshot::{Change, ChangeKind, Snapshot};

/// Tells all subscribers what changed, skill by skill in the order of their ids.
pub(super) fn changes(events: &Events, snapshot: &Snapshot) {
    for change in snapshot.changes() {
        events.publish(happening(change));
    }
}

/// Tells that the configuration changed, by these files where that is known.
pub(super) fn config(events: &Events, files: &BTreeSet<PathBuf>) {
    let changed = Happening::new(EventKind::ConfigChanged);
    if files.is_empty() {
        events.publish(changed.clone());
    }
    for file in files {
        events.publish(changed.clone().at(file));
    }
}

/// A number of skills in words.
pub(super) fn count(skills: usize) -> String {
    match skills {
        1 => "1 skill".to_owned(),
        _ => format!("{skills} skills"),
    }
}

fn happening(change: &Change) -> Happening {
    let kind = match change.kind {
        ChangeKind::Added => EventKind::Loaded,
        ChangeKind::Removed => EventKind::Removed,
        ChangeKind::Changed => EventKind::Changed,
        ChangeKind::BecameEligible => EventKind::BecameEligible,
        ChangeKind::BecameIneligible => EventKind::BecameIneligible,
        ChangeKind::Shadowed => EventKind::Shadowed,
        ChangeKind::Broken => EventKind::Broken,
        ChangeKind::Recovered => EventKind::Recovered,
    };
    let skill = &change.skill;
    let happening = Happening::new(kind).of(&*skill.id).at(&*skill.path);
    let kept = skill.kept_note().map(|note| &*note.message);
    let blockers = skill.blockers.iter().map(|blocker| &*blocker.detail);
    let reasons: Vec<&str> = kept.into_iter().chain(blockers).collect();
    if change.kind == ChangeKind::Removed || reasons.is_empty() {
        happening
    } else {
        happening.saying(reasons.join("; "))
    }
}
