//! Small bundles that stand beside a rule: as its tests, and on its page.

use std::io::{Cursor, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Deserialize;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::bundle::{Bundle, Content, FileInput};

/// A bundle beside a rule.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Example {
    /// The text of a SKILL.md.
    Text(String),
    /// One file of another name.
    File(ExampleFile),
    /// Several files.
    Files(Vec<ExampleFile>),
}

/// A file of an example.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExampleFile {
    /// Its path in the bundle.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Its bytes as hexadecimal digits, instead of a text.
    pub hex: String,
    /// Put after the text, as often as `times` says, before `then`.
    pub filler: String,
    /// How often.
    pub times: usize,
    /// Put at the end.
    pub then: String,
    /// The members, if it is an archive: of the kind that its name says, else a zip archive.
    pub members: Vec<ExampleFile>,
    /// Whether the archive says that it is locked with a password.
    pub locked: bool,
    /// Whether it is a device or a pipe.
    pub special: bool,
    /// Where it leads to, if it is a link.
    pub link: Option<String>,
    /// Whether it has an executable bit.
    pub executable: bool,
}

impl Example {
    /// The bundle to scan.
    pub fn bundle(&self) -> Bundle {
        match self {
            Self::Text(text) => Bundle::of_text("SKILL.md", text.as_str()),
            Self::File(file) => Bundle::new(vec![file.input()]),
            Self::Files(files) => Bundle::new(files.iter().map(ExampleFile::input).collect()),
        }
    }

    pub(crate) fn as_markdown(&self) -> String {
        match self {
            Self::Text(text) => fenced("SKILL.md", text),
            Self::File(file) => file.as_markdown(),
            Self::Files(files) => files.iter().map(ExampleFile::as_markdown).collect(),
        }
    }
}

impl ExampleFile {
    fn input(&self) -> FileInput {
        let content = match &self.link {
            Some(target) => Content::Link {
                target: target.clone(),
            },
            None if self.special => Content::Special,
            None => Content::Bytes(self.bytes()),
        };
        FileInput {
            path: self.path.clone(),
            content,
            executable: self.executable,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        if !self.members.is_empty() {
            return self.archive().unwrap_or_default();
        }
        if !self.hex.is_empty() {
            return bytes_of_hex(&self.hex);
        }
        [
            self.text.as_str(),
            &self.filler.repeat(self.times),
            &self.then,
        ]
        .concat()
        .into_bytes()
    }

    fn archive(&self) -> Option<Vec<u8>> {
        let name = self.path.to_ascii_lowercase();
        let endings: Vec<&str> = name.rsplit('.').take(2).collect();
        if endings.first() == Some(&"tar") {
            return self.tar();
        }
        if let Some(&("gz" | "tgz")) = endings.first() {
            let mut writer = GzEncoder::new(Vec::new(), Compression::fast());
            let is_tar = endings.contains(&"tgz") || endings.contains(&"tar");
            let only = self.members.first().map(Self::bytes);
            let bytes = if is_tar { self.tar() } else { only };
            writer.write_all(&bytes?).ok()?;
            return writer.finish().ok();
        }
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let mut names: Vec<(String, &str)> = Vec::new();
        for member in &self.members {
            let is_second = self
                .members
                .iter()
                .take_while(|other| !std::ptr::eq(*other, member));
            let mut name = member.path.clone();
            if is_second.clone().any(|other| other.path == name) {
                // The library refuses a name twice, so it is put in afterwards.
                name = "?".repeat(name.len());
                names.push((name.clone(), &member.path));
            }
            writer
                .start_file(name.as_str(), SimpleFileOptions::default())
                .ok()?;
            writer.write_all(&member.bytes()).ok()?;
        }
        let mut bytes = writer.finish().ok()?.into_inner();
        for (placeholder, name) in names {
            replace(&mut bytes, placeholder.as_bytes(), name.as_bytes());
        }
        if self.locked {
            lock(&mut bytes);
        }
        Some(bytes)
    }

    fn tar(&self) -> Option<Vec<u8>> {
        let mut writer = tar::Builder::new(Vec::new());
        for member in &self.members {
            let bytes = member.bytes();
            let mut header = tar::Header::new_gnu();
            // The library refuses the names that hostile archives have.
            let name = header.as_gnu_mut()?.name.get_mut(..member.path.len())?;
            name.copy_from_slice(member.path.as_bytes());
            header.set_mode(if member.executable { 0o755 } else { 0o644 });
            header.set_size(bytes.len() as u64);
            let kind = match &member.link {
                Some(_) => tar::EntryType::Symlink,
                None if member.special => tar::EntryType::Fifo,
                None => tar::EntryType::Regular,
            };
            header.set_entry_type(kind);
            if let Some(target) = &member.link {
                header.set_link_name_literal(target).ok()?;
            }
            header.set_cksum();
            writer.append(&header, bytes.as_slice()).ok()?;
        }
        writer.into_inner().ok()
    }

    fn as_markdown(&self) -> String {
        match &self.link {
            Some(target) => format!("`{}` is a link to `{target}`.\n\n", self.path),
            None if !self.members.is_empty() => {
                let names: Vec<&str> = self
                    .members
                    .iter()
                    .map(|member| member.path.as_str())
                    .collect();
                format!(
                    "`{}` is an archive with `{}`.\n\n",
                    self.path,
                    names.join("`, `")
                )
            }
            None if self.special => format!("`{}` is a pipe.\n\n", self.path),
            None if !self.hex.is_empty() => fenced(&self.path, &self.hex),
            None if self.times > 0 => format!(
                "`{}` holds {:?}, then {} times {:?}, then {:?}.\n\n",
                self.path, self.text, self.times, self.filler, self.then
            ),
            None => fenced(&self.path, &self.text),
        }
    }
}

/// A block of code that its content cannot close; what cannot be seen is written as an escape.
fn fenced(path: &str, text: &str) -> String {
    let visible = crate::excerpt::visible(text);
    format!("`{path}`:\n\n~~~~~text\n{}\n~~~~~\n\n", visible.trim_end())
}

fn bytes_of_hex(digits: &str) -> Vec<u8> {
    let digits: Vec<u8> = digits
        .chars()
        .filter_map(|digit| digit.to_digit(16))
        .filter_map(|digit| u8::try_from(digit).ok())
        .collect();
    digits
        .chunks_exact(2)
        .map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit))
        .collect()
}

/// Puts one text in the place of another of the same length.
fn replace(bytes: &mut [u8], placeholder: &[u8], by: &[u8]) {
    let places: Vec<usize> = memchr::memmem::find_iter(bytes, placeholder).collect();
    for at in places {
        if let Some(place) = bytes.get_mut(at..at + by.len()) {
            place.copy_from_slice(by);
        }
    }
}

/// Sets the bit that says “encrypted” in the headers of a small archive.
fn lock(bytes: &mut [u8]) {
    const HEADERS: &[(&[u8], usize)] = &[(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)];
    for at in 0..bytes.len() {
        for &(magic, flags) in HEADERS {
            if bytes.get(at..).is_some_and(|rest| rest.starts_with(magic))
                && let Some(flag) = bytes.get_mut(at + flags)
            {
                *flag |= 1;
            }
        }
    }
}
