//! What a learned skill looks like: how it is written, and how it is told from others.

use std::path::{Path, PathBuf};

use skillful::discover::Form;
use skillful::records::key_of;
use skillful::{Library, Skill, Source, details};
use skillful_store::{Activity, Evidence, Key};
use skillmd::node::Pair;
use skillmd::{Document, Manifest, Value};

use super::lesson::one_line;
use super::{LEARNED, LearnError, Learner};
use crate::author::real;

/// Where the tags of a learned skill stand in its metadata.
const TAGS: &str = "tags";

/// A learned skill with what is known of it.
#[derive(Clone, Debug)]
pub struct LearnedSkill {
    /// Its id.
    pub id: String,
    /// Its SKILL.md.
    pub path: PathBuf,
    /// What it is about.
    pub title: String,
    /// All its tags.
    pub tags: Vec<String>,
    /// Its check.
    pub check: Option<String>,
    /// Its key in the records.
    pub key: Key,
    /// How often models were shown that it is there.
    pub offers: u64,
    /// How often it was read, and how often that went well.
    pub evidence: Evidence,
    /// Why it was put away, if it was; blank when nobody said.
    pub archived: Option<String>,
    /// Whether somebody keeps it as it is.
    pub pinned: bool,
    /// Whether a person approved its check for its files as they are.
    pub approved: bool,
}

/// Whether a skill was learned, as its tags say. One that a link leads to was put there by somebody else, whatever it says
/// about itself.
pub(super) fn is_learned(skill: &Skill) -> bool {
    let is_own = matches!(skill.root.source, Source::Global | Source::Workspace { .. })
        && skill.real_directory.is_none();
    is_own && skill.form == Form::Directory && manifest(skill).is_some_and(has_tag)
}

fn has_tag(manifest: &Manifest) -> bool {
    manifest.display.tags.iter().any(|tag| tag == LEARNED)
}

pub(super) fn manifest(skill: &Skill) -> Option<&Manifest> {
    skill.manifest.as_deref()
}

/// What a skill is about.
pub(super) fn title_of(skill: &Skill) -> String {
    let title = manifest(skill).and_then(|it| it.display.title.as_deref());
    one_line(title.unwrap_or(&skill.name))
}

/// The text of a skill's SKILL.md; nothing where it cannot be read.
pub(super) fn document_of(skill: &Skill) -> Option<Document> {
    let bytes = details::content(&skill.form, &skill.path).ok()?;
    skillmd::parse(bytes).ok()
}

/// The metadata of a learned skill.
pub(super) fn metadata(title: &str, tags: &[String], check: Option<&str>) -> Value {
    let mut pairs = vec![
        ("title", Value::text(title)),
        (TAGS, Value::text(tags.join(", "))),
    ];
    pairs.extend(check.map(|check| ("check", Value::text(check))));
    Value::mapping(pairs)
}

/// The document with other tags, and all else as it was.
pub(super) fn with_tags(
    document: &Document,
    tags: &[String],
) -> Result<Document, skillmd::edit::EditError> {
    let known: &[Pair] = match document.get("metadata").map(|node| &node.value) {
        Some(Value::Mapping(pairs)) => pairs,
        _ => &[],
    };
    let text = Value::text(tags.join(", "));
    let mut pairs: Vec<(String, Value)> = known
        .iter()
        .filter(|pair| pair.key != TAGS)
        .map(|pair| (pair.key.clone(), pair.value.value.clone()))
        .collect();
    let place = known.iter().position(|pair| pair.key == TAGS);
    pairs.insert(
        place.unwrap_or(pairs.len()).min(pairs.len()),
        (TAGS.to_owned(), text),
    );
    document.with_entry_set("metadata", &Value::mapping(pairs))
}

/// The learned skills of a place, sorted by id.
pub(super) fn learned<'l>(library: &'l Library, root: &Path) -> impl Iterator<Item = &'l Skill> {
    let root = real(root);
    let skills = library.registry.skills().iter().map(AsRef::as_ref);
    skills.filter(move |skill: &&Skill| skill.root.real == root && is_learned(skill))
}

impl Learner<'_> {
    /// The directory that skills are learned into.
    pub(super) fn root(&self) -> Result<PathBuf, LearnError> {
        Ok(self.place.directory(self.author.setup)?)
    }

    /// All learned skills of this place with what is known of them, sorted by id.
    ///
    /// # Errors
    ///
    /// [`LearnError::Store`] when the records cannot be read.
    pub fn list(&self) -> Result<Vec<LearnedSkill>, LearnError> {
        let library = self.search();
        let root = self.root()?;
        let choices = self.records.choices()?;
        let mut list = Vec::new();
        for skill in learned(&library, &root) {
            let key = key_of(skill);
            let usage = self.records.usage(&key)?;
            let archived = choices.archived(&key).map(|archived| {
                let reason = archived.reason.as_ref();
                reason.map_or_else(String::new, |reason| reason.as_str().to_owned())
            });
            let approval = choices.approval(&key, super::CHECK);
            let is_approved =
                |digest: String| approval.is_some_and(|approval| approval.digest == digest);
            list.push(LearnedSkill {
                id: skill.id.clone(),
                path: skill.path.clone(),
                title: title_of(skill),
                tags: manifest(skill).map_or_else(Vec::new, |it| it.display.tags.clone()),
                check: manifest(skill).and_then(|it| it.execution.check.clone()),
                offers: usage.of(Activity::Offer).count,
                evidence: Evidence::of(&usage),
                archived,
                pinned: self.author.is_pinned(skill)?,
                approved: approval.is_some()
                    && skillful::bundle::digest(skill).is_some_and(is_approved),
                key,
            });
        }
        Ok(list)
    }

    /// The learned skill of this place with this id.
    pub(super) fn one(&self, id: &str) -> Result<LearnedSkill, LearnError> {
        let mut all = self.list()?.into_iter();
        all.find(|skill| skill.id == id)
            .ok_or_else(|| LearnError::NotLearned(id.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use skillmd::{Encoding, Reporter, parse_text};

    use super::*;

    #[test]
    fn tags_are_changed_and_all_else_stays() {
        let text = "---\nname: x\nmetadata:\n  title: X\n  tags: learned, unverified\n  check: \"true\"\nlicense: MIT # mine\n---\nBody\n";
        let document = parse_text(text.to_owned(), Encoding::Utf8);
        let tags = ["learned".to_owned(), "verified".to_owned()];
        let changed = with_tags(&document, &tags).unwrap();
        assert_eq!(changed.text(), text.replace("unverified", "verified"));
        let bare = parse_text("---\nname: x\n---\n".to_owned(), Encoding::Utf8);
        let changed = with_tags(&bare, &tags).unwrap();
        let mut reporter = Reporter::new(changed.text());
        let manifest = Manifest::read(&changed, &mut reporter);
        assert_eq!(manifest.display.tags, tags);
    }
}
