//! Addresses of the web and of git, made sure of once: encrypted or allowed not to be, without credentials, without
//! what a program would take for an option.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

use super::Fault;

/// Whether addresses without encryption are taken beyond this machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Permission {
    /// Only from this machine itself (`localhost`, `127.0.0.1`, `[::1]`).
    #[default]
    Encrypted,
    /// From anywhere; whoever asked for it knows why.
    Unencrypted,
}

/// An absolute address with the scheme `https`, `http`, `ssh`, `git` or `file`.
///
/// It has no password, no fragment, and a user only with `ssh`, where the user is part of the place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(Url);

impl Address {
    /// Reads an address.
    ///
    /// A user in an `https` address is left out: it says who asks, not what for.
    ///
    /// # Errors
    ///
    /// [`Fault`].
    pub fn parse(text: &str, permission: Permission) -> Result<Self, Fault> {
        // Browsers take `https:host` and `https:///host` as well; nobody means them.
        let is_file = text.starts_with("file:");
        match text.split_once("://") {
            Some((scheme, rest))
                if !scheme.contains([':', '/']) && (is_file || !rest.starts_with(['/', '\\'])) => {}
            _ => return Err(Fault::Address("it has no host behind `//`".to_owned())),
        }
        let url = Url::parse(text).map_err(|error| Fault::Address(error.to_string()))?;
        Self::of_url(url, permission)
    }

    /// Reads an address that may be relative to this one, as in a redirection or an index.
    ///
    /// # Errors
    ///
    /// [`Fault`].
    pub fn join(&self, text: &str, permission: Permission) -> Result<Self, Fault> {
        let url = self
            .0
            .join(text)
            .map_err(|error| Fault::Address(error.to_string()))?;
        Self::of_url(url, permission)
    }

    fn of_url(mut url: Url, permission: Permission) -> Result<Self, Fault> {
        let scheme = url.scheme().to_owned();
        let unreadable = |reason: &str| Fault::Address(reason.to_owned());
        match &*scheme {
            "https" | "ssh" | "file" => {}
            "http" | "git" => {
                if permission == Permission::Encrypted && !is_loopback(url.host().as_ref()) {
                    return Err(Fault::Unencrypted(scheme));
                }
            }
            _ => return Err(Fault::Scheme(scheme)),
        }
        if url.password().is_some() {
            return Err(Fault::Credentials);
        }
        if scheme != "ssh" && !url.username().is_empty() {
            url.set_username("")
                .map_err(|()| unreadable("it has a user where none may be"))?;
        }
        if url.username().starts_with('-') {
            return Err(Fault::LeadingHyphen);
        }
        match url.host_str() {
            None | Some("") if scheme == "file" => {}
            None | Some("") => return Err(unreadable("it has no host")),
            // What a user sees as a share of another machine.
            Some(_) if scheme == "file" => {
                return Err(unreadable("`file:` is for this machine only"));
            }
            Some(host) if host.starts_with('-') => return Err(Fault::LeadingHyphen),
            // Hosts of other schemes than the web's are not checked by the library.
            Some(host)
                if host.contains('%')
                    || host.chars().any(|c| c.is_control() || c.is_whitespace()) =>
            {
                return Err(unreadable("its host has a character that none may have"));
            }
            Some(_) => {}
        }
        if scheme == "ssh" && url.path().trim_start_matches('/').starts_with('-') {
            return Err(Fault::LeadingHyphen);
        }
        url.set_fragment(None);
        Ok(Self(url))
    }

    /// The address as text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The scheme, in lower case.
    pub fn scheme(&self) -> &str {
        self.0.scheme()
    }

    /// The host, in lower case; none with `file`.
    pub fn host(&self) -> Option<&str> {
        self.0.host_str()
    }

    /// The path, percent-encoded, beginning with `/`.
    pub fn path(&self) -> &str {
        self.0.path()
    }

    /// Whether the host is this machine by its name.
    pub fn is_loopback(&self) -> bool {
        is_loopback(self.0.host().as_ref())
    }

    /// The IP address that stands in place of a host's name.
    pub(crate) fn literal_ip(&self) -> Option<IpAddr> {
        match self.0.host()? {
            Host::Domain(_) => None,
            Host::Ipv4(ip) => Some(IpAddr::V4(ip)),
            Host::Ipv6(ip) => Some(IpAddr::V6(ip)),
        }
    }

    pub(crate) fn url(&self) -> &Url {
        &self.0
    }

    /// The same address with another path and no query.
    pub(crate) fn with_path(&self, path: &str) -> Self {
        let mut url = self.0.clone();
        url.set_path(path);
        url.set_query(None);
        Self(url)
    }

    /// The same address with a query of these pairs.
    pub(crate) fn with_query(&self, pairs: &[(&str, &str)]) -> Self {
        let mut url = self.0.clone();
        url.set_query(None);
        url.query_pairs_mut().extend_pairs(pairs);
        Self(url)
    }

    /// The host with the port, if that is not the scheme's own.
    pub(crate) fn authority(&self) -> String {
        let host = self.host().unwrap_or_default();
        match self.0.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

fn is_loopback(host: Option<&Host<&str>>) -> bool {
    match host {
        Some(Host::Domain(name)) => {
            // The schemes that are not the web's keep IP addresses as names.
            name.eq_ignore_ascii_case("localhost")
                || name.parse::<Ipv4Addr>().is_ok_and(|ip| ip.is_loopback())
        }
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => *ip == Ipv6Addr::LOCALHOST,
        None => false,
    }
}
