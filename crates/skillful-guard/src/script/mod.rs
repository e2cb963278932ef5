//! stub
use crate::context::{Language, Unit};
use crate::facts::Facts;
pub(crate) fn scan(_unit: &Unit, _language: Language, _facts: &mut Facts) -> Vec<Unit> { Vec::new() }
