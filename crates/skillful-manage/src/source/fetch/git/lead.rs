//! Where the server of a repository leads, when it says that the repository is elsewhere.
//!
//! git would follow a first redirection by itself, to wherever it leads: from `https` it goes to `https` alone, but also
//! from a public server into a private network, and from this machine to any other without encryption. So git follows
//! none. The address that it was led to is found by the client that all redirections are judged by, and git is told to
//! begin there, with the addresses that were judged, so that a name means the same a moment later.

use std::net::IpAddr;

use super::run::{Git, Input};
use super::said;
use crate::source::Address;
use crate::source::fetch::FetchError;

/// What git asks a server for first.
const FIRST_QUESTION: &str = "/info/refs";

/// The service that it names in it.
const SERVICE: (&str, &str) = ("service", "git-upload-pack");

impl Git<'_> {
    /// Runs git for something that it asks the server for. Where it is led elsewhere, it begins there once more.
    pub(super) fn ask(&self, arguments: &[&str], input: Input) -> Result<Vec<u8>, FetchError> {
        match self.run(arguments, input.clone()) {
            Err(error) if said::is_redirection(&error) && self.led.get().is_none() => {
                self.go_where_it_leads(error)?;
                self.run(arguments, input)
            }
            outcome => outcome,
        }
    }

    fn go_where_it_leads(&self, error: FetchError) -> Result<(), FetchError> {
        // What the user's `url.….insteadOf` made of the address.
        let url = self.run(&["ls-remote", "--get-url", "origin"], Input::default())?;
        let url = String::from_utf8_lossy(&url);
        let Ok(first) = Address::parse(url.trim(), self.job.settings.permission) else {
            return Err(error);
        };
        let path = first.path().trim_end_matches('/');
        let question = first
            .with_path(&format!("{path}{FIRST_QUESTION}"))
            .with_query(&[SERVICE]);
        let destination = self.job.web(&first)?.destination(&question)?;
        let to = &destination.address;
        let base = to.path().strip_suffix(FIRST_QUESTION);
        let Some(base) =
            base.filter(|_| to != &question && to.url().query() == question.url().query())
        else {
            return Err(elsewhere(&first, to));
        };
        let base = to.with_path(base);
        self.run(
            &["config", "remote.origin.url", base.as_str()],
            Input::default(),
        )?;
        let pin = pin(&base, &destination.resolved);
        // Only the first one counts, and this is the only thread that asks.
        let _known = self.led.set(pin);
        Ok(())
    }
}

/// It leads to no repository, or only those that it knows.
fn elsewhere(first: &Address, to: &Address) -> FetchError {
    let said = if to.path().ends_with(FIRST_QUESTION) {
        "it leads elsewhere once somebody has signed in, which is not followed; give the address of the repository itself"
            .to_owned()
    } else {
        format!(
            "it leads to {to}, which is no repository; give the address of the repository itself"
        )
    };
    FetchError::Network {
        url: first.to_string(),
        said,
    }
}

/// `host:port:address,…`, as curl takes it; nothing when nobody here resolved the name.
fn pin(to: &Address, resolved: &[IpAddr]) -> Option<String> {
    let port = to.url().port_or_known_default()?;
    let addresses: Vec<String> = resolved
        .iter()
        .map(|ip| match ip {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        })
        .collect();
    let is_name = to.literal_ip().is_none();
    let host = to.host().filter(|_| is_name && !addresses.is_empty())?;
    Some(format!("{host}:{port}:{}", addresses.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Permission;

    #[test]
    fn a_name_is_pinned_to_what_was_judged() {
        let to = |text: &str| Address::parse(text, Permission::Encrypted).unwrap();
        let ips = ["192.0.2.1", "2001:db8::1"].map(|ip| ip.parse().unwrap());
        assert_eq!(
            pin(&to("https://git.example/team/repo"), &ips).unwrap(),
            "git.example:443:192.0.2.1,[2001:db8::1]"
        );
        assert_eq!(
            pin(&to("https://git.example:8443/repo"), &ips[..1]).unwrap(),
            "git.example:8443:192.0.2.1"
        );
        assert_eq!(pin(&to("https://git.example/repo"), &[]), None);
        assert_eq!(pin(&to("https://192.0.2.1/repo"), &ips[..1]), None);
    }
}
