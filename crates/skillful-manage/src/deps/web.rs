//! The web as it is: HTTP with the certificates that the system trusts.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Duration;

use ureq::Agent;
use ureq::tls::{RootCerts, TlsConfig};

use super::download::{DownloadUrl, Web, WebError};

/// An HTTP client that fetches files within a time. It uses the proxy that the environment names.
#[derive(Clone, Copy, Debug)]
pub struct HttpWeb {
    timeout: Duration,
}

/// Most redirects that are followed.
const REDIRECTS: u32 = 5;

impl HttpWeb {
    /// A client that takes at most this long for one file.
    pub fn new(timeout: Duration) -> Self {
        Self { timeout }
    }

    /// An address without encryption is one of this machine, which redirects nobody elsewhere.
    fn agent(&self, is_plain: bool) -> Agent {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = TlsConfig::builder()
            .unversioned_rustls_crypto_provider(provider)
            .root_certs(RootCerts::PlatformVerifier)
            .build();
        let config = Agent::config_builder()
            .tls_config(tls)
            .https_only(!is_plain)
            .max_redirects(if is_plain { 0 } else { REDIRECTS })
            .timeout_global(Some(self.timeout))
            .user_agent(concat!("skillful/", env!("CARGO_PKG_VERSION")));
        let config = if is_plain { config.proxy(None) } else { config };
        config.build().into()
    }
}

impl Web for HttpWeb {
    fn fetch(&self, url: &DownloadUrl, to: &mut dyn Write) -> Result<(), WebError> {
        let failed = |error: &dyn std::fmt::Display| WebError(error.to_string());
        let agent = self.agent(!url.is_encrypted());
        let response = agent
            .get(url.as_str())
            .call()
            .map_err(|error| failed(&error))?;
        let status = response.status();
        if !status.is_success() {
            return Err(WebError(format!("the server answers {status}")));
        }
        // The sink knows the limit.
        let body = response.into_body().into_reader();
        copy(body, to).map_err(|error| failed(&error))
    }
}

fn copy(mut from: impl Read, to: &mut dyn Write) -> io::Result<()> {
    io::copy(&mut from, to).map(drop)
}

#[cfg(test)]
mod tests {
    use std::io::BufRead;
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// Answers one request with this.
    fn answers(answer: &'static str) -> DownloadUrl {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let (stream, _) = listener.accept().unwrap();
            let mut lines = io::BufReader::new(&stream).lines();
            while lines
                .next()
                .is_some_and(|line| line.is_ok_and(|line| !line.is_empty()))
            {}
            (&stream).write_all(answer.as_bytes()).unwrap();
        });
        DownloadUrl::parse(&format!("http://{address}/tool")).unwrap()
    }

    fn fetched(answer: &'static str) -> Result<Vec<u8>, WebError> {
        let mut bytes = Vec::new();
        let web = HttpWeb::new(Duration::from_secs(60));
        web.fetch(&answers(answer), &mut bytes).map(|()| bytes)
    }

    #[test]
    fn a_body_is_handed_over() {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello";
        assert_eq!(fetched(answer).unwrap(), b"hello");
    }

    #[test]
    fn errors_and_redirects_from_this_machine_give_nothing() {
        for answer in [
            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            "HTTP/1.1 302 Found\r\nLocation: https://example.org/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            "nonsense\r\n\r\n",
        ] {
            let error = fetched(answer);
            assert!(error.is_err(), "{answer}: {error:?}");
        }
    }
}
