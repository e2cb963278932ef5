//! What became of many skills of one repository: one question for all of them, whichever branches and tags they come
//! from, and a fetch of directories without files for each branch or tag that moved.

use std::collections::BTreeSet;

use super::check::{Now, now};
use super::refs::{Refs, Want};
use super::run::{Git, Input};
use super::tree::Listing;
use super::{FETCH, fetch_commit};
use crate::limits;
use crate::source::Place;
use crate::source::fetch::{FetchError, Job};

/// The skills that come from one state of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The state.
    pub place: Place,
    /// The skills.
    pub skills: Vec<AskedSkill>,
}

/// A skill that was fetched once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedSkill {
    /// Its directory in the repository.
    pub path: String,
    /// The commit that it was fetched at, as far as it is known.
    pub commit: Option<String>,
    /// Its git tree, as far as it is known.
    pub tree: Option<String>,
}

/// What a state of a repository is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surveyed {
    /// The branch or tag, by its whole name such as `refs/tags/v1`; `HEAD` for the default branch.
    pub name: String,
    /// The commit.
    pub commit: String,
    /// What became of each skill that was asked about, in their order.
    pub skills: Vec<SurveyedSkill>,
}

/// What became of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SurveyedSkill {
    /// Where it is now.
    pub now: Now,
    /// Whether the branch holds the commit that it was fetched at no more; false where that is not known.
    pub is_rewritten: bool,
}

impl Surveyed {
    /// Whether it is a tag, which ought to stay where it is.
    pub fn is_tag(&self) -> bool {
        self.name.starts_with("refs/tags/")
    }
}

/// Asks once what every state means now, and looks further only where that is another commit than before.
pub(in crate::source::fetch) fn survey(
    job: &Job<'_>,
    url: &str,
    asked: &[Asked],
) -> Result<Vec<Result<Surveyed, FetchError>>, FetchError> {
    let git = Git::init(job, url)?;
    let refs = Refs::ask(&git)?;
    let mut states = Vec::new();
    for asked in asked {
        let state = refs.find(url, &asked.place).and_then(|want| {
            let is_same =
                |skill: &AskedSkill| skill.commit.is_some() && skill.commit == want.commit;
            if let Some(commit) = &want.commit
                && asked.skills.iter().all(is_same)
            {
                return Ok(unchanged(&want, commit, asked));
            }
            look(&git, url, &want, asked)
        });
        states.push(state);
    }
    Ok(states)
}

fn unchanged(want: &Want, commit: &str, asked: &Asked) -> Surveyed {
    let same = SurveyedSkill {
        now: Now::Same,
        is_rewritten: false,
    };
    Surveyed {
        name: want.name.clone(),
        commit: commit.to_owned(),
        skills: vec![same; asked.skills.len()],
    }
}

fn look(git: &Git<'_>, url: &str, want: &Want, asked: &Asked) -> Result<Surveyed, FetchError> {
    let commit = fetch_commit(git, url, want)?;
    let listing = Listing::of(git, &commit)?;
    let fate = |skill: &AskedSkill| {
        if skill.commit.as_deref() == Some(commit.as_str()) {
            return Now::Same;
        }
        now(&listing, &skill.path, skill.tree.as_deref().unwrap_or(""))
    };
    let fates: Vec<Now> = asked.skills.iter().map(fate).collect();
    let is_branch = !want.name.starts_with("refs/tags/");
    let changed = asked.skills.iter().zip(&fates);
    let mut changed = changed.filter(|(skill, now)| skill.commit.is_some() && **now != Now::Same);
    let history = if is_branch && changed.next().is_some() {
        // Whether the history was rewritten is worth knowing, and nothing fails for it.
        history(git, want).ok().flatten()
    } else {
        None
    };
    let skills = asked.skills.iter().zip(fates).map(|(skill, now)| {
        let is_lost = |commit: &String| history.as_ref().is_some_and(|it| !it.contains(commit));
        SurveyedSkill {
            is_rewritten: now != Now::Same && skill.commit.as_ref().is_some_and(is_lost),
            now,
        }
    });
    Ok(Surveyed {
        name: want.name.clone(),
        skills: skills.collect(),
        commit,
    })
}

/// The commits of a branch; nothing when there are more than [`limits::HISTORY_COMMITS`], so that one that is not among
/// them may be further back.
fn history(git: &Git<'_>, want: &Want) -> Result<Option<BTreeSet<String>>, FetchError> {
    let depth = format!("--depth={}", limits::HISTORY_COMMITS);
    let mut arguments: Vec<&str> = FETCH
        .iter()
        .copied()
        .filter(|it| !it.starts_with("--filter"))
        .collect();
    // Commits alone, without what is in them.
    arguments.extend(["--filter=tree:0", &depth, "--", "origin", &want.name]);
    git.ask(&arguments, Input::default())?;
    let list = git.run(&["rev-list", "FETCH_HEAD"], Input::default())?;
    let is_cut = git.run(&["rev-parse", "--is-shallow-repository"], Input::default())?;
    let list = String::from_utf8_lossy(&list);
    let commits: BTreeSet<String> = list.lines().map(str::to_owned).collect();
    let is_whole = String::from_utf8_lossy(&is_cut).trim() == "false";
    Ok(is_whole.then_some(commits))
}
