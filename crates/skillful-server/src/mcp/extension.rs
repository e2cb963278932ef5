//! The Skills extension, `io.modelcontextprotocol/skills` (SEP-2640, final): each skill as one entry with its frontmatter
//! and the digest of each of its files, which a host checks against what it reads.
//!
//! An entry is made of the files as they are at that moment: the frontmatter is that of the very bytes whose digest stands
//! beside it, and where somebody changes a file meanwhile all of them are read again. Nothing is kept between two
//! requests, so that an entry is never older than the files that `resources/read` gives.
//!
//! A host compares the frontmatter with what it reads of the file itself, with any reader of YAML, and the name with the
//! address. So an entry is given only where all readers agree: see [`Unlisted`]. Such a skill is still there by its tools,
//! its prompt and its resources. `skills/list` leaves out what the catalog leaves out, too; `skills/get` does not.

use rmcp::model::{
    CacheScope, GetSkillResult, ListSkillsResult, Skill as Entry, SkillFrontmatter, SkillResource,
    SkillResources,
};
use serde_json::{Map, Number, Value as Json};
use skillful::bundle::{self, Bundle};
use skillful::{Range, Skill, SkillSystem};
use skillmd::{Document, Language, Node, Resolved, Scalar, Value};

use super::page::{Cursor, after};
use super::resources::{files, ready};
use super::uri::{self, Address, SKILL_MD};
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use crate::limits;

/// Why a skill that is ready has no entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum Unlisted {
    #[error("its frontmatter is TOML, which hosts do not read")]
    Toml,
    #[error("its frontmatter is no YAML that every reader takes; `skillful fix {0}` mends that")]
    Unsound(String),
    #[error("its frontmatter has no {0}, which the standard demands")]
    Missing(&'static str),
    #[error("{0}")]
    Invalid(String),
    #[error("it has files that are not handed over whole: {0}")]
    Unreadable(String),
    #[error("its files changed while they were read; ask again")]
    Changing,
}

/// One page of the skills that a model may choose from.
pub(super) fn list(engine: &Engine, cursor: &Cursor) -> Result<ListSkillsResult, Failure> {
    let system = engine.system()?;
    let snapshot = system.snapshot();
    let agent = snapshot.setup().agent(engine.agent());
    let offered = snapshot
        .ready()
        .filter(|skill| cursor.is_before(&skill.id) && agent.hidden(skill).is_none());
    let mut offered = offered.peekable();
    let (mut entries, mut bytes, mut next) = (Vec::new(), 0, None);
    while let Some(skill) = offered.next() {
        match listed(system, skill) {
            Ok(Some(entry)) => {
                bytes += entry.bytes;
                entries.push(entry.entry);
            }
            Ok(None) => {
                tracing::debug!(
                    id = skill.id,
                    "over the limits of the extension, not listed"
                );
            }
            Err(reason) => tracing::debug!(id = skill.id, %reason, "not listed"),
        }
        let is_full =
            entries.len() >= limits::MCP_SKILLS_PAGE || bytes >= limits::MCP_SKILLS_PAGE_BYTES;
        if is_full && offered.peek().is_some() {
            next = Some(after(&skill.id));
            break;
        }
    }
    let mut result = ListSkillsResult::with_all_items(entries);
    result.next_cursor = next;
    result.ttl_ms = Some(limits::MCP_TTL_MS);
    result.cache_scope = Some(CacheScope::Private);
    Ok(result)
}

/// One skill, be it listed or not.
pub(super) fn get(engine: &Engine, uri: &str) -> Result<GetSkillResult, Failure> {
    let address = Address::parse(uri).filter(|address| address.path == SKILL_MD);
    let id = address.map(|address| address.id).ok_or_else(|| {
        let message = format!("no skill is served at {uri}");
        Failure::new(FailureKind::Invalid, message)
    })?;
    let system = engine.system()?;
    let snapshot = system.snapshot();
    ready(&snapshot, &id).map_err(|failure| Failure {
        kind: FailureKind::Invalid,
        ..failure
    })?;
    let read = read(system, &id).map_err(|reason| {
        let kind = match reason {
            Unlisted::Changing => FailureKind::Unavailable,
            _ => FailureKind::Invalid,
        };
        Failure::new(
            kind,
            format!("`{id}` is no skill of the extension: {reason}"),
        )
    })?;
    Ok(GetSkillResult::new(read.entry)
        .with_ttl_ms(0)
        .with_cache_scope(CacheScope::Private))
}

/// An entry and the bytes that were read for it.
struct Read {
    entry: Entry,
    bytes: u64,
}

/// The entry of a skill; nothing for one over the limits that a host must support.
fn listed(system: &SkillSystem, skill: &Skill) -> Result<Option<Read>, Unlisted> {
    let bundle = Bundle::of(skill);
    let count = files(&bundle).count() + 1;
    let bytes: u64 = files(&bundle).map(|(_, size)| size).sum();
    let bytes = bytes.saturating_add(skill.bytes as u64);
    if bundle.truncated || count > limits::MCP_SKILL_FILES || bytes > limits::MCP_SKILL_BYTES {
        return Ok(None);
    }
    read(system, &skill.id).map(Some)
}

fn read(system: &SkillSystem, id: &str) -> Result<Read, Unlisted> {
    for _ in 0..limits::MCP_SKILL_LOOKS {
        if let Some(read) = look(system, id)? {
            return Ok(read);
        }
    }
    Err(Unlisted::Changing)
}

/// Reads all files once; nothing when they changed meanwhile.
fn look(system: &SkillSystem, id: &str) -> Result<Option<Read>, Unlisted> {
    let snapshot = system.looked_at(id).map_err(unreadable)?;
    let skill = ready(&snapshot, id).map_err(unreadable)?;
    let own = bundle::read_own_file(skill).map_err(unreadable)?;
    let own = own.content.as_bytes();
    let document = skillmd::parse(own.to_vec()).map_err(unreadable)?;
    let frontmatter = frontmatter(id, &document)?;

    let listing = Bundle::of(skill);
    if listing.truncated {
        return Err(Unlisted::Unreadable(
            "there are more than one skill may have".to_owned(),
        ));
    }
    let uri = uri::skill_md(id);
    let mut resources = vec![SkillResource::from_bytes(&*uri, own)];
    for (path, _) in files(&listing) {
        let Ok(file) = bundle::read_file(skill, path, Range::Whole) else {
            // It is gone, or it is over a limit for good.
            if Bundle::of(skill) == listing {
                return Err(Unlisted::Unreadable(format!("`{path}` cannot be read")));
            }
            return Ok(None);
        };
        let uri = Address::new(id, path).uri();
        resources.push(SkillResource::from_bytes(uri, file.content.as_bytes()));
    }
    let same = bundle::read_own_file(skill).is_ok_and(|again| again.content.as_bytes() == own)
        && Bundle::of(skill).resources == listing.resources;
    if !same {
        return Ok(None);
    }
    let bytes = resources.iter().map(|resource| resource.size).sum();
    let entry = Entry::new(uri, frontmatter, SkillResources::Files(resources));
    match entry.validate() {
        Ok(()) => Ok(Some(Read { entry, bytes })),
        Err(error) => Err(Unlisted::Invalid(error.to_string())),
    }
}

fn unreadable(error: impl std::fmt::Display) -> Unlisted {
    Unlisted::Unreadable(error.to_string())
}

/// The frontmatter as any reader of YAML 1.2 has it.
fn frontmatter(id: &str, document: &Document) -> Result<SkillFrontmatter, Unlisted> {
    let written = document.frontmatter();
    if written.is_some_and(|it| it.language == Language::Toml) {
        return Err(Unlisted::Toml);
    }
    let entries = document.entries();
    let is_sound = written.is_some_and(|it| it.closer.is_some())
        && entries.iter().all(|it| !it.recovered && !it.duplicate);
    if !is_sound {
        return Err(Unlisted::Unsound(id.to_owned()));
    }
    let mut fields: Map<String, Json> = entries
        .iter()
        .map(|entry| (entry.key.clone(), node(&entry.value)))
        .collect();
    let mut text = |key: &'static str| match fields.shift_remove(key) {
        Some(Json::String(text)) if !text.trim().is_empty() => Ok(text),
        _ => Err(Unlisted::Missing(key)),
    };
    let mut frontmatter = SkillFrontmatter::new(text("name")?, text("description")?);
    frontmatter.extra = fields;
    Ok(frontmatter)
}

fn node(node: &Node) -> Json {
    match &node.value {
        Value::Scalar(it) => scalar(it),
        Value::Sequence(items) => items.iter().map(self::node).collect(),
        Value::Mapping(pairs) => {
            let pairs = pairs.iter();
            Json::Object(
                pairs
                    .map(|it| (it.key.clone(), self::node(&it.value)))
                    .collect(),
            )
        }
    }
}

fn scalar(scalar: &Scalar) -> Json {
    match scalar.resolve() {
        Resolved::Null => Json::Null,
        Resolved::Bool(value) => Json::Bool(value),
        Resolved::Integer(value) => value.into(),
        // What is no number in JSON stays the text that was written.
        Resolved::Float(value) => {
            Number::from_f64(value).map_or_else(|| Json::String(scalar.text.clone()), Json::Number)
        }
        Resolved::Text(text) => Json::String(text.to_owned()),
    }
}
