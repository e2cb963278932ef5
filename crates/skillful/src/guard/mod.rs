//! The bridge to the scanner: a skill's files as it wants them, and the digest that its verdict is bound to.
//!
//! `skillful-guard` opens nothing itself. [`gather`] reads for it: every file of a skill, also those that no model is
//! handed, and what could not be read with the reason. [`scan_skill`] is both in one call.

mod gather;
mod subject;

pub use gather::{
    Gathered, bundle_of, gather, gather_directory, gather_named, gather_opened, gather_skill,
};
pub use subject::{STDIN, Subject, judge, visit};

use skillful_guard::{Bundle, RuleBook, Scan};

use crate::bundle::digest_of;
use crate::discover::Form;
use crate::load::Skill;

/// A skill's scan, and the digest of the very bytes that were scanned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scanned {
    /// What was found and what was not read.
    pub scan: Scan,
    /// What [`crate::bundle::digest`] says of these bytes; nothing where there is none, so that no acceptance can be
    /// bound to it.
    pub digest: Option<String>,
}

/// Reads all files of a skill and scans them.
pub fn scan_skill(skill: &Skill, rules: &'static RuleBook) -> Scanned {
    let gathered = gather_skill(skill);
    Scanned {
        scan: skillful_guard::scan(&gathered.bundle, rules),
        digest: gathered.digest,
    }
}

/// The digest that a skill of this form has with the files of a bundle, `main` being its own: what
/// [`crate::bundle::digest`] would say if they were on disk. Nothing when not all of them were read, when they are over a
/// limit, and for forms that are not edited file by file.
pub fn digest_of_bundle(form: &Form, main: &str, bundle: &Bundle) -> Option<String> {
    match (form, bundle.files()) {
        (Form::Directory, files) => digest_of::files(files, main),
        (Form::File, [file]) => digest_of::flat(file),
        _ => None,
    }
}
