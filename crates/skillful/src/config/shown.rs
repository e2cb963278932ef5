//! What holds for every key, for who asks: what somebody said, and the built-in values of the rest.

use super::schema::KEYS;
use super::{Config, KeyPath, Setting, Value};

/// What holds for a key: said by somebody, or built in.
#[derive(Clone, Debug)]
pub enum Shown<'c> {
    /// A layer says it.
    Said(KeyPath, &'c Setting),
    /// Nobody says anything.
    BuiltIn(KeyPath, &'static Value),
}

impl Shown<'_> {
    /// The key.
    pub const fn key(&self) -> &KeyPath {
        match self {
            Self::Said(key, _) | Self::BuiltIn(key, _) => key,
        }
    }
}

impl Config {
    /// What holds for the wanted keys, sorted: all that is said, and the defaults of what nobody says.
    pub fn shown(&self, wanted: Option<&KeyPath>) -> Vec<Shown<'_>> {
        let is_wanted = |key: &KeyPath| wanted.is_none_or(|wanted| key.is_within(wanted));
        let said = self.settings();
        let mut shown: Vec<Shown<'_>> = said
            .filter(|(key, _)| is_wanted(key))
            .map(|(key, setting)| Shown::Said(key.clone(), setting))
            .collect();
        let fixed = KEYS.iter().filter(|spec| !spec.pattern.contains('*'));
        shown.extend(fixed.filter_map(|spec| {
            let key: KeyPath = spec.pattern.parse().ok()?;
            let is_shown = is_wanted(&key) && self.get(&key).is_none();
            let default = spec.default.filter(|_| is_shown)?;
            Some(Shown::BuiltIn(key, default))
        }));
        shown.sort_by(|a, b| a.key().cmp(b.key()));
        shown
    }
}
