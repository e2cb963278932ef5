//! Registries that speak ClawHub's protocol, version 1.

use std::io::{Read, Seek};

use serde::Deserialize;

use super::{FetchError, Fetched, Job, Kind, web};
use crate::http::{Client, leads_inside};
use crate::source::{
    Address, Commit, GitSource, HubSource, Place, Reference, Source, SubPath, Surroundings,
};

/// `/.well-known/clawhub.json`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Discovery {
    api_base: Option<String>,
}

/// `GET skills/{slug}`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct About {
    latest_version: Option<Version>,
    owner: Option<Owner>,
}

#[derive(Deserialize)]
struct Version {
    version: Option<String>,
}

#[derive(Deserialize)]
struct Owner {
    handle: Option<String>,
}

/// What `GET download` answers in place of an archive for a skill that is kept in a repository.
#[derive(Deserialize)]
struct HandOff {
    repo: String,
    commit: String,
    path: Option<String>,
}

impl Kind for HubSource {
    fn fetch(&self, job: &Job<'_>) -> Result<Fetched, FetchError> {
        let hub = job.settings.hub.as_ref().ok_or(FetchError::NoHub)?;
        job.during(&format!("fetching {} from {hub}", self.slug), || {
            fetch(job, self, hub)
        })
    }
}

fn fetch(job: &Job<'_>, source: &HubSource, hub: &Address) -> Result<Fetched, FetchError> {
    let web = job.web(hub)?;
    let api = discover(&web, hub)?;
    let slug = source.slug.as_str();
    let about = about(&web, &api, source, hub)?;
    let newest = about.latest_version.and_then(|version| version.version);
    let version = source
        .version
        .as_ref()
        .map(|version| version.as_str().to_owned());
    let version = version.or(newest);
    let mut query = vec![("slug", slug)];
    if let Some(version) = &version {
        // A tag such as `latest` has no digit at its beginning.
        let is_version = version.starts_with(|c: char| c.is_ascii_digit());
        query.push((if is_version { "version" } else { "tag" }, version));
    }
    let address = api.with_path(&below(&api, "download")).with_query(&query);
    let mut file = web::scratch(job, "download")?;
    let received = web
        .download(&address, job.settings.download_bytes, &mut file)
        .map_err(|error| of_status(error, source, hub))?;
    let mut head = [0; 1];
    file.rewind()?;
    let length = file.read(&mut head)?;
    if length == 1 && head[0] == b'{' {
        return hand_off(job, source, hub, &mut file, version);
    }
    let (directory, tree) = job.tree(slug)?;
    let mut fetched = web::fetched(directory, Source::Hub(source.clone()), hub);
    fetched.resolution.artifact = Some(received.sha256);
    fetched.resolution.etag = received.etag;
    fetched.resolution.version = version;
    web::unpack_into(&mut fetched, file, &tree, address.as_str())?;
    Ok(fetched)
}

/// Where the routes begin. A registry without the document has them at its own address.
fn discover(web: &Client<'_>, hub: &Address) -> Result<Address, FetchError> {
    let place = hub.with_path("/.well-known/clawhub.json");
    match web.get(&place) {
        Ok((bytes, received)) => match serde_json::from_slice::<Discovery>(&bytes) {
            Ok(Discovery {
                api_base: Some(base),
            }) => web.join(&received.address, &base),
            _ => Ok(hub.clone()),
        },
        Err(FetchError::Status {
            status: 400..=499, ..
        }) => Ok(hub.clone()),
        Err(error) => Err(error),
    }
}

/// A route below the registry's address, which may hold `api/v1` already.
fn below(api: &Address, route: &str) -> String {
    let base = api.path().trim_end_matches('/');
    let base = base.strip_suffix("/api/v1").unwrap_or(base);
    format!("{base}/api/v1/{route}")
}

fn about(
    web: &Client<'_>,
    api: &Address,
    source: &HubSource,
    hub: &Address,
) -> Result<About, FetchError> {
    let route = format!("skills/{}", source.slug);
    let address = api.with_path(&below(api, &route));
    let (bytes, _) = web
        .get(&address)
        .map_err(|error| of_status(error, source, hub))?;
    let about: About = serde_json::from_slice(&bytes).map_err(|error| FetchError::Document {
        url: address.to_string(),
        reason: error.to_string(),
    })?;
    let published_by = about
        .owner
        .as_ref()
        .and_then(|owner| owner.handle.as_deref());
    if let (Some(owner), Some(handle)) = (&source.owner, published_by)
        && !handle
            .trim_start_matches('@')
            .eq_ignore_ascii_case(owner.as_str())
    {
        return Err(not_there(source, hub));
    }
    Ok(about)
}

fn of_status(error: FetchError, source: &HubSource, hub: &Address) -> FetchError {
    match error {
        FetchError::Status { status: 410, .. } => FetchError::Removed(source.slug.to_string()),
        FetchError::Status { status: 404, .. } => not_there(source, hub),
        other => other,
    }
}

fn not_there(source: &HubSource, hub: &Address) -> FetchError {
    let owner = source.owner.as_ref().map(|owner| format!("@{owner}/"));
    FetchError::NotOnHub {
        hub: hub.to_string(),
        slug: format!("{}{}", owner.unwrap_or_default(), source.slug),
    }
}

/// A skill that is kept in a repository: the commit is fetched from there.
fn hand_off(
    job: &Job<'_>,
    source: &HubSource,
    hub: &Address,
    file: &mut (impl Read + Seek),
    version: Option<String>,
) -> Result<Fetched, FetchError> {
    let wrong = |reason: String| FetchError::Document {
        url: hub.to_string(),
        reason,
    };
    file.rewind()?;
    let mut text = String::new();
    file.take(64 * 1024).read_to_string(&mut text)?;
    let hand_off: HandOff =
        serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    let repository = repository(&hand_off.repo, hub.host(), job).map_err(&wrong)?;
    let commit = Commit::parse(&hand_off.commit)
        .ok_or_else(|| wrong("it names a repository without a whole commit".to_owned()))?;
    let path = match hand_off.path.as_deref().map(|path| path.trim_matches('/')) {
        None | Some("" | ".") => None,
        Some(path) => Some(SubPath::parse(path).map_err(|fault| wrong(fault.to_string()))?),
    };
    let git = GitSource {
        place: Place::Known {
            reference: Some(Reference::Commit(commit)),
            path,
        },
        ..repository
    };
    let mut fetched = git.fetch(job)?;
    fetched.source = Source::Hub(source.clone());
    fetched.resolution.version = version;
    Ok(fetched)
}

/// A repository that a foreign document names: on the web, and nowhere on this machine or in a private network, unless
/// the document is from there as well.
pub(super) fn repository(
    text: &str,
    from: Option<&str>,
    job: &Job<'_>,
) -> Result<GitSource, String> {
    let surroundings = Surroundings {
        home: None,
        working_directory: "/".into(),
        permission: job.settings.permission,
    };
    let source = match Source::parse(text, &surroundings).map_err(|error| error.to_string())? {
        Source::Git(source) => source,
        Source::Site(site) => site.as_repository().map_err(|fault| fault.to_string())?,
        other => return Err(format!("`{other}` is no repository on the web")),
    };
    match (from, source.repository.host()) {
        (_, None) => Err(format!("`{source}` is no repository on the web")),
        (Some(from), Some(to)) if leads_inside(from, to) => {
            Err(format!("`{source}` lies in a private network"))
        }
        _ => Ok(source),
    }
}
