//! How many tokens a text has for a model.
//!
//! A tokenizer's tables take a tenth of a second to load, so that the default is an estimate, which errs on the safe
//! side; with the feature `exact-tokens` there is an exact count.

use std::fmt;

/// Counts tokens.
pub trait TokenCounter: fmt::Debug + Send + Sync {
    /// The tokens of a text.
    fn count(&self, text: &str) -> usize;
}

/// [`skillmd::lint::estimate_tokens`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Estimate;

impl TokenCounter for Estimate {
    fn count(&self, text: &str) -> usize {
        skillmd::lint::estimate_tokens(text)
    }
}

/// Counts with OpenAI's tokenizer `o200k_base`, that of GPT-4o and later; others' differ by a few percent. Its tables
/// are loaded with the first count.
#[cfg(feature = "exact-tokens")]
#[derive(Clone, Copy, Debug, Default)]
pub struct Exact;

#[cfg(feature = "exact-tokens")]
impl TokenCounter for Exact {
    fn count(&self, text: &str) -> usize {
        bpe_openai::o200k_base().count(text)
    }
}
