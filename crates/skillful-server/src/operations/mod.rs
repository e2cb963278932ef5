//! What can be asked for and done, whatever the way it is asked: each operation takes plain data and gives the document
//! that the command prints for the same request.
//!
//! None of them decides anything: that is done below, in the runtime and the write side. They are synchronous and may
//! read the disk; an asynchronous caller runs them on a thread that may block.

mod accept;
mod author;
mod capture;
mod config;
mod history;
mod install;
mod machine;
mod plans;
mod programs;
mod read;
mod rendered;
mod scan;
mod usage;

use std::fmt;
use std::marker::PhantomData;

use serde::Serialize;
use serde_json::Value;

use crate::failure::{Failure, FailureKind};

pub use author::{By, Edit, Switches, Wish, place};
pub use install::{Adding, Proposing, Updating};
pub use machine::{Counts, Explained};
pub use plans::{PlanProgress, PlanState, PlanStatusDocument, Plans, SWEEP, Told};
pub use read::{
    CatalogQuery, ListQuery, MatchQuery, Order, Page, ReadQuery, SearchQuery, StatusQuery,
};
pub use rendered::RenderedDocument;

/// The JSON document that answers a request; `T` is its type in the contract.
pub struct Answer<T> {
    /// The document.
    pub value: Value,
    contract: PhantomData<fn() -> T>,
}

impl<T: Serialize> Answer<T> {
    /// Renders a document.
    ///
    /// # Errors
    ///
    /// When it has no form in JSON, which no document of the contract comes to.
    pub fn of(document: &T) -> Result<Self, Failure> {
        let value = serde_json::to_value(document)
            .map_err(|error| Failure::new(FailureKind::Unavailable, error))?;
        Ok(Self {
            value,
            contract: PhantomData,
        })
    }
}

impl<T> Answer<T> {
    /// An answer that was rendered before.
    pub(crate) const fn from_value(value: Value) -> Self {
        Self {
            value,
            contract: PhantomData,
        }
    }

    /// The same document under the type of another lifetime.
    pub(crate) fn typed<U>(self) -> Answer<U> {
        Answer {
            value: self.value,
            contract: PhantomData,
        }
    }
}

impl<T> fmt::Debug for Answer<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Answer").field(&self.value).finish()
    }
}
