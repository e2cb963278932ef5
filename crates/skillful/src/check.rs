//! Checks skills: everything that reading, the standard, advice, a client's rules and the files beside the SKILL.md
//! have to say, as one list.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use skillmd::name::skill_id;
use skillmd::profile::{self, Profile};
use skillmd::sidecar::Sidecar;
use skillmd::validate::{self, Context};
use skillmd::{Code, Diagnostic, Document, Manifest, Reporter, Severity, lint};

use crate::bundle::Bundle;
use crate::discover::{Candidate, Content};
use crate::limits;
use crate::load::cannot_decode;
use crate::read::{self, Links};

/// What is checked.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Clients whose rules apply; without any, those of the standard do.
    pub profiles: Vec<&'static Profile>,
    /// Diagnostics that are not reported.
    pub ignored: BTreeSet<Code>,
}

/// A checked skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The id that the skill has by its name, or by its place.
    pub id: String,
    /// The name that its author gave it, or that of its place.
    pub name: String,
    /// The SKILL.md first, then other files that something was found in.
    pub files: Vec<CheckedFile>,
}

/// A file of a checked skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedFile {
    /// The file.
    pub path: PathBuf,
    /// Its decoded text, which the diagnostics' spans point into; empty when it could not be read, and when there is no
    /// diagnostic to point anywhere.
    pub text: String,
    /// What was found in it, sorted by place.
    pub diagnostics: Vec<Diagnostic>,
}

impl Checked {
    /// All diagnostics, with the file each is about.
    pub fn diagnostics(&self) -> impl Iterator<Item = (&CheckedFile, &Diagnostic)> {
        self.files
            .iter()
            .flat_map(|file| file.diagnostics.iter().map(move |found| (file, found)))
    }

    /// The path of the SKILL.md, flat file or archive.
    pub fn path(&self) -> &Path {
        self.files.first().map_or(Path::new(""), |file| &file.path)
    }

    /// How many diagnostics have this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics()
            .filter(|(_, found)| found.severity == severity)
            .count()
    }

    /// Whether no error was found.
    pub fn is_valid(&self) -> bool {
        self.count(Severity::Error) == 0
    }
}

/// What a document is judged by beside its own text: its place, and the files around it.
#[derive(Debug, Default)]
pub struct Subject {
    path: PathBuf,
    context: Context,
    directory: Option<PathBuf>,
    bundle: Option<Bundle>,
    /// What the search noted.
    notes: Vec<Diagnostic>,
}

impl Subject {
    /// A candidate without its content.
    pub fn of(candidate: &Candidate) -> Self {
        let path = &candidate.path;
        let directory = candidate.form.directory(path).map(Path::to_owned);
        let bytes = candidate.content.as_ref().map_or(0, Vec::len);
        Self {
            path: path.clone(),
            context: Context {
                directory: Some(candidate.place_name().into_owned()),
                file_name: directory.as_ref().and_then(|_| file_name(path)),
                depth: None,
            },
            bundle: Some(Bundle::at(&candidate.form, path, bytes)),
            directory,
            notes: candidate.notes.clone(),
        }
    }

    /// A text that has no place; `path` is what it is called in reports.
    pub fn without_place(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            ..Self::default()
        }
    }

    /// The same as if it lay in a directory of this name.
    #[must_use]
    pub fn called(mut self, name: impl Into<String>) -> Self {
        self.context.directory = Some(name.into());
        self
    }

    /// All that there is to say about a document at this place, sorted.
    pub fn diagnostics(&self, document: &Document, rules: &Rules) -> Vec<Diagnostic> {
        let mut reporter = Reporter::new(document.text());
        let manifest = Manifest::read(document, &mut reporter);
        let mut reading = document.diagnostics().to_vec();
        reading.extend(reporter.finish());
        let mut found = if rules.profiles.is_empty() {
            let validation = validate::validate(document, &manifest, &self.context);
            validate::merge(reading, validation)
        } else {
            reading
        };
        for profile in &rules.profiles {
            found.extend(profile::check_for(
                profile,
                document,
                &manifest,
                &self.context,
            ));
        }
        match &self.bundle {
            Some(bundle) => {
                let exists = |path: &str| bundle.contains(path);
                found.extend(lint::lint(document, &manifest, Some(&exists)));
                found.extend(bundle.diagnostics.iter().cloned());
            }
            None => found.extend(lint::lint(document, &manifest, None)),
        }
        self.finish(found, rules)
    }

    /// Adds what the search noted, unless the same is said already with more care, and leaves out what is ignored.
    fn finish(&self, mut found: Vec<Diagnostic>, rules: &Rules) -> Vec<Diagnostic> {
        let notes = self
            .notes
            .iter()
            .filter(|note| found.iter().all(|known| known.code != note.code));
        let notes: Vec<Diagnostic> = notes.cloned().collect();
        found.extend(notes);
        found.retain(|found| !rules.ignored.contains(&found.code));
        skillmd::diagnostic::sort(&mut found);
        found
    }

    fn checked(&self, name: Option<&str>, text: String, diagnostics: Vec<Diagnostic>) -> Checked {
        let place = self.context.directory.as_deref().unwrap_or_default();
        let name = name.unwrap_or(place);
        Checked {
            id: skill_id(name)
                .or_else(|| skill_id(place))
                .unwrap_or_default()
                .into_owned(),
            name: name.to_owned(),
            files: vec![CheckedFile {
                path: self.path.clone(),
                text: if diagnostics.is_empty() {
                    String::new()
                } else {
                    text
                },
                diagnostics,
            }],
        }
    }
}

/// Only a file of its own has a name that matters: a flat skill is called as its author likes.
fn file_name(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_string_lossy().into_owned())
}

/// Checks what was found at a place.
pub fn check(candidate: Candidate, rules: &Rules) -> Checked {
    let subject = Subject::of(&candidate);
    let mut checked = check_content(&subject, candidate.content, rules);
    if let Some(directory) = &subject.directory {
        checked.files.extend(check_sidecar(directory, rules));
    }
    checked
}

/// Checks the bytes of a SKILL.md, or says why there are none.
pub fn check_content(subject: &Subject, content: Content, rules: &Rules) -> Checked {
    let parsed =
        content.and_then(|bytes| skillmd::parse(bytes).map_err(|error| cannot_decode(&error)));
    match parsed {
        Ok(document) => {
            let diagnostics = subject.diagnostics(&document, rules);
            let name = document.get_text("name").map(|name| name.trim().to_owned());
            subject.checked(name.as_deref(), document.into_text(), diagnostics)
        }
        Err(diagnostic) => {
            let diagnostics = subject.finish(vec![*diagnostic], rules);
            subject.checked(None, String::new(), diagnostics)
        }
    }
}

/// Where Codex keeps what it needs to know beside a SKILL.md.
pub(crate) const SIDECAR: &str = "agents/openai.yaml";

/// A sidecar's text, what it says, and what is wrong with it.
fn read_sidecar(directory: &Path) -> Option<(String, Sidecar, Vec<Diagnostic>)> {
    let bytes = read::read(&directory.join(SIDECAR), Links::Refuse, limits::FILE_BYTES).ok()?;
    Some(match skillmd::decode(bytes) {
        Ok((text, _)) => {
            let (sidecar, diagnostics) = Sidecar::read(&text);
            (text, sidecar, diagnostics)
        }
        Err(error) => (
            String::new(),
            Sidecar::default(),
            vec![*cannot_decode(&error)],
        ),
    })
}

/// What Codex is told beside the SKILL.md in this directory; nothing when there is no sidecar.
pub(crate) fn sidecar(directory: &Path) -> Option<Sidecar> {
    read_sidecar(directory).map(|(_, sidecar, _)| sidecar)
}

/// Adds what Codex is told beside the SKILL.md to a manifest.
pub(crate) fn merge_sidecar(directory: &Path, manifest: &mut Manifest) {
    if let Some(sidecar) = sidecar(directory) {
        manifest.merge_sidecar(sidecar);
    }
}

fn check_sidecar(directory: &Path, rules: &Rules) -> Option<CheckedFile> {
    let (text, _, mut diagnostics) = read_sidecar(directory)?;
    diagnostics.retain(|found| !rules.ignored.contains(&found.code));
    (!diagnostics.is_empty()).then_some(CheckedFile {
        path: directory.join(SIDECAR),
        text,
        diagnostics,
    })
}
