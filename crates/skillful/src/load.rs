//! From a candidate to a skill: what its SKILL.md says, and who it is.
//!
//! A skill whose text cannot be read is broken; every other one is loaded. Without a description it is degraded: the
//! body's first paragraph describes it, and an error says so.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skillmd::{Code, DecodeError, Diagnostic, Document, Severity, Span};

use crate::discover::{Candidate, Form};
use crate::identity::skill_id;
use crate::limits;
use crate::roots::{Root, Source};
use crate::state::{Blocker, State};

/// The id of a skill whose name and place leave nothing to make one of.
const NAMELESS: &str = "unnamed-skill";

/// A skill that was found. [`crate::registry::Registry`] decides its final state.
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
    /// What may be done with it.
    pub state: State,
    /// The state that it has by itself, whatever other skills there are.
    pub(crate) own_state: State,
    /// The reasons for a state other than ready.
    pub blockers: Vec<Blocker>,
    /// The path of the skill that has precedence over it.
    pub shadowed_by: Option<PathBuf>,
    /// What is wrong with it, sorted by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a candidate. It always becomes a skill; the worst one is broken.
pub fn load(candidate: Candidate, root: &Arc<Root>) -> Skill {
    let place_name = candidate.place_name().into_owned();
    let bytes = candidate.content.as_ref().map_or(0, Vec::len);
    let document = candidate
        .content
        .and_then(|bytes| skillmd::parse(bytes).map_err(|error| cannot_decode(&error)));
    let mut diagnostics = candidate.notes;
    let mut skill = Skill {
        id: String::new(),
        name: String::new(),
        description: String::new(),
        place_name,
        path: candidate.path,
        form: candidate.form,
        real_directory: candidate.real_directory,
        root: Arc::clone(root),
        bytes,
        state: State::Ready,
        own_state: State::Ready,
        blockers: Vec::new(),
        shadowed_by: None,
        diagnostics: Vec::new(),
    };
    match document {
        Ok(document) => {
            skill.describe(&document, &mut diagnostics);
            diagnostics.extend_from_slice(document.diagnostics());
        }
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

    /// Takes name and description from what was read.
    fn describe(&mut self, document: &Document, diagnostics: &mut Vec<Diagnostic>) {
        if let Some(name) = text(document, "name") {
            name.clone_into(&mut self.name);
        }
        if let Some(description) = text(document, "description") {
            description.clone_into(&mut self.description);
            return;
        }
        self.description = first_paragraph(document.body()).unwrap_or_default();
        if let Some(frontmatter) = document.frontmatter() {
            let mut reporter = skillmd::Reporter::new(document.text());
            reporter
                .report(
                    Code::DescriptionMissing,
                    Span::at(frontmatter.opener.start),
                    "the skill has no description",
                )
                .help("add a `description` that says what the skill does and when to use it");
            diagnostics.extend(reporter.finish());
        }
    }

    /// A skill without bytes, text or content is broken, for the reasons that its diagnostics give.
    fn mark_broken(&mut self) {
        let reasons = self
            .diagnostics
            .iter()
            .filter(|diagnostic| makes_broken(diagnostic));
        self.blockers = reasons
            .map(|diagnostic| Blocker::new(diagnostic.code.as_str(), &*diagnostic.message))
            .collect();
        if !self.blockers.is_empty() {
            self.state = State::Broken;
            self.own_state = State::Broken;
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
        if self.name.is_empty() {
            self.name.clone_from(&self.place_name);
        }
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

fn text<'d>(document: &'d Document, key: &str) -> Option<&'d str> {
    document
        .get_text(key)
        .map(str::trim)
        .filter(|text| !text.is_empty())
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

/// The first lines of a body that are neither blank nor a heading nor a comment, as one line of at most 1,024
/// characters; of a body that has headings only, the first.
fn first_paragraph(body: &str) -> Option<String> {
    let is_prose =
        |line: &&str| !line.is_empty() && !line.starts_with(['#', '<']) && !line.starts_with("```");
    let lines = || body.lines().map(str::trim);
    let mut paragraph = lines()
        .skip_while(|line| !is_prose(line))
        .take_while(is_prose)
        .peekable();
    let words: Box<dyn Iterator<Item = &str>> = if paragraph.peek().is_some() {
        Box::new(paragraph.flat_map(str::split_whitespace))
    } else {
        let heading = lines().find(|line| line.starts_with('#'))?;
        Box::new(heading.trim_start_matches('#').split_whitespace())
    };
    let mut text = String::new();
    let mut length = 0;
    for word in words {
        let longer = length + word.chars().count() + usize::from(length > 0);
        if longer > limits::DESCRIPTION_CHARS {
            break;
        }
        if length > 0 {
            text.push(' ');
        }
        text.push_str(word);
        length = longer;
    }
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests;
