//! How far long work has come, for whoever shows it. Nothing is printed in this crate.

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step<'a> {
    /// A piece of work begins: a short phrase such as `fetching https://github.com/owner/repo`.
    Begin(&'a str),
    /// A line of another program about its work. It is foreign text, without control characters.
    Line(&'a str),
    /// Bytes that arrived so far, and how many there will be, if that is known.
    Bytes {
        /// How many arrived.
        done: u64,
        /// How many there will be.
        total: Option<u64>,
    },
    /// Things that are done so far, and how many there are.
    Count {
        /// How many are done.
        done: u64,
        /// How many there are.
        total: u64,
    },
    /// The piece of work that began last is done.
    End,
}

/// Hears how far work has come. Calls come from several threads, and often: they must return at once.
pub trait Progress: Sync {
    /// Something happened.
    fn step(&self, step: Step<'_>);

    /// Whether the work is to end as soon as it can, with an error that says so.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Nobody is looking.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn step(&self, _: Step<'_>) {}
}
