//! Programs that skills need, and how they are had: planned from what the skill's author names, shown, and run when a
//! person said yes.
//!
//! ```text
//! Skill ─needs→ programs ─ways→ install specs, each usable or not ─choose→ Plan ─yes→ steps run ─look again→ Report
//! ```
//!
//! - A spec is a stranger's claim. What is run is a program that was found on the search path, with arguments of ours and
//!   one [`Package`]; no shell reads them.
//! - A plan is bound to the digest of the skill's files: what was shown is what is run, or nothing is.
//! - A manager runs in an empty directory, so that no project's settings are read, with nothing to read from, as the
//!   leader of a process group that is killed when its time is up or the user interrupts.
//! - What is downloaded is checked against its SHA-256 and put into a directory of ours, never over what is not ours.

mod apply;
mod download;
mod needs;
mod package;
mod places;
mod plan;
mod run;
mod shelf;
mod step;
mod web;

pub use apply::{ApplyError, Consent, Done, Outcome, Report, apply};
pub use download::{ArchiveForm, DownloadError, DownloadUrl, Sha256, UrlFault, Web, WebError};
pub use needs::{Need, NeedKind};
pub use package::{Manager, Package, PackageFault};
pub use places::Places;
pub use plan::{Plan, PlanError, Refused, Way, Wishes, plan};
pub use run::{Ended, Ran};
pub use shelf::ShelfError;
pub use step::{CommandStep, DownloadStep, Step, Unusable};
pub use web::HttpWeb;
