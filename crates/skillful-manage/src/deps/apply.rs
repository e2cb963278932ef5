//! Doing what was planned, once somebody said yes to it, and looking again.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cap_std::fs::Dir;
use skillful::bundle::digest;
use skillful::details::Details;
use skillful::programs::is_name;
use skillful::{Programs, Skill};
use tempfile::TempDir;

use super::download::{self, DownloadError, Web, read_all};
use super::needs::{self, Need};
use super::places::Places;
use super::plan::{Plan, Refused};
use super::run::{self, Ended, Ran};
use super::shelf::{Origin, Shelf, ShelfError};
use super::step::{CommandStep, DownloadStep, Step};
use crate::data::make_private;
use crate::limits;
use crate::progress::{Progress, Step as Event};
use crate::unpack;

/// Somebody's yes to a plan: to the skill's files as they were when it was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consent {
    /// The digest that the plan named.
    pub digest: String,
    /// The longest that one step may take.
    pub timeout: Duration,
}

/// Nothing was done.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// The plan was refused from the beginning.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The skill is not what somebody said yes to.
    #[error(
        "`{id}` is not what was agreed to: its digest is {found}, not {agreed}; look at the plan again"
    )]
    Changed {
        /// The skill.
        id: String,
        /// What was agreed to.
        agreed: String,
        /// What is there.
        found: String,
    },
    /// There is nowhere to work in.
    #[error("there is no home to work in: name one with --home")]
    NoPlace,
    /// The operating system says no.
    #[error("{}: {error}", path.display())]
    Io {
        /// What could not be made.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

/// What became of a plan.
#[derive(Debug)]
pub struct Report {
    /// The steps, in their order; after an interruption the rest is missing.
    pub steps: Vec<Done>,
    /// All programs that the skill asks for, looked up again.
    pub needs: Vec<Need>,
    /// Programs that are there but not on the search path, with their files.
    pub off_path: Vec<(String, PathBuf)>,
    /// Programs that are still missing; of alternatives all.
    pub missing: Vec<String>,
    /// Whether the user interrupted.
    pub interrupted: bool,
}

impl Report {
    /// Whether every step was done and nothing is missing.
    pub fn is_success(&self) -> bool {
        !self.interrupted && self.missing.is_empty() && self.steps.iter().all(Done::is_success)
    }
}

/// What became of one step.
#[derive(Debug)]
pub struct Done {
    /// The way's id.
    pub id: String,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a step.
#[derive(Debug)]
pub enum Outcome {
    /// A manager ran.
    Ran(Ran),
    /// The right to run it was not given.
    NoRights,
    /// Programs were placed.
    Placed(Vec<PathBuf>),
    /// A file could not be fetched.
    NotFetched(DownloadError),
    /// A program could not be placed.
    NotPlaced(ShelfError),
}

impl Outcome {
    /// The word in every output.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Ran(ran) => match ran.ended {
                Ended::Exited(Some(0)) => "done",
                Ended::Exited(_) => "failed",
                Ended::TimedOut => "timed-out",
                Ended::Interrupted => "interrupted",
                Ended::NotStarted(_) => "not-started",
            },
            Self::NoRights => "no-rights",
            Self::Placed(_) => "placed",
            Self::NotFetched(_) => "not-fetched",
            Self::NotPlaced(_) => "not-placed",
        }
    }
}

impl Done {
    /// Whether it was done.
    pub fn is_success(&self) -> bool {
        match &self.outcome {
            Outcome::Ran(ran) => ran.ended == Ended::Exited(Some(0)),
            Outcome::Placed(_) => true,
            Outcome::NoRights | Outcome::NotFetched(_) | Outcome::NotPlaced(_) => false,
        }
    }
}

/// Does what a plan says. A step that fails does not keep the others from being done.
///
/// # Errors
///
/// [`ApplyError`]; nothing was run then.
pub fn apply(
    plan: &Plan,
    skill: &Skill,
    consent: &Consent,
    places: &Places,
    web: &dyn Web,
    progress: &dyn Progress,
) -> Result<Report, ApplyError> {
    if let Some(refused) = &plan.refused {
        return Err(refused.clone().into());
    }
    let planned = plan.digest.clone().unwrap_or_default();
    let now = digest(skill).unwrap_or_default();
    if let Some(found) = [planned, now]
        .into_iter()
        .find(|found| *found != consent.digest)
    {
        return Err(ApplyError::Changed {
            id: plan.id.clone(),
            agreed: consent.digest.clone(),
            found,
        });
    }
    let data = places.data.as_deref().ok_or(ApplyError::NoPlace)?;
    let mut steps: Vec<Done> = Vec::new();
    for (way, step) in plan.steps() {
        if progress.is_cancelled() {
            break;
        }
        let work = empty_place(data)?;
        progress.step(Event::Begin(&title(step)));
        let outcome = match step {
            Step::Command(command) => run_command(command, consent, places, work.path(), progress),
            Step::Download(download) => {
                fetch_and_place(plan, download, data, work.path(), web, progress)
                    .unwrap_or_else(|failed| failed)
            }
        };
        progress.step(Event::End);
        steps.push(Done {
            id: way.id.clone(),
            outcome,
        });
    }
    Ok(look_again(
        plan,
        skill,
        places,
        steps,
        progress.is_cancelled(),
    ))
}

/// What a step does, in a line.
fn title(step: &Step) -> String {
    match step {
        Step::Command(command) => command.arguments.join(" "),
        Step::Download(download) => format!("fetching {}", download.url),
    }
}

/// An empty directory, in which no settings of a project lie.
fn empty_place(data: &Path) -> Result<TempDir, ApplyError> {
    let staging = data.join("staging");
    let made = || {
        make_private(&staging)?;
        tempfile::Builder::new()
            .prefix("deps-")
            .tempdir_in(&staging)
    };
    made().map_err(|error| ApplyError::Io {
        path: staging.clone(),
        error,
    })
}

fn run_command(
    step: &CommandStep,
    consent: &Consent,
    places: &Places,
    work: &Path,
    progress: &dyn Progress,
) -> Outcome {
    if let Some(sudo) = &step.sudo
        && !run::ask_for_rights(sudo).unwrap_or(false)
    {
        return Outcome::NoRights;
    }
    let program = run::Program {
        file: step.sudo.as_deref().unwrap_or(&step.program),
        arguments: step.arguments.get(1..).unwrap_or_default(),
        directory: work,
        search_path: places.host.variable("PATH"),
        sudo: step.sudo.as_deref(),
    };
    Outcome::Ran(run::run(&program, consent.timeout, progress))
}

/// Fetches a file and places the programs that it is or holds.
///
/// # Errors
///
/// The outcome that says why not.
fn fetch_and_place(
    plan: &Plan,
    step: &DownloadStep,
    data: &Path,
    work: &Path,
    web: &dyn Web,
    progress: &dyn Progress,
) -> Result<Outcome, Outcome> {
    let cannot = |error: io::Error| Outcome::NotFetched(error.into());
    let mut file = tempfile::tempfile_in(work).map_err(cannot)?;
    download::fetch(step, web, &mut file, limits::PROGRAM_BYTES, progress)
        .map_err(Outcome::NotFetched)?;
    let mut programs = Vec::new();
    if step.archive.is_some() {
        let tree = unpacked(&file, work).map_err(Outcome::NotFetched)?;
        for name in &step.bins {
            let found = download::pick(&tree, step.strip, name).map_err(Outcome::NotFetched)?;
            programs.push((name, read_all(found).map_err(cannot)?));
        }
    } else {
        let bytes = read_all(&file).map_err(cannot)?;
        programs.extend(step.bins.first().map(|name| (name, bytes)));
    }
    let origin = Origin {
        url: step.url.as_str(),
        skill: &plan.id,
    };
    let shelf = Shelf::of(data);
    let placed: Result<Vec<PathBuf>, ShelfError> = programs
        .iter()
        .map(|(name, bytes)| shelf.place(name, bytes, origin))
        .collect();
    placed.map(Outcome::Placed).map_err(Outcome::NotPlaced)
}

/// The files of an archive, in a directory of their own.
fn unpacked(archive: &std::fs::File, work: &Path) -> Result<Dir, DownloadError> {
    let place = work.join("unpacked");
    std::fs::create_dir(&place)?;
    let tree = Dir::open_ambient_dir(&place, cap_std::ambient_authority())?;
    // A single program is larger than any file of a skill.
    let limits = unpack::Limits {
        bytes: limits::PROGRAM_BYTES,
        file_bytes: limits::PROGRAM_BYTES,
        ..unpack::Limits::default()
    };
    unpack::unpack(archive, &tree, limits)
        .map_err(|error| DownloadError::Archive(error.to_string()))?;
    Ok(tree)
}

/// Looks every program up anew: on the search path, among our own, and where the managers that ran put theirs.
fn look_again(
    plan: &Plan,
    skill: &Skill,
    places: &Places,
    steps: Vec<Done>,
    interrupted: bool,
) -> Report {
    let manifest = Details::of(skill).manifest;
    let mut needs = Need::all(&manifest, &places.all_programs());
    let mut off_path = Vec::new();
    for need in needs.iter_mut().filter(|need| need.found.is_none()) {
        need.found = in_destinations(plan, places, &need.program);
        off_path.extend(need.found.clone().map(|file| (need.program.clone(), file)));
    }
    let mut missing: Vec<String> = needs::missing(&needs)
        .into_iter()
        .flatten()
        .map(str::to_owned)
        .collect();
    // What was asked for by the spec's name is looked for as well.
    let programs = places.all_programs();
    for bin in plan.steps().flat_map(|(way, _)| &way.bins) {
        let is_told = needs.iter().any(|need| need.program == *bin);
        if is_told || programs.has(bin) {
            continue;
        }
        match in_destinations(plan, places, bin) {
            Some(file) => off_path.push((bin.clone(), file)),
            None => missing.push(bin.clone()),
        }
    }
    Report {
        steps,
        needs,
        off_path,
        missing,
        interrupted,
    }
}

fn in_destinations(plan: &Plan, places: &Places, program: &str) -> Option<PathBuf> {
    if !is_name(program) {
        return None;
    }
    plan.steps().find_map(|(_, step)| {
        let destination = match step {
            Step::Command(command) => command.destination.as_ref()?,
            Step::Download(_) => return None,
        };
        let nowhere = places.host.clone().with_variable("PATH", "");
        Programs::on_path(&nowhere)
            .and_in(destination)
            .find(program)
    })
}
