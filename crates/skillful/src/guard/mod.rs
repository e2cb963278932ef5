//! The guard at work: which skills are scanned, what is known of those that were, and what a verdict means for a skill.
//!
//! ```text
//! Skill ─stamp→ known?  ─yes→ Outcome ─┐
//!          └no→ gather → Bundle ─scan→ Outcome ─judge(Policy)→ Inspection ─decide(trust, accepted)→ withheld or not
//! ```
//!
//! - [`gather`] reads for the scanner, which opens nothing itself: every file of a skill, also those that no model is
//!   handed, and what could not be read with the reason. [`scan_skill`] is both in one call.
//! - An *outcome* is what a scan found, reduced to what any policy needs. It is kept by the content, so that nothing is
//!   scanned twice; a policy can change at any time and costs no scan.
//! - A *stamp* tells without reading whether files changed. A listing looks at the brief one, of the SKILL.md and its
//!   directory; whoever hands a skill over looks at every file.
//! - An [`Inspection`] belongs to the skill that it was made of, and to no other that has the same name.

mod acceptance;
mod gather;
mod inspect;
mod inspection;
mod on_load;
mod outcome;
mod stamp;
mod subject;
mod unchanged;
mod withhold;

pub use acceptance::{AcceptError, Acceptance, Accepted, GUARD, accept, acceptance_of, revoke};
pub use gather::{
    Gathered, bundle_of, gather, gather_directory, gather_named, gather_opened, gather_skill,
};
pub use inspect::{Care, Guard};
pub use inspection::Inspection;
pub use on_load::{OnLoad, UnknownOnLoad};
pub use subject::{STDIN, Subject, judge, visit};
pub(crate) use unchanged::Unchanged;
pub(crate) use withhold::withheld;

use skillful_guard::{Bundle, RuleBook, Scan};
pub use skillful_guard::{Policy, Preset, Verdict};

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

#[cfg(test)]
mod tests;
