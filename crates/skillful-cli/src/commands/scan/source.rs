//! What was typed → bundles, scanned and judged, in an order that does not depend on threads.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use rayon::prelude::*;
use skillful::Library;
use skillful::contract::{AcceptedJson, ScannedBundle};
use skillful::guard::{self, Accepted, STDIN, Subject, judge};
use skillful::scanner::report::BundleReport;
use skillful::scanner::{Baseline, Bundle, Content, Finding, scan};

use super::Job;
use crate::args::ScanFormat;
use crate::error::CommandError;
use crate::input;
use crate::lookup;
use crate::progress::Progress;
use crate::render::acceptance_text;
use crate::render::finding::Place;
use crate::terminal::warn;

/// A bundle with everything that reports need.
pub(super) struct Scanned {
    /// What the JSON says.
    pub(super) bundle: ScannedBundle,
    /// By what it is accepted as it is, for people.
    pub(super) accepted: Option<String>,
    /// The directory that the paths of findings begin at, with `/`; empty for the working directory.
    pub(super) base: String,
    /// The same as people read it.
    shown_base: String,
    /// Where each finding stands in its line, for those that are drawn; in the order of the findings.
    pub(super) places: Vec<Option<Place>>,
    /// What a baseline knows the findings by.
    pub(super) fingerprints: BTreeSet<String>,
}

impl Scanned {
    /// The path of a file of the bundle as people read it.
    pub(super) fn file(&self, path: &str) -> String {
        if self.bundle.report.path == STDIN {
            return STDIN.to_owned();
        }
        match (&*self.shown_base, path) {
            ("", _) => path.to_owned(),
            (base, "") => base.to_owned(),
            (base, path) => format!("{}/{path}", base.trim_end_matches('/')),
        }
    }
}

/// Scans what was named, or every skill of this machine. What is reached twice is scanned once.
pub(super) fn scan_all(job: &Job<'_>) -> Result<Vec<Scanned>, CommandError> {
    let paths = &job.args.paths;
    let is_stdin = input::is_stdin(paths)?;
    if job.args.name.is_some() && !is_stdin {
        let failure = CommandError::usage("--name says what a text on standard input is called");
        return Err(failure.hint("with `-` as the path"));
    }
    if is_stdin {
        // What is over the limit makes the scan incomplete, as it does for a file.
        let bytes = input::stdin_up_to(skillful::limits::SCAN_FILE_BYTES)?;
        let subject = Subject::of_text(bytes, job.args.name.as_deref());
        return Ok(vec![scan_one(job, &subject)]);
    }
    let progress = Progress::start("scanned");
    let visit = |subject: Subject| {
        let place = subject.path.canonicalize();
        let place = place.unwrap_or_else(|_| subject.path.clone());
        let scanned = scan_one(job, &subject);
        progress.step();
        (place, scanned)
    };
    let mut all: Vec<(PathBuf, Scanned)> = Vec::new();
    if paths.is_empty() {
        all = installed(job, &visit)?;
    }
    let mut library = None;
    for path in paths {
        if path.symlink_metadata().is_ok() {
            let visited = guard::visit(path, visit).map_err(input::cannot_visit)?;
            for problem in &visited.problems {
                warn(&problem.to_string());
            }
            all.extend(visited.skills.into_iter().map(|(_, scanned)| scanned));
        } else {
            all.push(visit(by_id(job, path, &mut library)?));
        }
    }
    let mut seen = BTreeSet::new();
    all.retain(|(place, _)| seen.insert(place.clone()));
    Ok(all.into_iter().map(|(_, scanned)| scanned).collect())
}

/// All skills of the machine; a directory that several clients reach counts once.
fn installed<T: Send>(
    job: &Job<'_>,
    visit: &(impl Fn(Subject) -> T + Sync),
) -> Result<Vec<T>, CommandError> {
    let library = job.world.scan()?;
    for problem in &library.problems {
        warn(&problem.to_string());
    }
    let mut seen = BTreeSet::new();
    let mut skills: Vec<_> = library.registry.skills().iter().collect();
    skills.retain(|skill| {
        let place = skill.path.canonicalize();
        seen.insert(place.unwrap_or_else(|_| skill.path.clone()))
    });
    Ok(skills
        .into_par_iter()
        .map(|skill| visit(Subject::of_skill(skill)))
        .collect())
}

/// The skill of this id; the skills of the machine are searched once.
fn by_id(job: &Job<'_>, id: &Path, library: &mut Option<Library>) -> Result<Subject, CommandError> {
    let library = match library {
        Some(library) => library,
        None => library.insert(job.world.scan()?),
    };
    let text = id.to_string_lossy();
    let skill = lookup::searched(job.world, library, &text).map_err(|error| {
        let message = format!("there is no file, no directory and no skill `{text}`");
        let failure = CommandError::usage(message);
        error.hints.into_iter().fold(failure, CommandError::hint)
    })?;
    Ok(Subject::of_skill(skill))
}

fn scan_one(job: &Job<'_>, subject: &Subject) -> Scanned {
    let bundle = &subject.gathered.bundle;
    let mut scan = scan(bundle, job.rules);
    let base = below_here(job, &subject.base);
    let located = |finding: &Finding| Finding {
        path: format!("{base}/{}", finding.path),
        ..finding.clone()
    };
    let before = scan.findings.len();
    if let Some(baseline) = &job.baseline {
        scan.findings
            .retain(|finding| !baseline.knows(&located(finding)));
    }
    let digest = subject.gathered.digest.clone();
    let judged = judge(&job.policy, &scan, digest.as_deref());
    let places = match job.args.output.format() {
        ScanFormat::Text => places(bundle, &judged.findings),
        _ => Vec::new(),
    };
    let known: Vec<Finding> = match job.args.write_baseline {
        Some(_) => judged.findings.iter().map(located).collect(),
        None => Vec::new(),
    };
    let path = match &*below_here(job, &subject.path) {
        "" => ".".to_owned(),
        path => path.to_owned(),
    };
    let accepted = accepted_as(job, subject);
    Scanned {
        accepted: accepted.map(acceptance_text),
        bundle: ScannedBundle {
            id: subject.id.clone(),
            accepted: accepted.map(AcceptedJson::from),
            digest,
            known: before - scan.findings.len(),
            report: BundleReport::new(path, &scan.coverage, &judged),
        },
        shown_base: with_slashes(&job.world.shown(Path::new(&base))),
        base,
        places,
        fingerprints: Baseline::of(&known).fingerprints,
    }
}

/// By what the files of a bundle are accepted as they are.
fn accepted_as<'j>(job: &Job<'j>, subject: &Subject) -> Option<Accepted<'j>> {
    let conditions = job.world.conditions();
    let choices = conditions.records.choices();
    let digest = subject.gathered.digest.as_deref()?;
    Accepted::of(digest, subject.key.as_ref(), conditions.config, choices)
}

/// A path relative to the working directory if it lies below, so that it is the same however it was typed; with `/`.
fn below_here(job: &Job<'_>, path: &Path) -> String {
    let here = job.world.host.working_directory();
    let below = path.strip_prefix(here).unwrap_or(path);
    let plain: PathBuf = below
        .components()
        .filter(|part| !matches!(part, Component::CurDir))
        .collect();
    with_slashes(&plain.to_string_lossy())
}

fn with_slashes(path: &str) -> String {
    if cfg!(windows) {
        path.replace('\\', "/")
    } else {
        path.to_owned()
    }
}

fn places(bundle: &Bundle, findings: &[Finding]) -> Vec<Option<Place>> {
    findings
        .iter()
        .map(|finding| place(bundle, finding))
        .collect()
}

/// Where a finding stands in the line as it is in the file; nothing for what lies in an archive or is no UTF-8.
fn place(bundle: &Bundle, finding: &Finding) -> Option<Place> {
    let mut files = bundle.files().iter();
    let file = files.find(|file| file.path == finding.path)?;
    let Content::Bytes(bytes) = &file.content else {
        return None;
    };
    let mut lines = bytes.split(|&byte| byte == b'\n');
    let line = lines.nth(finding.line.checked_sub(1)?)?;
    let line = std::str::from_utf8(line).ok()?;
    Place::in_line(line.trim_end_matches('\r'), finding.column)
}
