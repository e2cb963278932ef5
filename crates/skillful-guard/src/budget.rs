//! How much work a file may cause. A bundle has a fixed amount, and each file gets the share that its size has of the
//! whole: a share does not depend on the order of the files, on threads, or on the machine.

use crate::limits::{CONFIRMED_BYTES, LEAST_CONFIRMED_BYTES, LEAST_PARSE_STEPS, PARSE_STEPS};

/// Work that is left for one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    /// Bytes in which regular expressions are looked for.
    pub confirmed_bytes: usize,
    /// Calls of the parser's progress check.
    pub parse_steps: usize,
}

impl Budget {
    /// The share of a file of so many bytes in a bundle of so many.
    pub(crate) fn share(bytes: usize, of_all: usize) -> Self {
        let part = |whole: usize| whole.saturating_mul(bytes) / of_all.max(1);
        Self {
            confirmed_bytes: LEAST_CONFIRMED_BYTES + part(CONFIRMED_BYTES),
            parse_steps: LEAST_PARSE_STEPS + part(PARSE_STEPS),
        }
    }

    /// Takes from an amount as much as is there, and says whether that was all that was asked for.
    pub(crate) fn take(amount: &mut usize, asked: usize) -> bool {
        let enough = *amount >= asked;
        *amount = amount.saturating_sub(asked);
        enough
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::share(1, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_follow_size_and_run_out() {
        let half = Budget::share(50, 100);
        assert_eq!(half.parse_steps, LEAST_PARSE_STEPS + PARSE_STEPS / 2);
        let mut amount = 5;
        assert!(Budget::take(&mut amount, 4));
        assert!(!Budget::take(&mut amount, 2));
        assert_eq!(amount, 0);
    }
}
