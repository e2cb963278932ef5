//! The `skillful` command.
fn main() {}
