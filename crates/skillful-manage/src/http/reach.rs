//! Keeps what a public server names from leading into a private network.
//!
//! A user may fetch from wherever they like, also from the next room. But a redirection, an index or an answer is
//! foreign text: one of a public server that names a private address would make this program ask on its behalf what
//! only this machine can reach (server-side request forgery). Addresses are judged when they are connected to, so that a
//! name which changes its meaning between two looks changes nothing.

use std::net::{IpAddr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::sync::{Arc, Mutex, PoisonError};

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

/// What the first address was, and which host is asked now.
#[derive(Debug, Default)]
pub(super) struct Reach {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Whether the first address is a public one; nothing before anything was asked.
    public: Option<bool>,
    /// The host that is asked; a proxy is another one.
    asked: String,
    /// What its name means, once it was resolved.
    resolved: Vec<IpAddr>,
}

/// An address that is not connected to.
#[derive(Debug, thiserror::Error)]
#[error("`{host}` lies in a private network")]
pub(super) struct Private {
    pub(super) host: String,
}

impl Reach {
    /// Says which host is asked next.
    pub(super) fn ask(&self, host: &str) {
        let mut state = self.lock();
        host.trim_matches(['[', ']']).clone_into(&mut state.asked);
        state.resolved.clear();
    }

    /// What the host that was asked last means, if its name was resolved here.
    pub(super) fn resolved(&self) -> Vec<IpAddr> {
        self.lock().resolved.clone()
    }

    /// Judges where a host leads. The first one decides what those that follow may be.
    pub(super) fn judge(&self, host: &str, addresses: &[IpAddr]) -> Result<(), Private> {
        let mut state = self.lock();
        let host = host.trim_matches(['[', ']']);
        if host != state.asked {
            return Ok(());
        }
        addresses.clone_into(&mut state.resolved);
        let all_public = addresses.iter().all(|address| is_public(*address));
        match state.public {
            None => {
                state.public = Some(all_public);
                Ok(())
            }
            Some(true) if !all_public => Err(Private {
                host: host.to_owned(),
            }),
            Some(_) => Ok(()),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Resolves names as usual, and judges what they lead to.
#[derive(Debug)]
pub(super) struct Guarded(pub(super) Arc<Reach>);

impl Resolver for Guarded {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let resolved = DefaultResolver::default().resolve(uri, config, timeout)?;
        let addresses: Vec<IpAddr> = resolved.iter().map(SocketAddr::ip).collect();
        self.0
            .judge(uri.host().unwrap_or_default(), &addresses)
            .map_err(|private| ureq::Error::Other(Box::new(private)))?;
        Ok(resolved)
    }
}

/// Whether a public host names one in a private network, for programs whose connections are not judged here. A name
/// that nobody here can resolve is left to them: they may use a proxy.
pub(crate) fn leads_inside(from: &str, to: &str) -> bool {
    let is_public_host = |host: &str| {
        let host = host.trim_matches(['[', ']']);
        (host, 443)
            .to_socket_addrs()
            .ok()
            .map(|addresses| addresses.into_iter().all(|address| is_public(address.ip())))
    };
    from != to && is_public_host(to) == Some(false) && is_public_host(from) != Some(false)
}

/// Whether an address is one that everybody can reach (IANA's registries of special-purpose addresses).
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(ip) => {
            let [a, b, c, _] = ip.octets();
            let is_shared = a == 100 && (64..128).contains(&b);
            let is_protocol = a == 192 && b == 0 && c == 0;
            let is_benchmark = a == 198 && (18..20).contains(&b);
            !(ip.is_private()
                || ip.is_loopback()
                || ip.is_link_local()
                || ip.is_broadcast()
                || ip.is_documentation()
                || ip.is_multicast()
                || a == 0
                || a >= 240
                || is_shared
                || is_protocol
                || is_benchmark)
        }
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    if let Some(inner) = ip.to_ipv4_mapped() {
        return is_public(IpAddr::V4(inner));
    }
    let segments = ip.segments();
    // NAT64 and 6to4 carry an address of the old kind.
    let carried = match segments {
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => Some((high, low)),
        _ => None,
    };
    if let Some((high, low)) = carried {
        let inner = std::net::Ipv4Addr::from(u32::from(high) << 16 | u32::from(low));
        return is_public(IpAddr::V4(inner));
    }
    // Only 2000::/3 is given out; 2001:db8::/32 is for documents.
    segments[0] & 0xe000 == 0x2000 && !(segments[0] == 0x2001 && segments[1] == 0xdb8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn only_what_everybody_reaches_is_public() {
        for public in [
            "1.1.1.1",
            "140.82.121.4",
            "2606:4700::1",
            "::ffff:1.1.1.1",
            "64:ff9b::101:101",
        ] {
            assert!(is_public(ip(public)), "{public}");
        }
        for private in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "198.18.0.1",
            "255.255.255.255",
            "224.0.0.1",
            "::1",
            "::",
            "fe80::1",
            "fd00::1",
            "ff02::1",
            "::ffff:10.0.0.1",
            "64:ff9b::a00:1",
            "2002:7f00:1::",
            "2001:db8::1",
        ] {
            assert!(!is_public(ip(private)), "{private}");
        }
    }

    #[test]
    fn a_public_server_does_not_lead_into_a_private_network() {
        let reach = Reach::default();
        reach.ask("public.example");
        reach.judge("public.example", &[ip("1.1.1.1")]).unwrap();
        reach.ask("other.example");
        reach.judge("other.example", &[ip("8.8.8.8")]).unwrap();
        reach.ask("intranet.example");
        reach
            .judge("intranet.example", &[ip("10.0.0.1")])
            .unwrap_err();
        reach
            .judge("intranet.example", &[ip("8.8.8.8"), ip("127.0.0.1")])
            .unwrap_err();
        // The same name with another meaning.
        reach.ask("public.example");
        reach
            .judge("public.example", &[ip("192.168.0.1")])
            .unwrap_err();
        // A proxy may be in the next room.
        reach.judge("proxy.example", &[ip("10.0.0.2")]).unwrap();
    }

    #[test]
    fn a_repository_that_a_public_host_names_is_a_public_one() {
        assert!(leads_inside("1.1.1.1", "10.0.0.1"));
        assert!(leads_inside("1.1.1.1", "[::1]"));
        assert!(leads_inside("1.1.1.1", "localhost"));
        assert!(!leads_inside("1.1.1.1", "8.8.8.8"));
        assert!(!leads_inside("127.0.0.1", "10.0.0.1"));
        assert!(!leads_inside("10.0.0.1", "10.0.0.1"));
    }

    #[test]
    fn who_begins_in_a_private_network_may_go_anywhere() {
        let reach = Reach::default();
        reach.ask("localhost");
        reach.judge("localhost", &[ip("127.0.0.1")]).unwrap();
        reach.ask("intranet.example");
        reach.judge("intranet.example", &[ip("10.0.0.1")]).unwrap();
    }
}
