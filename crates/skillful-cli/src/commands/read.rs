//! `skillful read`: a skill as an agent is given it, or one of its files.

use std::io::IsTerminal;

use skillful::Skill;
use skillful::activate::{
    Activation, ActivationError, Arguments, Framing, Outcome, Permissions, Request, activate,
    real_directory,
};
use skillful::bundle::{Content, FileContent, ReadError, digest, read_file};
use skillful::contract::{ActivationDocument, FileDocument};
use skillful::part::{Part, Unit};
use skillful::refusal::Refusal;
use skillful_store::Activity;

use crate::args::{GlobalArgs, ReadArgs};
use crate::error::{CommandError, Outcome as Done};
use crate::input::World;
use crate::terminal::{print_bytes, print_json, print_raw, printable_lines, warn};

pub(crate) fn run(global: &GlobalArgs, args: &ReadArgs) -> Result<Done, CommandError> {
    let world = World::gather(global)?;
    let mut library = world.scan_for(args.agent.as_deref())?;
    let skill = world.looked_at(&mut library, &args.id, args.agent.as_deref())?;
    if let Some(path) = &args.file {
        run_file(skill, path, args)?;
        world.record(skill, &[Activity::Read]);
    } else {
        run_activation(&world, skill, args)?;
        world.record(skill, &[Activity::Read, Activity::Use]);
    }
    Ok(Done::Fine)
}

fn run_activation(world: &World, skill: &Skill, args: &ReadArgs) -> Result<(), CommandError> {
    let activation = activate(
        skill,
        &request(world, args)?,
        &permissions(world, skill, args),
    )
    .map_err(|error| cannot_activate(skill, &error))?;
    if args.format.is_json() {
        return Ok(print_json(&ActivationDocument::from(&activation))?);
    }
    tell_commands(&activation);
    tell_next(&activation.part);
    print_text(&activation.content)?;
    // A body comes without the line end that the next prompt needs; a whole file is printed to the byte.
    if activation.framing != Framing::File && !activation.content.ends_with('\n') {
        print_raw("\n")?;
    }
    Ok(())
}

fn request(world: &World, args: &ReadArgs) -> Result<Request, CommandError> {
    let arguments = match &args.text {
        Some(text) => Arguments::parse(text),
        None => Arguments::from_words(&args.words),
    };
    let mut request = Request {
        arguments: arguments.map_err(CommandError::usage)?,
        framing: args.framing.into(),
        range: args.part.range(),
        as_written: args.raw,
        session_id: args.session.clone(),
        invoker: args.by.into(),
        ..Request::default()
    };
    if let Some(project) = world.project().to_str() {
        let name = "CLAUDE_PROJECT_DIR".to_owned();
        request.variables.insert(name, project.to_owned());
    }
    Ok(request)
}

/// Whoever types `--allow-inline-shell` decides for this one skill, as it is now.
fn permissions(world: &World, skill: &Skill, args: &ReadArgs) -> Permissions {
    let permissions = world.agent(args.agent.as_deref()).permissions(skill);
    if args.allow_inline_shell {
        Permissions {
            trusted: true,
            ..permissions.with_inline_shell(&world.host, world.program_directory())
        }
    } else {
        permissions
    }
}

/// Says on standard error that the content is not all, and how to go on.
fn tell_next(part: &Part) {
    if let Some(next) = part.next {
        let unit = part.unit.as_str();
        let option = match part.unit {
            Unit::Lines => format!("--lines {next}-"),
            Unit::Characters | Unit::Bytes => format!("--offset {next}"),
        };
        let (length, total) = (part.length, part.total);
        warn(&format!("{length} of {total} {unit}; go on with {option}"));
    }
}

/// Says on standard error which commands are missing from the text.
fn tell_commands(activation: &Activation) {
    let mut told = Vec::new();
    for report in &activation.commands {
        if let Outcome::NotRun(reason) = &report.outcome
            && !told.contains(&reason)
        {
            warn(&format!("inline commands were left as text: {reason}"));
            told.push(reason);
        }
    }
}

fn run_file(skill: &Skill, path: &str, args: &ReadArgs) -> Result<(), CommandError> {
    let file =
        read_file(skill, path, args.part.range()).map_err(|error| cannot_read(skill, &error))?;
    if args.format.is_json() {
        let (digest, directory) = (digest(skill), real_directory(skill));
        let document = FileDocument::new(&skill.id, digest.as_deref(), directory.as_deref(), &file);
        return Ok(print_json(&document)?);
    }
    tell_next(&file.part);
    print_file(&file)
}

fn print_file(file: &FileContent) -> Result<(), CommandError> {
    match &file.content {
        Content::Text(text) => print_text(text),
        Content::Binary(bytes) if std::io::stdout().is_terminal() => {
            let message = format!(
                "`{}` is not text ({} bytes) and is not printed on a terminal",
                file.path,
                bytes.len()
            );
            Err(CommandError::failed(message)
                .hint("send it to a file (`> FILE`), or read it with --format json"))
        }
        Content::Binary(bytes) => Ok(print_bytes(bytes)?),
    }
}

/// A program or a model gets the text as it is, a person nothing that could move the cursor.
fn print_text(text: &str) -> Result<(), CommandError> {
    let printed = if std::io::stdout().is_terminal() {
        print_raw(&printable_lines(text))
    } else {
        print_raw(text)
    };
    Ok(printed?)
}

fn cannot_activate(skill: &Skill, error: &ActivationError) -> CommandError {
    let failure = CommandError::failed(error);
    match error {
        ActivationError::Refused(refusal) => refused(skill, refusal, failure),
        ActivationError::Range { .. } => {
            failure.hint("`next` in --format json says where to go on")
        }
        ActivationError::Unreadable { .. } | ActivationError::TooLong { .. } => failure,
    }
}

fn cannot_read(skill: &Skill, error: &ReadError) -> CommandError {
    let failure = CommandError::failed(error);
    match error {
        ReadError::Refused(refusal) => refused(skill, refusal, failure),
        ReadError::Missing { id, .. } => {
            failure.hint(format!("`skillful show {id}` lists all files"))
        }
        _ => failure,
    }
}

fn refused(skill: &Skill, refusal: &Refusal, failure: CommandError) -> CommandError {
    match refusal {
        Refusal::State { .. } | Refusal::SwitchedOff { .. } => {
            failure.hint(format!("`skillful why {}` explains it", skill.id))
        }
        Refusal::PeopleOnly { .. } => failure,
    }
}
