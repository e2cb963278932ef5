//! An interruption by the user that ends work in good order rather than the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::CommandError;

/// Whether the user interrupted.
#[derive(Clone, Debug)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on an interruption is noted and no longer ends the process.
    pub(crate) fn catch() -> Result<Self, CommandError> {
        let flag = Arc::new(AtomicBool::new(false));
        let noted = Arc::clone(&flag);
        ctrlc::set_handler(move || noted.store(true, Ordering::SeqCst)).map_err(|error| {
            CommandError::failed(format_args!("interruptions cannot be caught: {error}"))
        })?;
        Ok(Self(flag))
    }

    pub(crate) fn is_noted(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
