//! The order in which a text is read, and the forms that are no address and no shorthand.

use std::path::{Component, Path, PathBuf};

use super::part::{Selector, Slug};
use super::{
    Address, Fault, GitSource, HubSource, Marketplace, Permission, Place, PluginSource, Source,
    SourceError, Surroundings, WebSource, shorthand, web,
};
use crate::limits;
use crate::unpack::Reason;

/// What a text was taken for, and what is wrong with it.
pub(super) struct Wrong {
    pub(super) understood: &'static str,
    pub(super) fault: Fault,
    pub(super) near: Vec<String>,
}

impl Wrong {
    pub(super) fn new(understood: &'static str, fault: Fault) -> Self {
        Self {
            understood,
            fault,
            near: Vec::new(),
        }
    }

    pub(super) fn near(mut self, form: impl Into<String>) -> Self {
        self.near.push(form.into());
        self
    }
}

/// For `map_err`: what a part was understood as.
pub(super) fn in_a(understood: &'static str) -> impl Fn(Fault) -> Wrong {
    move |fault| Wrong::new(understood, fault)
}

pub(super) fn parse(text: &str, surroundings: &Surroundings) -> Result<Source, SourceError> {
    read(text, surroundings)
        .map_err(|wrong| SourceError::new(text, wrong.understood, wrong.fault, &wrong.near))
}

fn read(text: &str, surroundings: &Surroundings) -> Result<Source, Wrong> {
    if text.is_empty() {
        return Err(Wrong::new("", Fault::Empty)
            .near("owner/repo")
            .near("./directory"));
    }
    if text.len() > limits::SOURCE_BYTES {
        return Err(Wrong::new("", Fault::TooLong));
    }
    if text.chars().any(char::is_control) {
        return Err(Wrong::new("", Fault::Control));
    }
    if text.starts_with('-') {
        return Err(Wrong::new("", Fault::LeadingHyphen).near(format!("./{text}")));
    }
    if let Some(path) = local(text, surroundings)? {
        return Ok(Source::Local(path));
    }
    // Blanks may stand in paths of this machine, and nowhere else.
    if text.chars().any(char::is_whitespace) {
        return Err(Wrong::new("", Fault::Control).near(format!("./{}", text.trim())));
    }
    if text.contains('\\') {
        return Err(Wrong::new("", Fault::Path(Reason::Backslash)).near(format!("./{text}")));
    }
    if let Some((scheme, rest)) = scheme(text) {
        return with_scheme(scheme, rest, text, surroundings);
    }
    if let Some(rest) = text.strip_prefix('@') {
        return hub(text, rest);
    }
    if let Some((plugin, marketplace)) = plugin_form(text) {
        return self::plugin(plugin, marketplace, surroundings);
    }
    if let Some(source) = scp_like(text)? {
        return Ok(Source::Git(source));
    }
    shorthand::parse(text).map(Source::Git)
}

/// The prefixes behind which a name may begin with digits.
const PREFIXES: [&str; 7] = [
    "github",
    "gitlab",
    "bitbucket",
    "codeberg",
    "skills-sh",
    "hub",
    "clawhub",
];

fn begins_with_port(text: &str) -> bool {
    text.split_once('/')
        .is_some_and(|(port, _)| !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()))
}

/// The scheme or prefix before the first colon. One letter is a drive, a name with a dot is a host, and a colon that
/// stands behind a `/` or an `@` belongs to something else.
fn scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let is_scheme = scheme.len() > 1
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-'));
    // `localhost:8443/owner/repo`, but not `gitlab:8443/repo`.
    let is_host = !PREFIXES.contains(&&*scheme.to_ascii_lowercase()) && begins_with_port(rest);
    (is_scheme && !is_host).then_some((scheme, rest))
}

fn with_scheme(
    scheme: &str,
    rest: &str,
    text: &str,
    surroundings: &Surroundings,
) -> Result<Source, Wrong> {
    let permission = surroundings.permission;
    match &*scheme.to_ascii_lowercase() {
        "https" | "http" => web::parse(text, permission),
        "github" => shorthand::on_host("github.com", rest).map(Source::Git),
        "gitlab" => shorthand::on_host("gitlab.com", rest).map(Source::Git),
        "bitbucket" => shorthand::on_host("bitbucket.org", rest).map(Source::Git),
        "codeberg" => shorthand::on_host("codeberg.org", rest).map(Source::Git),
        "skills-sh" => shorthand::of_listing(rest).map(Source::Git),
        "ssh" | "git" => git_url(text, permission).map(Source::Git),
        "git+https" | "git+http" | "git+ssh" | "git+file" | "git+git" => {
            let url = text.get("git+".len()..).unwrap_or_default();
            git_url(url, permission).map(Source::Git)
        }
        "well-known" => well_known(rest, permission),
        "hub" | "clawhub" => hub(text, rest),
        "file" => file(rest, surroundings),
        "oci" | "docker" => Err(Wrong::new("an image of an OCI registry", Fault::NotYet)),
        "npm" | "pypi" => Err(Wrong::new("a package", Fault::Npm)),
        other => {
            let known = [
                "https",
                "github",
                "gitlab",
                "bitbucket",
                "codeberg",
                "hub",
                "file",
                "ssh",
                "git+https",
                "well-known",
            ];
            let nearest = known
                .into_iter()
                .filter(|known| strsim::damerau_levenshtein(known, other) <= 2)
                .min_by_key(|known| strsim::damerau_levenshtein(known, other));
            let wrong = Wrong::new("", Fault::Scheme(other.to_owned()));
            Err(match nearest {
                Some(nearest) => wrong.near(format!("{nearest}:{rest}")),
                None => wrong,
            })
        }
    }
}

/// A path of this machine, made absolute; nothing for other forms.
fn local(text: &str, surroundings: &Surroundings) -> Result<Option<PathBuf>, Wrong> {
    const LOCAL: &str = "a path of this machine";
    if let Some(rest) = text.strip_prefix('~') {
        let home = surroundings.home.as_ref();
        let home = home.ok_or_else(|| Wrong::new(LOCAL, Fault::NoHome))?;
        return match rest.strip_prefix(['/', '\\']) {
            Some(below) => Ok(Some(plain(&home.join(below.trim_start_matches('/'))))),
            None if rest.is_empty() => Ok(Some(plain(home))),
            None => Err(Wrong::new(LOCAL, Fault::OtherHome)),
        };
    }
    let bytes = text.as_bytes();
    let has_drive = bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.get(1) == Some(&b':')
        && matches!(bytes.get(2), Some(b'\\' | b'/') | None);
    if has_drive || text.starts_with('\\') {
        return if cfg!(windows) {
            Ok(Some(plain(&surroundings.working_directory.join(text))))
        } else {
            Err(Wrong::new("a path of Windows", Fault::WindowsPath))
        };
    }
    let is_local = matches!(text, "." | "..")
        || ["./", "../", ".\\", "..\\", "/"]
            .iter()
            .any(|start| text.starts_with(start));
    Ok(is_local.then(|| plain(&surroundings.working_directory.join(text))))
}

/// Without `.` and without a slash at the end. `..` stays: behind a link it means another place.
fn plain(path: &Path) -> PathBuf {
    path.components()
        .filter(|part| *part != Component::CurDir)
        .collect()
}

fn file(rest: &str, surroundings: &Surroundings) -> Result<Source, Wrong> {
    const FILE: &str = "a file of this machine";
    if !rest.starts_with("//") {
        let path = surroundings.working_directory.join(rest);
        return match local(&path.to_string_lossy(), surroundings)? {
            Some(path) if !rest.is_empty() => Ok(Source::Local(path)),
            _ => Err(Wrong::new(FILE, Fault::Empty)),
        };
    }
    let address =
        Address::parse(&format!("file:{rest}"), Permission::Encrypted).map_err(in_a(FILE))?;
    let path = address
        .url()
        .to_file_path()
        .map_err(|()| Wrong::new(FILE, Fault::Address("it has no path".to_owned())))?;
    if path
        .to_str()
        .is_none_or(|text| text.chars().any(char::is_control))
    {
        return Err(Wrong::new(FILE, Fault::Control));
    }
    Ok(Source::Local(plain(&path)))
}

fn hub(text: &str, rest: &str) -> Result<Source, Wrong> {
    const HUB: &str = "a skill of a hub";
    let rest = rest.strip_prefix('@').unwrap_or(rest);
    let (name, version) = match rest.split_once('@') {
        Some((name, version)) => (name, Some(version)),
        None => (rest, None),
    };
    let (owner, slug) = match name.split_once('/') {
        Some((owner, slug)) => (Some(owner), slug),
        None => (None, name),
    };
    // `@name` alone is more often a slip than a skill.
    if owner.is_none() && text.starts_with('@') {
        return Err(Wrong::new(HUB, Fault::Form)
            .near(format!("@owner/{slug}"))
            .near(format!("hub:{slug}")));
    }
    let slug_of = |text: &str| Slug::parse(text).map_err(in_a(HUB));
    Ok(Source::Hub(HubSource {
        owner: owner.map(slug_of).transpose()?,
        slug: slug_of(slug)?,
        version: version.map(slug_of).transpose()?,
    }))
}

/// `plugin@marketplace`: an `@` before any slash that does not part a user from a host.
fn plugin_form(text: &str) -> Option<(&str, &str)> {
    let (plugin, marketplace) = text.split_once('@')?;
    (!plugin.contains(['/', ':']) && !plugin.is_empty() && scp_parts(text).is_none())
        .then_some((plugin, marketplace))
}

fn plugin(plugin: &str, marketplace: &str, surroundings: &Surroundings) -> Result<Source, Wrong> {
    const PLUGIN: &str = "a plugin of a marketplace";
    // Else `git@gitlab:owner/repo` could be a plugin as well as a host.
    if plugin == "git" {
        return Err(
            Wrong::new("a repository by ssh", Fault::Form).near(format!("ssh://git@{marketplace}"))
        );
    }
    let plugin = Slug::parse(plugin).map_err(in_a(PLUGIN))?;
    let marketplace = match Slug::parse(marketplace) {
        Ok(name) => Marketplace::Named(name),
        Err(fault) if marketplace.is_empty() => return Err(Wrong::new(PLUGIN, fault)),
        Err(_) => match read(marketplace, surroundings)? {
            Source::Git(source) if source.skill.is_none() => {
                Marketplace::Repository(Box::new(source))
            }
            Source::Site(site) if site.skill.is_none() => {
                let source = site.as_repository().map_err(in_a(PLUGIN))?;
                Marketplace::Repository(Box::new(source))
            }
            _ => return Err(Wrong::new(PLUGIN, Fault::Form).near(format!("{plugin}@owner/repo"))),
        },
    };
    Ok(Source::Plugin(PluginSource {
        plugin,
        marketplace,
    }))
}

/// `user@host:path` and `host.name:path`, as `scp` writes places.
fn scp_parts(text: &str) -> Option<(&str, &str, &str)> {
    let (place, path) = text.split_once(':')?;
    if place.contains('/') || path.starts_with("//") || path.is_empty() {
        return None;
    }
    let (user, host) = place.split_once('@').unwrap_or(("", place));
    // `plugin@gitlab:owner/repo` names no host.
    let is_host = host.contains('.') || user == "git";
    (is_host && !host.is_empty() && !host.contains('@')).then_some((user, host, path))
}

fn scp_like(text: &str) -> Result<Option<GitSource>, Wrong> {
    let Some((user, host, path)) = scp_parts(text) else {
        return Ok(None);
    };
    if user.is_empty() && begins_with_port(path) {
        return Ok(None);
    }
    // Relative paths begin at the user's directory there; a host of repositories has none, and its user is `git`.
    let top = match path.strip_prefix('/') {
        Some(_) => "",
        None if matches!(user, "git" | "") => "/",
        None => "/~/",
    };
    let at = if user.is_empty() { "" } else { "@" };
    git_url(
        &format!("ssh://{user}{at}{host}{top}{path}"),
        Permission::Encrypted,
    )
    .map(Some)
}

/// `URL[//path][@skill][#ref]` of a repository anywhere.
pub(super) fn git_url(text: &str, permission: Permission) -> Result<GitSource, Wrong> {
    const GIT: &str = "a git repository by its address";
    let (text, reference) = shorthand::split_reference(text).map_err(in_a(GIT))?;
    let (text, skill) = shorthand::split_skill(text).map_err(in_a(GIT))?;
    let start = text.find("://").map_or(0, |at| at + "://".len());
    let after_host = text
        .get(start..)
        .and_then(|rest| rest.find('/'))
        .map_or(text.len(), |at| start + at);
    // `file:///x` has an empty host, so that its path begins at once.
    let below = text
        .get(after_host + 1..)
        .and_then(|rest| rest.find("//"))
        .map(|at| after_host + 1 + at);
    let (url, path) = match below {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let path = shorthand::sub_path(path).map_err(in_a(GIT))?;
    let address = repository_address(url, permission).map_err(in_a(GIT))?;
    Ok(GitSource {
        repository: web::hosted_or_url(address),
        place: Place::Known { reference, path },
        skill,
    })
}

impl WebSource {
    /// The same address taken for a repository's.
    ///
    /// # Errors
    ///
    /// [`Fault`] when none can have it.
    pub(crate) fn as_repository(&self) -> Result<GitSource, Fault> {
        // What stands in an address was allowed when it was read.
        let address = repository_address(self.address.as_str(), Permission::Unencrypted)?;
        Ok(GitSource {
            repository: web::hosted_or_url(address),
            place: Place::WHOLE,
            skill: self.skill.clone(),
        })
    }
}

/// An address that names a repository and nothing else: its path has a part, none of them empty, and the last without
/// what parts off a skill.
pub(super) fn repository_address(url: &str, permission: Permission) -> Result<Address, Fault> {
    let address = Address::parse(url, permission)?;
    let path = address.path().trim_end_matches('/');
    let fault = if path.is_empty() {
        "it names a host and no repository"
    } else if address.url().query().is_some() {
        "an address of a repository has no `?`"
    } else if path.contains("//") {
        "its path has an empty part"
    } else if path
        .rsplit('/')
        .next()
        .is_some_and(|name| name.contains('@'))
    {
        "the name of the repository has an `@`; write it as `%40`"
    } else {
        return Ok(address.with_path(path));
    };
    Err(Fault::Address(fault.to_owned()))
}

/// `well-known:https://site[/path][@skill]`.
fn well_known(rest: &str, permission: Permission) -> Result<Source, Wrong> {
    const SITE: &str = "a site that lists skills";
    let rest = rest.split('#').next().unwrap_or(rest);
    let (address, skill) = shorthand::split_skill(rest).map_err(in_a(SITE))?;
    let text = if address.contains("://") {
        address.to_owned()
    } else {
        format!("https://{address}")
    };
    let address = Address::parse(&text, permission).map_err(in_a(SITE))?;
    web::check_web(&address).map_err(in_a(SITE))?;
    Ok(Source::WellKnown(WebSource { address, skill }))
}

/// For other modules: the selector behind the last `@`.
pub(super) fn selector(text: &str) -> Result<Option<Selector>, Fault> {
    Selector::parse(text).map(Some)
}
