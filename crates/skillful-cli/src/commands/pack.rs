//! `skillful pack`: a skill in one file.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use skillful::Skill;
use skillful::check::Rules;
use skillful_manage::contract::PackDocument;
use skillful_manage::pack::{self, Form, PackError, PackedArchive, Prepared, Wishes};

use crate::args::{GateArgs, GlobalArgs, PackArgs};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::lookup;
use crate::manage;
use crate::terminal::{BOLD, DIM, GOOD, Out, counted, print_json, printable, stdout, warn};
use crate::write;

pub(crate) fn run(global: &GlobalArgs, args: &PackArgs) -> Result<Outcome, CommandError> {
    let form = match args.format_of {
        Some(form) => form,
        None => Form::of_path(&args.output).map_err(|error| {
            CommandError::usage(error).hint("name the file like NAME.zip, or say --format-of zip")
        })?,
    };
    let world = World::gather(global)?;
    let library = world.scan()?;
    let skill = lookup::anywhere(&world, &library, &args.id)?;
    if lies_in(&args.output, skill.directory()) {
        return Err(CommandError::usage(
            "the output would lie in the skill, and be packed the next time",
        )
        .hint("name a file elsewhere"));
    }
    let prepared = prepared(&skill, &wishes(&world, &args.gate)?)?;
    let archive = prepared.archive(form).map_err(|error| {
        CommandError::failed(format_args!("the archive could not be made: {error}"))
    })?;
    let is_written = !args.dry_run && save(&args.output, &archive, args.force)?;
    warn_of(&prepared);
    if args.format.is_json() {
        print_json(&PackDocument::new(
            &prepared,
            &archive,
            &args.output,
            is_written,
        ))?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    write_files(&mut out, &prepared)?;
    let verb = match (args.dry_run, is_written) {
        (true, _) => "would pack",
        (false, true) => "packed",
        (false, false) => "already packed",
    };
    let path = world.shown(&args.output);
    let files = counted(prepared.files.len(), "file");
    writeln!(
        out,
        "{GOOD}{verb}{GOOD:#} {BOLD}{}{BOLD:#} into {}: {files}, {} bytes",
        printable(&prepared.name),
        printable(&path),
        archive.bytes.len()
    )?;
    writeln!(out, "{DIM}{}{DIM:#}", archive.digest)?;
    out.flush()?;
    Ok(Outcome::Fine)
}

/// What may be handed to others, by the configuration and what was said.
pub(super) fn wishes(world: &World, args: &GateArgs) -> Result<Wishes, CommandError> {
    Ok(Wishes {
        rules: Rules {
            ignored: world.config.ignored(),
            ..Rules::default()
        },
        allow_invalid: args.allow_invalid,
        ..Wishes::through(manage::gate(world)?)
    })
}

/// A skill that may be handed to others, or why it may not.
pub(super) fn prepared(skill: &Skill, wishes: &Wishes) -> Result<Prepared, CommandError> {
    pack::prepare(skill, wishes).map_err(refused)
}

fn refused(error: PackError) -> CommandError {
    let failure = CommandError::failed(&error);
    match error {
        PackError::Dangerous {
            findings, digest, ..
        } => {
            let failure = findings.iter().fold(failure, |failure, finding| {
                let excerpt = finding.excerpt.as_deref().unwrap_or("a key");
                failure.hint(format!(
                    "{}:{} {} ({}): {}",
                    printable(&finding.path),
                    finding.line,
                    printable(excerpt),
                    finding.rule,
                    finding.help
                ))
            });
            failure.hint(format!(
                "if you have looked at it and it is right, say so in your own skills.toml: [[guard.accept]] with digest = \"{digest}\" and a reason"
            ))
        }
        PackError::Invalid { .. } => {
            failure.hint("`skillful check` says where; --allow-invalid takes it as it is")
        }
        _ => failure,
    }
}

/// Says what may have been left out by mistake.
pub(super) fn warn_of(prepared: &Prepared) {
    for out in prepared.left_out.iter().filter(|out| out.is_referred_to) {
        warn(&format!(
            "the text of `{}` refers to `{}`, which is {} and left out",
            prepared.name,
            out.path,
            out.reason.as_str()
        ));
    }
    for note in &prepared.notes {
        warn(note);
    }
}

fn write_files(out: &mut Out, prepared: &Prepared) -> io::Result<()> {
    for file in &prepared.files {
        let mark = if file.executable { " *" } else { "" };
        let path = printable(&file.path);
        writeln!(
            out,
            "  {path}{mark}  {DIM}{} bytes{DIM:#}",
            file.bytes.len()
        )?;
    }
    for left in &prepared.left_out {
        let (path, reason) = (printable(&left.path), left.reason.as_str());
        writeln!(out, "{DIM}  {path}  left out: {reason}{DIM:#}")?;
    }
    Ok(())
}

/// Whether a file that may not be there yet lies below a directory.
fn lies_in(file: &Path, directory: Option<&Path>) -> bool {
    let parent = file
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let parent = fs::canonicalize(parent.unwrap_or(Path::new(".")));
    let directory = directory.map(fs::canonicalize);
    matches!((parent, directory), (Ok(parent), Some(Ok(directory))) if parent.starts_with(&directory))
}

/// Writes the archive, unless the very same is there; whether it was written.
fn save(path: &Path, archive: &PackedArchive, force: bool) -> Result<bool, CommandError> {
    if path.symlink_metadata().is_err() {
        write::create(path, &archive.bytes)?;
        return Ok(true);
    }
    if fs::read(path).is_ok_and(|there| there == archive.bytes) {
        return Ok(false);
    }
    if !force {
        return Err(CommandError::failed(format_args!(
            "{} exists and holds something else",
            path.display()
        ))
        .hint("say --force to replace it"));
    }
    write::replace(path, &archive.bytes)?;
    Ok(true)
}
