//! What people and catalogs are shown of a skill, beside its name and description.

/// Facts for people. Nobody acts on them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Display {
    /// The version, as it is written: `1.0` stays `1.0`.
    pub version: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// A name for people.
    pub title: Option<String>,
    /// A description for narrow places.
    pub short_description: Option<String>,
    /// A picture of one character.
    pub emoji: Option<String>,
    /// Where to read more.
    pub homepage: Option<String>,
    /// A picture's name or path.
    pub icon: Option<String>,
    /// A colour's name or code.
    pub color: Option<String>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// The shelf it stands on.
    pub category: Option<String>,
    /// Names of skills that go with it.
    pub related_skills: Vec<String>,
    /// Whether it is not meant for others.
    pub internal: Option<bool>,
    /// The key of its entry in a client's configuration (OpenClaw).
    pub config_key: Option<String>,
}
