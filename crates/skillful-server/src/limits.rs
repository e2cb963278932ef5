//! Every limit of the servers.

use std::num::NonZeroU32;
use std::time::Duration;

/// Entries of a page of a list where nobody says how many.
pub const PAGE_ENTRIES: usize = 100;

/// The most entries that a page may have.
pub const PAGE_ENTRIES_MAX: usize = 1_000;

/// Results of a search where nobody says how many.
pub const SEARCH_RESULTS: usize = 10;

/// How alike two names must be for one to be meant by the other, from 0 to 1.
pub(crate) const ALIKE: f64 = 0.75;

/// Bytes of a skill's text that are rendered as HTML; the rest is only in the file.
pub const RENDERED_BYTES: usize = 512 * 1024;

/// How deep quotations and lists may be nested in what is rendered; deeper ones are shown at this depth.
pub const RENDERED_DEPTH: usize = 32;
/// Days of usage where nobody says how many.
pub const USAGE_DAYS: u32 = 30;

/// The most days of usage.
pub const USAGE_DAYS_MAX: u32 = 730;

/// Readers that may follow events at the same time.
pub const FOLLOWERS: usize = 64;

/// The most tokens.
pub const TOKENS: usize = 256;

/// Most bytes of a token's name.
pub const TOKEN_NAME: usize = 64;

/// Connections at the same time. When there are as many, the one that has been idle for longest makes room for a new one.
pub const CONNECTIONS: usize = 512;

/// How long a client may take to send the head of a request, and how long a connection may be idle.
pub const HEAD_TIME: Duration = Duration::from_secs(15);

/// How long a client may take to send the body of a request.
pub const BODY_TIME: Duration = Duration::from_secs(30);

/// How long a client may take to read anything of what is sent to it.
pub const WRITE_TIME: Duration = Duration::from_secs(30);

/// How long answers that are under way may take when the server ends.
pub const GRACE_TIME: Duration = Duration::from_secs(10);

/// Bytes of the head of a request.
pub const HEAD_BYTES: usize = 64 << 10;

/// Bytes of the body of a request.
pub const BODY_BYTES: usize = 2 << 20;

/// Requests per second of one client in the long run; twice as many may come at once.
pub const REQUESTS_PER_SECOND: NonZeroU32 = NonZeroU32::MIN.saturating_add(59);

/// Clients whose rate is remembered.
pub const RATES: usize = 4_096;

/// The port where nobody names one.
pub const PORT: u16 = 7654;

/// How coarse the clock of a file system may be.
pub const COARSE_CLOCK: Duration = Duration::from_secs(2);

/// Skills that are offered to others.
pub const OFFERED: usize = 1_000;
/// Bytes of a message over MCP: a tool call may bring a whole file of a skill, written in JSON.
pub const MCP_MESSAGE_BYTES: usize = 8 * 1024 * 1024;

/// Requests over MCP that are worked on at once; more wait for their turn.
pub const MCP_CALLS: usize = 32;

/// Entries of a page of resources or prompts over MCP.
pub const MCP_PAGE_ENTRIES: usize = 100;

/// Entries of a page of `skills/list`: the files of each are read for it.
pub const MCP_SKILLS_PAGE: usize = 50;

/// Bytes of files that are read for a page of `skills/list`, but for the last skill on it.
pub const MCP_SKILLS_PAGE_BYTES: u64 = 32 * 1024 * 1024;

/// The most files of a skill that `skills/list` names; the Skills extension has hosts support that many.
pub const MCP_SKILL_FILES: usize = 512;

/// The most bytes of a skill's files that `skills/list` names; as above.
pub const MCP_SKILL_BYTES: u64 = 16 * 1024 * 1024;

/// How often the files of a skill that somebody changes are read again, for an entry that holds for all of them.
pub const MCP_SKILL_LOOKS: usize = 3;

/// How long hosts may take an entry of the Skills extension, or a list, as it is, in milliseconds. They are told of
/// changes before that, if they listen.
pub const MCP_TTL_MS: u64 = 5_000;

/// How long changes on disk are gathered before clients are told of them.
pub const MCP_NOTICE_DELAY: Duration = Duration::from_millis(100);

/// Resources that one client may subscribe to.
pub const MCP_SUBSCRIPTIONS: usize = 1_000;

/// Changes that a client may lag behind; then it is told that everything may have changed.
pub const MCP_LAG: usize = 64;

/// Characters of the catalog in a server's instructions where the configuration says nothing.
pub const MCP_CATALOG_CHARACTERS: usize = 8_000;

/// Skills of an answer to `skill_list` or `skill_status` where nobody says how many.
pub const MCP_LISTED: usize = 50;

/// The most skills of an answer to `skill_list` or `skill_status`.
pub const MCP_LISTED_MAX: usize = 500;

/// How long the work that is under way may take when a server over standard input and output ends.
pub const MCP_END: Duration = Duration::from_secs(5);

/// Threads for work that may block: one for each call over MCP, and some for everything else.
pub(crate) const BLOCKING_THREADS: usize = 2 * MCP_CALLS;

/// Plans of installations at the same time.
pub const PLANS: usize = 16;

/// How long a plan is kept when nobody asks for it.
pub const PLAN_LIFE: Duration = Duration::from_secs(30 * 60);

/// Seconds that one step of installing programs may take.
pub const DEPS_SECONDS: u64 = 600;

/// The longest that one step of installing programs may take for an agent.
pub const PROGRAMS: Duration = Duration::from_secs(600);
