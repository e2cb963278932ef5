//! Asking about the machine: what there is in all, who reads it, where it lies, and what words mean.

use std::collections::BTreeMap;

use skillful::contract::{
    ClientsDocument, CodesDocument, DiagnosticJson, ExplainDocument, OverviewDocument,
    RootsDocument, RuleDocument, problem_diagnostics,
};
use skillful::scanner::RuleBook;
use skillmd::Code;

use super::Answer;
use super::read::nearest;
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};

/// How many skills there are, for who counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// By state.
    pub states: BTreeMap<&'static str, usize>,
    /// How often what is known of skills changed.
    pub snapshots: u64,
}

impl Engine {
    /// How many skills there are.
    pub fn counts(&self) -> Result<Counts, Failure> {
        let snapshot = self.snapshot()?;
        let mut states = BTreeMap::new();
        for skill in snapshot.skills() {
            *states.entry(skill.state.as_str()).or_default() += 1;
        }
        Ok(Counts {
            states,
            snapshots: snapshot.sequence(),
        })
    }

    /// What there is in all, and what needs attention.
    pub fn overview(&self) -> Result<Answer<OverviewDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let problems = problem_diagnostics(snapshot.problems());
        let document = OverviewDocument::new(&snapshot, told(&problems));
        Ok(Answer::of(&document)?.typed())
    }

    /// The clients that are known, and what each reads.
    pub fn clients(&self) -> Result<Answer<ClientsDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        Ok(Answer::of(&ClientsDocument::new(&snapshot))?.typed())
    }

    /// The directories that are searched.
    pub fn roots(&self) -> Result<Answer<RootsDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let problems = problem_diagnostics(snapshot.problems());
        let document = RootsDocument::new(&snapshot, told(&problems));
        Ok(Answer::of(&document)?.typed())
    }

    /// All codes of diagnostics, and all rules of the guard.
    pub fn codes(&self) -> Result<Answer<CodesDocument<'static>>, Failure> {
        Answer::of(&CodesDocument::all(rules()?.rules()))
    }

    /// The page of a code or of a rule.
    pub fn explain(&self, name: &str) -> Result<Explained, Failure> {
        let rules = rules()?;
        match (name.parse::<Code>(), rules.get(name)) {
            (Ok(code), _) => Ok(Explained::Code(Answer::of(&ExplainDocument::from(code))?)),
            (Err(_), Some(rule)) => Ok(Explained::Rule(
                Answer::of(&RuleDocument::from(rule))?.typed(),
            )),
            (Err(_), None) => {
                let message = format!("no diagnostic and no rule is called `{name}`");
                let failure = Failure::new(FailureKind::NotFound, message);
                let codes = Code::ALL.iter().map(|code| code.as_str());
                let known = codes.chain(rules.rules().map(|rule| &*rule.id));
                Err(match nearest(name, known) {
                    Some(near) => failure.hint(format!("did you mean `{near}`?")),
                    None => failure,
                })
            }
        }
    }
}

/// What a name meant.
#[derive(Debug)]
pub enum Explained {
    /// A diagnostic.
    Code(Answer<ExplainDocument>),
    /// A rule of the guard.
    Rule(Answer<RuleDocument<'static>>),
}

/// The rules that are built in.
pub(super) fn rules() -> Result<&'static RuleBook, Failure> {
    RuleBook::built_in().map_err(|error| Failure::new(FailureKind::Unavailable, error))
}

pub(super) fn told<'a>(
    problems: &'a [(skillmd::Diagnostic, &'a std::path::Path)],
) -> impl Iterator<Item = DiagnosticJson<'a>> {
    let told = problems.iter();
    told.map(|(diagnostic, path)| DiagnosticJson { diagnostic, path })
}
