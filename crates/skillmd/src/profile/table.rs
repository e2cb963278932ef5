//! The table of clients. What is not said in a row is as in [`COMMON`].

use super::{Arguments, NameRule, NameUse, Profile, Response, StandIn, SyntaxFault, ToolSyntax};
use crate::document::Language;
use crate::limits;

/// What most clients do; where their documents are silent, `Unknown`.
const COMMON: Profile = Profile {
    id: "",
    title: "",
    language: Language::Yaml,
    other_file_name: Response::Skips,
    byte_order_mark: Response::Unknown,
    blank_first: Response::Unknown,
    syntax_fault: SyntaxFault::Skips,
    frontmatter_window: None,
    file_bytes: None,
    depth: None,
    name_rule: NameRule::Any,
    name_chars: None,
    missing_name: StandIn::Nothing,
    name_use: NameUse::AsWritten,
    other_directory: Response::Loads,
    reserved: &[],
    no_tags_in: &[],
    missing_description: StandIn::Nothing,
    description_limit: None,
    description_shown: None,
    unknown_keys: Response::Loads,
    keys_of: None,
    unread: &[],
    folds_keys: false,
    tools: ToolSyntax::Unknown,
    arguments: Arguments::None,
    variables: &[],
    inline_commands: false,
};

/// What the standard asks for, and clients that hold to it.
const STRICT: Profile = Profile {
    byte_order_mark: Response::Skips,
    blank_first: Response::Skips,
    name_rule: NameRule::Ascii,
    name_chars: Some(limits::NAME_CHARS),
    other_directory: Response::Skips,
    description_limit: Some(limits::DESCRIPTION_CHARS),
    unknown_keys: Response::Skips,
    ..COMMON
};

/// All profiles, sorted by id.
pub static PROFILES: &[Profile] = &[
    // The standard itself, as its reference library takes it.
    Profile {
        id: "agentskills",
        title: "the Agent Skills standard",
        name_rule: NameRule::Standard,
        tools: ToolSyntax::Blanks,
        ..STRICT
    },
    Profile {
        id: "aleph",
        title: "Aleph",
        other_file_name: Response::Loads,
        byte_order_mark: Response::Skips,
        blank_first: Response::Loads,
        file_bytes: Some(limits::FILE_BYTES),
        name_use: NameUse::Hyphenated,
        keys_of: Some("aleph"),
        tools: ToolSyntax::CommasOrBlanks,
        arguments: Arguments::Whole,
        inline_commands: true,
        ..COMMON
    },
    // The Skills API and claude.ai; their packaging refuses any key outside the six.
    Profile {
        id: "claude-api",
        title: "the Claude Skills API",
        reserved: &["anthropic", "claude"],
        no_tags_in: &["name", "description"],
        ..STRICT
    },
    // An entry of the listing has 1,536 characters, description and `when_to_use` together.
    Profile {
        id: "claude-code",
        title: "Claude Code",
        syntax_fault: SyntaxFault::DropsFrontmatter,
        depth: Some(1),
        missing_name: StandIn::Directory,
        name_use: NameUse::Label,
        missing_description: StandIn::FirstParagraph,
        description_shown: Some(1_536),
        keys_of: Some("claude-code"),
        folds_keys: true,
        tools: ToolSyntax::CommasOrBlanks,
        arguments: Arguments::FromZero,
        variables: &[
            "${CLAUDE_SKILL_DIR}",
            "${CLAUDE_SESSION_ID}",
            "${CLAUDE_EFFORT}",
            "${CLAUDE_PROJECT_DIR}",
            "${CLAUDE_PLUGIN_ROOT}",
            "${CLAUDE_PLUGIN_DATA}",
        ],
        inline_commands: true,
        ..COMMON
    },
    // The length of a name includes a plugin's prefix.
    Profile {
        id: "codex",
        title: "Codex",
        frontmatter_window: Some(2 * 1024),
        depth: Some(6),
        name_rule: NameRule::OneLine,
        name_chars: Some(64),
        missing_name: StandIn::Directory,
        description_shown: Some(1_024),
        keys_of: Some("codex"),
        ..COMMON
    },
    Profile {
        id: "copilot-cli",
        title: "Copilot CLI",
        depth: Some(1),
        name_rule: NameRule::Words,
        name_chars: Some(64),
        description_limit: Some(1_024),
        keys_of: Some("github-copilot"),
        ..COMMON
    },
    Profile {
        id: "cursor",
        title: "Cursor",
        syntax_fault: SyntaxFault::Unknown,
        other_directory: Response::Unknown,
        keys_of: Some("cursor"),
        ..COMMON
    },
    Profile {
        id: "denkeeper",
        title: "Denkeeper",
        language: Language::Toml,
        byte_order_mark: Response::Skips,
        blank_first: Response::Loads,
        file_bytes: Some(1024 * 1024),
        depth: Some(1),
        missing_description: StandIn::Empty,
        keys_of: Some("denkeeper"),
        ..COMMON
    },
    Profile {
        id: "flynn",
        title: "Flynn",
        byte_order_mark: Response::Loads,
        file_bytes: Some(1024 * 1024),
        keys_of: Some("flynn"),
        ..STRICT
    },
    Profile {
        id: "gemini-cli",
        title: "Gemini CLI",
        syntax_fault: SyntaxFault::Recovers,
        depth: Some(1),
        name_use: NameUse::FileSafe,
        keys_of: Some("gemini-cli"),
        ..COMMON
    },
    // VS Code; the editor marks other keys, and drops a skill whose name is not its directory's.
    Profile {
        id: "github-copilot",
        title: "GitHub Copilot in VS Code",
        other_file_name: Response::Loads,
        syntax_fault: SyntaxFault::Unknown,
        depth: Some(1),
        name_rule: NameRule::Ascii,
        name_chars: Some(64),
        other_directory: Response::Skips,
        description_limit: Some(1_024),
        keys_of: Some("github-copilot"),
        unread: &["allowed-tools"],
        ..COMMON
    },
    Profile {
        id: "goose",
        title: "Goose",
        name_rule: NameRule::NoSlash,
        missing_description: StandIn::Empty,
        keys_of: Some("goose"),
        ..COMMON
    },
    Profile {
        id: "hermes-agent",
        title: "Hermes Agent",
        byte_order_mark: Response::Loads,
        syntax_fault: SyntaxFault::Recovers,
        name_chars: Some(64),
        missing_name: StandIn::Directory,
        missing_description: StandIn::FirstParagraph,
        description_limit: Some(1_024),
        description_shown: Some(60),
        keys_of: Some("hermes-agent"),
        variables: &["${HERMES_SKILL_DIR}", "${HERMES_SESSION_ID}"],
        inline_commands: true,
        ..COMMON
    },
    // A skill is listed by its name, but loaded by its directory's.
    Profile {
        id: "kesoku",
        title: "Kesoku",
        byte_order_mark: Response::Skips,
        blank_first: Response::Loads,
        other_file_name: Response::Loads,
        depth: Some(1),
        name_use: NameUse::Label,
        keys_of: Some("kesoku"),
        ..COMMON
    },
    // SKILL.md may have 256,000 bytes.
    Profile {
        id: "openclaw",
        title: "OpenClaw",
        syntax_fault: SyntaxFault::Recovers,
        file_bytes: Some(256_000),
        depth: Some(6),
        missing_name: StandIn::Directory,
        keys_of: Some("openclaw"),
        variables: &["{baseDir}"],
        ..COMMON
    },
    // The documents ask for the directory's name, the code does not.
    Profile {
        id: "opencode",
        title: "OpenCode",
        syntax_fault: SyntaxFault::Recovers,
        other_directory: Response::Unknown,
        keys_of: Some("opencode"),
        arguments: Arguments::FromOne,
        inline_commands: true,
        ..COMMON
    },
    Profile {
        id: "skillport",
        title: "SkillPort",
        syntax_fault: SyntaxFault::Unknown,
        file_bytes: Some(65_536),
        name_rule: NameRule::SmallLetters,
        name_chars: Some(64),
        other_directory: Response::Skips,
        reserved: &["anthropic", "claude"],
        no_tags_in: &["description"],
        description_limit: Some(1_024),
        keys_of: Some("skillport"),
        ..COMMON
    },
];
