//! What a catalog may say of one skill.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use skillful_store::{Activity, Timestamp};
use skillmd::{Document, Manifest, Reporter};

use crate::details;
use crate::discover::Candidate;
use crate::load::{Skill, cannot_decode};
use crate::mode::Mode;
use crate::roots::Source;

/// One skill as a catalog sees it. All texts are the author's, as they stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The skill's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// When to use it, where its author says so in a place of its own.
    pub when: Option<String>,
    /// Its version tag, for forms that show one; see [`version_tag`].
    pub version: Option<String>,
    /// Its SKILL.md, absolute and without links.
    pub location: PathBuf,
    /// Where it comes from; the greater source is shortened later.
    pub source: Source,
    /// How the user wants it to be brought up.
    pub mode: Mode,
    /// What is known of its use.
    pub usage: Usage,
    /// The shelf that it stands on, for forms that print one.
    pub category: Option<String>,
}

/// How much a skill is used. It decides about room in a catalog only between skills that are otherwise alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// How often it was used.
    pub uses: u64,
    /// Whole days since it was last used; none when it never was.
    pub idle_days: Option<u32>,
}

impl Usage {
    /// What a record of use says at this time.
    pub fn at(now: Timestamp, usage: &skillful_store::Usage) -> Self {
        let idle_days = usage.last_use().map(|last| now.days_since(last));
        Self {
            uses: usage.of(Activity::Use).count,
            idle_days: idle_days.map(|days| u32::try_from(days).unwrap_or(u32::MAX)),
        }
    }
}

impl Entry {
    /// The entry of a skill, whether a model may see it or not (see [`super::hidden`]); nothing when it cannot be read.
    /// It has no version yet (see [`version_of`]): that takes reading the file again.
    pub fn of_skill(skill: &Skill, mode: Mode, usage: Usage) -> Option<Self> {
        let manifest = skill.manifest.as_ref()?;
        Some(Self {
            id: skill.id.clone(),
            name: skill.name.clone(),
            description: skill.description.clone(),
            when: manifest.invocation.when_to_use.clone(),
            version: None,
            location: without_links(skill),
            source: skill.root.source.clone(),
            mode,
            usage,
            category: manifest.display.category.clone(),
        })
    }

    /// The entry of a skill that was named by its path, its version included.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be read, or what it lacks.
    pub fn of_candidate(candidate: Candidate) -> Result<Self, String> {
        let place = candidate.place_name().into_owned();
        let document = candidate
            .content
            .and_then(|bytes| skillmd::parse(bytes).map_err(|error| cannot_decode(&error)))
            .map_err(|diagnostic| diagnostic.message)?;
        let manifest = Manifest::read(&document, &mut Reporter::new(document.text()));
        let name = manifest.name().map_or(place, str::to_owned);
        let description = manifest
            .description_or_first_paragraph(document.body())
            .ok_or("there is neither a description nor text to take one from")?;
        Ok(Self {
            id: skillmd::skill_id(&name).map_or_else(|| name.clone(), |id| id.to_string()),
            name,
            description,
            when: manifest.invocation.when_to_use.clone(),
            version: Some(version_tag(document.body())),
            location: resolved(&candidate.path),
            source: Source::Workspace { distance: 0 },
            mode: Mode::Auto,
            usage: Usage::default(),
            category: manifest.display.category.clone(),
        })
    }
}

fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The path of the skill's file, without the links that lead to its directory. Asks the file system nothing.
fn without_links(skill: &Skill) -> PathBuf {
    match (skill.directory(), skill.path.file_name()) {
        (Some(_), Some(file)) => skill.real_place().join(file),
        _ => skill.path.clone(),
    }
}

/// The version tag of a skill: another one when its body changed. Reads the skill's file; nothing when that fails.
pub fn version_of(skill: &Skill) -> Option<String> {
    let document: Document =
        skillmd::parse(details::content(&skill.form, &skill.path).ok()?).ok()?;
    Some(version_tag(document.body()))
}

/// `sha256:` and the first 16 hexadecimal digits of the digest of a body without surrounding blanks and with LF as line
/// ends, so that neither an editor's habits nor the frontmatter change it (Aleph's version tag).
pub fn version_tag(body: &str) -> String {
    let body = body.trim().replace("\r\n", "\n");
    let digest = Sha256::digest(body.as_bytes());
    let mut tag = String::from("sha256:");
    for byte in digest.iter().take(8) {
        for digit in [byte >> 4, byte & 15] {
            tag.extend(char::from_digit(u32::from(digit), 16));
        }
    }
    tag
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_tag_depends_on_the_text_of_the_body_alone() {
        assert_eq!(version_tag(""), "sha256:e3b0c44298fc1c14");
        assert_eq!(version_tag("abc"), "sha256:ba7816bf8f01cfea");
        assert_eq!(version_tag("\n a\r\nb \n"), version_tag("a\nb"));
        assert_ne!(version_tag("a\nb"), version_tag("a b"));
    }

    #[test]
    fn a_skill_named_by_its_path_has_its_version() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("SKILL.md");
        std::fs::write(
            &path,
            "---\nname: A\ndescription: d\nwhen_to_use: w\n---\nabc\n",
        )
        .unwrap();
        let entry = Entry::of_candidate(Candidate::of_file(&path)).unwrap();
        assert_eq!(entry.id, "a");
        assert_eq!(entry.version.as_deref(), Some("sha256:ba7816bf8f01cfea"));
        assert_eq!(entry.when.as_deref(), Some("w"));
    }
}
