//! From a lock to its text: the same lock gives the same bytes, a file is a line, an unknown member comes last.

use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value, value};

use super::{Lock, LockedFile, LockedSkill, LockedTarget, VERSION};

const HEAD: &str = "# Written by `skillful`; keep it under version control. `skillful install` restores what it names.\n";

impl Lock {
    /// The text of the file.
    pub(crate) fn to_text(&self) -> String {
        let mut document = DocumentMut::new();
        document.insert("version", value(VERSION));
        if let Some(mut key) = document.key_mut("version") {
            key.leaf_decor_mut().set_prefix(HEAD);
        }
        let mut skills = ArrayOfTables::new();
        for skill in self.skills.values() {
            skills.push(table(skill));
        }
        let mut other = self.other.clone();
        other.sort_by(|(a, _), (b, _)| a.cmp(b));
        // In TOML plain members of the file must stand before its tables.
        other.sort_by_key(|(_, item)| !item.is_value());
        for (name, item) in other.iter().filter(|(_, item)| item.is_value()) {
            document.insert(name, item.clone());
        }
        if !skills.is_empty() {
            document.insert("skill", Item::ArrayOfTables(skills));
        }
        for (name, item) in other.into_iter().filter(|(_, item)| !item.is_value()) {
            document.insert(&name, unplaced(item));
        }
        document.to_string()
    }
}

/// An item that forgets where in its old file it stood.
fn unplaced(mut item: Item) -> Item {
    if let Item::Table(table) = &mut item {
        table.set_position(None);
    }
    item
}

fn table(skill: &LockedSkill) -> Table {
    let mut table = Table::new();
    let resolved = &skill.resolved;
    let path = Some(&resolved.path).filter(|path| !path.is_empty());
    let members = [
        ("id", Some(&skill.id)),
        ("source", Some(&skill.source)),
        ("address", Some(&resolved.address)),
        ("path", path),
        ("version", resolved.version.as_ref()),
        ("commit", resolved.commit.as_ref()),
        ("tree", resolved.tree.as_ref()),
        ("artifact", resolved.artifact.as_ref()),
        ("etag", resolved.etag.as_ref()),
        ("digest", Some(&skill.digest)),
        ("license", skill.license.as_ref()),
        ("verdict", skill.verdict.as_ref()),
    ];
    for (name, text) in members {
        if let Some(text) = text {
            table.insert(name, value(text));
        }
    }
    table.insert("targets", lines(skill.targets.iter().map(target)));
    table.insert("files", lines(skill.files.iter().map(file)));
    let mut other = skill.other.clone();
    other.sort_by(|(a, _), (b, _)| a.cmp(b));
    for (name, item) in other {
        table.insert(&name, unplaced(item));
    }
    table
}

fn target(target: &LockedTarget) -> InlineTable {
    let mut table = InlineTable::new();
    table.insert("path", target.path.as_str().into());
    if let Some(client) = &target.client {
        table.insert("client", client.as_str().into());
    }
    table.insert("method", target.method.as_str().into());
    table
}

fn file(file: &LockedFile) -> InlineTable {
    let mut table = InlineTable::new();
    table.insert("path", file.path.as_str().into());
    // A file of more bytes than this number holds cannot be placed.
    table.insert("size", i64::try_from(file.size).unwrap_or(i64::MAX).into());
    table.insert("sha256", file.sha256.as_str().into());
    if file.executable {
        table.insert("executable", true.into());
    }
    table
}

/// A list with one entry on each line.
fn lines(entries: impl Iterator<Item = InlineTable>) -> Item {
    let mut array = Array::new();
    for entry in entries {
        let mut entry = Value::InlineTable(entry);
        entry.decor_mut().set_prefix("\n  ");
        array.push_formatted(entry);
    }
    if !array.is_empty() {
        array.set_trailing("\n");
        array.set_trailing_comma(true);
    }
    Item::Value(Value::Array(array))
}
