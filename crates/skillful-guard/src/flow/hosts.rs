//! What kind of place an address leads to. The lists are data, and name families of services, not single attacks.

use std::net::Ipv4Addr;
use std::sync::LazyLock;

use serde::Deserialize;

/// A kind of place, from the most to the least harmless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum HostKind {
    /// This machine or the local network.
    Local,
    /// An installer that its project documents, over https.
    Installer,
    /// A well-known publisher or service.
    Known,
    /// Any other.
    Unknown,
    /// Not encrypted.
    Plain,
    /// Pastes, shorteners, request catchers, tunnels: anyone, without a name.
    Anonymous,
    /// A bare address.
    Address,
}

#[derive(Deserialize, Default)]
struct Lists {
    installers: Vec<String>,
    known: Vec<String>,
    anonymous: Vec<String>,
}

static LISTS: LazyLock<Lists> =
    LazyLock::new(|| toml::from_str(include_str!("../rules/data/hosts.toml")).unwrap_or_default());

/// The kind of the address's host.
pub(crate) fn host_kind(address: &str) -> HostKind {
    let lower = address
        .trim_matches(['"', '\'', '<', '>'])
        .to_ascii_lowercase();
    let (scheme, rest) = lower.split_once("://").unwrap_or(("", lower.as_str()));
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let authority = authority.rsplit('@').next().unwrap_or(authority);
    let host = authority
        .split(':')
        .next()
        .unwrap_or(authority)
        .trim_end_matches('.');
    if is_local(host) {
        return HostKind::Local;
    }
    if is_bare_address(host) {
        return HostKind::Address;
    }
    if is_own_bot(host, path) {
        return HostKind::Known;
    }
    if is_listed(&LISTS.anonymous, host, path) || is_paste_page(host, path) {
        return HostKind::Anonymous;
    }
    if matches!(scheme, "http" | "ftp") {
        return HostKind::Plain;
    }
    // What leads up leads elsewhere than to the page that is known.
    if path.contains("..") || path.contains("%2e") {
        return HostKind::Unknown;
    }
    if is_listed(&LISTS.installers, host, path) {
        return HostKind::Installer;
    }
    if is_listed(&LISTS.known, host, path) {
        return HostKind::Known;
    }
    HostKind::Unknown
}

/// The worst kind among addresses; of none of them, unknown.
pub(crate) fn worst_host(addresses: &[String]) -> HostKind {
    let kinds = addresses.iter().map(|address| host_kind(address));
    kinds.max().unwrap_or(HostKind::Unknown)
}

/// Whether a text holds an address whose host is none of the machine's own and none of those that everyone names.
pub(crate) fn names_outside_host(text: &str) -> bool {
    // Schemes and hosts mean the same in capitals.
    let text = text.to_ascii_lowercase();
    ["http://", "https://", "ws://", "wss://"]
        .iter()
        .flat_map(|scheme| text.match_indices(scheme))
        .any(|(at, _)| {
            let rest = text.get(at..).unwrap_or_default();
            let end = rest.find([' ', '\'', '"', '`', '<', '>', ')', '\n']);
            let address = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            let names_one = address
                .split("://")
                .nth(1)
                .is_some_and(|host| host.starts_with(|c: char| c.is_alphanumeric() || c == '['));
            names_one
                && !matches!(
                    host_kind(address),
                    HostKind::Local | HostKind::Known | HostKind::Installer
                )
        })
}

fn is_local(host: &str) -> bool {
    host == "localhost"
        || host == "host.docker.internal"
        || [".local", ".localhost", ".internal", ".lan"].iter().any(|end| host.ends_with(end))
        || host == "[" // an IPv6 literal such as [::1]
        || host.parse::<Ipv4Addr>().is_ok_and(|ip| ip.is_loopback() || ip.is_private() || ip.is_unspecified())
}

/// Whether the address is that of a bot whose token the user gives, in a variable: nobody else reads what it sends.
fn is_own_bot(host: &str, path: &str) -> bool {
    host == "api.telegram.org"
        && path
            .strip_prefix("/bot")
            .is_some_and(|token| token.starts_with(['$', '{']))
}

/// Whether tokens are renewed at this address, which takes the old one.
pub(crate) fn renews_tokens(address: &str) -> bool {
    let lower = address.to_ascii_lowercase();
    let path = lower.split("://").nth(1).and_then(|it| it.split_once('/'));
    let Some((_, path)) = path else {
        return false;
    };
    let path = path.split(['?', '#']).next().unwrap_or_default();
    path.split('/').any(|part| part.starts_with("oauth"))
        || path.ends_with("token")
        || path.ends_with("openid-connect")
}

/// An address in numbers, also as one number or in hexadecimal, which only those write who hide it.
fn is_bare_address(host: &str) -> bool {
    host.parse::<Ipv4Addr>().is_ok()
        || (host.len() >= 8 && host.bytes().all(|byte| byte.is_ascii_digit()))
        || host
            .strip_prefix("0x")
            .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// New paste services come faster than a list can follow, but they call themselves that.
fn is_paste_page(host: &str, path: &str) -> bool {
    let labels = host.split('.').any(|label| {
        ["paste", "pastebin"]
            .iter()
            .any(|word| label.starts_with(word) || label.ends_with(word))
    });
    labels || (path.starts_with("/snippets/") && !is_listed(&LISTS.known, host, path))
}

/// An entry is a host, which stands for its subdomains too, or a host with the start of a path.
fn is_listed(list: &[String], host: &str, path: &str) -> bool {
    list.iter().any(|entry| {
        let (entry_host, entry_path) = entry.split_at(entry.find('/').unwrap_or(entry.len()));
        let is_host = host == entry_host
            || host
                .strip_suffix(entry_host)
                .is_some_and(|before| before.ends_with('.'));
        is_host && path.starts_with(entry_path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_hosts() {
        for (address, kind) in [
            ("http://localhost:8080/x", HostKind::Local),
            ("http://192.168.1.2/", HostKind::Local),
            ("http://203.0.113.9/a", HostKind::Address),
            ("https://3405803785/a", HostKind::Address),
            ("https://user@pastebin.com/raw/1", HostKind::Anonymous),
            ("https://abc.ngrok.io", HostKind::Anonymous),
            (
                "https://api.telegram.org/bot12:ab/sendMessage",
                HostKind::Anonymous,
            ),
            (
                "https://api.telegram.org/bot$TOKEN/sendMessage",
                HostKind::Known,
            ),
            ("https://my-paste.test/x", HostKind::Anonymous),
            ("https://code.test/snippets/abc", HostKind::Anonymous),
            ("https://gitlab.com/snippets/abc", HostKind::Known),
            ("http://example.org/a", HostKind::Plain),
            ("https://sh.rustup.rs", HostKind::Installer),
            ("https://evil.test/sh.rustup.rs", HostKind::Unknown),
            ("https://notgithub.com/a", HostKind::Unknown),
            (
                "https://raw.githubusercontent.com/Homebrew/install/../../x/y/main/i.sh",
                HostKind::Unknown,
            ),
            ("https://api.github.com/a", HostKind::Known),
        ] {
            assert_eq!(host_kind(address), kind, "{address}");
        }
    }
}
