//! Every limit of the codec, in one place.
//!
//! The text limits are those of the Agent Skills standard (specification, "Frontmatter"); the others bound the
//! work that a hostile file can cause.

/// Largest SKILL.md that is read, in bytes. The largest real one measured is 1.08 MB, a scraped dump.
pub const FILE_BYTES: usize = 1024 * 1024;

/// Longest name, in characters after NFKC (standard).
pub const NAME_CHARS: usize = 64;

/// Longest description, in characters (standard).
pub const DESCRIPTION_CHARS: usize = 1024;

/// Longest compatibility text, in characters (standard).
pub const COMPATIBILITY_CHARS: usize = 500;

/// Deepest nesting of lists and mappings in a frontmatter. Real ones need five.
pub const NESTING: usize = 32;

/// Most values (scalars, lists and mappings together) in one frontmatter; aliases count what they stand for.
/// Real ones have fewer than 500.
pub const VALUES: usize = 20_000;

/// Most values that all aliases of a document together may stand for.
pub const ALIASED_VALUES: usize = 1_000;

/// Most diagnostics that are kept of one document; one more says that there were others.
pub const DIAGNOSTICS: usize = 500;

/// Body length in lines above which the standard advises to split (standard, "Progressive disclosure").
pub const BODY_LINES: usize = 500;

/// Body length in tokens above which the standard advises to split.
pub const BODY_TOKENS: usize = 5_000;

/// Longest name or identifier in Codex's `agents/openai.yaml`, in characters.
pub const SIDECAR_NAME_CHARS: usize = 64;

/// Longest text in Codex's `agents/openai.yaml`, in characters.
pub const SIDECAR_TEXT_CHARS: usize = 1024;
/// How often fixes are applied to a text at most, each time to what the fixes before made of it.
pub const FIX_ROUNDS: usize = 10;
