//! From a candidate to a skill: what its SKILL.md says, and who it is.
//!
//! A skill whose text cannot be read is broken; every other one is loaded, and ready until it is judged. Without a description it is degraded: the
//! body's first paragraph describes it, and an error says so.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skillful_guard::Verdict;
use skillmd::name::skill_id;
use skillmd::{Code, DecodeError, Diagnostic, Document, Manifest, Reporter, Severity, Span};
use twox_hash::XxHash3_64;

use crate::discover::{Candidate, Form};
use crate::guard::Inspection;
use crate::roots::{Root, Source};
use crate::state::{Blocker, State};

/// The id of a skill whose name and place leave nothing to make one of.
const NAMELESS: &str = "unnamed-skill";

/// A skill that was found. [`crate::registry::Registry`] decides its final state: whether another one shadows it, and
/// else what [`crate::eligibility`] says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// Its name in Agent Skills form; `plugin:name` for a plugin's.
    pub id: String,
    /// The name that its author gave it, or that of its directory.
    pub name: String,
    /// The description, or what stands in for it; empty when there is nothing.
    pub description: String,
    /// The name that its place gives it: its directory's, or the file's without its ending.
    pub place_name: String,
    /// Its SKILL.md, flat file or archive, below the root's path.
    pub path: PathBuf,
    /// How it is kept.
    pub form: Form,
    /// The directory that holds it, without links, when a link below the root leads to it.
    pub real_directory: Option<PathBuf>,
    /// Where it was found.
    pub root: Arc<Root>,
    /// Length of its SKILL.md in bytes.
    pub bytes: usize,
    /// A hash of its SKILL.md that tells whether it changed. It is no digest: who wants to can make two files with one.
    pub fingerprint: u64,
    /// How often its other files were seen to change since it was first read.
    pub revision: u32,
    /// What may be done with it.
    pub state: State,
    /// The reasons for a state other than ready.
    pub blockers: Vec<Blocker>,
    /// The path of the skill that has precedence over it.
    pub shadowed_by: Option<PathBuf>,
    /// What is wrong with it, sorted by place.
    pub diagnostics: Vec<Diagnostic>,
    /// What its frontmatter says; nothing when the file could not be read.
    pub manifest: Option<Box<Manifest>>,
    /// What the guard knows of its files; nothing when they were not looked at.
    pub inspection: Option<Arc<Inspection>>,
}

/// Reads a candidate. It always becomes a skill; the worst one is broken.
pub fn load(candidate: Candidate, root: &Arc<Root>) -> Skill {
    let place_name = candidate.place_name().into_owned();
    let bytes = candidate.content.as_ref().map_or(0, Vec::len);
    let fingerprint = candidate.content.as_deref().map_or(0, XxHash3_64::oneshot);
    let document = candidate
        .content
        .and_then(|bytes| skillmd::parse(bytes).map_err(|error| cannot_decode(&error)));
    let mut diagnostics = candidate.notes;
    let mut skill = Skill {
        id: String::new(),
        name: place_name.clone(),
        description: String::new(),
        place_name,
        path: candidate.path,
        form: candidate.form,
        real_directory: candidate.real_directory,
        root: Arc::clone(root),
        bytes,
        fingerprint,
        revision: 0,
        state: State::Ready,
        blockers: Vec::new(),
        shadowed_by: None,
        diagnostics: Vec::new(),
        manifest: None,
        inspection: None,
    };
    match document {
        Ok(document) => diagnostics.append(&mut skill.describe(&document)),
        Err(diagnostic) => diagnostics.push(*diagnostic),
    }
    skillmd::diagnostic::sort(&mut diagnostics);
    skill.diagnostics = diagnostics;
    skill.mark_broken();
    skill.identify();
    skill
}

impl Skill {
    /// The directory that the skill's other files lie in; none for a skill that is a single file, an archive or part
    /// of the program.
    pub fn directory(&self) -> Option<&Path> {
        self.form.directory(&self.path)
    }

    /// What the guard says of its files; nothing when it did not look at them.
    pub fn verdict(&self) -> Option<Verdict> {
        self.inspection
            .as_ref()
            .map(|inspection| inspection.verdict())
    }

    /// The note that its file cannot be read any more, and that what was read before stays in use; nothing when it can.
    pub(crate) fn kept_note(&self) -> Option<&Diagnostic> {
        let mut notes = self.diagnostics.iter();
        notes.find(|note| note.code == Code::LastGoodKept)
    }

    /// The skill's directory, file or archive without links; what makes two findings the same thing.
    pub(crate) fn real_place(&self) -> PathBuf {
        let directory = match (&self.real_directory, self.path.parent()) {
            (Some(real), _) => real.clone(),
            (None, Some(shown)) => match shown.strip_prefix(&self.root.path) {
                Ok(below) => self.root.real.join(below),
                Err(_) => shown.to_owned(),
            },
            (None, None) => PathBuf::new(),
        };
        match (&self.form, self.path.file_name()) {
            (Form::File | Form::Archive { .. }, Some(file)) => directory.join(file),
            _ => directory,
        }
    }

    /// Takes from a document what it says. Gives what is wrong with it.
    fn describe(&mut self, document: &Document) -> Vec<Diagnostic> {
        let mut reporter = Reporter::new(document.text());
        let manifest = Manifest::read(document, &mut reporter);
        if manifest.description().is_none()
            && let Some(frontmatter) = document.frontmatter()
        {
            let opener = Span::at(frontmatter.opener.start);
            reporter
                .report(
                    Code::DescriptionMissing,
                    opener,
                    "the skill has no description",
                )
                .help("add a `description` that says what the skill does and when to use it");
        }
        self.name = manifest.name().unwrap_or(&self.place_name).to_owned();
        self.description = manifest
            .description_or_first_paragraph(document.body())
            .unwrap_or_default();
        self.manifest = Some(Box::new(manifest));
        let mut diagnostics = document.diagnostics().to_vec();
        diagnostics.extend(reporter.finish());
        diagnostics
    }

    /// A skill without bytes, text or content is broken, for the reasons that its diagnostics give.
    fn mark_broken(&mut self) {
        let reasons: Vec<_> = self
            .diagnostics
            .iter()
            .filter(|diagnostic| makes_broken(diagnostic))
            .map(|diagnostic| (diagnostic.code.as_str(), diagnostic.message.clone()))
            .collect();
        for (kind, detail) in reasons {
            self.state = State::Broken;
            self.blockers.push(Blocker::new(kind, detail));
        }
    }

    fn identify(&mut self) {
        let own = skill_id(&self.name)
            .or_else(|| skill_id(&self.place_name))
            .unwrap_or(Cow::Borrowed(NAMELESS));
        self.id = match &self.root.source {
            Source::Plugin { name } => format!("{}:{own}", plugin_id(name)),
            _ => own.into_owned(),
        };
    }
}

/// The diagnostic about bytes that are not text.
pub(crate) fn cannot_decode(error: &DecodeError) -> Box<Diagnostic> {
    let mut diagnostic = Diagnostic::about_file(Code::NotUtf8, format!("the file is {error}"));
    diagnostic.help("save the file as UTF-8");
    Box::new(diagnostic)
}

fn plugin_id(name: &str) -> Cow<'_, str> {
    skill_id(name).unwrap_or(Cow::Borrowed("plugin"))
}

/// Whether a diagnostic says that there is nothing to load.
fn makes_broken(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Error
        && matches!(
            diagnostic.code,
            Code::FileUnreadable
                | Code::FileNotRegular
                | Code::FileTooLarge
                | Code::FileEmpty
                | Code::NotUtf8
                | Code::LinkOutsideRoot
                | Code::LinkBroken
                | Code::BundleUnreadable
        )
}

#[cfg(test)]
mod tests;
