//! The JSON that commands and servers answer with when they change things. Fields are added, never changed; see
//! [`skillful::contract`] for those that only look.

mod adopt;
mod author;
mod changes;
mod deps;
mod install;
mod pack;
mod publish;
mod update;

pub use adopt::AdoptDocument;
pub use changes::ChangedDocument;
pub use deps::DepsDocument;
pub use install::{
    InstalledDocument, LinkDocument, PlanDocument, RemoveDocument, RestoreDocument, VerifyDocument,
};
pub use pack::PackDocument;
pub use publish::PublishDocument;
pub use skillful::contract::{PathText, VERSION};
pub use update::{DiffDocument, HoldDocument, OutdatedDocument, UpdateDocument};
