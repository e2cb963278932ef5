//! Facts → findings: single ones by their rule, and combinations of facts that mean something together.

use std::collections::{BTreeMap, BTreeSet};

use super::Scanned;
use crate::excerpt;
use crate::facts::Fact;
use crate::finding::{Finding, Lowering, Severity};
use crate::limits::{FINDINGS_PER_FILE, FINDINGS_PER_RULE};
use crate::rules::{Rule, RuleBook, Scope, Together, Trigger, Within};
use crate::text::Lines;

/// A fact with its place in the bundle.
#[derive(Clone, Debug)]
struct Placed {
    file: usize,
    line: usize,
    fact: Fact,
}

/// The findings of all files, sorted.
pub(super) fn findings(scanned: &[Scanned<'_>], rules: &'static RuleBook) -> Vec<Finding> {
    let texts: Vec<Lines<'_>> = scanned
        .iter()
        .map(|file| Lines::new(file.text.as_deref().unwrap_or_default()))
        .collect();
    let mut facts: BTreeMap<&'static str, Vec<Placed>> = BTreeMap::new();
    for (file, (scanned, lines)) in scanned.iter().zip(&texts).enumerate() {
        for fact in &scanned.facts.list {
            let line = lines.line(fact.range.start);
            let placed = Placed {
                file,
                line,
                fact: fact.clone(),
            };
            facts.entry(fact.name).or_default().push(placed);
        }
    }
    add_disguised(&mut facts, rules);
    // Combinations may build on combinations, never deeper than this.
    for _ in 0..2 {
        add_combinations(&mut facts, rules);
    }
    let mut found = Vec::new();
    for (name, placed) in &facts {
        let Some(rule) = rules.get(name) else {
            continue;
        };
        let mut per_file: BTreeMap<usize, usize> = BTreeMap::new();
        // The surest first, so that quotations do not push out the order among them.
        let mut surest: Vec<&Placed> = placed.iter().collect();
        surest.sort_by_key(|placed| (placed.file, doubt(placed), placed.fact.range.start));
        for placed in surest {
            let count = per_file.entry(placed.file).or_default();
            *count += 1;
            if let Some((file, lines)) = scanned.get(placed.file).zip(texts.get(placed.file))
                && *count <= FINDINGS_PER_RULE
            {
                found.push(finding(rule, placed, file.path, lines));
            }
        }
    }
    found.sort();
    found.dedup_by(|next, kept| {
        (&next.path, next.line, next.rule) == (&kept.path, kept.line, kept.rule)
    });
    let mut per_file: BTreeMap<String, usize> = BTreeMap::new();
    found.retain(|finding| {
        let count = per_file.entry(finding.path.clone()).or_default();
        *count += 1;
        *count <= FINDINGS_PER_FILE
    });
    found
}

fn finding(rule: &'static Rule, placed: &Placed, path: &str, lines: &Lines<'_>) -> Finding {
    let (line, column) = lines.position(placed.fact.range.start);
    let steps = placed
        .fact
        .lowered
        .iter()
        .map(|reason| reason.steps())
        .sum();
    let mut note = placed.fact.note.clone();
    if !placed.fact.layers.is_empty() {
        let layers = placed.fact.layers.join(", ");
        note = Some(note.map_or_else(
            || format!("behind {layers}"),
            |note| format!("behind {layers}: {note}"),
        ));
    }
    Finding {
        path: path.to_owned(),
        line,
        column,
        rule: &rule.id,
        category: rule.category(),
        severity: rule.severity,
        confidence: rule.confidence.lowered(steps),
        lowered: placed.fact.lowered.clone(),
        excerpt: excerpt::of_line(lines.text_of(line), column),
        note: note.map(|note| excerpt::short(&note)),
        help: &rule.fix,
    }
}

/// What was found only after an encoding or a disguise was taken off is worse than the same in the open: nobody hides
/// an honest command.
fn add_disguised(facts: &mut BTreeMap<&'static str, Vec<Placed>>, rules: &'static RuleBook) {
    let mut disguised = Vec::new();
    for (name, placed) in facts.iter() {
        let severity = rules.get(name).map_or(Severity::Info, |rule| rule.severity);
        if severity < Severity::Medium {
            continue;
        }
        for placed in placed
            .iter()
            .filter(|placed| !placed.fact.layers.is_empty())
        {
            let mut placed = placed.clone();
            placed.fact.name = if placed.fact.layers.contains(&"look-alike characters") {
                "disguised-text"
            } else {
                "encoded-payload"
            };
            placed.fact.note = Some(match placed.fact.note.take() {
                Some(note) => format!("{name}: {note}"),
                None => (*name).to_owned(),
            });
            disguised.push(placed);
        }
    }
    for placed in disguised {
        facts.entry(placed.fact.name).or_default().push(placed);
    }
}

fn add_combinations(facts: &mut BTreeMap<&'static str, Vec<Placed>>, rules: &'static RuleBook) {
    for rule in rules.rules() {
        let Trigger::Together(together) = &rule.trigger else {
            continue;
        };
        let joined = combine(together, facts);
        if !joined.is_empty() {
            let named = joined.into_iter().map(|mut placed| {
                placed.fact.name = &rule.id;
                placed
            });
            facts.insert(&rule.id, named.collect());
        }
    }
}

/// For each fact of the first list, the surest companions from the others; one result for each file.
fn combine(together: &Together, facts: &BTreeMap<&'static str, Vec<Placed>>) -> Vec<Placed> {
    let slots: Vec<Vec<&Placed>> = together
        .all
        .iter()
        .map(|names| {
            names
                .iter()
                .filter_map(|name| facts.get(name.as_str()))
                .flatten()
                .collect()
        })
        .collect();
    let Some((first, others)) = slots.split_first() else {
        return Vec::new();
    };
    let is_enough = |start: &Placed| {
        // What is doubted more does not make the rest surer.
        let different: BTreeSet<_> = first
            .iter()
            .filter(|other| other.file == start.file && doubt(other) <= doubt(start))
            .map(|other| (other.fact.name, &other.fact.note))
            .collect();
        together
            .at_least
            .is_none_or(|least| different.len() >= least)
    };
    let mut best: BTreeMap<usize, (usize, Placed)> = BTreeMap::new();
    for &start in first.iter().filter(|start| is_enough(start)) {
        let companions: Option<Vec<&Placed>> = others
            .iter()
            .map(|slot| companion(start, slot, together.within))
            .collect();
        let Some(companions) = companions else {
            continue;
        };
        let joined = joined(start, &companions);
        let doubt = doubt(&joined);
        let is_better = best
            .get(&start.file)
            .is_none_or(|(known, _)| doubt < *known);
        if is_better {
            best.insert(start.file, (doubt, joined));
        }
    }
    best.into_values().map(|(_, placed)| placed).collect()
}

/// The surest fact of a list that is close enough, the nearest of equals.
fn companion<'f>(start: &Placed, slot: &[&'f Placed], within: Within) -> Option<&'f Placed> {
    let is_close = |other: &&&Placed| match within {
        Within::Lines(lines) => {
            other.file == start.file && other.line.abs_diff(start.line) <= lines
        }
        Within::Scope(Scope::File) => other.file == start.file,
        Within::Scope(Scope::Bundle) => true,
    };
    let close = slot.iter().filter(is_close);
    close
        .min_by_key(|other| {
            (
                doubt(other),
                other.file != start.file,
                other.line.abs_diff(start.line),
            )
        })
        .copied()
}

fn doubt(placed: &Placed) -> usize {
    placed
        .fact
        .lowered
        .iter()
        .map(|reason| reason.steps())
        .sum()
}

/// Facts as one: where the first is, with every reason to doubt any of them, and a word on where the others are.
fn joined(start: &Placed, companions: &[&Placed]) -> Placed {
    let mut joined = start.clone();
    let mut notes = Vec::new();
    for other in companions {
        let reasons: Vec<Lowering> = other.fact.lowered.clone();
        joined.fact.lowered.extend(reasons);
        let place = if other.file == start.file {
            format!("line {}", other.line)
        } else {
            "another file".to_owned()
        };
        let shown = match &other.fact.note {
            Some(note) => format!("with {} in {place} ({note})", other.fact.name),
            None => format!("with {} in {place}", other.fact.name),
        };
        notes.push(shown);
    }
    joined.fact.lowered.sort_unstable();
    joined.fact.lowered.dedup();
    joined.fact.note = Some(notes.join(", "));
    joined
}
