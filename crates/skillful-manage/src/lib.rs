//! The write side of Skillful: everything that changes skills on disk, whoever asks for it.
//!
//! All of it is one thing, a *change*: a list of swaps, each of which takes one path from the state that it was seen in
//! to another. What both states hold lies in a store of objects before the change begins, so that a process killed at
//! any point leaves every skill wholly old or wholly new, and so that each change can be undone by its inverse.
//!
//! ```text
//! source ─fetch→ staging ─find→ skills ─gate→ Plan ─→ Change ─commit→ disk, journal, lock
//! ```
//!
//! ```
//! use skillful_manage::{Actor, Change, DataDirectory, Operation, State, Swap, Writer, observe};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let directory = tempfile::tempdir()?;
//! # let directory = directory.path();
//! let data = DataDirectory::at(directory.join("data"));
//! let skill = directory.join("skills/greet");
//!
//! // What the skill is to hold is put together in a private place, and kept as an object.
//! let mut writer = Writer::open(&data)?;
//! let staging = data.objects().stage()?;
//! std::fs::write(staging.path().join("SKILL.md"), "---\nname: greet\ndescription: Greets.\n---\n")?;
//! let tree = data.objects().put_tree(staging.path())?;
//!
//! let mut change = Change::new(Operation::CREATE, Actor::USER).about("greet");
//! change.swaps.push(Swap::new(&skill, observe(&skill)?, tree.state()));
//! let entry = writer.commit(change)?;
//! assert_eq!(observe(&skill)?, tree.state());
//!
//! writer.undo(entry.seq, Actor::USER)?;
//! assert_eq!(observe(&skill)?, State::Absent);
//! assert!(!directory.join("skills").exists(), "the directory was made for the skill");
//! # Ok(())
//! # }
//! ```

pub mod author;
pub mod capability;
mod change;
pub mod contract;
mod data;
pub mod deps;
pub mod difference;
mod disk;
mod error;
pub mod find;
pub mod gate;
mod hash;
mod http;
pub mod install;
pub mod journal;
pub mod learn;
pub mod limits;
pub mod lock;
mod objects;
pub mod pack;
mod place;
pub mod progress;
pub mod publish;
pub mod settings;
pub mod source;
mod state;
pub mod targets;
mod tree;
pub mod unpack;
pub mod wanted;

pub use change::{
    Change, ChangeError, Mismatch, Observer, Options, Outcome, PathFault, Recovered, Step, Writer,
};
pub use data::DataDirectory;
pub use error::ReadError;
pub use objects::{ObjectError, Objects, PrunedObjects, Staging};
pub use skillful_store::journal::{
    Actor, ChangeId, Digest, Entry, Operation, Query, Retention, State, Swap,
};
pub use state::{observe, state_of_bytes};
pub use tree::{Node, TREE_FORMAT, Tree};
