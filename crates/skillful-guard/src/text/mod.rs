//! Texts that are searched, each with the way back to the bytes it came from.

mod boundary;
mod lines;
mod parts;
mod view;

pub(crate) use boundary::{ceil, floor};
pub(crate) use lines::Lines;
pub(crate) use parts::parts;
pub(crate) use view::{Folded, View, ViewBuilder};
