//! How a skill was used, day by day.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use skillful_store::{Activity, DayUsage};

use super::VERSION;

/// The days on which something happened to a skill: `{"version", "id", "days": [{"day", "offers", "reads", "uses", "wins",
/// "patches"}]}`, the earliest first.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UsageDocument<'a> {
    version: u32,
    id: &'a str,
    days: Vec<DayJson<'a>>,
}

impl<'a> UsageDocument<'a> {
    /// The document of these days of a skill.
    pub fn new(id: &'a str, days: &'a [DayUsage]) -> Self {
        Self {
            version: VERSION,
            id,
            days: days.iter().map(DayJson).collect(),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct DayJson<'a>(&'a DayUsage);

impl Serialize for DayJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("day", &self.0.day.to_string())?;
        for activity in Activity::ALL {
            map.serialize_entry(activity.as_plural(), &self.0.of(activity))?;
        }
        map.end()
    }
}
