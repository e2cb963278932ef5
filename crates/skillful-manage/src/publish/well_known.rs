//! A site of Agent Skills discovery, in both of its versions.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::index::{Index, Version};
use super::ledger::Ledger;
use super::site::Site;
use super::{Change, PublishError, Published, PublishedSkill, Target, tree};
use crate::pack::{Form, Prepared, digest_of_bytes};

const V02: &str = ".well-known/agent-skills/";
const V01: &str = ".well-known/skills/";
const INDEX: &str = "index.json";

/// Digits of an artifact's digest in its path.
const DIGITS: usize = 16;

/// What a reader of 0.2.0 fetches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    kind: &'static str,
    /// Its path below `.well-known/agent-skills/`.
    pub path: String,
    /// What is fetched.
    pub bytes: Vec<u8>,
    /// The digest of these bytes.
    pub digest: String,
}

impl Artifact {
    /// A single SKILL.md as it is, everything else as an archive.
    ///
    /// # Errors
    ///
    /// [`PublishError::Pack`].
    pub fn of(skill: &Prepared) -> Result<Self, PublishError> {
        let (kind, file, bytes) = if let [only] = &skill.files[..] {
            ("skill-md", "SKILL.md".to_owned(), only.bytes.clone())
        } else {
            let archive = skill
                .archive(Form::TarGz)
                .map_err(|error| PublishError::Pack {
                    name: skill.name.clone(),
                    reason: error.to_string(),
                })?;
            ("archive", format!("{}.tar.gz", skill.name), archive.bytes)
        };
        let digest = digest_of_bytes(&bytes);
        let digits = digest.trim_start_matches("sha256:").get(..DIGITS);
        Ok(Self {
            kind,
            path: format!("{}/{}/{file}", skill.name, digits.unwrap_or_default()),
            bytes,
            digest,
        })
    }
}

/// What a site says of one skill, for a server that has no directory to publish into.
#[derive(Clone, Debug)]
pub struct Offered {
    /// The name that it is offered under.
    pub name: String,
    /// The path of its artifact below `.well-known/agent-skills/`.
    pub path: String,
    /// The digest of its artifact.
    pub digest: String,
    new: Map<String, Value>,
    old: Map<String, Value>,
}

impl Offered {
    /// What is said of a skill with this artifact.
    pub fn new(skill: &Prepared, artifact: &Artifact) -> Self {
        Self {
            name: skill.name.clone(),
            path: artifact.path.clone(),
            digest: artifact.digest.clone(),
            new: entry_02(skill, artifact, &escaped(&artifact.path)),
            old: entry_01(skill),
        }
    }
}

/// The index of 0.2.0, and that of 0.1, for these skills. Of two with one name the first counts.
pub fn indexes<'o>(offered: impl IntoIterator<Item = &'o Offered>) -> (Vec<u8>, Vec<u8>) {
    let (mut new, mut old) = (Index::empty(Version::V02), Index::empty(Version::V01));
    for skill in offered {
        new.add(&skill.name, skill.new.clone());
        old.add(&skill.name, skill.old.clone());
    }
    (new.bytes(), old.bytes())
}

pub(super) fn publish(skills: &[&Prepared], target: &Target) -> Result<Published, PublishError> {
    let site = Site::open(&target.directory)?;
    let mut ledger = Ledger::read(&site)?;
    let mut saved = ledger.clone();
    let (path_02, path_01) = (format!("{V02}{INDEX}"), format!("{V01}{INDEX}"));
    let (old_02, old_01) = (site.read(&path_02)?, site.read(&path_01)?);
    let mut new = Index::read(Version::V02, site.shown(&path_02), old_02.as_deref())?;
    let mut old = Index::read(Version::V01, site.shown(&path_01), old_01.as_deref())?;

    let mut published = Vec::new();
    let mut stays: Vec<(String, BTreeSet<String>)> = Vec::new();
    let mut artifacts = Vec::new();
    for skill in skills {
        tree::check(&site, &ledger, skill, V01)?;
        let artifact = Artifact::of(skill)?;
        let is_ours = ledger.has(&skill.name);
        let was = new.get(&skill.name).cloned();
        let url = match &target.base_url {
            Some(base) => base.join(&escaped(&format!("{V02}{}", artifact.path))),
            None => escaped(&artifact.path),
        };
        new.put(&skill.name, entry_02(skill, &artifact, &url), is_ours)?;
        old.put(&skill.name, entry_01(skill), is_ours)?;
        published.push(PublishedSkill {
            name: skill.name.clone(),
            change: match was {
                None => Change::Added,
                Some(was) if Some(&was) == new.get(&skill.name) => Change::Unchanged,
                Some(_) => Change::Replaced,
            },
            url: Some(url),
            digest: Some(artifact.digest.clone()),
        });
        let mut paths = tree::paths(skill, V01);
        paths.insert(format!("{V02}{}", artifact.path));
        stays.push((skill.name.clone(), paths));
        artifacts.push((*skill, artifact));
    }
    if target.prune {
        for name in ledger.others(skills) {
            new.take(&name);
            old.take(&name);
            stays.push((name.clone(), BTreeSet::new()));
            published.push(PublishedSkill {
                name,
                change: Change::Pruned,
                url: None,
                digest: None,
            });
        }
    }

    // Artifacts of 0.2.0 have paths of their own and hurt nobody before they are named.
    for (skill, artifact) in &artifacts {
        let path = format!("{V02}{}", artifact.path);
        ledger.put(&site, &skill.name, &path, &artifact.bytes, false)?;
    }
    ledger.write(&site, &mut saved)?;
    write_index(&site, &path_02, old_02.as_deref(), &new)?;
    for (skill, _) in &artifacts {
        tree::put(&site, &mut ledger, skill, V01)?;
    }
    ledger.write(&site, &mut saved)?;
    write_index(&site, &path_01, old_01.as_deref(), &old)?;
    for (name, paths) in &stays {
        ledger.remove(&site, name, paths)?;
    }
    ledger.write(&site, &mut saved)?;
    published.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Published {
        skills: published,
        entry: None,
        indexes: vec![site.shown(&path_02), site.shown(&path_01)],
    })
}

fn write_index(
    site: &Site,
    path: &str,
    before: Option<&[u8]>,
    index: &Index,
) -> Result<(), PublishError> {
    let bytes = index.bytes();
    if before != Some(&bytes) {
        site.write(path, &bytes, false)?;
    }
    Ok(())
}

fn entry_02(skill: &Prepared, artifact: &Artifact, url: &str) -> Map<String, Value> {
    object([
        ("name", json!(skill.name)),
        ("type", json!(artifact.kind)),
        ("description", json!(skill.description)),
        ("url", json!(url)),
        ("digest", json!(artifact.digest)),
    ])
}

/// Clients of 0.1 fetch the files one by one; the SKILL.md comes first, as some stop at what is not there.
fn entry_01(skill: &Prepared) -> Map<String, Value> {
    let mut files: Vec<&str> = skill.files.iter().map(|file| file.path.as_str()).collect();
    files.sort_by_key(|path| (*path != "SKILL.md", *path));
    object([
        ("name", json!(skill.name)),
        ("description", json!(skill.description)),
        ("files", json!(files)),
    ])
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Map<String, Value> {
    let members = members.into_iter();
    members
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

/// A path in an address: everything but the plainest characters is escaped (RFC 3986).
fn escaped(path: &str) -> String {
    use std::fmt::Write as _;
    path.bytes().fold(String::new(), |mut text, byte| {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/') {
            text.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
        text
    })
}
