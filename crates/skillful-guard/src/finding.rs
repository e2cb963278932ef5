//! What a scan reports: a rule that was met, how bad that would be, how sure the scan is, and where.
//!
//! Severity and confidence stay apart. Severity is the harm if the finding is true and belongs to the rule; confidence
//! starts at the rule's own and is lowered by context, one named reason at a time, so that a reader can see why a text
//! that describes an attack counts for less than one that makes it.

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)* }

        impl $name {
            /// All of them, in their order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The stable word in every output.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.as_str())
            }
        }
    };
}
pub(crate) use words;

words! {
    /// The harm that is done if a finding is true.
    Severity {
        /// Worth knowing, harmless by itself.
        Info = "info",
        /// A bad habit.
        Low = "low",
        /// Something to look at before use.
        Medium = "medium",
        /// Harm is likely.
        High = "high",
        /// Loss of secrets, control or data.
        Critical = "critical",
    }
}

words! {
    /// How sure the scan is that a finding is what it looks like.
    Confidence {
        /// Context says that it is described, forbidden or taught rather than done.
        Low = "low",
        /// Likely.
        Medium = "medium",
        /// The text or program does it.
        High = "high",
    }
}

impl Confidence {
    /// Lower by `steps`, but never below [`Confidence::Low`]: a finding cannot be talked away.
    pub(crate) fn lowered(self, steps: usize) -> Self {
        let index = (self as usize).saturating_sub(steps);
        Self::ALL.get(index).copied().unwrap_or(Self::Low)
    }
}

words! {
    /// The kind of attack, one for each family of the threat model (`docs/guard.md`).
    Category {
        /// Text that wants to take over the agent.
        PromptInjection = "prompt-injection",
        /// Hiding from the user what is done.
        Concealment = "concealment",
        /// Sending data away.
        Exfiltration = "exfiltration",
        /// Reading or asking for secrets.
        Credentials = "credentials",
        /// Code or text that is made hard to read.
        Obfuscation = "obfuscation",
        /// Staying on the machine, or in the agent's own settings.
        Persistence = "persistence",
        /// Destroying data or systems.
        Destructive = "destructive",
        /// Running code that comes from elsewhere.
        SupplyChain = "supply-chain",
        /// Characters that cannot be seen or look like others.
        Unicode = "unicode",
        /// Passing for somebody else.
        Identity = "identity",
        /// Redefining other tools, or claiming more tools than needed.
        ToolAbuse = "tool-abuse",
        /// Claiming every request.
        TriggerHijack = "trigger-hijack",
        /// Mining, fork bombs, endless work.
        ResourceAbuse = "resource-abuse",
        /// Links and names that leave the bundle.
        PathEscape = "path-escape",
        /// Archives that hide or explode.
        Archive = "archive",
        /// Documents that attack their reader's parser.
        ParserAbuse = "parser-abuse",
        /// Files that are kept out of sight.
        HiddenFile = "hidden-file",
        /// Programs and active documents.
        Binary = "binary",
        /// Text addressed to scanners and reviewers.
        ScannerEvasion = "scanner-evasion",
        /// Rights on the machine that were not there before.
        Privilege = "privilege",
    }
}

words! {
    /// Why a finding's confidence is lower than its rule's.
    Lowering {
        /// The sentence forbids it.
        Negated = "negated",
        /// It stands in quotation marks.
        Quoted = "quoted",
        /// It is an item that is nothing but a quotation.
        QuotedItem = "quoted-item",
        /// It stands in a cell of a table.
        Table = "table",
        /// The headings above say that attacks are described here.
        TeachingHeading = "teaching-heading",
        /// The sentence before says that examples of bad things follow.
        TeachingIntroduction = "teaching-introduction",
        /// The headings or the sentence before name what follows as attacks.
        AttackNamed = "attack-named",
        /// It is a comment of a program.
        Comment = "comment",
        /// It is in a file of tests, examples or fixtures.
        TestFile = "test-file",
        /// It is in a fixture of tests, and nothing in the bundle names the folder.
        Fixture = "fixture",
        /// It is a sentence in such a file, for a test to read.
        TestText = "test-text",
        /// It is part of a list of patterns that a program looks for.
        PatternList = "pattern-list",
    }
}

impl Lowering {
    /// How many steps of confidence the reason takes.
    pub(crate) const fn steps(self) -> usize {
        match self {
            Self::Negated | Self::PatternList | Self::AttackNamed => 2,
            Self::Quoted
            | Self::QuotedItem
            | Self::Table
            | Self::TeachingHeading
            | Self::TeachingIntroduction
            | Self::Comment
            | Self::TestFile
            | Self::Fixture
            | Self::TestText => 1,
        }
    }
}

/// One thing that was found. The text fields come from the scanned bundle and are hostile.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The file, relative to the bundle, with `/`; an archive's member as `archive.zip!member`.
    pub path: String,
    /// From 1; 1 for findings about the file as a whole.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// The rule's id.
    pub rule: &'static str,
    /// The rule's category.
    pub category: Category,
    /// The rule's severity.
    pub severity: Severity,
    /// The rule's confidence less the steps of `lowered`.
    pub confidence: Confidence,
    /// Why the confidence is lower than the rule's, without repeats, in order.
    pub lowered: Vec<Lowering>,
    /// What was found: at most [`crate::limits::EXCERPT_CHARS`] characters of one line, control characters replaced.
    pub excerpt: String,
    /// What the excerpt alone does not show: the decoded text, the host, the other place of a combination.
    pub note: Option<String>,
    /// What to do, from the rule.
    pub help: &'static str,
}
