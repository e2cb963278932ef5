//! The rules, as data: what is looked for, how bad and how sure it is, why it matters, what to do.
//!
//! A table of `rules/data` holds one category. A rule comes to a finding in one of three ways, and [`Trigger`] says in
//! which: a pattern of its own in a text; several facts close together; or one of the engines (`shell`, `script`,
//! `decode` …), which understand more than patterns and report by the rule's id. A fact is a pattern that means nothing
//! by itself.

mod book;
mod example;
mod expression;
mod patterns;
mod required;

use serde::Deserialize;

use crate::context::Zone;
use crate::finding::{Category, Confidence, Severity};

pub use book::{RuleBook, RuleError};
pub use example::{Example, ExampleFile};
pub(crate) use patterns::{Hit, Patterns};

/// One rule, with its page.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Rule {
    /// Stable, in kebab case. Ids are never renamed and never given another meaning.
    pub id: String,
    /// Filled in from the table that holds the rule.
    #[serde(skip)]
    pub category: Option<Category>,
    /// The harm if a finding is true.
    pub severity: Severity,
    /// How sure a finding is where no context lowers it.
    pub confidence: Confidence,
    /// The entries of the OWASP Agentic Skills Top 10 that it belongs to, such as `AST01`.
    pub owasp: Vec<String>,
    /// One line that says what was found.
    pub title: String,
    /// Why it matters: the attack behind it.
    pub why: String,
    /// What the reader can do.
    pub fix: String,
    /// Pages that describe the attack.
    #[serde(default)]
    pub references: Vec<String>,
    /// How it is found.
    #[serde(flatten)]
    pub trigger: Trigger,
    /// Bundles in which it must be found.
    pub matches: Vec<Example>,
    /// Bundles close to those in which it must not be found, or only with low confidence.
    pub near: Vec<Example>,
}

impl Rule {
    /// The category of the table that holds the rule.
    pub fn category(&self) -> Category {
        self.category.unwrap_or(Category::PromptInjection)
    }

    /// The rule's page in Markdown, for `explain`.
    pub fn page(&self) -> String {
        let mut page = format!(
            "# {}\n\n{}.\n\nCategory {}, severity {}, confidence {}, {}.\n\n## Why it matters\n\n{}\n\n## What to do\n\n{}\n",
            self.id,
            self.title,
            self.category(),
            self.severity,
            self.confidence,
            self.owasp.join(", "),
            self.why.trim(),
            self.fix.trim(),
        );
        if let Some(example) = self.matches.first() {
            page.push_str("\n## Found in\n\n");
            page.push_str(&example.as_markdown());
        }
        if let Some(example) = self.near.first() {
            page.push_str("\n## Not found in\n\n");
            page.push_str(&example.as_markdown());
        }
        if !self.references.is_empty() {
            page.push_str("\n## See also\n\n");
            for reference in &self.references {
                page.extend(["- <", reference, ">\n"]);
            }
        }
        page
    }
}

/// A pattern that means nothing by itself and feeds [`Trigger::Together`].
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct FactPattern {
    /// Its name in a rule's `all`.
    pub id: String,
    /// What is looked for.
    #[serde(flatten)]
    pub pattern: Pattern,
}

/// How a rule is found.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Trigger {
    /// In a text.
    Pattern(Pattern),
    /// By several facts together.
    Together(Together),
    /// By an engine.
    Engine(Engine),
}

/// A text to look for.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Pattern {
    /// Where it is looked for.
    pub zones: Vec<Zone>,
    /// Literals, without regard to case, at least one of which is in every match: the fast pass looks for these alone.
    pub anchors: Vec<String>,
    /// Regular expressions of the `regex` crate, without regard to case; any of them is a match. `{{name}}` stands for
    /// an expression of `rules/data/words.toml`.
    pub patterns: Vec<String>,
    /// Whether a match counts only with an address in it whose host is none of those that everyone names.
    #[serde(default)]
    pub outside: bool,
    /// Regular expressions that must all be found near a match, on its line. Gaps between words cost far more than a second
    /// look at a short piece of text.
    #[serde(default)]
    pub around: Vec<String>,
    /// Whether those words must stand in the sentence of the match, or in the one before where that is spoken of.
    #[serde(default)]
    pub sentence: bool,
}

/// Facts that mean something together.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Together {
    /// One of each list must be there. A name is that of a fact or of a rule.
    pub all: Vec<Vec<String>>,
    /// How close together.
    pub within: Within,
    /// So many facts of the first list, with different notes, must be in one file.
    #[serde(default)]
    pub at_least: Option<usize>,
}

/// How close together facts must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Within {
    /// At most so many lines of one file apart.
    Lines(usize),
    /// In the places that the word says.
    Scope(Scope),
}

/// A place for facts that has no count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// Anywhere in one file.
    File,
    /// Anywhere in the bundle.
    Bundle,
}

/// An engine that reports by the rule's id.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Engine {
    /// Its name, for the list of rules.
    pub found_by: String,
}
