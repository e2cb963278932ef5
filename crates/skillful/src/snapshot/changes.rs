//! What differs between two states of all skills.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use crate::load::Skill;
use crate::registry::Registry;
use crate::state::State;

/// What happened to a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// It was not there before, and can be read.
    Added,
    /// It is not there any more.
    Removed,
    /// Its text, its other files or what is known about it is different; its state is the same.
    Changed,
    /// It can be used now, and could not before.
    BecameEligible,
    /// It was in use and is not any more, for a reason other than the next two.
    BecameIneligible,
    /// Another skill has precedence over it now.
    Shadowed,
    /// It cannot be read any more, or was found so. What was read before may stay in use.
    Broken,
    /// It can be read again.
    Recovered,
}

impl ChangeKind {
    /// The word used in every output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::BecameEligible => "became-eligible",
            Self::BecameIneligible => "became-ineligible",
            Self::Shadowed => "shadowed",
            Self::Broken => "broken",
            Self::Recovered => "recovered",
        }
    }
}

/// One skill that is different from before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What happened.
    pub kind: ChangeKind,
    /// The skill as it is now; for a removed one as it was.
    pub skill: Arc<Skill>,
    /// Whether its content is different too. Of a skill whose state changed, [`Change::kind`] tells the state.
    pub content: bool,
}

/// What is different in `after`. A skill that has another id now was removed and added.
///
/// Skills that the two share cost a comparison of pointers.
pub fn changes(before: &Registry, after: &Registry) -> Vec<Change> {
    let mut changes = Vec::new();
    let (mut old, mut new) = (before.skills().iter(), after.skills().iter());
    let (mut left, mut right) = (old.next(), new.next());
    loop {
        let order = match (left, right) {
            (None, None) => return join_moved(changes),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(left), Some(right)) if Arc::ptr_eq(left, right) => Ordering::Equal,
            (Some(left), Some(right)) => place(left).cmp(&place(right)),
        };
        let change = match (order, left, right) {
            (Ordering::Less, Some(left), _) => Some(removed(left)),
            (Ordering::Greater, _, Some(right)) => Some(added(right)),
            (Ordering::Equal, Some(left), Some(right)) => changed(left, right),
            _ => None,
        };
        changes.extend(change);
        if order.is_le() {
            left = old.next();
        }
        if order.is_ge() {
            right = new.next();
        }
    }
}

/// Joins what was removed and added at one path under one id: only the rank of its root is another one, as when a root
/// appeared before it.
fn join_moved(changes: Vec<Change>) -> Vec<Change> {
    let is_gone = |change: &Change| change.kind == ChangeKind::Removed;
    let is_same = |a: &Change, b: &Change| a.skill.id == b.skill.id && a.skill.path == b.skill.path;
    let (gone, rest): (Vec<_>, Vec<_>) = changes.into_iter().partition(is_gone);
    let mut by_path: HashMap<&Path, &Change> = HashMap::with_capacity(gone.len());
    by_path.extend(
        gone.iter()
            .map(|change| (change.skill.path.as_path(), change)),
    );
    let mut moved: HashSet<&Path> = HashSet::new();
    let mut joined = Vec::with_capacity(rest.len());
    for change in rest {
        match by_path.get(change.skill.path.as_path()) {
            Some(old)
                if old.skill.root.order != change.skill.root.order && is_same(old, &change) =>
            {
                moved.insert(old.skill.path.as_path());
                let mut before = (*old.skill).clone();
                before.root = Arc::clone(&change.skill.root);
                joined.extend(changed(&Arc::new(before), &change.skill));
            }
            _ => joined.push(change),
        }
    }
    let gone = gone
        .iter()
        .filter(|change| !moved.contains(change.skill.path.as_path()));
    joined.extend(gone.cloned());
    joined.sort_by(|a, b| place(&a.skill).cmp(&place(&b.skill)));
    joined
}

/// What makes a skill the same one in two registries, in the order in which registries are sorted.
fn place(skill: &Skill) -> (&str, u32, &Path) {
    (&skill.id, skill.root.order, &skill.path)
}

fn removed(skill: &Arc<Skill>) -> Change {
    Change {
        kind: ChangeKind::Removed,
        skill: Arc::clone(skill),
        content: true,
    }
}

fn added(skill: &Arc<Skill>) -> Change {
    let kind = if skill.state == State::Broken {
        ChangeKind::Broken
    } else {
        ChangeKind::Added
    };
    Change {
        kind,
        skill: Arc::clone(skill),
        content: true,
    }
}

/// Whether its file cannot be read, be it that what was read before is still in use.
fn is_faulty(skill: &Skill) -> bool {
    skill.state == State::Broken || skill.kept_note().is_some()
}

fn changed(before: &Arc<Skill>, after: &Arc<Skill>) -> Option<Change> {
    if Arc::ptr_eq(before, after) || before == after {
        return None;
    }
    let kind = match (is_faulty(before), is_faulty(after)) {
        (false, true) => ChangeKind::Broken,
        (true, false) => ChangeKind::Recovered,
        _ => of_states(before.state, after.state),
    };
    Some(Change {
        kind,
        skill: Arc::clone(after),
        content: before.fingerprint != after.fingerprint || before.revision != after.revision,
    })
}

/// What happened to a skill that was readable before and is, or was not and is not.
fn of_states(before: State, after: State) -> ChangeKind {
    match (before, after) {
        _ if before == after => ChangeKind::Changed,
        (_, State::Broken) => ChangeKind::Broken,
        (_, State::Shadowed) => ChangeKind::Shadowed,
        (_, State::Ready) => ChangeKind::BecameEligible,
        (State::Ready, _) => ChangeKind::BecameIneligible,
        _ => ChangeKind::Changed,
    }
}
