//! The texts of one skill as a form prints them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use super::Options;
use super::clean::{Lines, clean};
use super::entry::Entry;
use super::form::{Face, Form, Location};
use super::shorten::{Selection, Text};
use super::weigh::Scales;
use crate::mode::Mode;
use crate::roots::Source;

/// A skill with its whole texts, nothing hidden in them.
#[derive(Debug)]
pub(super) struct Card<'a> {
    pub(super) entry: &'a Entry,
    pub(super) name: Cow<'a, str>,
    pub(super) description: Cow<'a, str>,
    pub(super) when: Cow<'a, str>,
    pub(super) category: Cow<'a, str>,
    location: Option<String>,
    /// Whether the description lost something on its way here.
    pub(super) is_cut: bool,
}

impl<'a> Card<'a> {
    /// The cards of all entries in the order in which the form prints them.
    pub(super) fn all(entries: &'a [Entry], options: &Options<'_>) -> Vec<Self> {
        let mut cards: Vec<Self> = entries
            .iter()
            .map(|entry| Self::new(entry, options))
            .collect();
        if !options.form.keeps_names() {
            tell_apart(&mut cards);
        }
        if let Some(limit) = options.form.style().description_chars {
            cap(&mut cards, options.form, limit);
        }
        if options.form.groups() {
            cards.sort_by(|a, b| a.category.cmp(&b.category));
        }
        cards
    }

    fn new(entry: &'a Entry, options: &Options<'_>) -> Self {
        let lines = if options.form.keeps_lines() {
            Lines::Keep
        } else {
            Lines::Join
        };
        let has_texts = entry.mode != Mode::NameOnly;
        let text = |text: &'a str| {
            if has_texts {
                clean(text, lines)
            } else {
                Cow::Borrowed("")
            }
        };
        let description = text(&entry.description);
        Self {
            entry,
            name: clean(&entry.name, Lines::Join),
            is_cut: description.ends_with('…') && !entry.description.trim_end().ends_with('…'),
            description,
            when: text(entry.when.as_deref().unwrap_or_default()),
            category: clean(entry.category.as_deref().unwrap_or_default(), Lines::Join),
            location: location(entry, options),
        }
    }

    /// What is printed with these texts.
    pub(super) fn face<'f>(&'f self, description: &'f str, when: &'f str) -> Face<'f> {
        let id = Some(&*self.entry.id).filter(|id| **id != *self.name);
        let version = self.entry.version.as_deref();
        Face {
            name: &self.name,
            id,
            description,
            when,
            version: version.filter(|_| self.entry.mode != Mode::NameOnly),
            location: self.location.as_deref(),
            category: &self.category,
            place: match self.entry.source {
                Source::Workspace { .. } => "project",
                _ => "global",
            },
        }
    }
}

/// Shortens every description that the client would cut off, to its most telling words.
fn cap(cards: &mut [Card<'_>], form: Form, limit: usize) {
    let scales = Scales::new(cards);
    for card in cards {
        let text = Text::new(&card.description, form, &scales, &card.name);
        if text.chars() > limit {
            let shorter = Selection::best(&text, limit).print(&text);
            card.description = Cow::Owned(shorter);
            card.is_cut = true;
        }
    }
}

/// Skills with the same name go by their ids, where the form does not print these anyway.
fn tell_apart(cards: &mut [Card<'_>]) {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for card in &*cards {
        *counts.entry(card.name.clone().into_owned()).or_default() += 1;
    }
    for card in cards {
        if counts.get(&*card.name) != Some(&1) {
            card.name = Cow::Borrowed(&card.entry.id);
        }
    }
}

fn location(entry: &Entry, options: &Options<'_>) -> Option<String> {
    let path = &entry.location;
    let text = |path: &Path| clean(&path.to_string_lossy(), Lines::Keep).replace('\n', " ");
    match options.form.style().location {
        Location::Asked if !options.locations => None,
        Location::Asked | Location::Path => Some(text(path)),
        Location::Home => {
            let below = options.home.and_then(|home| path.strip_prefix(home).ok());
            Some(below.map_or_else(|| text(path), |below| format!("~/{}", text(below))))
        }
        Location::Url => Some(url(&text(path))),
    }
}

/// A path as a `file:` URL; what is not ordinary in a path of a URL is percent-encoded.
fn url(path: &str) -> String {
    let mut url = String::from("file://");
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                url.push(char::from(byte));
            }
            _ => {
                url.push('%');
                for digit in [byte >> 4, byte & 15] {
                    url.extend(
                        char::from_digit(u32::from(digit), 16)
                            .map(|digit| digit.to_ascii_uppercase()),
                    );
                }
            }
        }
    }
    url
}
