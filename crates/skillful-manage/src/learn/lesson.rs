//! What an agent learned, as it says it, and what is left of that when it has been tidied up.

use serde::Deserialize;
use skillmd::manifest::first_paragraph;
use skillmd::{DecodeError, Document, Manifest, Node, Reporter};

use super::{LEARNED, UNVERIFIED, VERIFIED};
use crate::limits;

/// Most characters of a text's beginning that stand in for a title.
const BEGINNING: usize = 48;

/// Something that an agent learned.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Lesson {
    /// What it is about, in a few words.
    pub title: String,
    /// What to do, in Markdown.
    pub body: String,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// A line for a shell that fails when the lesson is wrong.
    pub check: Option<String>,
    /// What it does and when to use it; made from title and body where there is none.
    pub description: Option<String>,
    /// What somebody says who should be offered it, each in a sentence.
    pub requests: Vec<String>,
}

/// A text is no lesson.
#[derive(Debug, thiserror::Error)]
pub enum LessonError {
    /// It is not UTF-8 or UTF-16.
    #[error("the lesson is {0}")]
    NotText(DecodeError),
    /// It is not JSON of the expected shape.
    #[error("the lesson is not JSON of the expected shape: {0}")]
    Json(#[from] serde_json::Error),
}

impl Lesson {
    /// Reads a lesson: JSON with the fields of this type, or Markdown whose frontmatter may give `title` (or `name`),
    /// `description`, `tags`, `check` and `requests` (a list). Without a title the first headline is one.
    ///
    /// # Errors
    ///
    /// [`LessonError`].
    pub fn read(bytes: &[u8]) -> Result<Self, LessonError> {
        if bytes.trim_ascii_start().first() == Some(&b'{') {
            return Ok(serde_json::from_slice(bytes)?);
        }
        let document = skillmd::parse(bytes.to_vec()).map_err(LessonError::NotText)?;
        let mut reporter = Reporter::new(document.text());
        let manifest = Manifest::read(&document, &mut reporter);
        let title = manifest.display.title.clone();
        let title = title.or_else(|| manifest.name().map(str::to_owned));
        let (headline, rest) = headline(document.body());
        Ok(Self {
            body: match (&title, headline) {
                (None, Some(_)) => rest.to_owned(),
                _ => document.body().to_owned(),
            },
            title: title
                .or_else(|| headline.map(str::to_owned))
                .unwrap_or_default(),
            tags: manifest.display.tags.clone(),
            check: manifest.execution.check.clone(),
            description: manifest.description().map(str::to_owned),
            requests: requests(&document),
        })
    }

    /// The title as one line, without what cannot be seen. Without one, the headline is it, else how the text begins.
    pub(super) fn tidy_title(&self) -> String {
        let mut title = one_line(&self.title);
        if title.is_empty() {
            title = one_line(headline(&self.body).0.unwrap_or_default());
        }
        if title.is_empty() {
            let beginning = first_paragraph(&self.body).unwrap_or_default();
            return shortened(&one_line(&beginning), BEGINNING);
        }
        shortened(&title, limits::LESSON_TITLE)
    }

    /// The tags, each once, in their order, without those that only the learner gives.
    pub(super) fn tidy_tags(&self) -> Vec<String> {
        let mut tags: Vec<String> = Vec::new();
        for tag in &self.tags {
            // Tags are parted by commas where they are kept.
            let tag = shortened(&one_line(&tag.replace(',', " ")), limits::LESSON_TAG);
            let is_reserved = [LEARNED, VERIFIED, UNVERIFIED]
                .iter()
                .any(|reserved| tag.eq_ignore_ascii_case(reserved));
            let is_known = tags.iter().any(|known| known.eq_ignore_ascii_case(&tag));
            if !tag.is_empty() && !is_reserved && !is_known && tags.len() < limits::LESSON_TAGS {
                tags.push(tag);
            }
        }
        tags
    }

    /// The check as one line, unless it is blank.
    pub(super) fn tidy_check(&self) -> Option<&str> {
        let check = self.check.as_deref().map(str::trim);
        check.filter(|check| !check.is_empty())
    }

    /// What of it is over a limit.
    pub(super) fn is_too_large(&self) -> bool {
        let characters = self.body.chars().count();
        let check = self.check.as_ref().map_or(0, String::len);
        characters > limits::LESSON_BODY || check > skillful::limits::INLINE_COMMAND_BYTES
    }
}

/// The requests of a document: those of its own, or of its metadata.
fn requests(document: &Document) -> Vec<String> {
    let nested = || document.get("metadata")?.get("requests");
    let given = document.get("requests").or_else(nested);
    let list = given.and_then(Node::as_sequence).unwrap_or_default();
    list.iter()
        .filter_map(|node| node.as_text().map(str::to_owned))
        .collect()
}

/// The first line, if it is a headline, and what follows it.
fn headline(body: &str) -> (Option<&str>, &str) {
    let text = body.trim_start();
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    match first.trim_end().strip_prefix("# ") {
        Some(headline) => (Some(headline.trim()), rest),
        None => (None, body),
    }
}

/// A text as one line, without control characters and others that cannot be seen.
pub(super) fn one_line(text: &str) -> String {
    let visible: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .filter(|c| !is_invisible(*c))
        .collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Characters that show nothing, or change how others are shown.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// At most so many characters of a text, cut at a word where there is one.
pub(super) fn shortened(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let kept: String = text.chars().take(limit).collect();
    let cut = kept.rfind(' ').filter(|cut| *cut > kept.len() / 2);
    kept.get(..cut.unwrap_or(kept.len()))
        .unwrap_or(&kept)
        .trim_end()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lessons_are_read_from_json_and_markdown() {
        let json =
            br#" {"title": "Reset", "body": "Do.", "tags": ["a"], "check": "true", "kind": "skill",
            "requests": ["How do I reset it?"]}"#;
        let expected = Lesson {
            title: "Reset".to_owned(),
            body: "Do.".to_owned(),
            tags: vec!["a".to_owned()],
            check: Some("true".to_owned()),
            description: None,
            requests: vec!["How do I reset it?".to_owned()],
        };
        assert_eq!(Lesson::read(json).unwrap(), expected);
        let markdown = "---\ntitle: Reset\ntags: [a]\nmetadata:\n  check: 'true'\nrequests:\n  - How do I reset it?\n---\nDo.";
        assert_eq!(Lesson::read(markdown.as_bytes()).unwrap(), expected);
        let bare = Lesson::read(b"\n# Reset it\n\nDo.\n").unwrap();
        assert_eq!((&*bare.title, &*bare.body), ("Reset it", "\nDo.\n"));
        assert!(Lesson::read(b"{\"title\": 1}").is_err());
        assert!(Lesson::read(b"\xff").is_err());
    }

    #[test]
    fn reserved_tags_are_taken_out() {
        let tags = [
            "Verified",
            " learned ",
            "unverified",
            "a, b",
            "A  B",
            "",
            "c\u{202e}",
        ];
        let lesson = Lesson {
            tags: tags.map(str::to_owned).to_vec(),
            ..Lesson::default()
        };
        assert_eq!(lesson.tidy_tags(), ["a b", "c"]);
    }

    #[test]
    fn titles_are_one_line() {
        let lesson = |title: &str, body: &str| Lesson {
            title: title.to_owned(),
            body: body.to_owned(),
            ..Lesson::default()
        };
        assert_eq!(lesson(" a\n\tb\u{200b} ", "").tidy_title(), "a b");
        assert_eq!(
            lesson(" ", "# From the body\nx").tidy_title(),
            "From the body"
        );
        assert_eq!(
            lesson(
                "",
                "Hold the button for five seconds, then wait for the light."
            )
            .tidy_title(),
            "Hold the button for five seconds, then wait for"
        );
        let long = lesson(&"word ".repeat(100), "").tidy_title();
        assert!(long.ends_with("word") && long.len() <= limits::LESSON_TITLE);
    }
}
