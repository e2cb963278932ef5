//! From a skill to files that may be handed to others.

use std::borrow::Cow;

use skillful::Skill;
use skillful::bundle::ResourcePath;
use skillful::check::{Rules, Subject, check_content};
use skillful::discover::{Candidate, Form as Kept};
use skillful_guard::Verdict;
use skillmd::lint::references;
use skillmd::{Diagnostic, Severity};

use super::collect::{LeftOut, PackedFile, SKILL_MD, Unpackable, collect};
use super::digest;
use super::gate::{self, Finding};
use crate::gate::Gate;

/// What is wanted of packing.
#[derive(Clone, Debug)]
pub struct Wishes {
    /// What may be handed to others: how findings are judged, and the files that a person accepted by their digest.
    pub gate: Gate,
    /// Diagnostics that are not asked for.
    pub rules: Rules,
    /// Pack a skill in which the check finds errors.
    pub allow_invalid: bool,
}

/// A skill that may be packed.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The skill's id.
    pub id: String,
    /// Its name by the standard.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Its files, sorted by path; one of them is the SKILL.md.
    pub files: Vec<PackedFile>,
    /// What is left out, sorted by path.
    pub left_out: Vec<LeftOut>,
    /// What is worth knowing, in words.
    pub notes: Vec<String>,
    /// The digest of the files: that of the skill when it is unpacked.
    pub digest: String,
    /// What the scan says.
    pub verdict: Verdict,
}

impl Wishes {
    /// Whatever passes this gate, checked by all rules.
    pub fn through(gate: Gate) -> Self {
        Self {
            gate,
            rules: Rules::default(),
            allow_invalid: false,
        }
    }
}

impl Prepared {
    /// Bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes.len() as u64).sum()
    }
}

/// A skill is not packed.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// Something that would be packed cannot be.
    #[error("`{id}` cannot be packed: {}", listed(faults))]
    Unpackable {
        /// The skill.
        id: String,
        /// All that cannot be.
        faults: Vec<Unpackable>,
    },
    /// There is nothing to pack.
    #[error("`{0}` has no SKILL.md to pack")]
    NoSkill(String),
    /// The check finds errors.
    #[error("`{id}` is not a valid skill: {}", messages(errors))]
    Invalid {
        /// The skill.
        id: String,
        /// The errors.
        errors: Vec<Diagnostic>,
    },
    /// What is to be handed to others needs a name by the standard.
    #[error("`{id}` has no name by the standard that it could be handed to others under")]
    NoName {
        /// The skill.
        id: String,
    },
    /// The scan finds it dangerous, or finds keys.
    #[error("`{id}` is not packed: {}", against(*verdict))]
    Dangerous {
        /// The skill.
        id: String,
        /// What it is called.
        verdict: Verdict,
        /// What speaks against it.
        findings: Vec<Finding>,
        /// What a person who knows better may accept.
        digest: String,
    },
}

fn against(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Dangerous => "the guard calls it dangerous",
        Verdict::Safe | Verdict::Caution => "it holds what looks like a real key",
    }
}

fn listed(faults: &[Unpackable]) -> String {
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    faults.join("; ")
}

fn messages(errors: &[Diagnostic]) -> String {
    let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    messages.join("; ")
}

/// Collects, checks and scans a skill's files.
///
/// # Errors
///
/// [`PackError`].
pub fn prepare(skill: &Skill, wishes: &Wishes) -> Result<Prepared, PackError> {
    let id = || skill.id.clone();
    let mut collected = collect(skill);
    if !collected.faults.is_empty() {
        let faults = collected.faults;
        return Err(PackError::Unpackable { id: id(), faults });
    }
    let main = collected.files.iter().find(|file| file.path == SKILL_MD);
    let main = main.ok_or_else(|| PackError::NoSkill(id()))?.bytes.clone();
    let errors = errors(skill, &main, &wishes.rules);
    if !errors.is_empty() && !wishes.allow_invalid {
        return Err(PackError::Invalid { id: id(), errors });
    }
    note_references(&main, &mut collected.left_out);
    let digest = digest::of_files(&collected.files);
    let judgement = gate::judge(&wishes.gate, &collected.files, &digest);
    if !judgement.against.is_empty() {
        return Err(PackError::Dangerous {
            id: id(),
            verdict: judgement.verdict,
            findings: judgement.against,
            digest,
        });
    }
    let name = public_name(skill).ok_or_else(|| PackError::NoName { id: id() })?;
    Ok(Prepared {
        id: id(),
        name: name.into_owned(),
        description: skill.description.clone(),
        files: collected.files,
        left_out: collected.left_out,
        notes: collected.notes,
        digest,
        verdict: judgement.verdict,
    })
}

/// The errors that the check finds in these bytes. Nothing is read again: what is checked is what is packed.
fn errors(skill: &Skill, main: &[u8], rules: &Rules) -> Vec<Diagnostic> {
    let subject = match skill.form {
        Kept::Bundled => Subject::without_place(&skill.path),
        _ => Subject::of(&Candidate {
            path: skill.path.clone(),
            form: skill.form.clone(),
            real_directory: None,
            content: Ok(main.to_vec()),
            notes: Vec::new(),
        }),
    };
    let checked = check_content(&subject, Ok(main.to_vec()), rules);
    checked
        .diagnostics()
        .map(|(_, diagnostic)| diagnostic)
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .cloned()
        .collect()
}

/// Marks what is left out although the text refers to it.
fn note_references(main: &[u8], left_out: &mut [LeftOut]) {
    let Ok(document) = skillmd::parse(main.to_vec()) else {
        return;
    };
    let named = references(&document);
    let body = document.body();
    for out in left_out {
        let path = out.path.trim_end_matches('/');
        let is_below = |reference: &str| {
            reference
                .strip_prefix(path)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        out.is_referred_to = named.iter().any(|reference| is_below(&reference.path))
            || ["`", "/"]
                .iter()
                .any(|end| body.contains(&format!("`{path}{end}")));
    }
}

/// The name that a skill is handed to others under; a plugin's skill leaves the plugin's name behind.
fn public_name(skill: &Skill) -> Option<Cow<'_, str>> {
    [&skill.name, &skill.place_name]
        .into_iter()
        .find_map(|name| skillmd::name::skill_id(name))
        // A directory called `con` cannot be made on Windows.
        .filter(|name| ResourcePath::parse(name).is_ok())
}
