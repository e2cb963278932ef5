//! Groups of facts that take no room until one of them is set.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::LazyLock;

use crate::display::Display;
use crate::invocation::{Execution, Invocation};
use crate::requirements::Requirements;

/// Facts of one kind. Most skills say nothing of most kinds, and a library holds thousands of manifests: a group is a
/// pointer until a fact is set, and reads as the empty one until then.
#[derive(Clone)]
pub struct Group<T>(Option<Box<T>>);

/// What can be in a [`Group`].
pub trait Facts: Default + 'static {
    /// The facts of a skill that says nothing.
    fn none() -> &'static Self;
}

macro_rules! facts {
    ($($group:ty),*) => {
        $(impl Facts for $group {
            fn none() -> &'static Self {
                static NONE: LazyLock<$group> = LazyLock::new(<$group>::default);
                &NONE
            }
        })*
    };
}
facts!(Display, Execution, Invocation, Requirements);

impl<T> Default for Group<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Facts> Deref for Group<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match &self.0 {
            Some(facts) => facts,
            None => T::none(),
        }
    }
}

impl<T: Facts> DerefMut for Group<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}

impl<T: Facts + fmt::Debug> fmt::Debug for Group<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// A group is what it says, whether or not it takes room.
impl<T: Facts + PartialEq> PartialEq for Group<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Facts + Eq> Eq for Group<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_takes_no_room_and_writing_does() {
        let mut group = Group::<Display>::default();
        assert_eq!(group.version, None);
        assert!(group.0.is_none());
        group.version = Some("1".to_owned());
        assert_eq!(group.version.as_deref(), Some("1"));
        assert_ne!(group, Group::default());
        group.version = None;
        assert_eq!(group, Group::default());
    }

    #[test]
    fn a_manifest_is_small() {
        assert!(size_of::<crate::Manifest>() <= 256);
    }
}
