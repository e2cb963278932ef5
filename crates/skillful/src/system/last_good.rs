//! What was read last of a file that turned broken.
//!
//! An editor that is halfway through, a full disk, a file that was saved in another encoding: the skill that an agent
//! works with should not vanish because of it. Its entry stays as it was, says so in a diagnostic, and is given up when
//! the file is removed or can be read again. A file that became a link out of its root is no slip: nothing of it is kept.

use std::sync::Arc;

use skillmd::{Code, Diagnostic};

use crate::load::Skill;
use crate::state::State;

/// The skill to go on with: `new`, or what was read last where `new` is broken by a slip.
pub(super) fn keep(old: Option<&Arc<Skill>>, new: Skill) -> Arc<Skill> {
    let last_good = old.filter(|old| old.state != State::Broken && is_slip(&new));
    Arc::new(match last_good {
        Some(old) => kept(old, &new),
        None => new,
    })
}

/// Whether the file may be whole again in a moment.
fn is_slip(skill: &Skill) -> bool {
    let is_passing = |code| {
        matches!(
            code,
            Code::FileEmpty | Code::FileUnreadable | Code::FileTooLarge | Code::NotUtf8
        )
    };
    skill.state == State::Broken
        && skill
            .blockers
            .iter()
            .all(|blocker| blocker.kind.parse().is_ok_and(is_passing))
}

fn kept(old: &Skill, new: &Skill) -> Skill {
    let mut kept = old.clone();
    kept.state = State::Ready;
    kept.shadowed_by = None;
    kept.blockers.clear();
    // What lies there now was not looked at yet.
    kept.inspection = None;
    let is_note = |diagnostic: &Diagnostic| diagnostic.code == Code::LastGoodKept;
    kept.diagnostics.retain(|diagnostic| !is_note(diagnostic));
    let reasons: Vec<&str> = new
        .blockers
        .iter()
        .map(|blocker| &*blocker.detail)
        .collect();
    let message = format!("what was read before stays in use: {}", reasons.join("; "));
    let mut note = Diagnostic::about_file(Code::LastGoodKept, message);
    note.help("mend the file; `skillful check` tells what is wrong with it");
    kept.diagnostics.insert(0, note);
    kept
}
