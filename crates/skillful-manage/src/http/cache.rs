//! Answers that are kept, so that what has not changed is not sent again (RFC 9110, 13: `ETag` and `Last-Modified`).
//!
//! Whether an answer still holds is asked of its server every time; nothing is taken for fresh by its age. An entry is one
//! file, named by the SHA-256 of the address, which may hold a secret. Its first lines say what the body must hash to and
//! what the server calls it; a file that does not hold to that is as good as none. Failing to keep something fails nothing.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::NamedTempFile;
use ureq::http::{HeaderMap, HeaderName, header};

use crate::data::make_private;
use crate::hash;
use crate::limits;
use crate::source::Address;

/// The first line of an entry.
const FORMAT: &str = "skillful-answer 1";

/// Room for the digest of a body that has not arrived.
const UNKNOWN: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// A directory of answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cache<'a> {
    directory: &'a Path,
}

/// What a server calls an answer. Both are foreign text that is sent back, and are taken only in the form that the
/// standard gives them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Validators {
    pub(super) etag: Option<String>,
    last_modified: Option<String>,
}

/// An answer that was kept, and is whole.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) validators: Validators,
    /// That of the body, in hexadecimal digits.
    pub(super) sha256: String,
    pub(super) body: BufReader<File>,
}

/// An answer that is being kept.
pub(super) struct Saving {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
    has_failed: bool,
}

impl<'a> Cache<'a> {
    /// Answers in this directory, which is made when there is something to keep.
    pub(crate) fn at(directory: &'a Path) -> Self {
        Self { directory }
    }

    fn path(&self, address: &Address) -> PathBuf {
        self.directory.join(hash::of(address.as_str()).hex())
    }

    /// What was kept of this address.
    pub(super) fn find(&self, address: &Address) -> Option<Kept> {
        let path = self.path(address);
        let kept = Kept::read(&path).ok().flatten()?;
        // What is asked for often is thrown away last.
        let _unimportant = File::options()
            .write(true)
            .open(&path)
            .and_then(|file| file.set_modified(SystemTime::now()));
        Some(kept)
    }

    /// Begins to keep an answer.
    pub(super) fn save(&self, address: &Address, validators: Validators) -> Option<Saving> {
        make_private(self.directory).ok()?;
        let file = NamedTempFile::new_in(self.directory).ok()?;
        let mut saving = Saving {
            file: BufWriter::new(file),
            path: self.path(address),
            has_failed: false,
        };
        let line = |value: Option<String>| value.unwrap_or_default();
        let head = format!(
            "{FORMAT}\n{UNKNOWN}\n{}\n{}\n",
            line(validators.etag),
            line(validators.last_modified)
        );
        saving.write(head.as_bytes());
        Some(saving)
    }
}

impl Kept {
    fn read(path: &Path) -> io::Result<Option<Self>> {
        let mut body = BufReader::new(File::open(path)?);
        let mut head = (&mut body).take(limits::CACHED_HEAD_BYTES);
        let mut line = || {
            let mut line = String::new();
            head.read_line(&mut line)?;
            Ok::<_, io::Error>(line.strip_suffix('\n').map(str::to_owned))
        };
        let (Some(format), Some(sha256), Some(etag), Some(last_modified)) =
            (line()?, line()?, line()?, line()?)
        else {
            return Ok(None);
        };
        let validators = Validators {
            etag: Some(etag).filter(|etag| is_etag(etag)),
            last_modified: Some(last_modified).filter(|date| is_date(date)),
        };
        if format != FORMAT || validators == Validators::default() {
            return Ok(None);
        }
        let start = body.stream_position()?;
        let Ok(hashed) = hash::copy(&mut body, io::sink(), limits::CACHE_BYTES) else {
            return Ok(None);
        };
        if hashed.sha256.hex() != sha256 {
            return Ok(None);
        }
        body.seek(SeekFrom::Start(start))?;
        Ok(Some(Self {
            validators,
            sha256,
            body,
        }))
    }
}

impl Saving {
    pub(super) fn write(&mut self, bytes: &[u8]) {
        self.has_failed = self.has_failed || self.file.write_all(bytes).is_err();
    }

    /// Everything arrived: from now on it is there to be asked for.
    pub(super) fn finish(self, sha256: &str) {
        // What cannot be kept is fetched again.
        let _unimportant = self.place(sha256);
    }

    fn place(self, sha256: &str) -> io::Result<()> {
        if self.has_failed {
            return Ok(());
        }
        let mut file = self.file.into_inner()?;
        file.seek(SeekFrom::Start(FORMAT.len() as u64 + 1))?;
        file.write_all(sha256.as_bytes())?;
        file.persist(&self.path)?;
        match self.path.parent() {
            Some(directory) => tidy(directory, limits::CACHE_BYTES, limits::CACHE_ENTRIES),
            None => Ok(()),
        }
    }
}

/// Throws away what was not asked for longest, until the rest is within the limits.
fn tidy(directory: &Path, most_bytes: u64, most_entries: usize) -> io::Result<()> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        entries.push((metadata.modified()?, metadata.len(), entry.path()));
    }
    let mut bytes: u64 = entries.iter().map(|(_, length, _)| length).sum();
    let mut left = entries.len();
    entries.sort();
    for (_, length, path) in entries {
        if bytes <= most_bytes && left <= most_entries {
            break;
        }
        fs::remove_file(path)?;
        bytes -= length;
        left -= 1;
    }
    Ok(())
}

impl Validators {
    /// What a later question may say of this answer; nothing when it must not be kept, or cannot be asked for so.
    pub(super) fn to_keep(headers: &HeaderMap) -> Option<Self> {
        let has = |name: HeaderName, word: &str| {
            let values = headers.get_all(name).into_iter();
            values
                .filter_map(|value| value.to_str().ok())
                .flat_map(|value| value.split(','))
                .any(|part| part.trim().eq_ignore_ascii_case(word))
        };
        if has(header::CACHE_CONTROL, "no-store") || has(header::VARY, "*") {
            return None;
        }
        let only = |name: HeaderName, is_fine: fn(&str) -> bool| {
            let mut values = headers.get_all(name).into_iter();
            match (values.next(), values.next()) {
                (Some(value), None) => {
                    let text = value.to_str().ok().filter(|text| is_fine(text));
                    text.map(str::to_owned)
                }
                _ => None,
            }
        };
        let validators = Self {
            etag: only(header::ETAG, is_etag),
            last_modified: only(header::LAST_MODIFIED, is_date),
        };
        (validators != Self::default()).then_some(validators)
    }

    /// The headers that ask for something newer.
    pub(super) fn questions(&self) -> impl Iterator<Item = (HeaderName, &str)> {
        let etag = self.etag.as_deref();
        let date = self.last_modified.as_deref();
        // A date counts only where there is no better name for the answer (RFC 9110, 13.1.3).
        let date = date.filter(|_| etag.is_none());
        etag.map(|etag| (header::IF_NONE_MATCH, etag))
            .into_iter()
            .chain(date.map(|date| (header::IF_MODIFIED_SINCE, date)))
    }
}

/// `"…"` or `W/"…"`, of visible characters.
fn is_etag(text: &str) -> bool {
    let opaque = text.strip_prefix("W/").unwrap_or(text);
    let inner = opaque
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    text.len() <= limits::VALIDATOR_BYTES
        && inner.is_some_and(|inner| {
            inner
                .bytes()
                .all(|byte| byte.is_ascii_graphic() && byte != b'"')
        })
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that servers are to send.
fn is_date(text: &str) -> bool {
    const PATTERN: &[u8] = b"aaa, 00 aaa 0000 00:00:00 GMT";
    text.len() == PATTERN.len()
        && text
            .bytes()
            .zip(PATTERN)
            .all(|(byte, pattern)| match pattern {
                b'a' => byte.is_ascii_alphabetic(),
                b'0' => byte.is_ascii_digit(),
                other => byte == *other,
            })
}

#[cfg(test)]
mod tests;
