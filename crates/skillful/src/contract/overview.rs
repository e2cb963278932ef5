//! What a machine has: counts, what needs attention, clients and roots.

use std::collections::BTreeMap;

use serde::Serialize;
use skillful_guard::Verdict;
use skillmd::Severity;

use super::{BlockersJson, DiagnosticJson, PathText, Texts, VERSION};
use crate::clients::Client;
use crate::guard::Accepted;
use crate::load::Skill;
use crate::roots::Root;
use crate::snapshot::Snapshot;
use crate::state::State;

/// What there is, in numbers: `{"version", "total", "states", "sources", "clients", "verdicts", "attention", "problems",
/// "sequence"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OverviewDocument<'a> {
    version: u32,
    /// All skills, in whichever state.
    total: usize,
    /// How many are in each state; every state is there.
    states: BTreeMap<&'static str, usize>,
    /// How many come from each source.
    sources: BTreeMap<&'static str, usize>,
    /// How many each client reads.
    clients: BTreeMap<&'a str, usize>,
    /// How many have each verdict; `unknown` for those that the guard did not look at.
    verdicts: BTreeMap<&'static str, usize>,
    /// What a person should look at, the worst first.
    attention: Vec<AttentionJson<'a>>,
    /// What went wrong around the skills.
    problems: Vec<DiagnosticJson<'a>>,
    /// The number of the snapshot that was counted.
    sequence: u64,
}

/// A skill that somebody should look at: `{"id", "path", "state", "kind", "reason"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct AttentionJson<'a> {
    id: &'a str,
    path: PathText<'a>,
    state: &'static str,
    kind: Attention,
    /// A sentence without a full stop.
    reason: &'a str,
    blockers: BlockersJson<'a>,
}

/// Why somebody should look at a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum Attention {
    /// Its files look like an attack, or are not what was accepted.
    Withheld,
    /// Its files need a look.
    Suspect,
    /// It cannot be read as it was meant.
    Faulty,
    /// Something that it needs is missing.
    Incomplete,
}

/// Every state.
const STATES: [State; 7] = [
    State::Ready,
    State::Ineligible,
    State::Disabled,
    State::Archived,
    State::Withheld,
    State::Shadowed,
    State::Broken,
];

impl<'a> OverviewDocument<'a> {
    /// Counts what is in a snapshot. `problems` are those of the snapshot, as diagnostics.
    pub fn new(
        snapshot: &'a Snapshot,
        problems: impl IntoIterator<Item = DiagnosticJson<'a>>,
    ) -> Self {
        let skills = snapshot.skills();
        let mut document = Self {
            version: VERSION,
            total: skills.len(),
            states: STATES.iter().map(|state| (state.as_str(), 0)).collect(),
            sources: BTreeMap::new(),
            clients: BTreeMap::new(),
            verdicts: BTreeMap::new(),
            attention: Vec::new(),
            problems: problems.into_iter().collect(),
            sequence: snapshot.sequence(),
        };
        for skill in skills {
            document.count(skill);
            document.attention.extend(attention(snapshot, skill));
        }
        document
            .attention
            .sort_by(|a, b| (a.kind, a.id).cmp(&(b.kind, b.id)));
        document
    }

    fn count(&mut self, skill: &'a Skill) {
        *self.states.entry(skill.state.as_str()).or_default() += 1;
        *self.sources.entry(skill.root.source.as_str()).or_default() += 1;
        let verdict = skill.verdict().map_or("unknown", Verdict::as_str);
        *self.verdicts.entry(verdict).or_default() += 1;
        for client in &skill.root.clients {
            *self.clients.entry(client).or_default() += 1;
        }
    }
}

fn attention<'a>(snapshot: &'a Snapshot, skill: &'a Skill) -> Option<AttentionJson<'a>> {
    let setup = snapshot.setup();
    let choices = setup.conditions().records.choices();
    let blocked = || {
        skill
            .blockers
            .first()
            .map_or("", |blocker| &*blocker.detail)
    };
    let (kind, reason) = match skill.state {
        State::Withheld => (Attention::Withheld, blocked()),
        State::Broken => (Attention::Faulty, blocked()),
        State::Ineligible => (Attention::Incomplete, blocked()),
        State::Ready
            if skill.verdict() == Some(Verdict::Caution)
                && Accepted::of_skill(skill, &setup.config, choices).is_none() =>
        {
            (
                Attention::Suspect,
                "the guard says that its files need a look",
            )
        }
        State::Ready => {
            let mut found = skill.diagnostics.iter();
            let error = found.find(|found| found.severity == Severity::Error)?;
            (Attention::Faulty, &*error.message)
        }
        State::Disabled | State::Archived | State::Shadowed => return None,
    };
    Some(AttentionJson {
        id: &skill.id,
        path: PathText(&skill.path),
        state: skill.state.as_str(),
        kind,
        reason,
        blockers: BlockersJson(&skill.blockers),
    })
}

/// The clients that are known: `{"version", "clients": [{"id", "name", "roots", "skills"}]}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClientsDocument<'a> {
    version: u32,
    clients: Vec<ClientJson<'a>>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ClientJson<'a> {
    id: &'a str,
    name: &'a str,
    /// Directories that are there and that it reads.
    roots: Vec<PathText<'a>>,
    /// How many skills lie in them.
    skills: usize,
}

impl<'a> ClientsDocument<'a> {
    /// All clients, with what they read at this moment.
    pub fn new(snapshot: &'a Snapshot) -> Self {
        let client = |client: &'a Client| {
            let reads = |root: &Root| root.clients.iter().any(|it| **it == *client.id);
            let roots = snapshot.roots().iter().filter(|root| reads(root));
            let skills = snapshot.skills().iter().filter(|skill| reads(&skill.root));
            ClientJson {
                id: &client.id,
                name: &client.name,
                roots: roots.map(|root| PathText(&root.path)).collect(),
                skills: skills.count(),
            }
        };
        Self {
            version: VERSION,
            clients: snapshot.setup().clients.iter().map(client).collect(),
        }
    }
}

/// The directories that are searched: `{"version", "roots", "problems"}`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RootsDocument<'a> {
    version: u32,
    roots: Vec<RootJson<'a>>,
    problems: Vec<DiagnosticJson<'a>>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct RootJson<'a> {
    path: PathText<'a>,
    /// The one with the highest precedence has 0.
    order: u32,
    source: &'static str,
    trust: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    client: Option<&'a str>,
    clients: Texts<'a>,
    /// How many skills were found in it, in whichever state.
    skills: usize,
}

impl<'a> RootsDocument<'a> {
    /// All roots, the one with the highest precedence first.
    pub fn new(
        snapshot: &'a Snapshot,
        problems: impl IntoIterator<Item = DiagnosticJson<'a>>,
    ) -> Self {
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for skill in snapshot.skills() {
            *counts.entry(skill.root.order).or_default() += 1;
        }
        let root = |root: &'a std::sync::Arc<Root>| RootJson {
            path: PathText(&root.path),
            order: root.order,
            source: root.source.as_str(),
            trust: root.trust.as_str(),
            client: root.client.as_deref(),
            clients: Texts(&root.clients),
            skills: counts.get(&root.order).copied().unwrap_or(0),
        };
        Self {
            version: VERSION,
            roots: snapshot.roots().iter().map(root).collect(),
            problems: problems.into_iter().collect(),
        }
    }
}
