//! dotagents: `agents.lock` says what was resolved, `agents.toml` what was asked for. The user's lie in `~/.agents`; the
//! skills lie in `.agents/skills`.

use toml_edit::{Document, Item, TableLike};

use super::Tool;
use super::ground::Ground;
use super::origin::{self, Origin};
use super::record::{Place, Record, Told};
use crate::install::Files;

pub(super) fn read(ground: &Ground, files: &Files, told: &mut Told) {
    let directory = if ground.is_user {
        ground.top.join(".agents")
    } else {
        ground.top.clone()
    };
    let Some(lock) = table(told, &directory.join("agents.lock")) else {
        return;
    };
    let manifest = table(told, &directory.join("agents.toml"));
    let Some(skills) = lock.get("skills").and_then(Item::as_table_like) else {
        return;
    };
    for (name, entry) in skills.iter() {
        let Some(entry) = entry.as_table_like() else {
            continue;
        };
        let asked = manifest.as_ref().and_then(|it| asked_reference(it, name));
        told.records.push(Record {
            tool: Tool::DotAgents,
            name: name.to_owned(),
            place: Place::Named(name.to_owned()),
            origin: origin_of(files, name, entry, asked.as_deref()),
        });
    }
}

fn table(told: &mut Told, path: &std::path::Path) -> Option<Document<String>> {
    let text = told.text(path)?;
    match Document::parse(text) {
        Ok(document) => Some(document),
        Err(error) => {
            told.fault(path, error);
            None
        }
    }
}

fn text<'t>(table: &'t dyn TableLike, name: &str) -> Option<&'t str> {
    table.get(name)?.as_str().filter(|text| !text.is_empty())
}

/// The branch, tag or commit that the manifest asks for: a member of its own, or at the end of the source.
fn asked_reference(manifest: &Document<String>, name: &str) -> Option<String> {
    let skills = manifest.get("skills")?;
    let of_entry = |entry: &dyn TableLike| {
        let source = text(entry, "source").and_then(|source| source.rsplit_once('@'));
        let in_source = source
            .filter(|(before, _)| !before.contains(':'))
            .map(|(_, reference)| reference);
        text(entry, "ref").or(in_source).map(str::to_owned)
    };
    if let Some(list) = skills.as_array_of_tables() {
        let entry = list.iter().find(|it| text(*it, "name") == Some(name))?;
        return of_entry(entry);
    }
    of_entry(skills.as_table_like()?.get(name)?.as_table_like()?)
}

fn origin_of(
    files: &Files,
    name: &str,
    entry: &dyn TableLike,
    asked: Option<&str>,
) -> Result<Origin, String> {
    let source = text(entry, "source");
    if let Some(path) = source.and_then(|source| source.strip_prefix("path:")) {
        return origin::of_text(files, path);
    }
    let repository = text(entry, "resolved_url").or(source);
    let repository = repository.ok_or("it names no repository")?;
    let told = origin::Told {
        repository: repository.trim_start_matches("git:"),
        path: text(entry, "resolved_path"),
        // What was resolved is a branch even where none was asked for; only what was asked for is followed.
        reference: asked,
        commit: text(entry, "resolved_commit").or_else(|| text(entry, "commit")),
        ..origin::Told::default()
    };
    origin::in_repository(files, name, &told)
}
