//! `skillful` alone: what this machine has, what needs attention, and what to do next. One page.

use std::collections::BTreeMap;
use std::io::Write;

use skillful::guard::Verdict;
use skillful::{Library, Skill, Source, State};
use skillmd::Severity;

use crate::args::GlobalArgs;
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::render::table::{self, Cell};
use crate::render::{accepted, is_suspect, reason, state_style, suspicions};
use crate::terminal::{
    BOLD, DIM, ERROR, GOOD, Out, WARNING, counted, printable, stdout, warn, width,
};

/// Most lines for directories, and for problems: the rest is counted.
const LINES: usize = 8;

pub(crate) fn run(global: &GlobalArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let library = world.scan()?;
    let mut out = stdout(global.color);
    let found = found_skills(&library);
    if found.is_empty() {
        write_welcome(&mut out, &library)?;
    } else {
        write_states(&mut out, &library)?;
        write_places(&mut out, &world, &library)?;
        write_attention(&mut out, &world, &found)?;
    }
    for problem in &library.problems {
        warn(&problem.to_string());
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

/// The skills that do not come with the program.
fn found_skills(library: &Library) -> Vec<&Skill> {
    let skills = library.registry.skills().iter();
    skills
        .map(|skill| &**skill)
        .filter(|skill| skill.root.source != Source::Bundled)
        .collect()
}

fn write_welcome(out: &mut Out, library: &Library) -> std::io::Result<()> {
    writeln!(
        out,
        "{BOLD}No skills yet.{BOLD:#} None of the directories that agents read holds one.\n"
    )?;
    for skill in library.registry.skills() {
        writeln!(
            out,
            "{GOOD}{}{GOOD:#} comes with skillful:",
            printable(&skill.id)
        )?;
        writeln!(out, "  {}\n", printable(&skill.description))?;
    }
    writeln!(out, "What to do next:")?;
    next_step(
        out,
        "skillful show writing-skills",
        "how to write a good skill",
    )?;
    next_step(
        out,
        "skillful new my-skill --in .agents/skills",
        "make one in this project",
    )?;
    next_step(
        out,
        "skillful check DIR",
        "check the skills of any directory",
    )
}

fn next_step(out: &mut Out, command: &str, what: &str) -> std::io::Result<()> {
    let command = printable(command);
    writeln!(out, "  {BOLD}{command:<42}{BOLD:#}  {what}")
}

/// `12 skills: 9 ready, 2 shadowed, 1 broken`.
fn write_states(out: &mut Out, library: &Library) -> std::io::Result<()> {
    let skills = library.registry.skills();
    let states = [
        State::Ready,
        State::Ineligible,
        State::Disabled,
        State::Archived,
        State::Withheld,
        State::Shadowed,
        State::Broken,
    ];
    write!(out, "{BOLD}{}{BOLD:#}:", counted(skills.len(), "skill"))?;
    let mut separator = " ";
    for state in states {
        let count = skills.iter().filter(|skill| skill.state == state).count();
        if count > 0 {
            let style = state_style(state);
            write!(out, "{separator}{style}{count} {}{style:#}", state.as_str())?;
            separator = ", ";
        }
    }
    writeln!(out, "\n")
}

/// A line for each directory: how many skills, and which clients read it.
fn write_places(out: &mut Out, world: &World, library: &Library) -> std::io::Result<()> {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for skill in library.registry.skills() {
        *counts.entry(skill.root.order).or_default() += 1;
    }
    let rows: Vec<Vec<Cell>> = library
        .roots
        .iter()
        .filter_map(|root| {
            let count = *counts.get(&root.order)?;
            let clients: Vec<&str> = root.clients.iter().map(|client| &**client).collect();
            let readers = match (&root.client, clients.len()) {
                (_, 0) => String::new(),
                (_, 1..=3) => clients.join(", "),
                (Some(own), count) => format!("{own} and {} more", count - 1),
                (None, count) => format!("{count} clients"),
            };
            Some(vec![
                Cell::plain(&format!("  {count:>5}")),
                Cell::plain(&world.shown(&root.path)),
                Cell::new(root.source.as_str(), DIM),
                Cell::new(&readers, DIM),
            ])
        })
        .collect();
    let shown = rows.len().min(LINES);
    table::write(out, &rows[..shown], width())?;
    if rows.len() > shown {
        writeln!(
            out,
            "{DIM}         and {} more directories{DIM:#}",
            rows.len() - shown
        )?;
    }
    writeln!(out)
}

/// Something that a person should look at: a skill and the worst that is to be said of it.
struct Attention<'l> {
    skill: &'l Skill,
    reason: String,
    rank: Rank,
}

/// What comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Its files look like an attack, or are not what was accepted.
    Withheld,
    /// Its files need a look.
    Suspect,
    /// It cannot be read as it was meant.
    Faulty,
    /// Something that it needs is missing.
    Incomplete,
    /// Another skill counts in its place.
    Hidden,
}

fn attention<'l>(world: &World, skill: &'l Skill) -> Option<Attention<'l>> {
    let blocked = || Some(reason(world, skill));
    let (rank, reason) = match skill.state {
        State::Withheld => (Rank::Withheld, blocked()),
        State::Ready if is_suspect(world, skill) => {
            (Rank::Suspect, skill.inspection.as_deref().map(suspicions))
        }
        State::Broken => (Rank::Faulty, blocked()),
        State::Ineligible => (Rank::Incomplete, blocked()),
        State::Shadowed
            if skill
                .blockers
                .iter()
                .any(|blocker| blocker.kind == "shadowed") =>
        {
            (Rank::Hidden, blocked())
        }
        State::Ready => {
            let error = skill
                .diagnostics
                .iter()
                .find(|found| found.severity == Severity::Error);
            (Rank::Faulty, error.map(|found| found.message.clone()))
        }
        _ => (Rank::Hidden, None),
    };
    Some(Attention {
        skill,
        reason: reason?,
        rank,
    })
}

/// Which skills are used although something was found in them.
fn write_accepted(out: &mut Out, world: &World, skills: &[&Skill]) -> std::io::Result<()> {
    let mut ids: Vec<String> = skills
        .iter()
        .filter(|skill| {
            skill.verdict().is_some_and(|it| it != Verdict::Safe)
                && accepted(world, skill).is_some()
        })
        .map(|skill| printable(&skill.id))
        .collect();
    if ids.is_empty() {
        return Ok(());
    }
    let more = ids.len().saturating_sub(LINES);
    ids.truncate(LINES);
    let mut named = ids.join(", ");
    if more > 0 {
        named = format!("{named} and {more} more");
    }
    writeln!(
        out,
        "{DIM}Accepted by their digest, whatever was found in them: {named}. `skillful why ID` says by whom.{DIM:#}\n"
    )
}

fn write_attention(out: &mut Out, world: &World, skills: &[&Skill]) -> std::io::Result<()> {
    write_accepted(out, world, skills)?;
    let mut needy: Vec<Attention<'_>> = skills
        .iter()
        .filter_map(|skill| attention(world, skill))
        .collect();
    needy.sort_by(|a, b| (a.rank, &a.skill.id).cmp(&(b.rank, &b.skill.id)));
    if needy.is_empty() {
        writeln!(
            out,
            "{GOOD}Nothing needs attention.{GOOD:#} Every skill can be read as it was meant.\n"
        )?;
    } else {
        writeln!(out, "{BOLD}Needs attention:{BOLD:#}")?;
        let rows: Vec<Vec<Cell>> = needy
            .iter()
            .take(LINES)
            .map(|item| {
                let style = match item.rank {
                    Rank::Withheld | Rank::Faulty => ERROR,
                    Rank::Suspect | Rank::Incomplete | Rank::Hidden => WARNING,
                };
                let shown_as = match item.rank {
                    Rank::Suspect => Verdict::Caution.as_str(),
                    _ => item.skill.state.as_str(),
                };
                vec![
                    Cell::new(&format!("  {}", item.skill.id), BOLD),
                    Cell::new(shown_as, style),
                    Cell::plain(&item.reason),
                ]
            })
            .collect();
        table::write(out, &rows, width())?;
        if needy.len() > LINES {
            writeln!(out, "{DIM}  and {} more{DIM:#}", needy.len() - LINES)?;
        }
        writeln!(out)?;
    }
    write_next(out, world, &needy)
}

fn write_next(out: &mut Out, world: &World, needy: &[Attention<'_>]) -> std::io::Result<()> {
    writeln!(out, "What to do next:")?;
    if let Some(first) = needy.first() {
        let id = &first.skill.id;
        let (command, what) = match first.skill.state {
            _ if first.rank <= Rank::Suspect => {
                (format!("why {id}"), "what was found in its files")
            }
            // By its id the one that counts would be shown.
            State::Shadowed => (
                format!("show {}", shell_word(&world.shown(&first.skill.path))),
                "what it says, and what counts in its place",
            ),
            State::Ineligible => (
                format!("why {id}"),
                "what it lacks, and what to do about it",
            ),
            _ => (format!("show {id}"), "what is wrong with it, line by line"),
        };
        next_step(out, &format!("skillful {command}"), what)?;
    }
    if let Some(faulty) = needy.iter().find(|item| item.rank == Rank::Faulty) {
        let root = shell_word(&world.shown(&faulty.skill.root.path));
        next_step(
            out,
            &format!("skillful fix --dry-run {root}"),
            "the changes that would mend it",
        )?;
    }
    next_step(out, "skillful list", "all skills with their states")
}

/// A path as a shell takes it: in quotes when it has characters that might mean something else there. It may be the name
/// of a directory that came from elsewhere, and people copy what they are told to do next.
fn shell_word(path: &str) -> String {
    let is_plain =
        |c: char| c.is_alphanumeric() || "/._-+@%:,=".contains(c) || (cfg!(windows) && c == '\\');
    let (home, rest) = match path.strip_prefix("~/") {
        Some(rest) => ("~/", rest),
        None => ("", path),
    };
    if rest.chars().all(is_plain) {
        return path.to_owned();
    }
    format!("{home}'{}'", rest.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_commands_are_one_word() {
        assert_eq!(shell_word("~/.claude/skills"), "~/.claude/skills");
        assert_eq!(shell_word("~/my skills"), "~/'my skills'");
        assert_eq!(shell_word("a; b'c"), r"'a; b'\''c'");
    }
}
