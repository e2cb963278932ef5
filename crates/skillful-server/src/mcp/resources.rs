//! Skills as resources: `skill://…/SKILL.md` and the files beside it, byte for byte as they are on disk.
//!
//! Only what is ready is there: a skill that is withheld, switched off or put away has no resource, and reading one says
//! why. Reading does not activate: no placeholder is filled in, no command is run.

use std::collections::BTreeMap;

use rmcp::ErrorData;
use rmcp::model::{
    CacheScope, DIRECTORY_MIME_TYPE, ListResourceTemplatesResult, ListResourcesResult,
    ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
};
use skillful::bundle::{Bundle, Content, FileContent, ResourcePath};
use skillful::refusal::check_state;
use skillful::{Range, Skill, Snapshot};

use super::page::{Cursor, page};
use super::uri::{self, Address, SKILL_MD};
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use crate::limits;

/// The SKILL.md of every ready skill.
pub(super) fn list(engine: &Engine, cursor: &Cursor) -> Result<ListResourcesResult, Failure> {
    let snapshot = engine.snapshot()?;
    let skills = snapshot.ready().map(|skill| (skill.id.clone(), skill));
    let (skills, next) = page(skills, cursor, limits::MCP_PAGE_ENTRIES);
    let resources = skills.into_iter().map(|skill| of_skill(skill)).collect();
    Ok(with_hints(resources, next))
}

/// The one way to build the address of any file.
pub(super) fn templates() -> ListResourceTemplatesResult {
    let file = ResourceTemplate::new("skill://{+skill}/{+path}", "skill-file")
        .with_title("A file of a skill")
        .with_description(
            "SKILL.md or any other file of a skill. `skill` is the skill's id; of a plugin's skill `plugin.PLUGIN/NAME`.",
        );
    let mut result = ListResourceTemplatesResult::with_all_items(vec![file]);
    result.ttl_ms = Some(limits::MCP_TTL_MS);
    result.cache_scope = Some(CacheScope::Private);
    result
}

/// A file.
pub(super) fn read(engine: &Engine, uri: &str) -> Result<ReadResourceResult, Failure> {
    let address = address(uri)?;
    let system = engine.system()?;
    ready(&system.snapshot(), &address.id)?;
    let file = if address.path == SKILL_MD {
        system.read_own_file(&address.id)?
    } else {
        system.read_file(&address.id, &address.path, Range::Whole)?
    };
    let mut result = ReadResourceResult::new(vec![contents(uri, &file)]);
    result.ttl_ms = Some(0);
    result.cache_scope = Some(CacheScope::Private);
    Ok(result)
}

/// The files and directories in a directory of a skill.
pub(super) fn directory(
    engine: &Engine,
    uri: &str,
    cursor: &Cursor,
) -> Result<ListResourcesResult, Failure> {
    let address = address(uri)?;
    let snapshot = engine.snapshot()?;
    let skill = ready(&snapshot, &address.id)?;
    let mut children = children(skill, &address);
    if address.path.is_empty() {
        children.insert(SKILL_MD.to_owned(), of_skill(skill));
    }
    if children.is_empty() {
        let message = format!("{uri} is not a directory of a skill");
        return Err(Failure::new(FailureKind::NotFound, message));
    }
    let (resources, next) = page(children.into_iter(), cursor, limits::MCP_PAGE_ENTRIES);
    Ok(with_hints(resources, next))
}

/// The files that a skill hands over, without its own.
pub(super) fn files(bundle: &Bundle) -> impl Iterator<Item = (&str, u64)> {
    let files = bundle.resources.iter();
    files
        .filter(|file| is_served(&file.path))
        .map(|file| (&*file.path, file.size))
}

/// What may be asked for: what is hidden is not, nor is a second spelling of the skill's own file beside it.
fn is_served(path: &str) -> bool {
    ResourcePath::parse(path).is_ok() && !path.eq_ignore_ascii_case(SKILL_MD)
}

fn address(uri: &str) -> Result<Address, Failure> {
    Address::parse(uri).ok_or_else(|| {
        Failure::new(FailureKind::NotFound, format!("there is no resource {uri}"))
            .hint("resources/list gives the addresses of all skills")
    })
}

/// The skill with this id, if it is handed out.
pub(super) fn ready<'s>(snapshot: &'s Snapshot, id: &str) -> Result<&'s Skill, Failure> {
    if let Some(skill) = snapshot.registry().get(id) {
        check_state(skill)?;
        return Ok(skill);
    }
    let message = format!("there is no skill `{id}`");
    let hint = "resources/list gives the addresses of all skills";
    Err(Failure::new(FailureKind::NotFound, message).hint(hint))
}

/// A skill's own file as a resource.
fn of_skill(skill: &Skill) -> Resource {
    Resource::new(uri::skill_md(&skill.id), &skill.name)
        .with_title(&skill.name)
        .with_description(&skill.description)
        .with_mime_type("text/markdown")
        .with_size(skill.bytes as u64)
}

/// The direct children of a directory by their names, without the skill's own file.
fn children(skill: &Skill, address: &Address) -> BTreeMap<String, Resource> {
    let bundle = Bundle::of(skill);
    let above = match &*address.path {
        "" => String::new(),
        path => format!("{path}/"),
    };
    let mut children = BTreeMap::new();
    for (path, size) in files(&bundle) {
        let Some(below) = path.strip_prefix(&above) else {
            continue;
        };
        let (name, is_directory) = match below.split_once('/') {
            Some((name, _)) => (name, true),
            None => (below, false),
        };
        let uri = Address::new(&skill.id, &format!("{above}{name}")).uri();
        let resource = Resource::new(uri, name);
        let resource = if is_directory {
            resource.with_mime_type(DIRECTORY_MIME_TYPE)
        } else {
            resource.with_mime_type(mime_type(name)).with_size(size)
        };
        children.insert(name.to_owned(), resource);
    }
    children
}

fn with_hints(resources: Vec<Resource>, next: Option<String>) -> ListResourcesResult {
    let mut result = ListResourcesResult::with_all_items(resources);
    result.next_cursor = next;
    result.ttl_ms = Some(limits::MCP_TTL_MS);
    result.cache_scope = Some(CacheScope::Private);
    result
}

/// The content of a file under the address that it was asked for with.
pub(super) fn contents(uri: &str, file: &FileContent) -> ResourceContents {
    let path = file.path.as_str();
    match &file.content {
        Content::Text(text) => {
            ResourceContents::text(text, uri).with_mime_type(match mime_type(path) {
                UNKNOWN => "text/plain",
                known => known,
            })
        }
        Content::Binary(_) => {
            ResourceContents::blob(file.content.to_base64(), uri).with_mime_type(mime_type(path))
        }
    }
}

const UNKNOWN: &str = "application/octet-stream";

/// The media type that a file's ending stands for.
pub(super) fn mime_type(path: &str) -> &'static str {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    match &*ending.to_ascii_lowercase() {
        "md" | "markdown" => "text/markdown",
        "txt" | "log" => "text/plain",
        "json" => "application/json",
        "yaml" | "yml" => "application/yaml",
        "toml" => "application/toml",
        "xml" | "xsd" | "xsl" => "application/xml",
        "html" | "htm" => "text/html",
        "css" => "text/css",
        "csv" => "text/csv",
        "js" | "mjs" | "cjs" => "text/javascript",
        "py" => "text/x-python",
        "sh" | "bash" => "application/x-sh",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "pdf" => "application/pdf",
        "zip" => "application/zip",
        "gz" | "tgz" => "application/gzip",
        "ttf" => "font/ttf",
        "woff2" => "font/woff2",
        "docx" => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx" => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "pptx" => "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        _ => UNKNOWN,
    }
}

/// That a client has subscribed to all it may.
pub(super) fn too_many_subscriptions() -> ErrorData {
    let message = format!(
        "a client may subscribe to {} resources; unsubscribe from one first",
        limits::MCP_SUBSCRIPTIONS
    );
    ErrorData::invalid_params(message, None)
}

/// Whether there is a resource that a client could subscribe to.
pub(super) fn exists(engine: &Engine, uri: &str) -> Result<(), Failure> {
    let address = address(uri)?;
    let snapshot = engine.snapshot()?;
    let skill = ready(&snapshot, &address.id)?;
    let bundle = Bundle::of(skill);
    let is_there = address.path == SKILL_MD || files(&bundle).any(|(path, _)| path == address.path);
    if is_there {
        return Ok(());
    }
    let message = format!("there is no resource {uri}");
    Err(Failure::new(FailureKind::NotFound, message))
}
