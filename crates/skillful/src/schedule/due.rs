//! What is due.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::{Declared, Moment, Zone};

/// What an approval holds for. Where any of it differs, it is another suggestion.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Binding {
    /// The skill's id.
    pub skill: String,
    /// Where the skill lies.
    pub origin: PathBuf,
    /// The digest of its files, the prompt of its automation among them.
    pub digest: String,
    /// The schedule, in the author's words.
    pub expression: String,
}

/// That a person approved a suggestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Approval {
    /// When. Nothing that was due before is made up for.
    pub approved: Moment,
    /// When it last ran. To be set to the moment for which [`due`] was asked, before the run begins.
    pub fired: Option<Moment>,
}

/// All approvals.
pub type Approvals = BTreeMap<Binding, Approval>;

/// A run that is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due<'d> {
    /// What is to be run.
    pub declared: &'d Declared,
    /// The approval's key.
    pub binding: Binding,
    /// The moment that it should have run at: the first one since it last did. However many were missed, it is due once.
    pub at: Moment,
}

impl Declared {
    /// What an approval of this would hold for; nothing when the skill's files could not be read.
    pub fn binding(&self) -> Option<Binding> {
        Some(Binding {
            skill: self.skill.clone(),
            origin: self.origin.clone(),
            digest: self.digest.clone()?,
            expression: self.expression.clone(),
        })
    }

    /// When it is due next, if it was approved.
    fn next(&self, approval: Approval, zone: &Zone) -> Option<Moment> {
        let since = approval
            .fired
            .map_or(approval.approved, |fired| fired.max(approval.approved));
        self.when.next_after(since, zone)
    }
}

/// The approved runs that are due at `now`, the longest overdue first.
///
/// A clock that goes back makes nothing due again: a run is due only after the moment that was noted when it last ran.
/// Schedules without a time zone count in `zone`.
pub fn due<'d>(
    declared: &'d [Declared],
    approvals: &Approvals,
    now: Moment,
    zone: &Zone,
) -> Vec<Due<'d>> {
    let mut due: Vec<Due<'d>> = upcoming(declared, approvals, zone)
        .filter(|run| run.at <= now)
        .collect();
    due.sort_by(|a, b| (a.at, &a.binding).cmp(&(b.at, &b.binding)));
    due
}

/// When the next approved run is due, which may be in the past; nothing when there is none.
pub fn next_due(declared: &[Declared], approvals: &Approvals, zone: &Zone) -> Option<Moment> {
    upcoming(declared, approvals, zone).map(|run| run.at).min()
}

fn upcoming<'d>(
    declared: &'d [Declared],
    approvals: &Approvals,
    zone: &Zone,
) -> impl Iterator<Item = Due<'d>> {
    declared.iter().filter_map(|declared| {
        let binding = declared.binding()?;
        let at = declared.next(*approvals.get(&binding)?, zone)?;
        Some(Due {
            declared,
            binding,
            at,
        })
    })
}

#[cfg(test)]
mod tests;
