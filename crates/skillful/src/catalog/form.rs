//! The forms that a catalog is printed in: one per client, each as that client shows skills to its model.
//!
//! A form is a frame around entries, and a way to write one. What may not be seen in a form's notation is escaped,
//! also where the client itself does not: the texts are strangers'.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

mod escape;
mod write;

use write::Writer;

/// What is printed of one skill. Texts that are empty are left out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Face<'a> {
    pub(super) name: &'a str,
    /// Where it differs from the name.
    pub(super) id: Option<&'a str>,
    pub(super) description: &'a str,
    pub(super) when: &'a str,
    pub(super) version: Option<&'a str>,
    pub(super) location: Option<&'a str>,
    pub(super) category: &'a str,
    /// `project` or `global`.
    pub(super) place: &'static str,
}

/// How a catalog is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// Aleph's XML: name, description, when, version, and the id where it differs from the name.
    #[default]
    Aleph,
    /// The XML of the standard's reference library, byte for byte: name, description, location.
    Agentskills,
    /// A section in Markdown with a heading per skill, as Denkeeper's.
    Markdown,
    /// A JSON object.
    Json,
    /// Claude Code's list.
    ClaudeCode,
    /// Codex's section, with the path of each file.
    Codex,
    /// Cursor's XML.
    Cursor,
    /// Gemini CLI's XML.
    Gemini,
    /// Goose's list.
    Goose,
    /// Hermes' list: grouped by category, 60 characters per description.
    Hermes,
    /// `OpenClaw`'s XML, with `~` for the home directory.
    Openclaw,
    /// `OpenCode`'s XML, with locations as URLs.
    Opencode,
    /// The table that openskills keeps in AGENTS.md.
    Openskills,
    /// VS Code's XML.
    Vscode,
}

/// What a location looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Location {
    /// It is not printed unless somebody asks.
    Asked,
    /// An absolute path.
    Path,
    /// An absolute path, with `~` for the home directory.
    Home,
    /// A `file:` URL.
    Url,
}

/// All that is particular to a form.
pub(super) struct Style {
    name: &'static str,
    open: &'static str,
    close: &'static str,
    /// Between two entries.
    pub(super) separator: &'static str,
    writer: Writer,
    pub(super) location: Location,
    /// Whether the frame is printed around nothing.
    prints_empty: bool,
    /// Most characters of a description.
    pub(super) description_chars: Option<usize>,
}

const PLAIN: Style = Style {
    name: "",
    open: "<available_skills>\n",
    close: "</available_skills>",
    separator: "\n",
    writer: Writer::Elements { indent: "  " },
    location: Location::Path,
    prints_empty: false,
    description_chars: None,
};

impl Form {
    /// All forms, the default first, clients' sorted by name.
    pub const ALL: [Self; 14] = [
        Self::Aleph,
        Self::Agentskills,
        Self::Markdown,
        Self::Json,
        Self::ClaudeCode,
        Self::Codex,
        Self::Cursor,
        Self::Gemini,
        Self::Goose,
        Self::Hermes,
        Self::Openclaw,
        Self::Opencode,
        Self::Openskills,
        Self::Vscode,
    ];

    /// The name on the command line and in files.
    pub fn as_str(self) -> &'static str {
        self.style().name
    }

    /// Whether it prints the version of a skill, so that [`super::version_of`] is worth its price.
    pub const fn shows_versions(self) -> bool {
        matches!(self, Self::Aleph | Self::Json)
    }

    #[rustfmt::skip]
    pub(super) const fn style(self) -> &'static Style {
        const LIST: Style = Style { open: "", close: "", location: Location::Asked, ..PLAIN };
        match self {
            Self::Aleph => &Style { name: "aleph", writer: Writer::Aleph, location: Location::Asked, ..PLAIN },
            Self::Agentskills => &Style { name: "agentskills", writer: Writer::Agentskills, prints_empty: true, ..PLAIN },
            Self::Markdown => &Style { name: "markdown", open: "# Skills\n\n", separator: "\n\n", writer: Writer::Sections, ..LIST },
            Self::Json => &Style { name: "json", open: "{\"skills\":[\n", close: "}", separator: ",\n", writer: Writer::Json, ..LIST },
            Self::ClaudeCode => &Style { name: "claude-code", writer: Writer::List { bullet: "- ", colon: ": ", when: true }, description_chars: Some(1_536), ..LIST },
            Self::Codex => &Style { name: "codex", open: "## Skills\n", writer: Writer::List { bullet: "- ", colon: ": ", when: false }, location: Location::Path, ..LIST },
            Self::Cursor => &Style { name: "cursor", open: "<agent_skills>\n", close: "</agent_skills>", writer: Writer::Cursor, ..PLAIN },
            Self::Gemini => &Style { name: "gemini", ..PLAIN },
            Self::Goose => &Style { name: "goose", writer: Writer::List { bullet: "• ", colon: " - ", when: false }, ..LIST },
            Self::Hermes => &Style { name: "hermes", writer: Writer::Groups, description_chars: Some(60), ..LIST },
            Self::Openclaw => &Style { name: "openclaw", location: Location::Home, ..PLAIN },
            Self::Opencode => &Style { name: "opencode", location: Location::Url, ..PLAIN },
            Self::Openskills => &Style {
                name: "openskills",
                open: "<skills_system priority=\"1\">\n\n<!-- SKILLS_TABLE_START -->\n<available_skills>\n\n",
                close: "\n</available_skills>\n<!-- SKILLS_TABLE_END -->\n\n</skills_system>",
                separator: "\n\n",
                writer: Writer::Places,
                ..LIST
            },
            Self::Vscode => &Style { name: "vscode", open: "<skills>\n", close: "</skills>", writer: Writer::Vscode, ..PLAIN },
        }
    }

    /// Whether names are printed as they are, also where two skills have the same.
    pub(super) const fn keeps_names(self) -> bool {
        matches!(self, Self::Agentskills | Self::Aleph | Self::Json)
    }

    /// Whether the line breaks of an author's text stay.
    pub(super) const fn keeps_lines(self) -> bool {
        matches!(self, Self::Agentskills)
    }

    /// Whether entries stand under the heading of their category.
    pub(super) const fn groups(self) -> bool {
        matches!(self, Self::Hermes)
    }

    /// The text as it stands in this form.
    pub(super) fn escape(self, text: &str) -> Cow<'_, str> {
        self.style().writer.escape(text)
    }

    /// One entry without a frame.
    pub(super) fn print_one(self, face: &Face<'_>) -> String {
        let mut text = String::new();
        self.style().writer.entry(&mut text, face);
        text
    }

    /// A catalog of these entries, of which `omitted` more were left out.
    pub(super) fn print<'a>(
        self,
        faces: impl IntoIterator<Item = Face<'a>>,
        omitted: Omitted<'_>,
    ) -> String {
        let style = self.style();
        let mut text = String::from(style.open);
        let mut category = None;
        let mut count = 0;
        for face in faces {
            if count > 0 {
                text.push_str(style.separator);
            }
            if self.groups() && category != Some(face.category) {
                write::group(&mut text, face.category);
                category = Some(face.category);
            }
            style.writer.entry(&mut text, &face);
            count += 1;
        }
        if count == 0 && omitted.count == 0 && !style.prints_empty {
            return String::new();
        }
        style.writer.end(&mut text, count, style.separator, omitted);
        text.push_str(style.close);
        text.truncate(text.trim_end().len());
        text
    }
}

/// The skills that have no room, and how to find them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Omitted<'a> {
    pub(super) count: usize,
    pub(super) tool: &'a str,
}

impl fmt::Display for Omitted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (are, s) = if self.count == 1 {
            ("is", "")
        } else {
            ("are", "s")
        };
        write!(
            f,
            "{} more skill{s} {are} not listed; call {} to find them",
            self.count, self.tool
        )
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text names no form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a form of the catalog; the forms are {forms}", forms = Form::ALL.map(Form::as_str).join(", "))]
pub struct UnknownForm(pub String);

impl FromStr for Form {
    type Err = UnknownForm;

    fn from_str(text: &str) -> Result<Self, UnknownForm> {
        Self::ALL
            .into_iter()
            .find(|form| form.as_str() == text)
            .ok_or_else(|| UnknownForm(text.to_owned()))
    }
}

#[cfg(test)]
mod tests;
