//! Writing one entry, in each notation.

use std::borrow::Cow;

use super::escape;
use super::{Face, Omitted};

/// A way to write an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writer {
    /// Aleph's: an element per fact, indented.
    Aleph,
    /// The reference library's: every tag and every text on a line of its own.
    Agentskills,
    /// Name, description and location, an element each.
    Elements { indent: &'static str },
    /// The same with `project` or `global` for a location.
    Places,
    /// The description in an element, the path in its attribute.
    Cursor,
    /// Name, description and file.
    Vscode,
    /// A line that begins with the bullet, and the colon between name and description.
    List {
        bullet: &'static str,
        colon: &'static str,
        when: bool,
    },
    /// A list whose lines are indented below the heading of their category.
    Groups,
    /// A heading with the description below.
    Sections,
    /// An object.
    Json,
}

/// The heading of a category in a grouped list.
pub(super) fn group(text: &mut String, category: &str) {
    let category = if category.is_empty() {
        "general"
    } else {
        category
    };
    text.push_str(&escape::markdown(category));
    text.push_str(":\n");
}

impl Writer {
    pub(super) fn escape(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::Agentskills | Self::Cursor => escape::html(text),
            Self::Aleph | Self::Elements { .. } | Self::Places | Self::Vscode => escape::xml(text),
            Self::List { .. } | Self::Groups | Self::Sections => escape::markdown(text),
            Self::Json => escape::json(text),
        }
    }

    /// Writes an entry without a line break at its end.
    pub(super) fn entry(self, text: &mut String, face: &Face<'_>) {
        match self {
            Self::Aleph => Self::aleph(text, face),
            Self::Agentskills => Self::agentskills(text, face),
            Self::Elements { indent } => {
                let facts = [
                    ("name", face.name),
                    ("description", face.description),
                    ("location", face.location.unwrap_or_default()),
                ];
                self.elements(text, indent, &facts);
            }
            Self::Places => {
                let facts = [
                    ("name", face.name),
                    ("description", face.description),
                    ("location", face.place),
                ];
                self.elements(text, "", &facts);
            }
            Self::Vscode => {
                let facts = [
                    ("name", face.name),
                    ("description", face.description),
                    ("file", face.location.unwrap_or_default()),
                ];
                self.elements(text, "", &facts);
            }
            Self::Cursor => self.cursor(text, face),
            Self::List {
                bullet,
                colon,
                when,
            } => {
                self.line(text, bullet, colon, face);
                if when && !face.when.is_empty() {
                    self.push(text, &[" - ", face.when]);
                }
                if let Some(location) = face.location {
                    self.push(text, &[" (file: ", location, ")"]);
                }
            }
            Self::Groups => {
                self.line(text, "  - ", ": ", face);
                if let Some(location) = face.location {
                    self.push(text, &[" (file: ", location, ")"]);
                }
            }
            Self::Sections => self.section(text, face),
            Self::Json => Self::object(text, face),
        }
    }

    /// Writes what stands after the last entry, up to the end of the frame.
    pub(super) fn end(
        self,
        text: &mut String,
        count: usize,
        separator: &str,
        omitted: Omitted<'_>,
    ) {
        let note = (omitted.count > 0).then(|| self.escape(&omitted.to_string()).into_owned());
        if let Self::Json = self {
            text.push_str(if count > 0 { "\n]" } else { "]" });
            if let Some(note) = note {
                text.push_str(",\"note\":\"");
                text.push_str(&note);
                text.push('"');
            }
            return;
        }
        if count > 0 {
            text.push('\n');
        }
        let Some(note) = note else { return };
        if separator.len() > 1 && count > 0 {
            text.push('\n');
        }
        match self {
            Self::List { .. } | Self::Groups | Self::Sections => text.push_str(&note),
            Self::Agentskills => element_lines(text, "note", &note),
            _ => {
                let indent = if let Self::Aleph | Self::Elements { .. } = self {
                    "  "
                } else {
                    ""
                };
                element(text, indent, "note", &note);
            }
        }
    }

    fn aleph(text: &mut String, face: &Face<'_>) {
        let facts = [
            ("name", face.name),
            ("description", face.description),
            ("when", face.when),
            ("version", face.version.unwrap_or_default()),
            ("id", face.id.unwrap_or_default()),
            ("location", face.location.unwrap_or_default()),
        ];
        Self::Aleph.elements(text, "  ", &facts);
    }

    fn elements(self, text: &mut String, indent: &str, facts: &[(&str, &str)]) {
        push_all(text, &[indent, "<skill>\n"]);
        for (name, fact) in facts {
            if !fact.is_empty() {
                text.push_str(indent);
                element(text, indent, name, &self.escape(fact));
            }
        }
        push_all(text, &[indent, "</skill>"]);
    }

    /// Only name and description are escaped, as in the reference library; a location without control characters
    /// cannot end the line that it stands on.
    fn agentskills(text: &mut String, face: &Face<'_>) {
        text.push_str("<skill>\n");
        element_lines(text, "name", &escape::html(face.name));
        if !face.description.is_empty() {
            element_lines(text, "description", &escape::html(face.description));
        }
        if let Some(location) = face.location {
            element_lines(text, "location", location);
        }
        text.push_str("</skill>");
    }

    fn cursor(self, text: &mut String, face: &Face<'_>) {
        self.push(
            text,
            &[
                "<agent_skill fullPath=\"",
                face.location.unwrap_or_default(),
                "\">",
            ],
        );
        let shown = if face.description.is_empty() {
            face.name
        } else {
            face.description
        };
        self.push(text, &["", shown, "</agent_skill>"]);
    }

    fn line(self, text: &mut String, bullet: &str, colon: &str, face: &Face<'_>) {
        self.push(text, &[bullet, face.name]);
        if !face.description.is_empty() {
            self.push(text, &[colon, face.description]);
        }
    }

    fn section(self, text: &mut String, face: &Face<'_>) {
        self.push(text, &["## ", face.name]);
        for paragraph in [
            face.description,
            face.when,
            face.location.unwrap_or_default(),
        ] {
            if !paragraph.is_empty() {
                text.push_str("\n\n");
                // At the beginning of a line these are markup.
                if paragraph.starts_with(['#', '-', '+', '*', '=', '~', '|', '`']) {
                    text.push('\\');
                }
                text.push_str(&self.escape(paragraph));
            }
        }
    }

    fn object(text: &mut String, face: &Face<'_>) {
        let facts = [
            ("id", face.id.unwrap_or(face.name)),
            ("name", face.name),
            ("description", face.description),
            ("when", face.when),
            ("version", face.version.unwrap_or_default()),
            ("location", face.location.unwrap_or_default()),
        ];
        let mut separator = "{";
        for (name, fact) in facts {
            if !fact.is_empty() {
                push_all(
                    text,
                    &[separator, "\"", name, "\":\"", &escape::json(fact), "\""],
                );
                separator = ",";
            }
        }
        text.push('}');
    }

    /// Markup, then a text that is escaped, then markup.
    fn push(self, text: &mut String, parts: &[&str]) {
        for (index, part) in parts.iter().enumerate() {
            if index == 1 {
                text.push_str(&self.escape(part));
            } else {
                text.push_str(part);
            }
        }
    }
}

fn push_all(text: &mut String, parts: &[&str]) {
    for part in parts {
        text.push_str(part);
    }
}

fn element(text: &mut String, indent: &str, name: &str, fact: &str) {
    push_all(text, &[indent, "<", name, ">", fact, "</", name, ">\n"]);
}

fn element_lines(text: &mut String, name: &str, fact: &str) {
    push_all(text, &["<", name, ">\n", fact, "\n</", name, ">\n"]);
}
