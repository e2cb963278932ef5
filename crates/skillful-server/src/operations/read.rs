//! Asking about skills, and being handed them.

use std::cmp::Reverse;
use std::path::Path;
use std::sync::Arc;

use skillful::activate::{Arguments, Framing};
use skillful::bundle::digest;
use skillful::catalog::{self, Form};
use skillful::contract::{
    ActivationDocument, CatalogDocument, FileDocument, ListDocument, MatchDocument, SearchDocument,
    ShowDocument, StatusDocument, WhyDocument, problem_diagnostics,
};
use skillful::details::{Details, tokens};
use skillful::eligibility::Explanation;
use skillful::guard::Verdict;
use skillful::matching::{self, Ambient, Message};
use skillful::search;
use skillful::status::Filter;
use skillful::{Budget, Invoker, LookUpError, Range, Request, Skill, Snapshot, State};

use super::Answer;
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use crate::limits;

/// A part of a long list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// How many entries are left out before it.
    pub offset: usize,
    /// How many it may have.
    pub limit: usize,
}

impl Default for Page {
    fn default() -> Self {
        Self {
            offset: 0,
            limit: limits::PAGE_ENTRIES,
        }
    }
}

/// Which skills are listed: those that every filter that is set takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListQuery {
    /// Part of the id, name or description, in any case.
    pub text: Option<String>,
    /// Their states; empty for all.
    pub states: Vec<State>,
    /// `bundled`, `global`, `plugin` or `workspace`.
    pub source: Option<String>,
    /// A client that reads them.
    pub client: Option<String>,
    /// What the guard says.
    pub verdict: Option<Verdict>,
    /// Their order.
    pub order: Order,
    /// The part of the list.
    pub page: Page,
}

/// How a list is sorted. Skills that are alike in it stand by id and precedence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By id and precedence.
    #[default]
    Name,
    /// What can be used first, what cannot be read last.
    State,
    /// What looks like an attack first.
    Verdict,
    /// By where they come from.
    Source,
}

impl Order {
    /// All, with their words.
    pub const ALL: [(&'static str, Self); 4] = [
        ("name", Self::Name),
        ("state", Self::State),
        ("verdict", Self::Verdict),
        ("source", Self::Source),
    ];

    fn sort(self, skills: &mut [Arc<Skill>]) {
        match self {
            Self::Name => {}
            Self::State => skills.sort_by_key(|skill| rank(skill.state)),
            Self::Verdict => skills.sort_by_key(|skill| Reverse(skill.verdict().map(danger))),
            Self::Source => skills.sort_by_key(|skill| skill.root.source.as_str()),
        }
    }
}

/// How a skill or one of its files is wanted.
#[derive(Clone, Debug, Default)]
pub struct ReadQuery {
    /// The file; the skill itself where none is named.
    pub file: Option<String>,
    /// What the skill is activated with, as it was typed.
    pub arguments: Option<String>,
    /// What stands around the text.
    pub framing: Framing,
    /// Which part.
    pub range: Range,
    /// Who wants it.
    pub invoker: Invoker,
    /// The conversation's id.
    pub session: Option<String>,
}

/// What is looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchQuery {
    /// The request, in any words.
    pub text: String,
    /// The most results.
    pub limit: Option<usize>,
}

/// A message to an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchQuery {
    /// Its text.
    pub text: String,
    /// The skill that a schedule names.
    pub skill: Option<String>,
    /// The most rounds of tool calls that the turn may take anyway.
    pub rounds: Option<u32>,
}

/// The room and form of a catalog.
#[derive(Clone, Debug, Default)]
pub struct CatalogQuery {
    /// Its form.
    pub form: Form,
    /// Its room; what is not said is taken from the configuration.
    pub budget: Budget,
    /// Whether paths are named.
    pub locations: bool,
}

/// Whose status is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatusQuery {
    /// Ids; empty for all.
    pub ids: Vec<String>,
    /// Which of them.
    pub filter: Filter,
}

/// Smaller for what is nearer to being used.
const fn rank(state: State) -> u8 {
    match state {
        State::Ready => 0,
        State::Ineligible => 1,
        State::Disabled => 2,
        State::Archived => 3,
        State::Shadowed => 4,
        State::Withheld => 5,
        State::Broken => 6,
    }
}

const fn danger(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Safe => 0,
        Verdict::Caution => 1,
        Verdict::Dangerous => 2,
    }
}

impl Engine {
    /// Every candidate with its state. The document has `total` beside its skills: how many the filters take, on all
    /// pages; and each of them has `tokens`, those of its body.
    pub fn list(&self, query: &ListQuery) -> Result<Answer<ListDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let mut taken: Vec<Arc<Skill>> = snapshot
            .skills()
            .iter()
            .filter(|skill| query.takes(skill))
            .cloned()
            .collect();
        query.order.sort(&mut taken);
        let total = taken.len();
        let page = taken.into_iter().skip(query.page.offset);
        let page: Vec<Arc<Skill>> = page.take(query.page.limit).collect();
        let problems = problem_diagnostics(snapshot.problems());
        let mut answer = Answer::of(&ListDocument::new(&page, &problems))?;
        answer.value["total"] = total.into();
        for (place, skill) in page.iter().enumerate() {
            answer.value["skills"][place]["tokens"] = tokens(skill).into();
        }
        Ok(answer.typed())
    }

    /// One skill in full.
    pub fn show(&self, id: &str) -> Result<Answer<ShowDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let skill = find(&snapshot, id)?;
        let details = Details::of(skill);
        Ok(Answer::of(&ShowDocument::new(skill, &details))?.typed())
    }

    /// Hands over a skill.
    pub fn activate(
        &self,
        id: &str,
        query: &ReadQuery,
    ) -> Result<Answer<ActivationDocument<'static>>, Failure> {
        let system = self.system()?;
        let arguments = Arguments::parse(query.arguments.as_deref().unwrap_or_default());
        let arguments = arguments.map_err(|error| Failure::new(FailureKind::TooLarge, error))?;
        let mut request = Request {
            arguments,
            framing: query.framing,
            range: query.range,
            invoker: query.invoker,
            session_id: query.session.clone(),
            ..Request::default()
        };
        let snapshot = system.snapshot();
        if let Some(project) = snapshot.setup().project().to_str() {
            let name = "CLAUDE_PROJECT_DIR".to_owned();
            request.variables.insert(name, project.to_owned());
        }
        let activation = system
            .activate(id, &request)
            .map_err(|error| near(&snapshot, id, error.into()))?;
        Ok(Answer::of(&ActivationDocument::from(&activation))?.typed())
    }

    /// Hands over a file of a skill.
    pub fn file(
        &self,
        id: &str,
        path: &str,
        range: Range,
    ) -> Result<Answer<FileDocument<'static>>, Failure> {
        let system = self.system()?;
        let file = system
            .read_file(id, path, range)
            .map_err(|error| near(&system.snapshot(), id, error.into()))?;
        let snapshot = system.snapshot();
        let skill = find(&snapshot, id)?;
        let digest = digest(skill);
        let document = FileDocument::new(&skill.id, digest.as_deref(), skill.directory(), &file);
        Ok(Answer::of(&document)?.typed())
    }

    /// The bytes of a file of a skill, or of a part of it.
    pub fn bytes(&self, id: &str, path: &str, range: Range) -> Result<Vec<u8>, Failure> {
        let system = self.system()?;
        let file = system
            .read_file(id, path, range)
            .map_err(|error| near(&system.snapshot(), id, error.into()))?;
        Ok(file.content.as_bytes().to_vec())
    }

    /// Skills for a request, the best first.
    pub fn search(&self, query: &SearchQuery) -> Result<Answer<SearchDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let options = search::Options {
            limit: query.limit.unwrap_or(limits::SEARCH_RESULTS),
            ..search::Options::default()
        };
        let found = snapshot.search(&query.text, &options);
        let hits: Vec<search::Hit<'_>> = found.iter().map(|found| found.hit.clone()).collect();
        let skill = |hit: &search::Hit<'_>| {
            let found = found
                .iter()
                .find(|found| found.hit.document == hit.document);
            found.map(|found| &**found.skill)
        };
        Ok(Answer::of(&SearchDocument::new(&hits, skill))?.typed())
    }

    /// The skills that a message brings up.
    pub fn matches(&self, query: &MatchQuery) -> Result<Answer<MatchDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let agent = snapshot.setup().agent(self.agent());
        let candidates = agent.candidates(snapshot.skills());
        let message = Message {
            text: &query.text,
            skill: query.skill.as_deref(),
            ..Message::default()
        };
        let matches = matching::matches(&candidates, &message, Ambient::None);
        let cap = matching::max_tool_rounds(&candidates, &matches, query.rounds);
        Ok(Answer::of(&MatchDocument::new(&matches, cap))?.typed())
    }

    /// The catalog that a model is shown. Nothing is recorded: it is a preview where a person asks, and the harness of
    /// an agent that asks over and over would count offers that were never made.
    pub fn catalog(
        &self,
        query: &CatalogQuery,
    ) -> Result<Answer<CatalogDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let agent = snapshot.setup().agent(self.agent());
        let entries = agent.entries(snapshot.skills(), query.form, &|_| {
            catalog::Usage::default()
        });
        let options = catalog::Options {
            form: query.form,
            budget: agent.budget(query.budget),
            locations: query.locations,
            home: snapshot.setup().host.home(),
            ..catalog::Options::default()
        };
        let catalog = catalog::render(&entries, &options);
        Ok(Answer::of(&CatalogDocument::from(&catalog))?.typed())
    }

    /// What is known of skills.
    pub fn status(&self, query: &StatusQuery) -> Result<Answer<StatusDocument<'static>>, Failure> {
        let system = self.system()?;
        let snapshot = system.snapshot();
        let wanted: Vec<&Path> = query
            .ids
            .iter()
            .map(|id| find(&snapshot, id).map(|skill| &*skill.path))
            .collect::<Result<_, _>>()?;
        let status = system.status();
        let mut entries = status.entries();
        let total = entries.len();
        entries.retain(|entry| {
            let is_wanted = wanted.is_empty() || wanted.contains(&&*entry.skill.path);
            is_wanted && query.filter.takes(entry)
        });
        Ok(Answer::of(&StatusDocument::new(&entries, total))?.typed())
    }

    /// Why a skill can be used or cannot.
    pub fn why(&self, id: &str) -> Result<Answer<WhyDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let skill = find(&snapshot, id)?;
        let setup = snapshot.setup();
        let conditions = setup.conditions();
        let explanation = Explanation::of(skill, snapshot.registry(), &conditions, self.agent());
        Ok(Answer::of(&WhyDocument::new(&explanation, &setup.config))?.typed())
    }
}

impl ListQuery {
    fn takes(&self, skill: &Skill) -> bool {
        let has_text = self.text.as_ref().is_none_or(|text| {
            let text = text.to_lowercase();
            let texts = [&skill.id, &skill.name, &skill.description];
            texts.iter().any(|it| it.to_lowercase().contains(&text))
        });
        let source = self.source.as_deref();
        let client = self.client.as_deref();
        has_text
            && (self.states.is_empty() || self.states.contains(&skill.state))
            && source.is_none_or(|source| skill.root.source.as_str() == source)
            && client.is_none_or(|client| skill.root.clients.iter().any(|it| **it == *client))
            && (self.verdict.is_none() || skill.verdict() == self.verdict)
    }
}

/// The skill that is meant by an id, a name or a directory's name.
pub(crate) fn find<'s>(snapshot: &'s Snapshot, text: &str) -> Result<&'s Arc<Skill>, Failure> {
    snapshot
        .find(text)
        .map_err(|error: LookUpError| near(snapshot, text, error.into()))
}

/// The same failure with the way out: the skill that may have been meant, where there is none of that name, and what
/// clears the reasons for a refusal.
pub(crate) fn near(snapshot: &Snapshot, text: &str, mut failure: Failure) -> Failure {
    if failure.kind == FailureKind::Refused {
        let blockers = snapshot.find(text).map(|skill| &*skill.blockers);
        let helps = blockers.unwrap_or_default().iter();
        failure
            .hints
            .extend(helps.filter_map(|blocker| blocker.help.clone()));
    }
    if failure.kind != FailureKind::NotFound {
        return failure;
    }
    let known = snapshot.skills().iter().map(|skill| skill.id.as_str());
    match nearest(text, known) {
        Some(id) => failure.hint(format!("did you mean `{id}`?")),
        None => failure,
    }
}

/// The known word that was meant by one that is not, if one is like it.
pub(super) fn nearest<'k>(text: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    known
        .map(|word| (strsim::jaro_winkler(text, word), word))
        .filter(|(likeness, word)| *likeness >= limits::ALIKE && *word != text)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, word)| word)
}
