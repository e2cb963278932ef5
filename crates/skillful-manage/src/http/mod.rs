//! The one HTTP client: answers that are counted while they stream, and redirections that are looked at before they are
//! followed.
//!
//! ```text
//! address ─reach judges→ asked ─3xx→ address, checked … ─200→ counted, hashed, kept in the cache → whoever asked
//!                          └────────────────────────────304→ what the cache holds ────────────┘
//! ```

mod cache;
mod reach;
mod tls;

use std::io::{self, Read, Write};
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use ureq::Agent;
use ureq::http::{HeaderMap, HeaderName, Response, header};
use ureq::unversioned::transport::DefaultConnector;

use skillful_store::journal::Digest as DigestOf;

use crate::limits;
use crate::progress::{Progress, Step};
use crate::source::fetch::fault::FetchError;
use crate::source::{Address, Fault, Permission};

use cache::{Kept, Saving, Validators};
use reach::{Guarded, Private, Reach};

pub(crate) use cache::Cache;
pub(crate) use reach::leads_inside;

/// How servers are asked.
#[derive(Clone, Copy)]
pub(crate) struct Terms<'a> {
    /// How long one answer may take.
    pub(crate) time: Duration,
    /// Whether redirections may lead to addresses without encryption.
    pub(crate) permission: Permission,
    /// Most redirections that are followed.
    pub(crate) redirections: usize,
    /// A PEM file of certificates to trust in place of the system's.
    pub(crate) certificates: Option<&'a Path>,
    /// Where answers are kept, to be asked for again only when they changed.
    pub(crate) cache: Option<Cache<'a>>,
    pub(crate) progress: &'a dyn Progress,
}

/// Asks servers on behalf of one source.
pub(crate) struct Client<'a> {
    terms: Terms<'a>,
    agent: Agent,
    reach: Arc<Reach>,
    first: Address,
}

/// What arrived.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    /// Where it came from in the end.
    pub(crate) address: Address,
    pub(crate) etag: Option<String>,
    /// In hexadecimal digits.
    pub(crate) sha256: String,
}

/// Where redirections led.
#[derive(Clone, Debug)]
pub(crate) struct Destination {
    pub(crate) address: Address,
    /// What its host means; nothing where a proxy resolves names, or an address stands in place of one.
    pub(crate) resolved: Vec<IpAddr>,
}

/// What a server said in the end.
struct Answer {
    response: Response<ureq::Body>,
    address: Address,
    /// What was kept of an earlier answer, when nothing is newer.
    unchanged: Option<Kept>,
}

impl<'a> Client<'a> {
    /// `first` is what the user named; other addresses come from foreign texts.
    pub(crate) fn new(terms: Terms<'a>, first: &Address) -> Result<Self, FetchError> {
        let reach = Arc::new(Reach::default());
        let config = Agent::config_builder()
            .tls_config(tls::config(terms.certificates)?)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(terms.time))
            .timeout_connect(Some(terms.time.min(Duration::from_secs(20))))
            .user_agent(concat!("skillful/", env!("CARGO_PKG_VERSION")));
        // No proxy can reach this machine for us.
        let config = if first.is_loopback() {
            config.proxy(None)
        } else {
            config
        };
        let resolver = Guarded(Arc::clone(&reach));
        Ok(Self {
            terms,
            agent: Agent::with_parts(config.build(), DefaultConnector::default(), resolver),
            reach,
            first: first.clone(),
        })
    }

    /// A document of at most [`limits::INDEX_BYTES`].
    pub(crate) fn get(&self, address: &Address) -> Result<(Vec<u8>, Received), FetchError> {
        let mut bytes = Vec::new();
        let received = self.download(address, limits::INDEX_BYTES, &mut bytes)?;
        Ok((bytes, received))
    }

    /// Writes the answer into `into` and takes its SHA-256.
    pub(crate) fn download(
        &self,
        address: &Address,
        limit: u64,
        into: &mut dyn Write,
    ) -> Result<Received, FetchError> {
        let answer = self.follow(address)?;
        if let Some(kept) = answer.unchanged {
            return self.hand_over(kept, answer.address, limit, into);
        }
        let headers = answer.response.headers();
        let etag = text_of(headers, header::ETAG).map(|it| crate::unpack::shown(it.as_bytes()));
        let total = text_of(headers, header::CONTENT_LENGTH).and_then(|it| it.parse().ok());
        if total.is_some_and(|total| total > limit) {
            return Err(too_large(address, limit));
        }
        let is_whole = answer.response.status().as_u16() == 200;
        let mut saving = if is_whole {
            self.save(&answer.address, headers)
        } else {
            None
        };
        let body = answer.response.into_body().into_reader();
        let counted = self.copy(body, &answer.address, limit, total, &mut |arrived| {
            if let Some(saving) = &mut saving {
                saving.write(arrived);
            }
            into.write_all(arrived)
        })?;
        if total.is_some_and(|total| total != counted.bytes) {
            return Err(FetchError::Network {
                url: answer.address.to_string(),
                said: "the connection ended before everything had arrived".to_owned(),
            });
        }
        if let Some(saving) = saving {
            saving.finish(&counted.sha256);
        }
        Ok(Received {
            address: answer.address,
            etag,
            sha256: counted.sha256,
        })
    }

    /// Gives what was kept. Its bytes were made sure of before the server was asked.
    fn hand_over(
        &self,
        kept: Kept,
        address: Address,
        limit: u64,
        into: &mut dyn Write,
    ) -> Result<Received, FetchError> {
        let (etag, body) = (kept.validators.etag, kept.body);
        let copied = self.copy(body, &address, limit, None, &mut |piece| {
            into.write_all(piece)
        })?;
        if copied.sha256 != kept.sha256 {
            return Err(FetchError::Io(io::Error::other(format!(
                "what was kept of {address} was changed while it was read; try again"
            ))));
        }
        Ok(Received {
            address,
            etag,
            sha256: copied.sha256,
        })
    }

    /// Reads to the end, but no more than `limit` bytes and not after somebody changed their mind.
    fn copy(
        &self,
        mut from: impl Read,
        address: &Address,
        limit: u64,
        total: Option<u64>,
        take: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<Counted, FetchError> {
        let mut hash = Sha256::new();
        let mut piece = vec![0; 64 * 1024];
        let mut done = 0;
        loop {
            self.go_on()?;
            let read = match from.read(&mut piece) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(self.interrupted(address, &error)),
            };
            done += read as u64;
            if done > limit {
                return Err(too_large(address, limit));
            }
            let arrived = piece.get(..read).unwrap_or_default();
            hash.update(arrived);
            take(arrived)?;
            self.terms.progress.step(Step::Bytes { done, total });
        }
        Ok(Counted {
            bytes: done,
            sha256: DigestOf::from_bytes(hash.finalize().into()).hex(),
        })
    }

    /// Where to keep this answer, if the server says how to ask for it again.
    fn save(&self, address: &Address, headers: &HeaderMap) -> Option<Saving> {
        let cache = self.terms.cache?;
        cache.save(address, Validators::to_keep(headers)?)
    }

    fn go_on(&self) -> Result<(), FetchError> {
        if self.terms.progress.is_cancelled() {
            return Err(FetchError::Cancelled);
        }
        Ok(())
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
            seconds: self.terms.time.as_secs(),
        }
    }

    /// The address that a document or a redirection names, checked. What is encrypted leads to nothing that is not.
    pub(crate) fn join(&self, from: &Address, to: &str) -> Result<Address, FetchError> {
        let refused = |fault| FetchError::Address {
            from: from.to_string(),
            to: crate::source::error::without_credentials(&crate::unpack::shown(to.as_bytes())),
            fault,
        };
        let permission = self.terms.permission;
        let address = from.join(to, permission).map_err(refused)?;
        match (from.scheme(), address.scheme()) {
            ("https", "http") if permission == Permission::Encrypted => {
                Err(refused(Fault::Unencrypted("http".to_owned())))
            }
            (_, "https" | "http") => Ok(address),
            (_, other) => Err(refused(Fault::Scheme(other.to_owned()))),
        }
    }

    fn follow(&self, first: &Address) -> Result<Answer, FetchError> {
        let mut address = first.clone();
        for _ in 0..=self.terms.redirections {
            let kept = self.terms.cache.and_then(|cache| cache.find(&address));
            let response = self.ask(&address, kept.as_ref().map(|kept| &kept.validators))?;
            let status = response.status();
            let unchanged = kept.filter(|_| status.as_u16() == 304);
            if status.is_success() || unchanged.is_some() {
                return Ok(Answer {
                    response,
                    address,
                    unchanged,
                });
            }
            address = match self.next(&response, &address)? {
                Some(next) => next,
                None => {
                    return Err(FetchError::Status {
                        url: address.to_string(),
                        status: status.as_u16(),
                    });
                }
            };
        }
        Err(self.leads_too_far(first))
    }

    /// Where redirections lead, whatever is said there, for programs that ask by themselves. No body is read.
    pub(crate) fn destination(&self, first: &Address) -> Result<Destination, FetchError> {
        let mut address = first.clone();
        for _ in 0..=self.terms.redirections {
            let response = self.ask(&address, None)?;
            address = match self.next(&response, &address)? {
                Some(next) => next,
                None => {
                    return Ok(Destination {
                        resolved: self.reach.resolved(),
                        address,
                    });
                }
            };
        }
        Err(self.leads_too_far(first))
    }

    /// The address that an answer leads to, if it leads elsewhere.
    fn next<B>(
        &self,
        response: &Response<B>,
        address: &Address,
    ) -> Result<Option<Address>, FetchError> {
        match text_of(response.headers(), header::LOCATION) {
            Some(location) if matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) => {
                self.join(address, location).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn leads_too_far(&self, first: &Address) -> FetchError {
        FetchError::Redirections {
            url: first.to_string(),
            limit: self.terms.redirections,
        }
    }

    /// Asks once, and again when the server says that it is busy and for how long.
    fn ask(
        &self,
        address: &Address,
        known: Option<&Validators>,
    ) -> Result<Response<ureq::Body>, FetchError> {
        let mut tries = 0;
        loop {
            let response = self.ask_once(address, known)?;
            let is_busy = matches!(response.status().as_u16(), 429 | 503);
            let pause = text_of(response.headers(), header::RETRY_AFTER)
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
            self.go_on()?;
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    fn ask_once(
        &self,
        address: &Address,
        known: Option<&Validators>,
    ) -> Result<Response<ureq::Body>, FetchError> {
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
        let mut request = self.agent.get(address.as_str());
        for (name, value) in known.into_iter().flat_map(Validators::questions) {
            request = request.header(name, value);
        }
        request.call().map_err(|error| {
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

/// Bytes that went by.
struct Counted {
    bytes: u64,
    /// In hexadecimal digits.
    sha256: String,
}

fn too_large(address: &Address, limit: u64) -> FetchError {
    FetchError::TooLarge {
        what: address.to_string(),
        limit,
    }
}

/// A header that has text in it.
fn text_of(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}
