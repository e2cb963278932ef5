//! Answers from the web: counted while they stream, with every redirection looked at before it is followed.

use std::fs;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use ureq::Agent;
use ureq::http::{Response, header};
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::unversioned::transport::DefaultConnector;

use super::reach::{Guarded, Private, Reach};
use super::{FetchError, Job};
use crate::limits;
use crate::progress::Step;
use crate::source::Address;

/// Asks servers on behalf of one source.
pub(super) struct Web<'a> {
    job: &'a Job<'a>,
    agent: Agent,
    reach: Arc<Reach>,
    first: Address,
}

/// What arrived.
#[derive(Clone, Debug)]
pub(super) struct Received {
    /// Where it came from in the end.
    pub(super) address: Address,
    pub(super) etag: Option<String>,
    /// In hexadecimal digits.
    pub(super) sha256: String,
}

impl<'a> Web<'a> {
    /// `first` is what the user named; other addresses come from foreign texts.
    pub(super) fn new(job: &'a Job<'a>, first: &Address) -> Result<Self, FetchError> {
        let reach = Arc::new(Reach::default());
        let time = job.settings.web_time;
        let config = Agent::config_builder()
            .tls_config(tls(job)?)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(time))
            .timeout_connect(Some(time.min(Duration::from_secs(20))))
            .user_agent(concat!("skillful/", env!("CARGO_PKG_VERSION")))
            .build();
        let resolver = Guarded(Arc::clone(&reach));
        Ok(Self {
            job,
            agent: Agent::with_parts(config, DefaultConnector::default(), resolver),
            reach,
            first: first.clone(),
        })
    }

    /// A document of at most [`limits::INDEX_BYTES`].
    pub(super) fn get(&self, address: &Address) -> Result<(Vec<u8>, Received), FetchError> {
        let mut bytes = Vec::new();
        let received = self.download(address, limits::INDEX_BYTES, &mut bytes)?;
        Ok((bytes, received))
    }

    /// Writes the answer into `into` and takes its SHA-256.
    pub(super) fn download(
        &self,
        address: &Address,
        limit: u64,
        into: &mut impl Write,
    ) -> Result<Received, FetchError> {
        let (response, address) = self.follow(address)?;
        let header = |name| response.headers().get(name)?.to_str().ok();
        let etag = header(header::ETAG).map(|etag| crate::unpack::shown(etag.as_bytes()));
        let total = header(header::CONTENT_LENGTH).and_then(|length| length.parse().ok());
        let too_large = || FetchError::TooLarge {
            what: address.to_string(),
            limit,
        };
        if total.is_some_and(|total| total > limit) {
            return Err(too_large());
        }
        let mut body = response.into_body().into_reader();
        let mut hash = Sha256::new();
        let mut piece = vec![0; 64 * 1024];
        let mut done = 0;
        loop {
            if self.job.progress.is_cancelled() {
                return Err(FetchError::Cancelled);
            }
            let read = match body.read(&mut piece) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(self.interrupted(&address, &error)),
            };
            done += read as u64;
            if done > limit {
                return Err(too_large());
            }
            let arrived = piece.get(..read).unwrap_or_default();
            hash.update(arrived);
            into.write_all(arrived)?;
            self.job.progress.step(Step::Bytes { done, total });
        }
        if total.is_some_and(|total| total != done) {
            return Err(FetchError::Network {
                url: address.to_string(),
                said: "the connection ended before everything had arrived".to_owned(),
            });
        }
        Ok(Received {
            address,
            etag,
            sha256: hex(&hash.finalize()),
        })
    }

    fn interrupted(&self, address: &Address, error: &io::Error) -> FetchError {
        if error.kind() == io::ErrorKind::TimedOut {
            return self.timeout(address);
        }
        FetchError::Network {
            url: address.to_string(),
            said: format!("the connection was interrupted: {error}"),
        }
    }

    fn timeout(&self, address: &Address) -> FetchError {
        FetchError::Timeout {
            url: address.to_string(),
            seconds: self.job.settings.web_time.as_secs(),
        }
    }

    /// The address that a document names, checked.
    pub(super) fn join(&self, from: &Address, to: &str) -> Result<Address, FetchError> {
        let refused = |fault| FetchError::Address {
            from: from.to_string(),
            to: crate::source::error::without_credentials(&crate::unpack::shown(to.as_bytes())),
            fault,
        };
        let address = from
            .join(to, self.job.settings.permission)
            .map_err(refused)?;
        if !matches!(address.scheme(), "https" | "http") {
            return Err(refused(crate::source::Fault::Scheme(
                address.scheme().to_owned(),
            )));
        }
        Ok(address)
    }

    fn follow(&self, first: &Address) -> Result<(Response<ureq::Body>, Address), FetchError> {
        let mut address = first.clone();
        for _ in 0..=limits::REDIRECTIONS {
            let response = self.ask(&address)?;
            let status = response.status();
            if status.is_success() {
                return Ok((response, address));
            }
            let location = response.headers().get(header::LOCATION);
            match location.and_then(|location| location.to_str().ok()) {
                Some(location) if matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) => {
                    address = self.join(&address, location)?;
                }
                _ => {
                    return Err(FetchError::Status {
                        url: address.to_string(),
                        status: status.as_u16(),
                    });
                }
            }
        }
        Err(FetchError::Redirections {
            url: first.to_string(),
        })
    }

    /// Asks once, and again when the server says that it is busy and for how long.
    fn ask(&self, address: &Address) -> Result<Response<ureq::Body>, FetchError> {
        let mut tries = 0;
        loop {
            let response = self.ask_once(address)?;
            let is_busy = matches!(response.status().as_u16(), 429 | 503);
            let pause = response
                .headers()
                .get(header::RETRY_AFTER)
                .and_then(|value| value.to_str().ok())
                .and_then(|value| value.trim().parse().ok())
                .map(Duration::from_secs);
            match pause.filter(|pause| *pause <= limits::RETRY_PAUSE) {
                Some(pause) if is_busy && tries < limits::RETRIES => {
                    tries += 1;
                    self.wait(pause)?;
                }
                _ => return Ok(response),
            }
        }
    }

    fn wait(&self, pause: Duration) -> Result<(), FetchError> {
        let began = Instant::now();
        while began.elapsed() < pause {
            if self.job.progress.is_cancelled() {
                return Err(FetchError::Cancelled);
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    fn ask_once(&self, address: &Address) -> Result<Response<ureq::Body>, FetchError> {
        let private = || FetchError::PrivateNetwork {
            from: self.first.to_string(),
            to: address.to_string(),
        };
        let host = address.host().unwrap_or_default();
        self.reach.ask(host);
        // Behind a proxy nobody here resolves names; an address in place of a name is judged all the same.
        if let Some(ip) = address.literal_ip() {
            self.reach.judge(host, &[ip]).map_err(|_| private())?;
        }
        self.agent.get(address.as_str()).call().map_err(|error| {
            let said = match error {
                ureq::Error::Timeout(_) => return self.timeout(address),
                ureq::Error::Other(inner) if inner.is::<Private>() => return private(),
                error => error.to_string(),
            };
            FetchError::Network {
                url: address.to_string(),
                said,
            }
        })
    }
}

fn tls(job: &Job<'_>) -> Result<TlsConfig, FetchError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = TlsConfig::builder().unversioned_rustls_crypto_provider(provider);
    let Some(path) = &job.settings.certificates else {
        return Ok(builder.root_certs(RootCerts::PlatformVerifier).build());
    };
    let failed = |error| FetchError::Local {
        path: path.display().to_string(),
        error,
    };
    let pem = fs::read(path).map_err(failed)?;
    let mut certificates = Vec::new();
    for item in parse_pem(&pem) {
        if let PemItem::Certificate(certificate) =
            item.map_err(|error| failed(io::Error::other(error)))?
        {
            certificates.push(certificate);
        }
    }
    Ok(builder
        .root_certs(RootCerts::Specific(Arc::new(certificates)))
        .build())
}

/// Bytes as hexadecimal digits in lower case.
pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _infallible = write!(text, "{byte:02x}");
        text
    })
}
