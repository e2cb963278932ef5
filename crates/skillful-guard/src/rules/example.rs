//! Small bundles that stand beside a rule: as its tests, and on its page.

use serde::Deserialize;

use crate::bundle::{Bundle, Content, FileInput};

/// A bundle beside a rule.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Example {
    /// The text of a SKILL.md.
    Text(String),
    /// One file of another name.
    File(ExampleFile),
    /// Several files.
    Files(Vec<ExampleFile>),
}

/// A file of an example.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExampleFile {
    /// Its path in the bundle.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Its bytes as hexadecimal digits, instead of a text.
    pub hex: String,
    /// Where it leads to, if it is a link.
    pub link: Option<String>,
    /// Whether it has an executable bit.
    pub executable: bool,
}

impl Example {
    /// The bundle to scan.
    pub fn bundle(&self) -> Bundle {
        match self {
            Self::Text(text) => Bundle::of_text("SKILL.md", text.as_str()),
            Self::File(file) => Bundle::new(vec![file.input()]),
            Self::Files(files) => Bundle::new(files.iter().map(ExampleFile::input).collect()),
        }
    }

    pub(crate) fn as_markdown(&self) -> String {
        match self {
            Self::Text(text) => fenced("SKILL.md", text),
            Self::File(file) => file.as_markdown(),
            Self::Files(files) => files.iter().map(ExampleFile::as_markdown).collect(),
        }
    }
}

impl ExampleFile {
    fn input(&self) -> FileInput {
        let content = match &self.link {
            Some(target) => Content::Link {
                target: target.clone(),
            },
            None if self.hex.is_empty() => Content::Bytes(self.text.clone().into_bytes()),
            None => Content::Bytes(bytes_of_hex(&self.hex)),
        };
        FileInput {
            path: self.path.clone(),
            content,
            executable: self.executable,
        }
    }

    fn as_markdown(&self) -> String {
        match &self.link {
            Some(target) => format!("`{}` is a link to `{target}`.\n\n", self.path),
            None if self.hex.is_empty() => fenced(&self.path, &self.text),
            None => fenced(&self.path, &self.hex),
        }
    }
}

/// A block of code that its content cannot close; what cannot be seen is written as an escape.
fn fenced(path: &str, text: &str) -> String {
    let visible = crate::excerpt::visible(text);
    format!("`{path}`:\n\n~~~~~text\n{}\n~~~~~\n\n", visible.trim_end())
}

fn bytes_of_hex(digits: &str) -> Vec<u8> {
    let digits: Vec<u8> = digits
        .chars()
        .filter_map(|digit| digit.to_digit(16))
        .filter_map(|digit| u8::try_from(digit).ok())
        .collect();
    digits
        .chunks_exact(2)
        .map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit))
        .collect()
}
