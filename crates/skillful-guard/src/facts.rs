//! What the engines found in one file, before any rule joins or judges it.

use std::ops::Range;

use crate::budget::Budget;
use crate::context::{Form, Role, Unit, lowerings};
use crate::coverage::GapKind;
use crate::finding::Lowering;
use crate::limits::{FACTS_PER_FILE, FINDINGS_PER_RULE};

/// One observation: the name of a rule or of a fact, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fact {
    pub name: &'static str,
    /// In the file.
    pub range: Range<usize>,
    /// Without repeats, sorted.
    pub lowered: Vec<Lowering>,
    /// The encodings that were taken off before it was seen.
    pub layers: Vec<&'static str>,
    pub note: Option<String>,
}

/// The facts of one file.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub list: Vec<Fact>,
    pub gaps: Vec<(GapKind, String)>,
    pub budget: Budget,
    role: Role,
}

impl Facts {
    pub(crate) fn of_file(role: Role, budget: Budget) -> Self {
        Self {
            budget,
            role,
            ..Self::default()
        }
    }

    /// Adds a fact that was found at `range` of the unit's view.
    pub(crate) fn add(
        &mut self,
        unit: &Unit,
        name: &'static str,
        range: &Range<usize>,
        note: Option<String>,
    ) {
        self.add_lowered(unit, name, range, note, &[]);
    }

    /// The same, with further reasons to doubt it.
    pub(crate) fn add_lowered(
        &mut self,
        unit: &Unit,
        name: &'static str,
        range: &Range<usize>,
        note: Option<String>,
        further: &[Lowering],
    ) {
        if self.is_full() {
            return;
        }
        let mut lowered = lowerings(unit, range);
        lowered.extend_from_slice(further);
        // What a fixture says is there to be read by a test; what it does, it does.
        if self.role != Role::Skill && unit.form == Form::Prose {
            lowered.push(Lowering::TestText);
        }
        self.push(Fact {
            name,
            range: unit.view.source_range(range),
            lowered,
            layers: unit.layers.clone(),
            note,
        });
    }

    /// Adds a fact about the file as a whole.
    pub(crate) fn add_to_file(&mut self, name: &'static str, note: Option<String>) {
        self.push(Fact {
            name,
            range: 0..0,
            lowered: Vec::new(),
            layers: Vec::new(),
            note,
        });
    }

    /// Whether there is no room for more, which is a gap from the first fact that finds none.
    fn is_full(&mut self) -> bool {
        let full = self.list.len() >= FACTS_PER_FILE;
        if full {
            self.gap(
                GapKind::Findings,
                format!("more than {FACTS_PER_FILE} observations"),
            );
        }
        full
    }

    fn push(&mut self, mut fact: Fact) {
        if self.is_full() {
            return;
        }
        if self.role != Role::Skill {
            fact.lowered.push(Lowering::TestFile);
        }
        if self.role == Role::Fixture {
            fact.lowered.push(Lowering::Fixture);
        }
        fact.lowered.sort_unstable();
        fact.lowered.dedup();
        self.list.push(fact);
    }

    /// Notes that something was not read to its end; once for each kind.
    pub(crate) fn gap(&mut self, kind: GapKind, detail: String) {
        if !self.gaps.iter().any(|(other, _)| *other == kind) {
            self.gaps.push((kind, detail));
        }
    }

    /// Puts the facts in the order of the file and keeps the surest few of each name, so that neither the order of the
    /// engines nor a text that repeats itself changes the report.
    pub(crate) fn settle(&mut self) {
        self.list.sort_by(|a, b| {
            (
                a.name,
                a.range.start,
                a.lowered.len(),
                a.range.end,
                &a.layers,
                &a.note,
            )
                .cmp(&(
                    b.name,
                    b.range.start,
                    b.lowered.len(),
                    b.range.end,
                    &b.layers,
                    &b.note,
                ))
        });
        self.list
            .dedup_by(|next, kept| next.name == kept.name && next.range.start == kept.range.start);
        let mut kept: Vec<Fact> = Vec::new();
        for group in self.list.chunk_by(|a, b| a.name == b.name) {
            // Those that nothing speaks against come first, so that a hundred quotations do not push out the one order.
            let mut group: Vec<&Fact> = group.iter().collect();
            group.sort_by_key(|fact| {
                fact.lowered
                    .iter()
                    .map(|reason| reason.steps())
                    .sum::<usize>()
            });
            let mut first: Vec<Fact> = group
                .into_iter()
                .take(FINDINGS_PER_RULE * 4)
                .cloned()
                .collect();
            first.sort_by_key(|fact| fact.range.start);
            kept.append(&mut first);
        }
        self.list = kept;
    }
}
