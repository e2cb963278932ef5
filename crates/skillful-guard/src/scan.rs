//! The way of the data: files → units → facts → findings.

mod embedded;
mod file;
mod join;

use rayon::prelude::*;

use crate::archive::Unpacked;
use crate::budget::Budget;
use crate::bundle::{Bundle, Content, FileInput};
use crate::context::{Role, fixtures_of};
use crate::coverage::{Coverage, GapKind};
use crate::facts::Facts;
use crate::finding::Finding;
use crate::limits::{BUNDLE_BYTES, FILE_BYTES, FILES};
use crate::rules::RuleBook;
use crate::{binary, names};

/// What a scan saw, before any policy judges it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// Sorted by path, line, column and rule.
    pub findings: Vec<Finding>,
    /// What was read and what was not.
    pub coverage: Coverage,
}

/// A file with its facts.
pub(crate) struct Scanned<'b> {
    pub path: &'b str,
    /// Its text, for positions and excerpts.
    pub text: Option<std::borrow::Cow<'b, str>>,
    pub facts: Facts,
}

/// Scans every file of a bundle with the given rules. The result does not depend on the number of threads.
pub fn scan(bundle: &Bundle, rules: &'static RuleBook) -> Scan {
    let mut coverage = Coverage::default();
    if bundle.is_cut_short() {
        coverage.gap(
            "",
            GapKind::TooManyFiles,
            "the files were not all given".to_owned(),
        );
    }
    let unpacked = Unpacked::of(bundle.files(), &mut coverage);
    let mut files: Vec<&FileInput> = bundle.files().iter().chain(&unpacked.files).collect();
    if files.len() > FILES {
        coverage.gap(
            "",
            GapKind::TooManyFiles,
            format!("{} files, of which {FILES} were read", files.len()),
        );
        files.truncate(FILES);
    }
    let readable = within_budget(&files, &mut coverage);
    let all: usize = readable.iter().map(|file| size(file)).sum();
    let documents: Vec<&[u8]> = readable.iter().filter_map(|file| document(file)).collect();
    let outside: Vec<&[u8]> = readable.iter().filter_map(|file| no_test(file)).collect();
    let mut scanned: Vec<Scanned<'_>> = readable
        .into_par_iter()
        .map(|file| {
            let role = role(&file.path, &documents, &outside);
            file::scan(file, role, Budget::share(size(file), all), rules)
        })
        .collect();
    for (path, rule) in &unpacked.facts {
        if let Some(file) = scanned.iter_mut().find(|file| file.path == path) {
            file.facts.add_to_file(rule, None);
        }
    }
    names::scan(&files, &mut scanned);
    binary::unreferenced(&files, &mut scanned);
    for file in &scanned {
        for (kind, detail) in &file.facts.gaps {
            coverage.gap(file.path, *kind, detail.clone());
        }
    }
    coverage.files = files.len();
    coverage.gaps.sort();
    coverage.gaps.dedup();
    Scan {
        findings: join::findings(&scanned, rules),
        coverage,
    }
}

/// What a file is for. One that a document of the skill names is no fixture, whatever its folder is called; and where
/// anything but a test so much as names the folder, it may be run from there.
fn role(path: &str, documents: &[&[u8]], outside: &[&[u8]]) -> Role {
    let names = |text: &[u8], name: &str| memchr::memmem::find(text, name.as_bytes()).is_some();
    match Role::of_path(path) {
        Role::Test | Role::Fixture if documents.iter().any(|text| names(text, path)) => Role::Skill,
        Role::Fixture => {
            let folder = fixtures_of(path).unwrap_or_default();
            let is_named = outside.iter().any(|text| names(text, folder));
            if is_named { Role::Test } else { Role::Fixture }
        }
        role => role,
    }
}

/// The bytes of a file that is none of tests, if it has any.
fn no_test(file: &FileInput) -> Option<&[u8]> {
    match &file.content {
        Content::Bytes(bytes) if Role::of_path(&file.path) == Role::Skill => Some(bytes),
        _ => None,
    }
}

/// The text that an agent reads as a skill, if the file is one.
fn document(file: &FileInput) -> Option<&[u8]> {
    match &file.content {
        Content::Bytes(bytes) if file::is_skill(&file.path) => Some(bytes),
        _ => None,
    }
}

/// The bytes of a file that may be searched as text.
fn size(file: &FileInput) -> usize {
    match &file.content {
        Content::Bytes(bytes) if binary::is_text(bytes) => bytes.len(),
        _ => 0,
    }
}

/// The files that are read: not the ones too large, and no more than the bundle may hold together.
fn within_budget<'b>(files: &[&'b FileInput], coverage: &mut Coverage) -> Vec<&'b FileInput> {
    let mut left = BUNDLE_BYTES;
    let mut readable = Vec::with_capacity(files.len());
    for &file in files {
        match &file.content {
            Content::Bytes(bytes) if !binary::is_text(bytes) => {
                coverage.bytes += bytes.len() as u64;
                readable.push(file);
            }
            Content::Bytes(bytes) if bytes.len() > FILE_BYTES => {
                let detail = format!(
                    "{} bytes, of which none were read: the limit is {FILE_BYTES}",
                    bytes.len()
                );
                coverage.gap(&file.path, GapKind::FileTooLarge, detail);
            }
            Content::Bytes(bytes) if bytes.len() > left => {
                coverage.gap(
                    &file.path,
                    GapKind::BundleTooLarge,
                    format!("more than {BUNDLE_BYTES} bytes of text in the bundle"),
                );
                left = 0;
            }
            Content::Bytes(bytes) => {
                left -= bytes.len();
                coverage.bytes += bytes.len() as u64;
                readable.push(file);
            }
            Content::TooLarge(size) => {
                coverage.gap(&file.path, GapKind::FileTooLarge, format!("{size} bytes"));
            }
            Content::Unreadable(reason) => {
                coverage.gap(&file.path, GapKind::Unreadable, reason.clone());
            }
            Content::Link { .. } | Content::Special => readable.push(file),
        }
    }
    readable
}
