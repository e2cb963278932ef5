//! One skill in full: what a list leaves out because nobody asked for it.

use std::path::Path;

use skillmd::lint::estimate_tokens;
use skillmd::{Diagnostic, Document, Manifest, Reporter};

use crate::bundle::Bundle;
use crate::bundled;
use crate::check::merge_sidecar;
use crate::discover::{Candidate, Content, Form};
use crate::load::{Skill, cannot_decode};
use crate::state::State;

/// All that is known of one skill.
#[derive(Clone, Debug)]
pub struct Details {
    /// Its text; nothing when it cannot be read.
    pub document: Option<Document>,
    /// What it says about itself, Codex's sidecar included.
    pub manifest: Manifest,
    /// Its files.
    pub bundle: Bundle,
    /// Tokens of its body, estimated.
    pub tokens: usize,
    /// What is wrong with it: what its entry in a list says, and what its files add.
    pub diagnostics: Vec<Diagnostic>,
}

impl Details {
    /// Reads the skill again, and lists its files.
    pub fn of(skill: &Skill) -> Self {
        let bundle = Bundle::of(skill);
        let mut diagnostics = skill.diagnostics.clone();
        diagnostics.extend(bundle.diagnostics.iter().cloned());
        let mut details = Self {
            document: None,
            manifest: Manifest::default(),
            bundle,
            tokens: 0,
            diagnostics,
        };
        // What a broken skill's path leads to may be nobody's business, such as a file outside its root.
        if skill.state == State::Broken {
            return details;
        }
        let document = content(&skill.form, &skill.path)
            .and_then(|bytes| skillmd::parse(bytes).map_err(|error| cannot_decode(&error)));
        if let Ok(document) = document {
            let mut reporter = Reporter::new(document.text());
            details.manifest = Manifest::read(&document, &mut reporter);
            if let Some(directory) = skill.directory() {
                merge_sidecar(directory, &mut details.manifest);
            }
            details.tokens = estimate_tokens(document.body());
            details.document = Some(document);
        }
        details
    }
}

/// Tokens of the body of a skill, estimated; none for a broken skill, whose path may lead anywhere.
pub fn tokens(skill: &Skill) -> usize {
    if skill.state == State::Broken {
        return 0;
    }
    content(&skill.form, &skill.path)
        .ok()
        .and_then(|bytes| skillmd::parse(bytes).ok())
        .map_or(0, |document| estimate_tokens(document.body()))
}

/// The bytes of the SKILL.md of a skill of this form at this path.
pub fn content(form: &Form, path: &Path) -> Content {
    match form {
        Form::Bundled => Ok(bundled::text(path).unwrap_or_default().as_bytes().to_vec()),
        Form::Directory | Form::File | Form::Archive { .. } => Candidate::of_file(path).content,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::discover::{SearchLimits, search};
    use crate::load::load;
    use crate::roots::{Root, Source, Trust};

    #[test]
    fn a_link_out_of_the_root_is_not_read_here_either() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("root");
        std::fs::create_dir_all(path.join("x")).unwrap();
        let secret = place.path().join("secret");
        std::fs::write(&secret, "---\nname: x\ndescription: secret\n---\n").unwrap();
        std::os::unix::fs::symlink(&secret, path.join("x/SKILL.md")).unwrap();
        let mut root = Root::new(path, Source::Global, Trust::Community);
        root.real = root.path.canonicalize().unwrap();
        let root = Arc::new(root);
        let found = search(&root, SearchLimits::default(), |candidate| {
            load(candidate, &root)
        });
        let details = Details::of(&found.skills[0]);
        assert_eq!(details.document, None);
        assert_eq!(details.manifest, Manifest::default());
    }
}
