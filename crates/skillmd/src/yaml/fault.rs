//! What the YAML library refuses, in words that an author understands.

use granit_parser::{ErrorKind, ScanError};

use crate::code::Code;
use crate::limits;

/// Why a text is not YAML that can be read as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) code: Code,
    /// Where it was noticed, in the document.
    pub(crate) offset: usize,
    pub(crate) message: String,
}

impl Fault {
    /// The library's error in a text that stands at byte `at` of the document.
    pub(super) fn of(error: &ScanError, at: usize) -> Self {
        let code = match error.kind() {
            ErrorKind::TabNotAllowed
            | ErrorKind::TabInBlockIndentation
            | ErrorKind::TabInIndentation
            | ErrorKind::TabAtBlockScalarStart => Code::YamlTab,
            ErrorKind::RecursionLimitExceeded => Code::YamlTooDeep,
            _ => Code::YamlInvalid,
        };
        Self {
            code,
            offset: at + error.marker().byte_offset().unwrap_or_default(),
            message: plain_words(error),
        }
    }
}

/// What the library found, in words for somebody who never read the grammar of YAML.
fn plain_words(error: &ScanError) -> String {
    let kind = error.kind();
    match kind {
        ErrorKind::RecursionLimitExceeded => {
            format!("values are nested more than {} deep", limits::NESTING)
        }
        ErrorKind::UnexpectedCharacter { character } => {
            format!("an unquoted value must not begin with `{character}`")
        }
        _ => layout_words(kind)
            .or_else(|| text_words(kind))
            .map_or_else(|| error.info(), str::to_owned),
    }
}

/// Faults in what stands where: keys, lists, brackets, indentation.
fn layout_words(kind: &ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::UnexpectedEofFlowSequence
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofImplicitFlowMapping
        | ErrorKind::UnclosedFlowCollection { .. }
        | ErrorKind::ExpectedFlowMappingSeparator
        | ErrorKind::ExpectedFlowSequenceSeparator => {
            "a comma or the closing bracket is missing here"
        }
        ErrorKind::MisplacedFlowCollectionEnd | ErrorKind::MismatchedFlowCollectionEnd { .. } => {
            "this bracket closes nothing"
        }
        ErrorKind::ExpectedDocumentStart
        | ErrorKind::ExpectedBlockMappingKey
        | ErrorKind::SimpleKeyExpected
        | ErrorKind::InvalidSimpleKey
        | ErrorKind::UnexpectedEofBlockMapping => {
            "this line is neither a `key: value` nor part of the value above it"
        }
        ErrorKind::ExpectedBlockSequenceEntry
        | ErrorKind::UnexpectedEofBlockSequence
        | ErrorKind::BlockSequenceEntryNotAllowed
        | ErrorKind::BlockEntryInFlowCollection
        | ErrorKind::InvalidBlockEntryWhitespace => "a list item stands where no list can be",
        ErrorKind::InvalidIndentation
        | ErrorKind::InvalidBlockScalarIndent
        | ErrorKind::InvalidQuotedScalarIndent
        | ErrorKind::InvalidFlowScalarIndent => "the indentation fits no line above",
        ErrorKind::MappingKeyNotAllowed
        | ErrorKind::MappingValueNotAllowed
        | ErrorKind::InvalidColonPlacement
        | ErrorKind::FlowMappingValueAdjacentCollection
        | ErrorKind::InvalidMappingValueWhitespace => "a colon stands where no key can be",
        ErrorKind::ExpectedNodeContent | ErrorKind::UnexpectedEndOfPlainScalar => {
            "a value is missing here"
        }
        _ => return None,
    })
}

/// Faults in how a text is written: quotes, escapes, comments, characters.
fn text_words(kind: &ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::CommentInterceptedScalar => "a comment stands inside a value",
        ErrorKind::CommentNotSeparated => "a blank is missing before `#`",
        ErrorKind::InvalidBlockScalarHeader | ErrorKind::ZeroBlockScalarIndent => {
            "text follows `|` or `>` on its line"
        }
        ErrorKind::UnknownQuotedScalarEscape
        | ErrorKind::InvalidQuotedScalarHexEscape
        | ErrorKind::InvalidLowSurrogateHexEscape
        | ErrorKind::InvalidLowSurrogate
        | ErrorKind::MissingLowSurrogate
        | ErrorKind::UnpairedLowSurrogate
        | ErrorKind::InvalidUnicodeEscape => {
            "a backslash between double quotes begins an escape that YAML does not know"
        }
        ErrorKind::UnclosedQuotedScalar | ErrorKind::DocumentIndicatorInQuotedScalar => {
            "a quote is not closed"
        }
        ErrorKind::InvalidTrailingSingleQuotedScalar
        | ErrorKind::InvalidTrailingDoubleQuotedScalar => "text follows the closing quote",
        ErrorKind::MissingAnchorOrAliasName => "`&` or `*` begins a name, and none follows",
        ErrorKind::DirectiveDisallowed => "a line that begins with `%` is a directive of YAML",
        ErrorKind::BomInsideDocument => "a byte order mark stands inside the frontmatter",
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabInPlainScalar
        | ErrorKind::TabAtBlockScalarStart => "a tab stands where YAML takes blanks only",
        _ => return None,
    })
}
