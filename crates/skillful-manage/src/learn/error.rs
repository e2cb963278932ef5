//! Why learning could not go on. What was done until then stays.

use skillful::records::NoDigest;
use skillful_store::StoreError;

use crate::author::AuthorError;
use crate::objects::ObjectError;

/// Why a learner could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// A skill could not be written or changed.
    #[error(transparent)]
    Author(#[from] AuthorError),
    /// The records cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Content cannot be kept or handed out.
    #[error(transparent)]
    Object(#[from] ObjectError),
    /// A skill has no files that an approval could hold for.
    #[error(transparent)]
    NoDigest(#[from] NoDigest),
    /// A skill was not learned.
    #[error("`{0}` is no learned skill of this place")]
    NotLearned(String),
    /// A skill has no check.
    #[error("`{0}` has no check that could be run")]
    NoCheck(String),
}
