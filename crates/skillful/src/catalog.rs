//! The catalog: which skills a model is shown, and in which form.

use std::path::PathBuf;

use skillmd::{Manifest, Reporter};

use crate::discover::Candidate;
use crate::load::{Skill, cannot_decode};

/// What a catalog says of one skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogEntry {
    /// The skill's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// Its SKILL.md, absolute and without links.
    pub location: PathBuf,
}

impl CatalogEntry {
    /// The entry of a skill; nothing when its author wants no model to bring it up.
    pub fn of_skill(skill: &Skill) -> Option<Self> {
        if !skill.manifest.as_ref()?.is_model_invocable() {
            return None;
        }
        Some(Self {
            id: skill.id.clone(),
            name: skill.name.clone(),
            description: skill.description.clone(),
            location: resolved(&skill.path),
        })
    }

    /// The entry of a skill that was named by its path.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be read, or what it lacks.
    pub fn of_candidate(candidate: Candidate) -> Result<Self, String> {
        let place = candidate.place_name().into_owned();
        let document = candidate
            .content
            .and_then(|bytes| skillmd::parse(bytes).map_err(|error| cannot_decode(&error)))
            .map_err(|diagnostic| diagnostic.message)?;
        let manifest = Manifest::read(&document, &mut Reporter::new(document.text()));
        let name = manifest.name().map_or(place, str::to_owned);
        let description = manifest
            .description_or_first_paragraph(document.body())
            .ok_or("there is neither a description nor text to take one from")?;
        Ok(Self {
            id: skillmd::skill_id(&name).map_or_else(|| name.clone(), |id| id.to_string()),
            name,
            description,
            location: resolved(&candidate.path),
        })
    }
}

fn resolved(path: &std::path::Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The XML that the standard's reference library prints, without a final line break: name and description escaped, the
/// location not.
pub fn agentskills(entries: &[CatalogEntry]) -> String {
    let mut xml = String::from("<available_skills>\n");
    for entry in entries {
        xml.push_str("<skill>\n");
        element(&mut xml, "name", &escape(&entry.name));
        element(&mut xml, "description", &escape(&entry.description));
        element(&mut xml, "location", &entry.location.to_string_lossy());
        xml.push_str("</skill>\n");
    }
    xml.push_str("</available_skills>");
    xml
}

fn element(xml: &mut String, name: &str, text: &str) {
    for line in ["<", name, ">\n", text, "\n</", name, ">\n"] {
        xml.push_str(line);
    }
}

/// Escapes as HTML does, quotes included.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#x27;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_librarys_form() {
        assert_eq!(agentskills(&[]), "<available_skills>\n</available_skills>");
        let entry = CatalogEntry {
            id: "a".to_owned(),
            name: "a".to_owned(),
            description: "<b> & 'c' \"d\"".to_owned(),
            location: PathBuf::from("/s/a&b/SKILL.md"),
        };
        assert_eq!(
            agentskills(&[entry]),
            "<available_skills>\n<skill>\n<name>\na\n</name>\n<description>\n&lt;b&gt; &amp; &#x27;c&#x27; &quot;d&quot;\n</description>\n<location>\n/s/a&b/SKILL.md\n</location>\n</skill>\n</available_skills>"
        );
    }
}
