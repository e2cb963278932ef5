//! What search knows of one skill.

use std::borrow::Cow;

use skillmd::Manifest;

use super::words::beginning;
use crate::details::content;
use crate::limits;
use crate::load::{Skill, cannot_decode};
use crate::state::State;

/// The texts of one skill, by what they say about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document<'a> {
    /// The id; an exact query for it always comes first.
    pub id: &'a str,
    /// The name that its author gave it; exact queries for it come first as well.
    pub name: &'a str,
    /// What it does. Display title and short description belong here, too.
    pub description: Cow<'a, str>,
    /// When to use it.
    pub when: Cow<'a, str>,
    /// Words to find it by: tags, category, trigger phrases.
    pub tags: Vec<&'a str>,
    /// The body, in Markdown. Headings count more than the text below them. See [`Document::with_body`].
    pub body: Cow<'a, str>,
}

impl<'a> Document<'a> {
    /// What a skill says in its frontmatter. The body is empty: a list of skills does not keep it.
    pub fn of_frontmatter(skill: &'a Skill) -> Self {
        let mut document = Self {
            id: &skill.id,
            name: &skill.name,
            description: Cow::Borrowed(&skill.description),
            ..Self::default()
        };
        if let Some(manifest) = &skill.manifest {
            document.add_manifest(manifest);
        }
        document
    }

    /// All of a skill, its SKILL.md read again for the body. What cannot be read any more has no body.
    pub fn of_skill(skill: &'a Skill) -> Self {
        let document = Self::of_frontmatter(skill);
        // What a broken skill's path leads to may be nobody's business, such as a file outside its root.
        if skill.state == State::Broken {
            return document;
        }
        let text = content(&skill.form, &skill.path)
            .and_then(|bytes| skillmd::parse(bytes).map_err(|error| cannot_decode(&error)));
        match text {
            Ok(text) => document.with_body(text.body()),
            Err(_) => document,
        }
    }

    /// The same with a body: its first [`limits::SEARCH_BODY_BYTES`] bytes, and the headings of the rest.
    #[must_use]
    pub fn with_body(mut self, body: &str) -> Self {
        let start = beginning(body, limits::SEARCH_BODY_BYTES);
        let rest = beginning(
            body.get(start.len()..).unwrap_or_default(),
            limits::SEARCH_HEADINGS_BYTES,
        );
        let mut kept = start.to_owned();
        for heading in rest
            .split('\n')
            .skip(1)
            .filter(|line| line.starts_with('#'))
        {
            kept.push('\n');
            kept.push_str(heading);
        }
        self.body = Cow::Owned(kept);
        self
    }

    fn add_manifest(&mut self, manifest: &'a Manifest) {
        let display = &manifest.display;
        let invocation = &manifest.invocation;
        if let Some(when) = &invocation.when_to_use {
            self.when = Cow::Borrowed(when);
        }
        for more in [&display.title, &display.short_description]
            .into_iter()
            .flatten()
        {
            let description = self.description.to_mut();
            description.push('\n');
            description.push_str(more);
        }
        self.tags = display.tags.iter().map(String::as_str).collect();
        self.tags.extend(display.category.as_deref());
        self.tags
            .extend(invocation.triggers.iter().filter_map(phrase));
    }
}

/// What a trigger says about the skill's subject.
fn phrase(trigger: &skillmd::trigger::Trigger) -> Option<&str> {
    use skillmd::trigger::Trigger;
    match trigger {
        Trigger::Keyword(text) | Trigger::Command(text) => Some(text),
        Trigger::Schedule(_) | Trigger::NotKeyword(_) => None,
    }
}
