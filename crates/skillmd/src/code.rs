//! The one table of diagnostic codes.
//!
//! A new diagnostic is a line here and a page `explain/CODE.md`; without the page the crate does not compile. Codes are
//! a contract: they are added, never renamed and never given another meaning. `Info to Error` is a note where a text is
//! read, and an error where it is checked against the standard.

use std::fmt;
use std::str::FromStr;

use crate::diagnostic::Severity;

macro_rules! last {
    ($severity:ident) => {
        Severity::$severity
    };
    ($severity:ident $checked:ident) => {
        Severity::$checked
    };
}

macro_rules! codes {
    ($($variant:ident, $code:literal, $severity:ident $(to $checked:ident)?, $summary:literal;)*) => {
        /// What a diagnostic is about. Its text form is stable and in kebab case.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $summary] $variant,)*
        }

        impl Code {
            /// All codes, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The stable name, such as `description-missing`.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }

            /// The severity unless a profile or a context says otherwise.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }

            /// The severity where a skill is held to the standard: greater than [`Self::severity`] for what reading only
            /// notes and the standard does not allow.
            pub const fn checked_severity(self) -> Severity {
                match self { $(Self::$variant => last!($severity $($checked)?),)* }
            }

            /// One line that says what the code means.
            pub const fn summary(self) -> &'static str {
                match self { $(Self::$variant => $summary,)* }
            }

            /// The page of `skillful explain`, in Markdown: what it means, why it matters, how to mend it.
            pub const fn explanation(self) -> &'static str {
                match self { $(Self::$variant => include_str!(concat!("../explain/", $code, ".md")),)* }
            }
        }
    };
}

codes! {
    // The file and its bytes.
    FileUnreadable, "file-unreadable", Error, "the file or directory could not be read";
    FileNotRegular, "file-not-regular", Error, "what is named SKILL.md is not a regular file";
    FileTooLarge, "file-too-large", Error, "the file is larger than the limit";
    FileEmpty, "file-empty", Error, "the file holds nothing";
    TooManyDiagnostics, "too-many-diagnostics", Warning, "there is more wrong than is listed";
    LastGoodKept, "last-good-kept", Warning, "the file turned broken; what was read before stays in use";
    FileNameCase, "file-name-case", Warning, "the file is not spelt SKILL.md";
    NotUtf8, "not-utf8", Error, "the file is not text in UTF-8";
    ByteOrderMark, "byte-order-mark", Info to Error, "the file begins with a byte order mark";
    Utf16, "utf-16", Warning to Error, "the file is written in UTF-16";

    // The frontmatter's fences.
    FrontmatterMissing, "frontmatter-missing", Error, "the file has no frontmatter";
    FrontmatterUnclosed, "frontmatter-unclosed", Error, "no line `---` closes the frontmatter";
    FrontmatterEmpty, "frontmatter-empty", Error, "the frontmatter holds no entry";
    FrontmatterNotMapping, "frontmatter-not-a-mapping", Error, "the frontmatter is not a set of keys and values";
    FrontmatterNotFirst, "frontmatter-not-first", Info to Error, "blank lines, a comment or unseen characters stand before the frontmatter";
    FrontmatterFurtherDown, "frontmatter-further-down", Error, "a frontmatter block stands further down in the file";
    FrontmatterInCodeFence, "frontmatter-in-code-fence", Error, "the frontmatter is wrapped in a Markdown code block";
    FrontmatterOpenerMissing, "frontmatter-opener-missing", Error, "the line `---` above the first key is missing";
    FrontmatterOpenerGlued, "frontmatter-opener-glued", Error, "the opening line is not just `---`";
    FrontmatterWrongFence, "frontmatter-wrong-fence", Error, "the fence is that of the other language";
    FrontmatterCloserGlued, "frontmatter-closer-glued", Error, "the closing line is not just `---`";

    // The syntax of entries.
    YamlInvalid, "yaml-invalid", Error, "a YAML error; the value was taken as literal text";
    YamlUnquotedColon, "yaml-unquoted-colon", Error, "an unquoted value contains `: `";
    YamlReservedCharacter, "yaml-reserved-character", Error, "an unquoted value begins with a character that YAML reserves";
    YamlTextAfterQuote, "yaml-text-after-quote", Error, "text follows the closing quote of a value";
    YamlUnclosedQuote, "yaml-unclosed-quote", Error, "a quoted value is not closed";
    YamlUnclosedBracket, "yaml-unclosed-bracket", Error, "a bracket or brace is not closed, or text follows it";
    YamlTab, "yaml-tab", Error, "a tab is used for indentation";
    YamlStrayLine, "yaml-stray-line", Error, "a line is not indented and belongs to no entry";
    YamlDuplicateKey, "yaml-duplicate-key", Error, "a key is given twice; the first one counts";
    YamlAnchor, "yaml-anchor", Warning, "an anchor or alias is used";
    YamlUnknownAlias, "yaml-unknown-alias", Error, "`*name` refers to an anchor that does not exist";
    YamlTag, "yaml-tag", Warning, "a YAML tag is used; it is ignored";
    YamlUnsupportedKey, "yaml-unsupported-key", Error, "a key is not plain text";
    YamlTooDeep, "yaml-too-deep", Error, "values are nested deeper than the limit";
    YamlTooManyValues, "yaml-too-many-values", Error, "the frontmatter holds more values than the limit";
    YamlControlCharacter, "yaml-control-character", Error, "a control character stands in the frontmatter";
    TomlInvalid, "toml-invalid", Error, "a TOML error; the value was taken as literal text";

    // What the entries mean.
    KeyConflict, "key-conflict", Warning, "two keys state the same fact differently";
    KeySpelling, "key-spelling", Info, "a key is spelt in an unusual way";
    WrongType, "wrong-type", Warning, "a value has another type than its key asks for";
    InvalidValue, "invalid-value", Warning, "a value is not one of those that its key allows";
    SidecarInvalid, "sidecar-invalid", Warning, "agents/openai.yaml could not be read as a whole";

    // The standard's rules.
    NameMissing, "name-missing", Error, "the skill has no name";
    NameTooLong, "name-too-long", Error, "the name is longer than 64 characters";
    NameNotLowercase, "name-not-lowercase", Error, "the name has upper-case letters";
    NameInvalidCharacter, "name-invalid-character", Error, "the name has a character other than letters, digits and hyphens";
    NameHyphen, "name-hyphen", Error, "the name begins or ends with a hyphen or has two in a row";
    NameDirectoryMismatch, "name-directory-mismatch", Error, "the name differs from the directory's";
    DescriptionMissing, "description-missing", Error, "the skill has no description";
    DescriptionTooLong, "description-too-long", Error, "the description is longer than 1,024 characters";
    CompatibilityEmpty, "compatibility-empty", Warning, "the compatibility text is empty";
    CompatibilityTooLong, "compatibility-too-long", Error, "the compatibility text is longer than 500 characters";
    CompatibilityNotText, "compatibility-not-text", Error, "the compatibility is not text";
    KeyNotStandard, "key-not-standard", Error, "a top-level key is not one of the standard's six";
    MetadataNotMapping, "metadata-not-a-mapping", Warning, "metadata is not a set of keys and values";
    MetadataValueNotText, "metadata-value-not-text", Warning, "a metadata value is not text";
    AllowedToolsNotText, "allowed-tools-not-text", Warning, "allowed-tools is not one space-separated text";
    TomlNotStandard, "toml-not-standard", Error, "the frontmatter is TOML; the standard asks for YAML";

    // Advice for authors.
    BodyEmpty, "body-empty", Warning, "nothing follows the frontmatter";
    BodyTooLong, "body-too-long", Warning, "the body is longer than the standard advises";
    DescriptionNoWhen, "description-no-when", Info, "the description does not say when to use the skill";
    ReferenceMissing, "reference-missing", Warning, "the text refers to a file that does not exist";
    ReferenceOutside, "reference-outside", Warning, "the text links to a file outside the skill";
    InvisibleCharacter, "invisible-character", Warning, "the text has invisible characters";

    // What clients do with it.
    ClientSkips, "client-skips", Error, "the client would not load the skill";
    ClientIgnoresKey, "client-ignores-key", Info, "the client ignores a key";
    ClientReadsDifferently, "client-reads-differently", Warning, "the client reads the skill differently";

    // The directory around the file.
    LinkOutsideRoot, "link-outside-root", Error, "SKILL.md is a link that leaves its root";
    LinkBroken, "link-broken", Error, "a link leads nowhere";
    NestedSkill, "nested-skill", Info, "another skill lies inside the skill's directory";
    BundleUnreadable, "bundle-unreadable", Error, "the archive could not be read as a skill";
    BundleTooLarge, "bundle-too-large", Warning, "the skill's directory exceeds a limit";
    SearchLimit, "search-limit", Warning, "a directory was not searched any further because a limit was reached";
    ConfigInvalid, "config-invalid", Warning, "a key of a configuration file, or the whole file, cannot be used";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text is not the name of a diagnostic code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no diagnostic is called `{0}`")]
pub struct UnknownCode(pub String);

impl FromStr for Code {
    type Err = UnknownCode;

    fn from_str(text: &str) -> Result<Self, UnknownCode> {
        Self::ALL
            .iter()
            .copied()
            .find(|code| code.as_str() == text)
            .ok_or_else(|| UnknownCode(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_kebab_case_unique_and_parse_back() {
        let mut seen = std::collections::HashSet::new();
        for &code in Code::ALL {
            let name = code.as_str();
            assert!(seen.insert(name), "{name} stands twice");
            assert!(
                name.bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
                "{name} is not in kebab case"
            );
            assert_eq!(name.parse(), Ok(code));
        }
        assert!("no-such-code".parse::<Code>().is_err());
    }

    #[test]
    fn checking_is_never_less_strict_than_reading() {
        for &code in Code::ALL {
            assert!(code.checked_severity() >= code.severity(), "{code}");
        }
        assert_eq!(Code::Utf16.checked_severity(), Severity::Error);
        assert_eq!(Code::YamlTag.checked_severity(), Severity::Warning);
    }

    #[test]
    fn every_code_has_a_whole_page() {
        for &code in Code::ALL {
            let page = code.explanation();
            assert!(
                page.starts_with(&format!("# {code}\n")),
                "{code}: the page's title is not its code"
            );
            for heading in ["## Why it matters", "## How to mend it"] {
                assert!(page.contains(heading), "{code}: the page lacks `{heading}`");
            }
            assert!(page.len() > 300, "{code}: the page says next to nothing");
        }
    }
}
