//! A manifest as JSON: every set field under its name.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use skillmd::{FieldValue, Manifest, Pair};

use super::NodeJson;

/// All typed fields that are set, in a fixed order.
#[derive(Clone, Copy, Debug)]
pub struct ManifestJson<'a>(pub &'a Manifest);

impl Serialize for ManifestJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(
            self.0
                .values()
                .map(|(name, value)| (name, ValueJson(value))),
        )
    }
}

struct ValueJson<'a>(FieldValue<'a>);

impl Serialize for ValueJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            FieldValue::Text(text) => serializer.serialize_str(text),
            FieldValue::Flag(flag) => serializer.serialize_bool(*flag),
            FieldValue::Integer(number) => serializer.serialize_u64(*number),
            FieldValue::List(items) => {
                serializer.collect_seq(items.iter().map(|item| ValueJson(item.clone())))
            }
            FieldValue::Record(fields) => {
                let fields = fields.iter();
                serializer.collect_map(fields.map(|(name, value)| (name, ValueJson(value.clone()))))
            }
            FieldValue::Node(node) => NodeJson(node).serialize(serializer),
            FieldValue::Pairs(pairs) => PairsJson(pairs).serialize(serializer),
        }
    }
}

/// A mapping in source order; of a key that is given twice the first counts.
pub(super) struct PairsJson<'a>(pub(super) &'a [Pair]);

impl Serialize for PairsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seen = std::collections::HashSet::new();
        let mut map = serializer.serialize_map(None)?;
        for pair in self.0.iter().filter(|pair| seen.insert(&pair.key)) {
            map.serialize_entry(&pair.key, &NodeJson(&pair.value))?;
        }
        map.end()
    }
}
