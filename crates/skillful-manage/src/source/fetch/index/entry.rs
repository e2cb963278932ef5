//! One skill of a list, in whichever of the forms.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::web;
use crate::unpack::shown;

/// A skill of a list.
#[derive(Debug)]
pub(super) struct Entry {
    /// Its name, which is its directory's as well.
    pub(super) name: String,
    pub(super) payload: Payload,
}

/// How its files are had. Digests are SHA-256 in hexadecimal digits.
#[derive(Debug)]
pub(super) enum Payload {
    /// One by one, with their digests where the list has them.
    Files(BTreeMap<String, Option<String>>),
    /// A SKILL.md alone.
    Text { url: String, digest: String },
    /// All in one, and what should be in it where the list says so.
    Archive {
        url: String,
        digest: String,
        files: Option<BTreeMap<String, Option<String>>>,
    },
}

#[derive(Deserialize)]
struct Raw {
    name: String,
    #[serde(rename = "type")]
    kind: Option<String>,
    url: Option<String>,
    digest: Option<String>,
    files: Option<Vec<RawFile>>,
    package: Option<Package>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RawFile {
    Path(String),
    WithDigest { path: String, digest: String },
}

#[derive(Deserialize)]
struct Package {
    url: String,
    digest: String,
}

impl Entry {
    /// Reads an entry; the error is a reason in words.
    pub(super) fn read(value: Value) -> Result<Self, String> {
        let raw: Raw =
            serde_json::from_value(value).map_err(|error| shown(error.to_string().as_bytes()))?;
        let name = raw.name;
        let in_words = |reason: &str| format!("`{}` {reason}", shown(name.as_bytes()));
        // The standard's names; a list is no place for others, and this one becomes a directory.
        if skillmd::name::skill_id(&name).as_deref() != Some(&*name) {
            return Err(in_words("is no name of a skill"));
        }
        let files = raw.files.map(read_files).transpose()?;
        let payload = match (raw.kind.as_deref(), raw.url, raw.digest, raw.package) {
            (_, _, _, Some(package)) => Payload::Archive {
                digest: digest(&package.digest)?,
                url: package.url,
                files,
            },
            (Some("skill-md"), Some(url), Some(text), None) => Payload::Text {
                url,
                digest: digest(&text)?,
            },
            (Some("archive"), Some(url), Some(text), None) => Payload::Archive {
                url,
                digest: digest(&text)?,
                files,
            },
            (Some("skill-md" | "archive"), ..) => {
                return Err(in_words("has no address or no digest"));
            }
            (Some(_), ..) => return Err(in_words("is of a type that is not known")),
            (None, ..) => {
                let files = files.ok_or_else(|| in_words("lists no files"))?;
                if !files.contains_key("SKILL.md") {
                    return Err(in_words("lists no SKILL.md"));
                }
                Payload::Files(files)
            }
        };
        Ok(Self { name, payload })
    }
}

fn read_files(files: Vec<RawFile>) -> Result<BTreeMap<String, Option<String>>, String> {
    files
        .into_iter()
        .map(|file| match file {
            RawFile::Path(path) => Ok((path, None)),
            RawFile::WithDigest { path, digest: text } => Ok((path, Some(digest(&text)?))),
        })
        .collect()
}

/// `sha256:` and 64 hexadecimal digits.
fn digest(text: &str) -> Result<String, String> {
    let digits = text.strip_prefix("sha256:").unwrap_or(text);
    if digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        Ok(digits.to_ascii_lowercase())
    } else {
        Err(format!("`{}` is no SHA-256", shown(text.as_bytes())))
    }
}

/// The files below a directory of ours, by their paths, with their digests.
pub(super) fn files_below(top: &Path) -> io::Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    let mut open = vec![(top.to_owned(), String::new())];
    while let Some((directory, path)) = open.pop() {
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            let below = format!("{path}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                open.push((entry.path(), format!("{below}/")));
            } else {
                files.insert(below, web::sha256(&mut File::open(entry.path())?)?);
            }
        }
    }
    Ok(files)
}
