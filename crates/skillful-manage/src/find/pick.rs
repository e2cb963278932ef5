//! Which of the skills that were found are meant.

use skillmd::name::skill_id;

use super::{Found, FoundSkill};
use crate::source::Selector;

/// No skill was picked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PickError {
    /// There is no skill at all.
    #[error("no skill was found: no directory has a SKILL.md")]
    None,
    /// All skills are marked as internal.
    #[error("every skill here is marked as internal; name one to install it all the same: {}", .0.join(", "))]
    OnlyInternal(Vec<String>),
    /// None has the name.
    #[error("no skill is called `{name}`{}", or_near(near))]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// Ids that may be meant, the likeliest first; when none is near, the first of all.
        near: Vec<String>,
    },
    /// Several have the name, and differ.
    #[error(
        "several skills are called `{name}`: in {}; give the path of the one that is meant",
        list(paths)
    )]
    Ambiguous {
        /// The name that was asked for.
        name: String,
        /// Where they lie.
        paths: Vec<String>,
    },
}

fn list(paths: &[String]) -> String {
    let quoted: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    quoted.join(", ")
}

fn or_near(near: &[String]) -> String {
    if near.is_empty() {
        String::new()
    } else {
        format!(
            "; did you mean {}?",
            near.iter()
                .map(|id| format!("`{id}`"))
                .collect::<Vec<_>>()
                .join(" or ")
        )
    }
}

/// Most names in an error.
const NEAR: usize = 5;

/// What is taken when nothing was named: a skill at the top is all there is; else every skill that lies in no other one
/// and is not internal, of identical ones the first.
///
/// # Errors
///
/// [`PickError::None`] and [`PickError::OnlyInternal`].
pub(crate) fn by_default(found: &Found) -> Result<Vec<&FoundSkill>, PickError> {
    if found.skills.is_empty() {
        return Err(PickError::None);
    }
    let open: Vec<&FoundSkill> = found
        .skills
        .iter()
        .filter(|skill| !skill.internal)
        .collect();
    if open.is_empty() {
        let ids = found.skills.iter().map(|skill| skill.id.clone());
        return Err(PickError::OnlyInternal(ids.take(NEAR).collect()));
    }
    if let Some(whole) = open.iter().find(|skill| skill.path.is_empty()) {
        return Ok(vec![whole]);
    }
    let outermost = open
        .into_iter()
        .filter(|skill| skill.nested_in.as_ref().is_none_or(String::is_empty));
    Ok(without_copies(found, outermost.collect()))
}

/// Of skills with one id and the same files, the first.
fn without_copies<'f>(found: &Found, skills: Vec<&'f FoundSkill>) -> Vec<&'f FoundSkill> {
    let mut kept: Vec<&FoundSkill> = Vec::new();
    for skill in skills {
        let copy = found.duplicates.iter().any(|duplicate| {
            duplicate.identical
                && duplicate.id == skill.id
                && kept.iter().any(|other| other.id == skill.id)
        });
        if !copy {
            kept.push(skill);
        }
    }
    kept
}

/// What a source names: by id, by name, by directory or by path, in this order.
///
/// # Errors
///
/// [`PickError`].
pub fn pick<'f>(found: &'f Found, selector: &Selector) -> Result<Vec<&'f FoundSkill>, PickError> {
    let Selector::Named(wanted) = selector else {
        return if found.skills.is_empty() {
            Err(PickError::None)
        } else {
            Ok(without_copies(found, found.skills.iter().collect()))
        };
    };
    let wanted = wanted.as_str();
    let ways: [&dyn Fn(&FoundSkill) -> bool; 4] = [
        &|skill| skill.id == wanted,
        &|skill| skill.name == wanted,
        &|skill| skill.directory_name().eq_ignore_ascii_case(wanted),
        &|skill| skill_id(wanted).is_some_and(|id| skill.id == id),
    ];
    for way in ways {
        let those: Vec<&FoundSkill> = found.skills.iter().filter(|skill| way(skill)).collect();
        let those = without_copies(found, those);
        match those.as_slice() {
            [] => {}
            [_] => return Ok(those),
            several => {
                return Err(PickError::Ambiguous {
                    name: wanted.to_owned(),
                    paths: several.iter().map(|skill| skill.path.clone()).collect(),
                });
            }
        }
    }
    if found.skills.is_empty() {
        return Err(PickError::None);
    }
    let ids = found.skills.iter().map(|skill| &*skill.id);
    Err(PickError::Unknown {
        name: wanted.to_owned(),
        near: near(wanted, ids),
    })
}

/// The names that are most like one, the likeliest first; all of them for something quite different, as far as there is
/// room.
pub(crate) fn near<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<String> {
    let wanted = wanted.to_lowercase();
    let mut by_likeness: Vec<(f64, &str)> = names
        .into_iter()
        .map(|name| {
            let lower = name.to_lowercase();
            let contains = lower.contains(&wanted) || wanted.contains(&lower);
            // One slip in a short name, two in a longer one.
            let is_slip = strsim::osa_distance(&lower, &wanted) <= 1 + wanted.len() / 6;
            let bonus = if contains || is_slip { 0.3 } else { 0.0 };
            (strsim::jaro_winkler(&lower, &wanted) + bonus, name)
        })
        .collect();
    by_likeness.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    by_likeness.dedup_by(|a, b| a.1 == b.1);
    let is_near = |likeness: f64| likeness > 0.75;
    let any_near = by_likeness
        .first()
        .is_some_and(|(likeness, _)| is_near(*likeness));
    by_likeness
        .into_iter()
        .filter(|(likeness, _)| !any_near || is_near(*likeness))
        .take(NEAR)
        .map(|(_, name)| name.to_owned())
        .collect()
}
