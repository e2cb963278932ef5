//! The skills that are part of the program. They are found like any other, under a path that exists nowhere.

use std::path::{Path, PathBuf};

use crate::discover::{Candidate, Form};
use crate::roots::{Root, Source, Trust};

/// What stands for the directory of the bundled skills in paths.
pub const ROOT: &str = "<bundled>";

/// Directory and text of each.
const SKILLS: &[(&str, &str)] = &[(
    "writing-skills",
    include_str!("../../../skills/writing-skills/SKILL.md"),
)];

/// The root of the bundled skills: the last of all.
pub fn root() -> Root {
    Root::new(PathBuf::from(ROOT), Source::Bundled, Trust::Builtin)
}

/// The bundled skills.
pub fn candidates() -> impl Iterator<Item = Candidate> {
    SKILLS.iter().map(|(directory, text)| Candidate {
        path: Path::new(ROOT).join(directory).join("SKILL.md"),
        form: Form::Bundled,
        real_directory: None,
        content: Ok(text.as_bytes().to_vec()),
        notes: Vec::new(),
    })
}

/// The text of a bundled skill by its path.
pub fn text(path: &Path) -> Option<&'static str> {
    let directory = path.strip_prefix(ROOT).ok()?.parent()?;
    SKILLS
        .iter()
        .find(|(name, _)| directory == Path::new(name))
        .map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_found_again_by_its_path() {
        for candidate in candidates() {
            let text = text(&candidate.path).unwrap();
            assert_eq!(candidate.content.unwrap(), text.as_bytes());
        }
        assert_eq!(text(Path::new("<bundled>/no-such/SKILL.md")), None);
    }

    #[test]
    fn each_is_named_like_its_directory() {
        for (directory, text) in SKILLS {
            let document = skillmd::parse_text((*text).to_owned(), skillmd::Encoding::Utf8);
            assert_eq!(document.get_text("name"), Some(*directory));
            assert!(document.get_text("description").is_some());
            assert!(
                document.diagnostics().is_empty(),
                "{:?}",
                document.diagnostics()
            );
        }
    }
}
