//! What `convert` answers.

use std::path::Path;

use serde::Serialize;
use skillmd::convert::{Conversion, Note};

use super::{PathText, VERSION};

/// A converted document: `{"version", "path", "text", "notes"}`; the path is null where nothing was written.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConvertDocument<'a> {
    version: u32,
    path: Option<PathText<'a>>,
    text: &'a str,
    notes: Vec<String>,
}

impl<'a> ConvertDocument<'a> {
    /// The document of a conversion that was written to `path`.
    pub fn new(conversion: &'a Conversion, path: Option<&'a Path>) -> Self {
        Self {
            version: VERSION,
            path: path.map(PathText),
            text: &conversion.text,
            notes: conversion.notes.iter().map(Note::to_string).collect(),
        }
    }
}
