//! `skillful create`, `edit`, `patch`, `rename`, `write-file`, `remove-file` and `delete`.

use std::io::Write;

use skillful::contract::AuthoredDocument;
use skillful_manage::author::{AuthorError, Done, NewSkill, Outcome as DoneOutcome};

use crate::args::{
    CreateArgs, DeleteArgs, EditArgs, FormatArgs, GlobalArgs, PatchArgs, RemoveFileArgs,
    RenameArgs, WriteFileArgs,
};
use crate::authoring::{Desk, place, read_named, read_text};
use crate::error::{CommandError, Outcome};
use crate::terminal::{BOLD, DIM, GOOD, print_json, printable, stdout, warn};

pub(crate) fn create(global: &GlobalArgs, args: &CreateArgs) -> Result<Outcome, CommandError> {
    let body = match &args.body_file {
        Some(file) => Some(read_text(file)?),
        None => args.body.clone(),
    };
    let desk = Desk::gather(global)?;
    let new = NewSkill {
        name: args.name.clone(),
        description: args.description.clone(),
        body,
        place: place(args.owner),
    };
    let done = desk.author_of(&args.write).create(&new);
    tell(global, &desk, args.write.format, &args.name, done)
}

pub(crate) fn edit(global: &GlobalArgs, args: &EditArgs) -> Result<Outcome, CommandError> {
    let text = read_named(&args.file)?;
    let desk = Desk::gather(global)?;
    let subject = &args.subject;
    let done = desk
        .author_of(&subject.write)
        .edit(&desk.target(subject), &text);
    tell(global, &desk, subject.write.format, &subject.id, done)
}

pub(crate) fn patch(global: &GlobalArgs, args: &PatchArgs) -> Result<Outcome, CommandError> {
    let desk = Desk::gather(global)?;
    let subject = &args.subject;
    let file = args.file.as_deref();
    let author = desk.author_of(&subject.write);
    let done = author.patch(&desk.target(subject), file, &args.find, &args.replace);
    tell(global, &desk, subject.write.format, &subject.id, done)
}

pub(crate) fn rename(global: &GlobalArgs, args: &RenameArgs) -> Result<Outcome, CommandError> {
    let desk = Desk::gather(global)?;
    let subject = &args.subject;
    let author = desk.author_of(&subject.write);
    let done = author.rename(&desk.target(subject), &args.name);
    tell(global, &desk, subject.write.format, &subject.id, done)
}

pub(crate) fn write_file(
    global: &GlobalArgs,
    args: &WriteFileArgs,
) -> Result<Outcome, CommandError> {
    let content = read_named(&args.file)?;
    let desk = Desk::gather(global)?;
    let subject = &args.subject;
    let executable = args.executable.then_some(true);
    let author = desk.author_of(&subject.write);
    let done = author.write_file(&desk.target(subject), &args.path, &content, executable);
    tell(global, &desk, subject.write.format, &subject.id, done)
}

pub(crate) fn remove_file(
    global: &GlobalArgs,
    args: &RemoveFileArgs,
) -> Result<Outcome, CommandError> {
    let desk = Desk::gather(global)?;
    let subject = &args.subject;
    let author = desk.author_of(&subject.write);
    let done = author.remove_file(&desk.target(subject), &args.path);
    tell(global, &desk, subject.write.format, &subject.id, done)
}

pub(crate) fn delete(global: &GlobalArgs, args: &DeleteArgs) -> Result<Outcome, CommandError> {
    let desk = Desk::gather(global)?;
    let subject = &args.subject;
    let author = desk.author_of(&subject.write);
    let done = author.delete(&desk.target(subject), args.everything);
    tell(global, &desk, subject.write.format, &subject.id, done)
}

/// Tells what a verb did, or why it did nothing. With JSON that is a document as well.
fn tell(
    global: &GlobalArgs,
    desk: &Desk,
    format: FormatArgs,
    typed: &str,
    done: Result<Done, AuthorError>,
) -> Result<Outcome, CommandError> {
    let done = match done {
        Ok(done) => done,
        Err(error) => {
            if format.is_json() {
                print_json(&refusal(typed, &error))?;
            }
            return Err(desk.refused(&error));
        }
    };
    if format.is_json() {
        print_json(&AuthoredDocument::from(&done))?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    let id = printable(&done.id);
    let path = printable(&desk.world.shown(&done.path));
    let outcome = done.outcome;
    match outcome {
        DoneOutcome::Unchanged => {
            writeln!(
                out,
                "{BOLD}{id}{BOLD:#} {DIM}is so already, in {path}{DIM:#}"
            )?;
        }
        DoneOutcome::Deleted => {
            writeln!(
                out,
                "{GOOD}{outcome}{GOOD:#} {BOLD}{id}{BOLD:#}; `skillful undo` brings it back"
            )?;
        }
        _ => writeln!(
            out,
            "{GOOD}{outcome}{GOOD:#} {BOLD}{id}{BOLD:#} {DIM}in {path}{DIM:#}"
        )?,
    }
    out.flush()?;
    for remark in &done.remarks {
        warn(&desk.world.with_short_home(&remark.to_string()));
    }
    Ok(Outcome::Fine)
}

/// The document of a refusal.
pub(crate) fn refusal<'a>(typed: &'a str, error: &'a AuthorError) -> AuthoredDocument<'a> {
    let mut document = AuthoredDocument::new("refused", Some(typed), None);
    document.reason = Some(error.code());
    document.message = Some(error.to_string());
    document.digest = error.gated().and_then(|gated| gated.digest.as_deref());
    document
}
