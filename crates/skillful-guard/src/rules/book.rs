//! All rules, read once from the tables that are built in.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::{FactPattern, Patterns, Rule, Trigger};
use crate::finding::Category;

macro_rules! tables {
    ($($category:ident: $file:literal,)*) => {
        &[$((Category::$category, include_str!(concat!("data/", $file, ".toml")))),*]
    };
}

/// The tables, one for each category.
const TABLES: &[(Category, &str)] = tables! {
    PromptInjection: "prompt-injection",
    Concealment: "concealment",
    Exfiltration: "exfiltration",
    Credentials: "credentials",
    Obfuscation: "obfuscation",
    Persistence: "persistence",
    Destructive: "destructive",
    SupplyChain: "supply-chain",
    Unicode: "unicode",
    Identity: "identity",
    ToolAbuse: "tool-abuse",
    TriggerHijack: "trigger-hijack",
    ResourceAbuse: "resource-abuse",
    PathEscape: "path-escape",
    Archive: "archive",
    ParserAbuse: "parser-abuse",
    HiddenFile: "hidden-file",
    Binary: "binary",
    ScannerEvasion: "scanner-evasion",
    Privilege: "privilege",
};

/// Expressions that patterns share.
const WORDS: &str = include_str!("data/words.toml");

/// The rules, the facts and their compiled patterns.
#[derive(Debug)]
pub struct RuleBook {
    rules: BTreeMap<String, Rule>,
    pub(crate) patterns: Patterns,
    digest: String,
}

/// Why tables of rules cannot be used. The built-in ones are tested; this is for those who write rules.
#[derive(Debug, Error)]
pub enum RuleError {
    /// Not TOML, or not of the form of a table of rules.
    #[error("the rules for {category} cannot be read: {source}")]
    Syntax {
        /// The table's category.
        category: Category,
        /// What is wrong and where.
        source: Box<toml::de::Error>,
    },
    /// The shared expressions cannot be read.
    #[error("the shared expressions cannot be read: {0}")]
    Words(Box<toml::de::Error>),
    /// Two rules or facts with one id.
    #[error("two rules or facts are called {0}")]
    Duplicate(String),
    /// A combination names a fact that no pattern, rule or engine gives.
    #[error("{rule} needs {name}, which does not exist")]
    UnknownFact {
        /// The combination.
        rule: String,
        /// The name that leads nowhere.
        name: String,
    },
    /// A pattern does not compile, or has no anchor.
    #[error("a pattern of {rule}: {message}")]
    Pattern {
        /// The rule or fact.
        rule: String,
        /// What is wrong.
        message: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    rule: Vec<Rule>,
    #[serde(default)]
    fact: Vec<FactPattern>,
}

impl RuleBook {
    /// The built-in rules. They are read at the first call, which takes some milliseconds.
    ///
    /// # Errors
    ///
    /// When the tables are broken, which a test rules out.
    pub fn built_in() -> Result<&'static Self, &'static RuleError> {
        static BOOK: OnceLock<Result<RuleBook, RuleError>> = OnceLock::new();
        BOOK.get_or_init(|| Self::read(TABLES, WORDS)).as_ref()
    }

    /// The digest of the built-in rules, without reading them.
    pub fn built_in_digest() -> &'static str {
        static DIGEST: OnceLock<String> = OnceLock::new();
        DIGEST.get_or_init(|| digest(TABLES, WORDS))
    }

    fn read(tables: &[(Category, &str)], words: &str) -> Result<Self, RuleError> {
        let digest = digest(tables, words);
        let words: BTreeMap<String, String> =
            toml::from_str(words).map_err(|source| RuleError::Words(Box::new(source)))?;
        let mut rules = BTreeMap::new();
        let mut facts = Vec::new();
        for &(category, text) in tables {
            let table: Table = toml::from_str(text).map_err(|source| RuleError::Syntax {
                category,
                source: Box::new(source),
            })?;
            for mut rule in table.rule {
                rule.category = Some(category);
                let id = rule.id.clone();
                if rules.insert(id.clone(), rule).is_some() {
                    return Err(RuleError::Duplicate(id));
                }
            }
            facts.extend(table.fact);
        }
        check_names(&rules, &facts)?;
        let own = rules.values().filter_map(|rule| match &rule.trigger {
            Trigger::Pattern(pattern) => Some((rule.id.as_str(), pattern)),
            _ => None,
        });
        let all = own.chain(facts.iter().map(|fact| (fact.id.as_str(), &fact.pattern)));
        let patterns = Patterns::new(all, &words)?;
        Ok(Self {
            rules,
            patterns,
            digest,
        })
    }

    /// Compiles every pattern, which a scan does only for those that it needs.
    ///
    /// # Errors
    ///
    /// For the first pattern that does not compile.
    pub fn check(&self) -> Result<(), RuleError> {
        self.patterns.check()
    }

    /// All rules, sorted by id.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.rules.values()
    }

    /// The rule with this id.
    pub fn get(&self, id: &str) -> Option<&Rule> {
        self.rules.get(id)
    }

    /// The ids that are most like one that there is not, at most three, the nearest first.
    pub fn nearest(&self, id: &str) -> Vec<&str> {
        const LIKE: f64 = 0.6;
        let mut near: Vec<(f64, &str)> = self
            .rules
            .keys()
            .map(|known| (strsim::normalized_damerau_levenshtein(id, known), &**known))
            .filter(|(likeness, _)| *likeness >= LIKE)
            .collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        near.into_iter().take(3).map(|(_, known)| known).collect()
    }

    /// All rules as a page in Markdown, one line for each, by category.
    pub fn list(&self) -> String {
        let mut list = format!(
            "# The rules of the guard\n\n{} rules. This page is made from them: \
             `cargo run -p skillful-guard --example rules > docs/guard-rules.md`.\n",
            self.rules.len()
        );
        for &(category, _) in TABLES {
            list.extend([
                "\n## ",
                category.as_str(),
                "\n\n| rule | severity | confidence | what it says |\n",
            ]);
            list.push_str("|---|---|---|---|\n");
            let of_category = self
                .rules
                .values()
                .filter(|rule| rule.category == Some(category));
            for rule in of_category {
                let title = rule.title.replace('|', "\\|");
                let cells = [
                    "| `",
                    &rule.id,
                    "` | ",
                    rule.severity.as_str(),
                    " | ",
                    rule.confidence.as_str(),
                    " | ",
                    &title,
                    " |\n",
                ];
                list.extend(cells);
            }
        }
        list
    }

    /// A digest of the rules: verdicts under another digest are out of date.
    pub fn digest(&self) -> &str {
        &self.digest
    }
}

/// Facts that engines give and that are no rules of their own.
pub(crate) const ENGINE_FACTS: &[&str] = &[
    "reads-secret",
    "reads-keys",
    "network-send",
    "fetches",
    "runs-code",
    "runs-command",
    "declares-tools",
];

fn check_names(rules: &BTreeMap<String, Rule>, facts: &[FactPattern]) -> Result<(), RuleError> {
    let mut names: Vec<&str> = facts.iter().map(|fact| fact.id.as_str()).collect();
    names.extend(rules.keys().map(String::as_str));
    names.extend(ENGINE_FACTS);
    names.sort_unstable();
    let twice = names.windows(2).find(|pair| pair.first() == pair.last());
    if let Some(name) = twice.and_then(<[&str]>::first) {
        return Err(RuleError::Duplicate((*name).to_owned()));
    }
    for rule in rules.values() {
        let Trigger::Together(together) = &rule.trigger else {
            continue;
        };
        let unknown = together
            .all
            .iter()
            .flatten()
            .find(|name| names.binary_search(&name.as_str()).is_err());
        if let Some(name) = unknown {
            return Err(RuleError::UnknownFact {
                rule: rule.id.clone(),
                name: name.clone(),
            });
        }
    }
    Ok(())
}

fn digest(tables: &[(Category, &str)], words: &str) -> String {
    let mut hasher = Sha256::new();
    // The engines belong to the rules as well, and change with the version.
    hasher.update(env!("CARGO_PKG_VERSION"));
    hasher.update(words);
    for (_, text) in tables {
        hasher.update(text);
    }
    crate::hex::digits(hasher.finalize())
}
