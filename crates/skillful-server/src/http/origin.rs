//! Whether a request is meant for this server, and comes from a page that may ask it.
//!
//! A name that an attacker owns can be made to lead to this machine, so that a browser takes a page of theirs and this
//! server for one site (DNS rebinding). Such a request bears the attacker's name in `Host`. Requests that a page of
//! another site makes bear that site in `Origin`.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use url::{Host, Url};

use super::problem::Problem;

/// What this server may be called, and which other sites may ask it.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    address: SocketAddr,
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl Names {
    pub(crate) fn new(address: SocketAddr, hosts: &[String], origins: &[String]) -> Self {
        let lower = |texts: &[String]| texts.iter().map(|text| text.to_lowercase()).collect();
        Self {
            address,
            hosts: lower(hosts),
            origins: lower(origins),
        }
    }

    /// Looks at whom a request is meant for, and where it comes from. Gives the foreign site that it comes from, where
    /// that one may ask.
    pub(crate) fn check(
        &self,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<Option<HeaderValue>, Problem> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = match (hosts.next(), hosts.next()) {
            (Some(host), None) => host.to_str().ok(),
            _ => None,
        };
        let Some(host) = host.filter(|host| self.is_ours(host)) else {
            return Err(foreign_host(host));
        };
        if uri
            .authority()
            .is_some_and(|authority| !self.is_ours(authority.as_str()))
        {
            return Err(foreign_host(uri.host()));
        }
        let Some(origin) = headers.get(header::ORIGIN) else {
            return Ok(None);
        };
        let text = origin.to_str().unwrap_or("null").to_lowercase();
        if is_same(&text, host) {
            Ok(None)
        } else if self.origins.contains(&text) {
            Ok(Some(origin.clone()))
        } else {
            Err(Problem::new(
                StatusCode::FORBIDDEN,
                "foreign-origin",
                format_args!("a page of {text:?} may not ask this server"),
            )
            .hint("--allow-origin ORIGIN lets it"))
        }
    }

    fn is_ours(&self, host: &str) -> bool {
        let Some((name, _)) = parts(&format!("http://{host}")) else {
            return false;
        };
        let ip = match &name {
            Host::Domain(domain) => {
                let domain = domain.trim_end_matches('.').to_lowercase();
                return domain == "localhost" || self.hosts.contains(&domain);
            }
            Host::Ipv4(ip) => IpAddr::from(*ip),
            Host::Ipv6(ip) => IpAddr::from(*ip),
        };
        // Nobody can make an address lead elsewhere.
        ip.is_loopback()
            || self.address.ip().is_unspecified()
            || ip == self.address.ip()
            || self.hosts.contains(&name.to_string())
    }
}

fn foreign_host(host: Option<&str>) -> Problem {
    let detail = format!("this server is not called {:?}", host.unwrap_or_default());
    Problem::new(StatusCode::MISDIRECTED_REQUEST, "foreign-host", detail)
        .hint("--allow-host NAME says what it is called as well")
}

/// Whether an origin is the site that a request was sent to. The scheme may differ: a proxy may take care of encryption.
fn is_same(origin: &str, host: &str) -> bool {
    let Ok(url) = Url::parse(origin) else {
        return false;
    };
    let scheme = url.scheme();
    matches!(scheme, "http" | "https")
        && parts(origin).is_some_and(|origin| Some(origin) == parts(&format!("{scheme}://{host}")))
}

/// Host and port of an address that has nothing else.
fn parts(address: &str) -> Option<(Host<String>, Option<u16>)> {
    let url = Url::parse(address).ok()?;
    let is_bare = url.username().is_empty()
        && url.password().is_none()
        && matches!(url.path(), "" | "/")
        && url.query().is_none()
        && url.fragment().is_none();
    let host = url.host()?.to_owned();
    is_bare.then_some((host, url.port_or_known_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(host: &str, origin: Option<&str>, listen: &str) -> Result<bool, u16> {
        let names = Names::new(
            listen.parse().unwrap(),
            &["Skills.example.org".to_owned()],
            &["https://app.example.org".to_owned()],
        );
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        let checked = names.check(&Uri::from_static("/x"), &headers);
        checked
            .map(|foreign| foreign.is_some())
            .map_err(|problem| problem.status().as_u16())
    }

    const HERE: &str = "127.0.0.1:7654";

    #[test]
    fn only_names_of_this_server_count() {
        for host in [
            HERE,
            "localhost:7654",
            "LOCALHOST",
            "[::1]:9",
            "127.9.9.9",
            "skills.example.org",
        ] {
            assert_eq!(checked(host, None, HERE), Ok(false), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "10.0.0.1:7654",
            "",
            "localhost@evil",
            "a/b",
            "127.0.0.1.evil.example",
        ] {
            assert_eq!(checked(host, None, HERE), Err(421), "{host}");
        }
        assert_eq!(checked("10.0.0.1:7654", None, "10.0.0.1:7654"), Ok(false));
        assert_eq!(checked("192.168.1.5", None, "0.0.0.0:80"), Ok(false));
        assert_eq!(checked("evil.example", None, "0.0.0.0:80"), Err(421));
    }

    #[test]
    fn other_sites_may_ask_only_when_they_are_listed() {
        assert_eq!(
            checked(HERE, Some("http://127.0.0.1:7654"), HERE),
            Ok(false)
        );
        assert_eq!(
            checked(
                "skills.example.org",
                Some("https://skills.example.org"),
                HERE
            ),
            Ok(false)
        );
        assert_eq!(
            checked(HERE, Some("https://app.example.org"), HERE),
            Ok(true)
        );
        for origin in [
            "null",
            "http://127.0.0.1:7655",
            "http://localhost:7654",
            "https://evil.example",
            "file://127.0.0.1:7654",
            "http://x@127.0.0.1:7654",
        ] {
            assert_eq!(checked(HERE, Some(origin), HERE), Err(403), "{origin}");
        }
    }
}
