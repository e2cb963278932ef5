//! The catalog: which skills a model is shown, in which form, and what becomes of it when there is no room for all.
//!
//! ```text
//! Skill ─hidden?→ Entry ─clean→ Card ─whole texts fit?→ Catalog
//!                                 └─ weigh words, Plan ─share(room)→ shorter texts ─print→ Catalog
//! ```
//!
//! [`hidden`] says which skills a model may see, [`Entry`] is what may be said of one, and [`render`] prints them in a
//! [`Form`] within a [`Budget`]. All of it is pure: the same entries and options give the same bytes, and the order of
//! the entries stays whatever the budget, so that a prompt's beginning can be cached.

use std::fmt;
use std::path::Path;

use crate::mode::Mode;
use crate::tokens::{Estimate, TokenCounter};

mod card;
mod clean;
mod common;
mod entry;
mod fit;
mod form;
mod plan;
mod shorten;
mod visible;
mod weigh;
mod words;

pub use entry::{Entry, Usage, version_of, version_tag};
pub use form::{Form, UnknownForm};
pub use visible::{Hidden, hidden};

use card::Card;
use form::Omitted;
use plan::Share;

/// The tool that the note about skills without room names, unless the caller has another.
pub const SEARCH_TOOL: &str = "skill_search";

/// How much room a catalog has. Nothing = as much as it needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Most skills.
    pub entries: Option<usize>,
    /// Most characters (Unicode scalar values), frame and note included.
    pub characters: Option<usize>,
    /// Most tokens, frame and note included, as [`Options::counter`] counts them.
    pub tokens: Option<usize>,
}

impl Budget {
    /// Whether a catalog exceeds nothing. Tokens are counted only where there is a limit.
    fn holds(&self, catalog: &Catalog, counter: &dyn TokenCounter) -> bool {
        let fits = |used, limit: Option<usize>| limit.is_none_or(|limit| used <= limit);
        fits(catalog.included.len(), self.entries)
            && fits(catalog.characters, self.characters)
            && (self.tokens.is_none() || fits(counter.count(&catalog.text), self.tokens))
    }
}

/// How a catalog is printed.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Its form.
    pub form: Form,
    /// Its room.
    pub budget: Budget,
    /// Whether the path of each skill is printed in forms that can do without.
    pub locations: bool,
    /// The user's home, for forms that shorten it to `~`.
    pub home: Option<&'a Path>,
    /// The tool that finds the skills that have no room.
    pub search_tool: &'a str,
    /// What a token is.
    pub counter: &'a dyn TokenCounter,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            form: Form::default(),
            budget: Budget::default(),
            locations: false,
            home: None,
            search_tool: SEARCH_TOOL,
            counter: &Estimate,
        }
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("form", &self.form)
            .field("budget", &self.budget)
            .field("locations", &self.locations)
            .field("search_tool", &self.search_tool)
            .finish_non_exhaustive()
    }
}

/// A printed catalog, and what became of each skill. All lists are in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalog {
    /// What the model is shown; empty when there is nothing to show. Ends without a line break.
    pub text: String,
    /// Ids of all skills in it.
    pub included: Vec<String>,
    /// Those of them whose description or `when` lost words.
    pub shortened: Vec<String>,
    /// Those of them that have a description, of which nothing is printed.
    pub name_only: Vec<String>,
    /// Ids of the skills that have no room.
    pub omitted: Vec<String>,
    /// Those of them that the user requires. A catalog without them should not be used.
    pub missing_required: Vec<String>,
    /// Characters of the text.
    pub characters: usize,
    /// Tokens of the text, as [`Options::counter`] counts them.
    pub tokens: usize,
}

/// Prints a catalog of these skills, in this order. Never exceeds the budget: what has no room is shortened, then left
/// out, and a note counts it; see the module [`plan`](self) for who is shortened first.
pub fn render(entries: &[Entry], options: &Options<'_>) -> Catalog {
    let cards = Card::all(entries, options);
    fit::fit(&cards, options).counted(options.counter)
}

impl Catalog {
    /// The catalog of the cards of which something is printed.
    fn print(cards: &[Card<'_>], shares: &[Option<Share<'_>>], options: &Options<'_>) -> Self {
        let mut catalog = Self::default();
        let mut faces = Vec::with_capacity(cards.len());
        for (card, share) in cards.iter().zip(shares) {
            let id = &card.entry.id;
            let Some(share) = share else {
                if card.entry.mode == Mode::Required {
                    catalog.missing_required.push(id.clone());
                }
                catalog.omitted.push(id.clone());
                continue;
            };
            faces.push(card.face(&share.description, &share.when));
            catalog.included.push(id.clone());
            if share.description.is_empty() && !card.entry.description.trim().is_empty() {
                catalog.name_only.push(id.clone());
            } else if share.description != card.description
                || share.when != card.when
                || card.is_cut
            {
                catalog.shortened.push(id.clone());
            }
        }
        let omitted = Omitted {
            count: catalog.omitted.len(),
            tool: options.search_tool,
        };
        catalog.text = options.form.print(faces, omitted);
        catalog.characters = catalog.text.chars().count();
        catalog
    }

    /// The same with its tokens counted.
    fn counted(mut self, counter: &dyn TokenCounter) -> Self {
        self.tokens = counter.count(&self.text);
        self
    }
}

#[cfg(test)]
mod tests;
