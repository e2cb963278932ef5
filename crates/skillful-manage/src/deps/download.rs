//! Programs that are fetched as files: from where, what they must hash to, and what becomes of them.
//!
//! ```text
//! spec ─step→ DownloadStep ─fetch→ file in staging ─SHA-256→ known bytes ─unpack→ programs ─shelf→ our directory
//! ```

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::str::FromStr;

use sha2::Digest;
use skillful::Os;
use skillmd::install::InstallSpec;

use super::places::Places;
use super::step::{Additions, DownloadStep, Unusable};
use crate::limits;
use crate::progress::{Progress, Step as Event};

mod pick;

pub(super) use pick::pick;

/// An address that a program is fetched from: `https`, or on this very machine `http`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DownloadUrl(String);

/// Why an address is not fetched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UrlFault {
    /// It is not encrypted.
    #[error("`{0}` is not an https address")]
    NotHttps(String),
    /// It holds a name or a password.
    #[error("the address holds a name or password for its host")]
    Credentials,
    /// Blanks, control characters, letters beyond ASCII, or backslashes.
    #[error("`{}` has a character that no address has", .0.escape_debug())]
    Character(String),
    /// There is no host.
    #[error("`{0}` names no host")]
    NoHost(String),
    /// Longer than [`limits::URL_BYTES`].
    #[error("the address has more than {} bytes", limits::URL_BYTES)]
    TooLong,
}

impl DownloadUrl {
    /// Takes an address as it was given.
    ///
    /// # Errors
    ///
    /// [`UrlFault`].
    pub fn parse(text: &str) -> Result<Self, UrlFault> {
        let text = text.trim();
        if text.len() > limits::URL_BYTES {
            return Err(UrlFault::TooLong);
        }
        let is_strange =
            |c: char| !c.is_ascii_graphic() || matches!(c, '\\' | '"' | '\'' | '<' | '>' | '`');
        if text.contains(is_strange) {
            return Err(UrlFault::Character(text.to_owned()));
        }
        let lower = text.to_ascii_lowercase();
        let (is_plain, rest) = match (
            lower.strip_prefix("https://"),
            lower.strip_prefix("http://"),
        ) {
            (Some(rest), _) => (false, rest),
            (None, Some(rest)) => (true, rest),
            (None, None) => return Err(UrlFault::NotHttps(text.to_owned())),
        };
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if authority.contains('@') {
            return Err(UrlFault::Credentials);
        }
        let host = match authority.strip_prefix('[') {
            Some(rest) => rest.split(']').next().unwrap_or_default(),
            None => authority.split(':').next().unwrap_or_default(),
        };
        if host.is_empty() {
            return Err(UrlFault::NoHost(text.to_owned()));
        }
        if is_plain && !is_this_machine(host) {
            return Err(UrlFault::NotHttps(text.to_owned()));
        }
        Ok(Self(text.to_owned()))
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the way there is encrypted.
    pub(super) fn is_encrypted(&self) -> bool {
        self.0
            .get(..6)
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("https:"))
    }

    /// The last part of its path.
    fn file_name(&self) -> &str {
        let path = self.0.split(['?', '#']).next().unwrap_or_default();
        path.rsplit('/').next().unwrap_or_default()
    }
}

impl fmt::Display for DownloadUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_this_machine(host: &str) -> bool {
    match host.parse::<std::net::IpAddr>() {
        Ok(address) => address.is_loopback(),
        Err(_) => host == "localhost",
    }
}

/// What bytes must hash to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sha256([u8; 32]);

/// A text that is no SHA-256.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a SHA-256 is 64 hexadecimal digits")]
pub struct NoSha256;

impl Sha256 {
    /// That of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }
}

impl FromStr for Sha256 {
    type Err = NoSha256;

    /// `sha256:` before the digits is dropped; their case does not matter.
    fn from_str(text: &str) -> Result<Self, NoSha256> {
        let text = text.trim();
        let digits = text.strip_prefix("sha256:").unwrap_or(text).as_bytes();
        if digits.len() != 64 {
            return Err(NoSha256);
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let value = |digit: &u8| char::from(*digit).to_digit(16);
            let &[high, low] = pair else {
                return Err(NoSha256);
            };
            let pair = value(&high).zip(value(&low)).ok_or(NoSha256)?;
            *byte = u8::try_from(pair.0 * 16 + pair.1).map_err(|_| NoSha256)?;
        }
        Ok(Self(bytes))
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Forms of archives that are unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArchiveForm {
    /// `.zip`
    Zip,
    /// `.tar.gz` and `.tgz`
    TarGz,
}

impl ArchiveForm {
    /// The word in every output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Zip => "zip",
            Self::TarGz => "tar.gz",
        }
    }

    /// The form of a file with this name; nothing when it looks like no archive, and an error for one that is not
    /// unpacked.
    fn of_name(name: &str) -> Result<Option<Self>, Unusable> {
        const OTHERS: [&str; 7] = [
            ".tar", ".tar.bz2", ".tar.xz", ".tar.zst", ".7z", ".dmg", ".rar",
        ];
        let lower = name.to_ascii_lowercase();
        let ends = |ending: &str| lower.ends_with(ending);
        if ends(".zip") {
            Ok(Some(Self::Zip))
        } else if ends(".tar.gz") || ends(".tgz") {
            Ok(Some(Self::TarGz))
        } else if let Some(other) = OTHERS.into_iter().find(|other| ends(other)) {
            Err(Unusable::Archive(other.trim_start_matches('.').to_owned()))
        } else {
            Ok(None)
        }
    }
}

/// How a download is done.
pub(super) fn step(
    spec: &InstallSpec,
    places: &Places,
    additions: Additions<'_>,
) -> Result<DownloadStep, Unusable> {
    let url = spec.url.as_deref().ok_or(Unusable::NoUrl)?;
    let url = DownloadUrl::parse(url).map_err(Unusable::Url)?;
    let archive = match (spec.extract, &spec.archive) {
        (Some(false), _) => None,
        (_, Some(form)) => ArchiveForm::of_name(&format!(".{}", form.trim_start_matches('.')))?
            .map(Some)
            .ok_or_else(|| Unusable::Archive(form.clone()))?,
        (_, None) => ArchiveForm::of_name(url.file_name())?,
    };
    let bins = bins(spec, places.host.os())?;
    // A file is one program.
    if bins.len() != 1 && archive.is_none() {
        return Err(Unusable::NoProgram);
    }
    let sha256 = match spec.sha256.as_deref().or(additions.sha256) {
        Some(text) => text.parse().map_err(|_| Unusable::BadDigest)?,
        None => return Err(Unusable::NoDigest),
    };
    Ok(DownloadStep {
        url,
        sha256,
        archive,
        strip: spec.strip_components.unwrap_or(0) as usize,
        bins,
        destination: places.bin().ok_or(Unusable::NoPlace)?,
    })
}

/// The programs of a download. Where none are named, the package is the file's name, but never a path.
fn bins(spec: &InstallSpec, os: Os) -> Result<Vec<String>, Unusable> {
    let named = match (&spec.bins[..], &spec.package) {
        ([], Some(package)) => std::slice::from_ref(package),
        ([], None) => return Err(Unusable::NoProgram),
        (bins, _) => bins,
    };
    let of = |name: &String| {
        if !is_program_name(name) {
            return Err(Unusable::BadProgram(name.clone()));
        }
        let lower = name.to_ascii_lowercase();
        let has_ending = [".exe", ".cmd", ".bat", ".com"]
            .iter()
            .any(|it| lower.ends_with(it));
        Ok(if os == Os::Windows && !has_ending {
            format!("{name}.exe")
        } else {
            name.clone()
        })
    };
    named.iter().map(of).collect()
}

/// A name that is a plain file's on every system: no dot first, no device of Windows.
fn is_program_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '+' | '-');
    name.len() <= limits::PROGRAM_NAME_BYTES
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(is_plain)
        && skillful::bundle::ResourcePath::parse(name).is_ok()
}

/// Whoever fetches files: an HTTP client, or a stand-in in tests.
pub trait Web {
    /// Writes what lies at an address into `to`, which errs when it has had enough. Redirects lead to `https` alone, and
    /// from this machine nowhere.
    ///
    /// # Errors
    ///
    /// [`WebError`].
    fn fetch(&self, url: &DownloadUrl, to: &mut dyn Write) -> Result<(), WebError>;
}

/// A file could not be fetched: which, why, and what to do, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WebError(pub String);

/// A program could not be had.
#[derive(Debug, thiserror::Error)]
pub enum DownloadError {
    /// The address gave nothing.
    #[error(transparent)]
    Fetch(#[from] WebError),
    /// The file is over [`limits::PROGRAM_BYTES`].
    #[error("{url} has more than {limit} bytes")]
    TooLarge {
        /// The address.
        url: String,
        /// The limit.
        limit: u64,
    },
    /// The file is not what was promised.
    #[error(
        "{url} is not the file that was promised: its SHA-256 is {found}, not {expected}; nothing was placed"
    )]
    Digest {
        /// The address.
        url: String,
        /// What was promised.
        expected: Sha256,
        /// What came.
        found: Sha256,
    },
    /// The archive was not unpacked.
    #[error("the archive was not unpacked: {0}")]
    Archive(String),
    /// The archive has no such program.
    #[error("the archive holds no file `{0}`")]
    NotInArchive(String),
    /// The archive has several.
    #[error("the archive holds several files `{name}`: {}", paths.join(", "))]
    Ambiguous {
        /// The program.
        name: String,
        /// Where they are in the archive.
        paths: Vec<String>,
    },
    /// The user interrupted.
    #[error("it was interrupted; nothing was placed")]
    Interrupted,
    /// The operating system says no.
    #[error("the file could not be kept: {0}")]
    Io(#[from] io::Error),
}

/// Fetches a file of at most `limit` bytes into `staged`, and rewinds it.
///
/// # Errors
///
/// [`DownloadError`]; what is in the file is then nobody's.
pub(super) fn fetch(
    step: &DownloadStep,
    web: &dyn Web,
    staged: &mut File,
    limit: u64,
    progress: &dyn Progress,
) -> Result<(), DownloadError> {
    let url = step.url.as_str().to_owned();
    let mut sink = Sink {
        file: staged,
        hasher: sha2::Sha256::new(),
        bytes: 0,
        limit,
        end: None,
        progress,
    };
    let fetched = web.fetch(&step.url, &mut sink);
    let found = Sha256(sink.hasher.clone().finalize().into());
    match (sink.end, fetched) {
        (Some(Enough::TooLarge), _) => return Err(DownloadError::TooLarge { url, limit }),
        (Some(Enough::Interrupted), _) => return Err(DownloadError::Interrupted),
        (None, Err(error)) => return Err(error.into()),
        (None, Ok(())) => {}
    }
    if found != step.sha256 {
        return Err(DownloadError::Digest {
            url,
            expected: step.sha256,
            found,
        });
    }
    staged.seek(SeekFrom::Start(0))?;
    Ok(())
}

/// Why no more is taken.
#[derive(Clone, Copy, Debug)]
enum Enough {
    TooLarge,
    Interrupted,
}

/// Takes what comes, up to the limit, and hashes it on the way.
struct Sink<'a> {
    file: &'a mut File,
    hasher: sha2::Sha256,
    bytes: u64,
    limit: u64,
    end: Option<Enough>,
    progress: &'a dyn Progress,
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len() as u64;
        if self.bytes > self.limit {
            self.end = Some(Enough::TooLarge);
        } else if self.progress.is_cancelled() {
            self.end = Some(Enough::Interrupted);
        }
        if self.end.is_some() {
            return Err(io::Error::other("no more is taken"));
        }
        self.file.write_all(bytes)?;
        self.hasher.update(bytes);
        self.progress.step(Event::Bytes {
            done: self.bytes,
            total: None,
        });
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// All bytes of a program, of at most [`limits::PROGRAM_BYTES`].
pub(super) fn read_all(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(limits::PROGRAM_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests;
