//! What would be done for a skill: which programs are missing, which of the author's ways is taken for each, and why not
//! the others.

use std::path::PathBuf;

use skillful::bundle::digest;
use skillful::details::Details;
use skillful::status::InstallOption;
use skillful::{Skill, State};
use skillmd::install::InstallKind;

use super::needs::{self, Need};
use super::places::Places;
use super::step::{self, Additions, Step, Unusable};

/// What the operator and the user want of a plan.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// Kinds of specs in the order in which they are preferred.
    pub prefer: Vec<InstallKind>,
    /// The ids of specs that alone are used, whatever is missing.
    pub specs: Vec<String>,
    /// The digest of a download whose spec has none.
    pub sha256: Option<String>,
}

/// What would be done for one skill.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The skill's id.
    pub id: String,
    /// Its SKILL.md, flat file or archive.
    pub path: PathBuf,
    /// The digest of its files that the plan was made of; nothing when there is none, and then nothing is installed.
    pub digest: Option<String>,
    /// All programs that it asks for.
    pub needs: Vec<Need>,
    /// All ways that its author names, the preferred first.
    pub ways: Vec<Way>,
    /// The programs that no way leads to; of alternatives all.
    pub unmet: Vec<String>,
    /// Why nothing of it is done, whatever the user says.
    pub refused: Option<Refused>,
}

/// One of the ways that a skill's author names.
#[derive(Clone, Debug)]
pub struct Way {
    /// What it is called; for choosing one of several.
    pub id: String,
    /// What installs it.
    pub kind: InstallKind,
    /// What people are shown; its author's words.
    pub label: String,
    /// The programs that are there afterwards, as its author says; may be empty.
    pub bins: Vec<String>,
    /// What would be done, or why it cannot be.
    pub step: Result<Step, Unusable>,
    /// Whether somebody prefers its kind.
    pub is_preferred: bool,
    /// Whether it is taken.
    pub is_chosen: bool,
    /// The missing programs that it is taken for.
    pub chosen_for: Vec<String>,
}

impl Way {
    /// Why it is taken or not, in a few words.
    pub fn reason(&self) -> String {
        match (&self.step, self.is_chosen) {
            (Err(unusable), _) => unusable.to_string(),
            (Ok(_), true) if self.chosen_for.is_empty() => "it was asked for".to_owned(),
            (Ok(_), true) if self.is_preferred => format!("{} is preferred", self.kind),
            (Ok(_), true) => "it is the first that can be used here".to_owned(),
            (Ok(_), false) => "nothing that is missing needs it".to_owned(),
        }
    }

    /// Whether it is said to provide a program. One that names none may provide any.
    fn provides(&self, program: &str) -> Fit {
        if self.bins.iter().any(|bin| bin == program) {
            Fit::Named
        } else if self.bins.is_empty() {
            Fit::Perhaps
        } else {
            Fit::No
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    Named,
    Perhaps,
    No,
}

/// Why nothing of a skill is installed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The skill's state forbids it.
    #[error("the skill is {}{}", state.as_str(), because(reasons))]
    State {
        /// The state.
        state: State,
        /// The reasons.
        reasons: Vec<String>,
    },
    /// There is nothing that a yes could be bound to.
    #[error(
        "the skill's files cannot be read or are over a limit, so that what is installed could not be bound to them"
    )]
    NoDigest,
}

fn because(reasons: &[String]) -> String {
    if reasons.is_empty() {
        return String::new();
    }
    format!(": {}", reasons.join("; "))
}

/// There is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A spec was named that the skill does not have.
    #[error("`{skill}` has no install spec `{}`{}", spec.escape_debug(), known(specs))]
    UnknownSpec {
        /// The skill's id.
        skill: String,
        /// What was named.
        spec: String,
        /// Those that it has.
        specs: Vec<String>,
    },
    /// The files were written to while they were read.
    #[error("`{0}` was changed while it was read; try again")]
    Changing(String),
}

fn known(specs: &[String]) -> String {
    if specs.is_empty() {
        return "; it has none".to_owned();
    }
    format!("; it has {}", specs.join(", "))
}

/// Plans for a skill. Nothing is run and nothing written.
///
/// # Errors
///
/// [`PlanError`].
pub fn plan(skill: &Skill, places: &Places, wishes: &Wishes) -> Result<Plan, PlanError> {
    let before = digest(skill);
    let manifest = Details::of(skill).manifest;
    if digest(skill) != before {
        return Err(PlanError::Changing(skill.id.clone()));
    }
    let options = InstallOption::all(&manifest.install);
    let known: Vec<String> = options.iter().map(|option| option.id.clone()).collect();
    if let Some(spec) = wishes.specs.iter().find(|spec| !known.contains(*spec)) {
        return Err(PlanError::UnknownSpec {
            skill: skill.id.clone(),
            spec: spec.clone(),
            specs: known,
        });
    }
    let needs = Need::all(&manifest, &places.all_programs());
    let mut ways: Vec<Way> = options
        .iter()
        .map(|option| way(option, places, wishes))
        .collect();
    // The sort is stable: among equals the author's order counts.
    ways.sort_by_key(|way| step::rank(way.kind, &wishes.prefer).0);
    let unmet = if wishes.specs.is_empty() {
        choose(&mut ways, &needs)
    } else {
        choose_named(&mut ways, &wishes.specs);
        Vec::new()
    };
    Ok(Plan {
        refused: refused(skill, before.as_deref()),
        id: skill.id.clone(),
        path: skill.path.clone(),
        digest: before,
        needs,
        ways,
        unmet,
    })
}

fn way(option: &InstallOption<'_>, places: &Places, wishes: &Wishes) -> Way {
    let additions = Additions {
        sha256: wishes.sha256.as_deref(),
    };
    Way {
        id: option.id.clone(),
        kind: option.spec.kind,
        label: option.label.clone(),
        bins: option.spec.bins.clone(),
        step: step::of(option, places, additions),
        is_preferred: step::rank(option.spec.kind, &wishes.prefer).1,
        is_chosen: false,
        chosen_for: Vec::new(),
    }
}

/// Takes for each missing program the first way that says to provide it, else the first that might. Gives the programs
/// that are left.
fn choose(ways: &mut [Way], needs: &[Need]) -> Vec<String> {
    let mut unmet = Vec::new();
    for group in needs::missing(needs) {
        let usable = |way: &Way, fit: Fit| {
            let program = group.iter().find(|program| way.provides(program) == fit)?;
            way.step.is_ok().then(|| (*program).to_owned())
        };
        let chosen = [Fit::Named, Fit::Perhaps].into_iter().find_map(|fit| {
            let found = ways.iter().map(|way| usable(way, fit)).enumerate();
            found
                .into_iter()
                .find_map(|(index, program)| Some((index, program?)))
        });
        match chosen.and_then(|(index, program)| Some((ways.get_mut(index)?, program))) {
            Some((way, program)) => {
                way.is_chosen = true;
                way.chosen_for.push(program);
            }
            None => unmet.extend(group.iter().map(|&program| program.to_owned())),
        }
    }
    unmet
}

fn choose_named(ways: &mut [Way], specs: &[String]) {
    for way in ways {
        way.is_chosen = specs.contains(&way.id) && way.step.is_ok();
    }
}

/// A skill that is not to be used is not to have programs installed either. One that is switched off or put away is no
/// danger.
fn refused(skill: &Skill, digest: Option<&str>) -> Option<Refused> {
    if matches!(
        skill.state,
        State::Withheld | State::Broken | State::Shadowed
    ) {
        return Some(Refused::State {
            state: skill.state,
            reasons: skill
                .blockers
                .iter()
                .map(|blocker| blocker.detail.clone())
                .collect(),
        });
    }
    digest.is_none().then_some(Refused::NoDigest)
}

impl Plan {
    /// The ways that are taken, in their order, with what is done.
    pub fn steps(&self) -> impl Iterator<Item = (&Way, &Step)> {
        let chosen = self.ways.iter().filter(|way| way.is_chosen);
        chosen.filter_map(|way| Some((way, way.step.as_ref().ok()?)))
    }

    /// Whether every program that the skill cannot do without is there.
    pub fn is_satisfied(&self) -> bool {
        needs::missing(&self.needs).is_empty()
    }
}
