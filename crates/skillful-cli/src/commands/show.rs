//! `skillful show`: one skill in full.

use std::io::Write;

use skillful::contract::ShowDocument;
use skillful::details::Details;
use skillful::{Library, Skill};
use skillmd::FieldValue;

use crate::args::{GlobalArgs, ShowArgs};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::lookup;
use crate::render::snippet::SnippetRenderer;
use crate::render::{reason, state_style};
use crate::terminal::{BOLD, DIM, Out, counted, is_styled, print_json, printable, stdout};

/// Most files that are listed for people.
const LISTED_FILES: usize = 20;

pub(crate) fn run(global: &GlobalArgs, args: &ShowArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let library = world.scan()?;
    let skill = lookup::anywhere(&world, &library, &args.id)?;
    let skill = skill.as_ref();
    let details = Details::of(skill);
    let mut out = stdout(global.color);
    if args.format.is_json() {
        print_json(&ShowDocument::new(skill, &details))?;
    } else {
        write_facts(&mut out, &world, &library, skill, &details)?;
        let renderer = SnippetRenderer::new(is_styled(global.color));
        write_diagnostics(&mut out, &world, &renderer, skill, &details)?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

fn write_facts(
    out: &mut Out,
    world: &World,
    library: &Library,
    skill: &Skill,
    details: &Details,
) -> std::io::Result<()> {
    write_heading(out, world, skill)?;
    write_place(out, world, library, skill)?;
    for (name, value) in details.manifest.values() {
        if !matches!(name, "name" | "description" | "metadata") {
            fact(out, &name.replace('_', " "), &shown_value(&value))?;
        }
    }
    write_files(out, details)
}

/// What the skill is, and why it is not ready.
fn write_heading(out: &mut Out, world: &World, skill: &Skill) -> std::io::Result<()> {
    let style = state_style(skill.state);
    let state = skill.state.as_str();
    let id = printable(&skill.id);
    writeln!(out, "{BOLD}{id}{BOLD:#}  {style}{state}{style:#}")?;
    writeln!(out, "{}\n", printable(&skill.description))?;
    if !skill.blockers.is_empty() {
        let reason = printable(&reason(world, skill));
        writeln!(out, "{style}{state}{style:#}: {reason}\n")?;
    }
    Ok(())
}

/// Where it lies, who reads it there, and what it hides.
fn write_place(
    out: &mut Out,
    world: &World,
    library: &Library,
    skill: &Skill,
) -> std::io::Result<()> {
    fact(out, "path", &world.shown(&skill.path))?;
    let clients: Vec<&str> = skill.root.clients.iter().map(|client| &**client).collect();
    let readers = match clients.len() {
        0 => String::new(),
        1..=6 => format!(", read by {}", clients.join(", ")),
        count => format!(
            ", read by {} and {} more",
            clients[..5].join(", "),
            count - 5
        ),
    };
    let source = format!("{}{readers}", skill.root.source.as_str());
    fact(out, "source", &source)?;
    let shadowed: Vec<String> = library
        .registry
        .shadowed_by(skill)
        .map(|other| world.shown(&other.path))
        .collect();
    if !shadowed.is_empty() {
        fact(out, "shadows", &shadowed.join(", "))?;
    }
    Ok(())
}

/// How large it is, and its other files.
fn write_files(out: &mut Out, details: &Details) -> std::io::Result<()> {
    let bytes = counted_bytes(details.bundle.bytes);
    let tokens = counted(details.tokens, "token");
    fact(out, "size", &format!("{bytes}, about {tokens}"))?;
    let resources = &details.bundle.resources;
    for (index, resource) in resources.iter().take(LISTED_FILES).enumerate() {
        let executable = if resource.executable {
            ", executable"
        } else {
            ""
        };
        let bytes = counted_bytes(resource.size);
        let text = format!("{} ({bytes}{executable})", resource.path);
        fact(out, if index == 0 { "files" } else { "" }, &text)?;
    }
    let more = resources.len().saturating_sub(LISTED_FILES);
    if more > 0 {
        fact(out, "", &format!("and {more} more"))?;
    }
    Ok(())
}

fn counted_bytes(bytes: u64) -> String {
    counted(usize::try_from(bytes).unwrap_or(usize::MAX), "byte")
}

fn fact(out: &mut Out, name: &str, value: &str) -> std::io::Result<()> {
    writeln!(out, "{DIM}{name:>16}{DIM:#}  {}", printable(value))
}

/// A field's value on one line.
fn shown_value(value: &FieldValue<'_>) -> String {
    match value {
        FieldValue::Text(text) => (*text).to_owned(),
        FieldValue::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        FieldValue::Integer(number) => number.to_string(),
        FieldValue::List(items) if items.is_empty() => "none".to_owned(),
        FieldValue::List(items) => {
            let items: Vec<String> = items.iter().map(shown_value).collect();
            items.join(", ")
        }
        FieldValue::Record(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|(name, value)| format!("{name} {}", shown_value(value)))
                .collect();
            fields.join(", ")
        }
        FieldValue::Node(_) | FieldValue::Pairs(_) => "(see --format json)".to_owned(),
    }
}

fn write_diagnostics(
    out: &mut Out,
    world: &World,
    renderer: &SnippetRenderer,
    skill: &Skill,
    details: &Details,
) -> std::io::Result<()> {
    let path = printable(&world.shown(&skill.path));
    let text = details
        .document
        .as_ref()
        .map_or("", |document| document.text());
    for found in &details.diagnostics {
        writeln!(out, "\n{}", renderer.render(&path, text, found))?;
    }
    Ok(())
}
