//! `skillful status`: what is known of every skill.

use std::io::{self, Write};

use skillful::contract::StatusDocument;
use skillful::guard::{Care, Verdict};
use skillful::status::{Circumstances, StatusEntry, full_status, status_of};
use skillful::{Library, Skill};
use skillful_store::{Activity, Evidence, Stage};

use crate::args::{GlobalArgs, StatusArgs};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::lookup;
use crate::records::now;
use crate::render::table::{self, Cell};
use crate::render::{acceptance_text, reason, remark, stage_style, state_style, verdict_text};
use crate::terminal::{BOLD, DIM, Out, counted, print_json, printable, stdout, warn, width};

pub(crate) fn run(global: &GlobalArgs, args: &StatusArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let library = world.scan_with(None, Care::Full)?;
    let chosen = chosen(&world, &library, &args.ids)?;
    let records = world.records();
    let circumstances = Circumstances {
        agent: world.agent(None),
        records: &records,
        now: now(),
        digests: args.digests,
    };
    let mut entries = if args.ids.is_empty() {
        full_status(&library.registry, &circumstances)
    } else {
        let skills = chosen.iter().copied();
        status_of(&library.registry, skills, &circumstances)
    };
    entries.retain(|entry| args.filter.takes(entry));
    let total = library.registry.skills().len();
    if args.format.is_json() {
        print_json(&StatusDocument::new(&entries, total))?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    if args.ids.is_empty() {
        write_table(&mut out, &world, &entries)?;
        let shown = entries.len();
        writeln!(out, "{DIM}{shown} of {total} skills{DIM:#}")?;
        for problem in &library.problems {
            warn(&problem.to_string());
        }
    } else {
        for (index, entry) in entries.iter().enumerate() {
            if index > 0 {
                writeln!(out)?;
            }
            write_facts(&mut out, &world, entry)?;
        }
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

/// The skills that were named, each once, in the order of their ids.
fn chosen<'l>(
    world: &World,
    library: &'l Library,
    ids: &[String],
) -> Result<Vec<&'l Skill>, CommandError> {
    let mut skills = ids
        .iter()
        .map(|id| lookup::searched(world, library, id))
        .collect::<Result<Vec<_>, _>>()?;
    skills.sort_by(|a, b| (&a.id, &a.path).cmp(&(&b.id, &b.path)));
    skills.dedup_by(|a, b| a.path == b.path);
    Ok(skills)
}

fn write_table(out: &mut Out, world: &World, entries: &[StatusEntry<'_>]) -> io::Result<()> {
    let rows: Vec<Vec<Cell>> = entries
        .iter()
        .map(|entry| {
            let skill = entry.skill;
            vec![
                Cell::new(&skill.id, BOLD),
                Cell::new(skill.state.as_str(), state_style(skill.state)),
                Cell::new(&life(entry), stage_style(entry.stage)),
                Cell::new(skill.root.source.as_str(), DIM),
                Cell::plain(&format!("{} tokens", entry.tokens)),
                Cell::plain(&last_use(entry)),
                match (remark(world, skill), entry.accepted) {
                    (Some((text, style)), _) => Cell::new(&text, style),
                    (None, Some(_)) if is_found(skill) => Cell::new(
                        &format!("{}; accepted by its digest", verdict_text(skill)),
                        DIM,
                    ),
                    (None, _) => Cell::plain(""),
                },
            ]
        })
        .collect();
    table::write(out, &rows, width())
}

/// Whether the guard found something in a skill's files.
fn is_found(skill: &Skill) -> bool {
    skill
        .verdict()
        .is_some_and(|verdict| verdict != Verdict::Safe)
}

fn life(entry: &StatusEntry<'_>) -> String {
    match (entry.stage, entry.pinned) {
        (Stage::Active, true) => "pinned".to_owned(),
        (stage, true) => format!("{stage}, pinned"),
        (stage, false) => stage.to_string(),
    }
}

fn last_use(entry: &StatusEntry<'_>) -> String {
    match entry.usage.map(|usage| (usage, usage.last_use())) {
        Some((usage, Some(last))) => {
            let reads = usage.of(Activity::Read).count;
            format!("{}, last used {}", counted_long(reads, "read"), last.day())
        }
        Some((_, None)) => "offered, never used".to_owned(),
        None => "no use on record".to_owned(),
    }
}

/// A count that may be larger than what fits in memory.
fn counted_long(count: u64, noun: &str) -> String {
    counted(usize::try_from(count).unwrap_or(usize::MAX), noun)
}

fn write_facts(out: &mut Out, world: &World, entry: &StatusEntry<'_>) -> io::Result<()> {
    let skill = entry.skill;
    let (style, state) = (state_style(skill.state), skill.state.as_str());
    let id = printable(&skill.id);
    writeln!(out, "{BOLD}{id}{BOLD:#}  {style}{state}{style:#}")?;
    if !skill.description.is_empty() {
        writeln!(out, "{}", printable(&skill.description))?;
    }
    writeln!(out)?;
    let mut facts = Facts { out };
    facts.add("why", &reason(world, skill))?;
    facts.add("path", &world.shown(&skill.path))?;
    let root = &*skill.root;
    facts.add(
        "source",
        &format!("{}, {}", root.source.as_str(), root.trust.as_str()),
    )?;
    for path in &entry.shadows {
        facts.add("shadows", &world.shown(path))?;
    }
    facts.add(
        "size",
        &format!("{} bytes, about {} tokens", entry.bytes, entry.tokens),
    )?;
    facts.add("verdict", &verdict_text(skill))?;
    if let Some(accepted) = entry.accepted {
        facts.add("accepted", &acceptance_text(accepted))?;
    }
    for suppressed in (skill.inspection.iter()).flat_map(|known| known.suppressed()) {
        let text = format!(
            "{} in {}: {}",
            suppressed.finding.rule, suppressed.finding.path, suppressed.reason
        );
        facts.add("suppressed", &text)?;
    }
    // What was looked at has a digest already.
    let inspected = skill.inspection.as_ref().and_then(|known| known.digest());
    let digest = entry.digest.as_deref().or(inspected);
    facts.add("digest", digest.unwrap_or_default())?;
    let diagnostics = skill.diagnostics.len();
    if diagnostics > 0 {
        let text = format!(
            "{}; see `skillful show`",
            counted(diagnostics, "diagnostic")
        );
        facts.add("diagnostics", &text)?;
    }
    facts.add("lifecycle", &life(entry))?;
    if let Some(archived) = entry.archived {
        let reason = archived.reason.as_ref().map(|text| format!(": {text}"));
        let text = format!("{}{}", archived.at.day(), reason.unwrap_or_default());
        facts.add("archived", &text)?;
    }
    match entry.api_key_set {
        Some(true) => facts.add("API key", "set")?,
        Some(false) => facts.add("API key", "not set")?,
        None => {}
    }
    for option in &entry.install_options {
        facts.add("install", &format!("{} ({})", option.label, option.id))?;
    }
    write_usage(&mut facts, entry)
}

fn write_usage(facts: &mut Facts<'_>, entry: &StatusEntry<'_>) -> io::Result<()> {
    let Some(usage) = entry.usage else {
        return facts.add("usage", &last_use(entry));
    };
    for activity in Activity::ALL {
        let tally = usage.of(activity);
        if let Some(last) = tally.last {
            let text = format!("{}, last {}", tally.count, last.day());
            facts.add(activity.as_plural(), &text)?;
        }
    }
    let evidence = Evidence::of(usage);
    if evidence.wins > 0 {
        let percent = 100.0 * evidence.confidence();
        facts.add(
            "evidence",
            &format!("helps in at least {percent:.0} % of cases"),
        )?;
    }
    Ok(())
}

/// Lines of a name and a value.
struct Facts<'a> {
    out: &'a mut Out,
}

impl Facts<'_> {
    /// Writes a fact, unless there is nothing to say.
    fn add(&mut self, name: &str, value: &str) -> io::Result<()> {
        if value.is_empty() {
            return Ok(());
        }
        writeln!(self.out, "{DIM}{name:>12}{DIM:#}  {}", printable(value))
    }
}
