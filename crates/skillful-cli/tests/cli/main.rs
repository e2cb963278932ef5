//! The command as its users meet it: one binary, one module for each area.

mod environment;
mod python;
mod reference_library;
mod yaml_readers;
