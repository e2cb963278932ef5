//! `skillful convert`: a frontmatter in another language, or in the strict publishing form.

use std::io::Write;
use std::path::{Path, PathBuf};

use skillful::contract::ConvertDocument;
use skillful::discover::Form;
use skillmd::convert::{Conversion, Note, convert};
use skillmd::publish::publish;
use skillmd::{Document, Language};

use crate::args::{ConvertArgs, ConvertTarget, GlobalArgs};
use crate::error::{CommandError, Outcome};
use crate::input;
use crate::terminal::{GOOD, print_json, print_raw, printable, stdout, warn};
use crate::write;

pub(crate) fn run(global: &GlobalArgs, args: &ConvertArgs) -> Result<Outcome, CommandError> {
    let (source, document) = read(&args.path)?;
    if document.frontmatter().is_none() {
        return Err(CommandError::failed(format_args!(
            "{} has no frontmatter to convert",
            args.path.display()
        ))
        .hint("`skillful check` says where it looked"));
    }
    let conversion = match args.to {
        ConvertTarget::Yaml => convert(&document, Language::Yaml),
        ConvertTarget::Toml => convert(&document, Language::Toml),
        ConvertTarget::Publish => publish(&document),
    };
    if conversion.notes.contains(&Note::Unreadable) {
        return Err(CommandError::failed(Note::Unreadable)
            .hint("`skillful check` says which lines; `skillful fix` may mend them"));
    }
    let written = target(args, source.as_deref())?;
    if let Some(path) = &written {
        let bytes = conversion.text.as_bytes();
        if args.write {
            write::replace(path, bytes)?;
        } else {
            write::create(path, bytes)?;
        }
    }
    report(global, args, &conversion, written.as_deref())?;
    Ok(Outcome::Fine)
}

fn read(path: &Path) -> Result<(Option<PathBuf>, Document), CommandError> {
    if path == Path::new("-") {
        return Ok((None, input::stdin_document()?));
    }
    let candidate = input::one_candidate(path)?;
    let source = candidate.path.clone();
    let (form, document) = input::document(candidate)
        .map_err(|reason| CommandError::failed(format_args!("{}: {reason}", source.display())))?;
    let is_file = !matches!(form, Form::Archive { .. });
    Ok((is_file.then_some(source), document))
}

fn target(args: &ConvertArgs, source: Option<&Path>) -> Result<Option<PathBuf>, CommandError> {
    match (args.write, source) {
        (true, None) => Err(CommandError::usage("this input cannot be changed in place")
            .hint("leave out --write to print the result")),
        (true, Some(source)) => Ok(Some(source.to_owned())),
        (false, _) => Ok(args.output.clone()),
    }
}

fn report(
    global: &GlobalArgs,
    args: &ConvertArgs,
    conversion: &Conversion,
    written: Option<&Path>,
) -> Result<(), CommandError> {
    if args.format.is_json() {
        print_json(&ConvertDocument::new(conversion, written))?;
        return Ok(());
    }
    match written {
        Some(path) => {
            let mut out = stdout(global.color);
            let path = printable(&path.to_string_lossy());
            writeln!(out, "{GOOD}wrote{GOOD:#} {path}")?;
            out.flush()?;
        }
        None => print_raw(&conversion.text)?,
    }
    for note in &conversion.notes {
        warn(&note.to_string());
    }
    Ok(())
}
