//! The JSON of a catalog.

use serde::Serialize;

use super::VERSION;
use crate::catalog::Catalog;

/// A catalog: `{"version", "text", "included", "shortened", "name_only", "omitted", "missing_required"?, "characters",
/// "tokens"}`, the lists of ids.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CatalogDocument<'a> {
    version: u32,
    text: &'a str,
    included: &'a [String],
    shortened: &'a [String],
    name_only: &'a [String],
    omitted: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    missing_required: &'a [String],
    characters: usize,
    tokens: usize,
}

impl<'a> From<&'a Catalog> for CatalogDocument<'a> {
    fn from(catalog: &'a Catalog) -> Self {
        Self {
            version: VERSION,
            text: &catalog.text,
            included: &catalog.included,
            shortened: &catalog.shortened,
            name_only: &catalog.name_only,
            omitted: &catalog.omitted,
            missing_required: &catalog.missing_required,
            characters: catalog.characters,
            tokens: catalog.tokens,
        }
    }
}
