//! `skillful new`: a directory with a SKILL.md that passes the check.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use skillful::contract::NewDocument;
use skillmd::{limits, name, quote};

use crate::args::{GlobalArgs, NewArgs};
use crate::ask;
use crate::error::{CommandError, Outcome};
use crate::terminal::{BOLD, GOOD, print_json, printable, stdout};
use crate::write;

/// What stands in a new skill whose author gave no description: it is conformant, and says what is missing.
const DESCRIPTION: &str = "Says what this skill does. Use when the reader should know when to use it: rewrite both sentences.";

pub(crate) fn run(global: &GlobalArgs, args: &NewArgs) -> Result<Outcome, CommandError> {
    let typed = match &args.name {
        Some(name) => name.clone(),
        None => ask::line("Name")?.ok_or_else(|| {
            CommandError::usage("a new skill needs a name").hint("skillful new pdf-forms")
        })?,
    };
    let id = name::skill_id(&typed).ok_or_else(|| {
        CommandError::usage(format_args!(
            "`{typed}` has no letter or digit to make a name of"
        ))
    })?;
    let description = match &args.description {
        Some(description) => Some(description.clone()),
        None => ask::line("What does it do, and when should it be used?")?,
    };
    let description = description
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty())
        .unwrap_or_else(|| DESCRIPTION.to_owned());
    let length = description.chars().count();
    if length > limits::DESCRIPTION_CHARS {
        return Err(CommandError::usage(format_args!(
            "the description has {length} characters; the standard allows {}",
            limits::DESCRIPTION_CHARS
        )));
    }
    let directory = parent(global, args).join(&*id);
    let path = directory.join("SKILL.md");
    make_directory(&directory)?;
    write::create(&path, skill_text(&id, &typed, &description).as_bytes())?;
    let mut out = stdout(global.color);
    if args.format.is_json() {
        print_json(&NewDocument::created(&id, &path))?;
    } else {
        let shown = printable(&path.to_string_lossy());
        writeln!(out, "{GOOD}created{GOOD:#} {BOLD}{id}{BOLD:#} in {shown}")?;
        writeln!(
            out,
            "Write its instructions there, then run `skillful check {}`.",
            printable(&directory.to_string_lossy())
        )?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

fn parent(global: &GlobalArgs, args: &NewArgs) -> PathBuf {
    args.parent
        .clone()
        .or_else(|| global.root.first().cloned())
        .unwrap_or_default()
}

/// Makes the skill's directory, which must not exist: a skill that is there is never touched.
fn make_directory(directory: &std::path::Path) -> Result<(), CommandError> {
    let failed = |error: io::Error| {
        CommandError::failed(format_args!(
            "{} could not be made: {error}",
            directory.display()
        ))
    };
    let parent = directory.parent();
    if let Some(parent) = parent.filter(|parent| !parent.as_os_str().is_empty()) {
        fs::create_dir_all(parent).map_err(failed)?;
    }
    fs::create_dir(directory).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            CommandError::failed(format_args!("{} exists already", directory.display()))
                .hint("choose another name, or edit the skill that is there")
        }
        _ => failed(error),
    })
}

fn skill_text(id: &str, title: &str, description: &str) -> String {
    let description = quote::yaml_line(description);
    let title = title.trim().replace(['\n', '\r'], " ");
    format!(
        "---\nname: {name}\ndescription: {description}\n---\n\n# {title}\n\nSay here what to do, step by step.\n",
        name = quote::yaml_line(id)
    )
}
