//! A reader that stops with an error where more comes than is allowed.

use std::io::{Error, Read, Result};

/// Lets so many bytes through. The next one is an error, and [`Bounded::is_exceeded`] tells it from errors of the source.
#[derive(Debug)]
pub(super) struct Bounded<R> {
    source: R,
    allowed: u64,
    read: u64,
    exceeded: bool,
}

impl<R: Read> Bounded<R> {
    pub(super) fn new(source: R, allowed: u64) -> Self {
        Self {
            source,
            allowed,
            read: 0,
            exceeded: false,
        }
    }

    /// What came through.
    pub(super) fn bytes_read(&self) -> u64 {
        self.read
    }

    /// Whether there was more than is allowed.
    pub(super) fn is_exceeded(&self) -> bool {
        self.exceeded
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let left = self.allowed - self.read;
        // One byte more than is left shows whether there is more.
        let room = usize::try_from(left.saturating_add(1)).unwrap_or(usize::MAX);
        let length = buffer.len().min(room);
        let read = self
            .source
            .read(buffer.get_mut(..length).unwrap_or_default())?;
        if read as u64 > left {
            self.exceeded = true;
            return Err(Error::other("more than is allowed"));
        }
        self.read += read as u64;
        Ok(read)
    }
}
