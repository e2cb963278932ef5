//! Tokens: who shows one reaches as far as it says.
//!
//! A token is 256 random bits. It is shown once; kept is its SHA-256, from which nobody gets it back, in a file of the
//! data directory that its owner alone can read. What is compared is hashes, in a time that does not depend on them.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use skillful_manage::DataDirectory;
use skillful_store::Timestamp;
use subtle::ConstantTimeEq;

use crate::hex::hex;
use crate::limits;

/// What a token begins with, so that who finds one knows what it is.
const PREFIX: &str = "skillful_";

/// Seconds of a day.
const DAY: i64 = 24 * 60 * 60;

/// How far a token reaches. Each scope holds those before it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Looking.
    #[default]
    Read,
    /// Changing and installing skills.
    Write,
    /// The configuration, accepting what the guard found, and installing programs.
    Admin,
}

impl Scope {
    /// All scopes, the narrowest first.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Admin];

    /// The word used in every output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Admin => "admin",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that is no scope.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no scope; the scopes are read, write, admin")]
pub struct UnknownScope(pub String);

impl FromStr for Scope {
    type Err = UnknownScope;

    fn from_str(text: &str) -> Result<Self, UnknownScope> {
        let known = Self::ALL.into_iter().find(|scope| scope.as_str() == text);
        known.ok_or_else(|| UnknownScope(text.to_owned()))
    }
}

/// What is kept of a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    /// What its owner calls it.
    pub name: String,
    /// How far it reaches.
    pub scope: Scope,
    /// When it was made.
    pub created: Timestamp,
    /// From when on it does not count any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<Timestamp>,
    /// The SHA-256 of the secret, in hexadecimal digits.
    sha256: String,
}

impl Token {
    /// Whether it does not count any more.
    pub fn has_expired(&self, now: Timestamp) -> bool {
        self.expires.is_some_and(|expires| now >= expires)
    }
}

/// All tokens at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    version: u32,
    tokens: Vec<Token>,
}

impl Tokens {
    /// All of them, sorted by name.
    pub fn all(&self) -> &[Token] {
        &self.tokens
    }

    /// The one with this secret, if it counts.
    pub(crate) fn find(&self, secret: &str) -> Option<Token> {
        let hash = hash_of(secret);
        let now = Timestamp::from(SystemTime::now());
        let mut found = None;
        // All are looked at, so that the time tells nothing.
        for token in &self.tokens {
            if bool::from(token.sha256.as_bytes().ct_eq(hash.as_bytes())) {
                found = Some(token);
            }
        }
        found.filter(|token| !token.has_expired(now)).cloned()
    }
}

/// Something about tokens could not be done.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// A name that cannot be one.
    #[error("`{0}` is no name of a token: it has 1 to {max} letters, digits, `-`, `_` or `.`", max = limits::TOKEN_NAME)]
    Name(String),
    /// The name is taken.
    #[error("there is a token `{0}` already")]
    Exists(String),
    /// There is none of that name.
    #[error("there is no token `{0}`")]
    Unknown(String),
    /// There are as many as there may be.
    #[error("there are {max} tokens, which is the most", max = limits::TOKENS)]
    TooMany,
    /// The file is not what this program wrote.
    #[error("{}: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The operating system says no.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it says.
        error: io::Error,
    },
    /// There is no source of random numbers.
    #[error("no random numbers can be had: {0}")]
    Random(String),
}

/// Where tokens are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenFile {
    path: PathBuf,
}

impl TokenFile {
    /// That of a data directory.
    pub fn of(data: &DataDirectory) -> Self {
        Self {
            path: data.path().join("tokens.json"),
        }
    }

    /// All tokens; none when there is no file.
    ///
    /// # Errors
    ///
    /// [`TokenError::Damaged`], [`TokenError::Io`].
    pub fn read(&self) -> Result<Tokens, TokenError> {
        let text = match fs::read(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Tokens::default()),
            Err(error) => return Err(self.io(error)),
        };
        let damaged = |reason: String| TokenError::Damaged {
            path: self.path.clone(),
            reason,
        };
        let tokens: Tokens =
            serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
        if tokens.version > 1 {
            return Err(damaged(format!("version {} is not known", tokens.version)));
        }
        Ok(tokens)
    }

    /// When the file was changed last, and its length; nothing when there is none.
    pub(crate) fn stamp(&self) -> Option<(SystemTime, u64)> {
        let found = fs::metadata(&self.path).ok()?;
        Some((found.modified().ok()?, found.len()))
    }

    /// Makes a token and gives its secret, which is not kept.
    ///
    /// # Errors
    ///
    /// Every [`TokenError`] but [`TokenError::Unknown`].
    pub fn create(
        &self,
        name: &str,
        scope: Scope,
        days: Option<u32>,
    ) -> Result<(String, Token), TokenError> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if !(1..=limits::TOKEN_NAME).contains(&name.len()) || !name.chars().all(is_plain) {
            return Err(TokenError::Name(name.to_owned()));
        }
        let mut bits = [0; 32];
        getrandom::fill(&mut bits).map_err(|error| TokenError::Random(error.to_string()))?;
        let secret = format!("{PREFIX}{}", hex(&bits));
        let created = Timestamp::from(SystemTime::now());
        let lifetime = days.map(|days| i64::from(days) * DAY);
        let token = Token {
            name: name.to_owned(),
            scope,
            created,
            expires: lifetime.map(|it| Timestamp::from_seconds(created.as_seconds() + it)),
            sha256: hash_of(&secret),
        };
        self.change(|tokens| {
            if tokens.tokens.iter().any(|known| known.name == name) {
                return Err(TokenError::Exists(name.to_owned()));
            }
            if tokens.tokens.len() >= limits::TOKENS {
                return Err(TokenError::TooMany);
            }
            tokens.tokens.push(token.clone());
            tokens.tokens.sort_by(|a, b| a.name.cmp(&b.name));
            Ok(())
        })?;
        Ok((secret, token))
    }

    /// Takes a token away. Running servers notice at the next request.
    ///
    /// # Errors
    ///
    /// [`TokenError::Unknown`], [`TokenError::Damaged`], [`TokenError::Io`].
    pub fn revoke(&self, name: &str) -> Result<(), TokenError> {
        self.change(|tokens| {
            let before = tokens.tokens.len();
            tokens.tokens.retain(|token| token.name != name);
            if tokens.tokens.len() == before {
                return Err(TokenError::Unknown(name.to_owned()));
            }
            Ok(())
        })
    }

    fn change(
        &self,
        change: impl FnOnce(&mut Tokens) -> Result<(), TokenError>,
    ) -> Result<(), TokenError> {
        let directory = self.path.parent().unwrap_or(Path::new("."));
        make_private(directory).map_err(|error| self.io(error))?;
        let _turn = turn(directory).map_err(|error| self.io(error))?;
        let mut tokens = self.read()?;
        change(&mut tokens)?;
        tokens.version = 1;
        self.write(directory, &tokens)
            .map_err(|error| self.io(error))
    }

    fn write(&self, directory: &Path, tokens: &Tokens) -> io::Result<()> {
        // A temporary file is its owner's alone from the beginning.
        let mut file = tempfile::NamedTempFile::new_in(directory)?;
        serde_json::to_writer_pretty(&mut file, tokens)?;
        file.write_all(b"\n")?;
        file.as_file().sync_all()?;
        file.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
    }

    fn io(&self, error: io::Error) -> TokenError {
        TokenError::Io {
            path: self.path.clone(),
            error,
        }
    }
}

/// Waits until no other process changes tokens.
fn turn(directory: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    private(&mut options);
    let lock = options.open(directory.join("tokens.lock"))?;
    lock.lock()?;
    Ok(lock)
}

fn make_private(directory: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(directory)
}

#[cfg_attr(
    not(unix),
    expect(clippy::needless_pass_by_ref_mut, reason = "it is changed on Unix")
)]
fn private(options: &mut OpenOptions) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    #[cfg(not(unix))]
    let _ = options;
}

fn hash_of(secret: &str) -> String {
    hex(&Sha256::digest(secret.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> (tempfile::TempDir, TokenFile) {
        let directory = tempfile::tempdir().unwrap();
        let data = DataDirectory::at(directory.path().join("data"));
        (directory, TokenFile::of(&data))
    }

    #[test]
    fn a_secret_is_found_and_not_kept() {
        let (_directory, file) = file();
        assert_eq!(file.read().unwrap().all(), []);
        let (secret, token) = file.create("ci", Scope::Write, None).unwrap();
        assert_eq!(secret.len(), PREFIX.len() + 64);
        let tokens = file.read().unwrap();
        assert_eq!(tokens.find(&secret), Some(token));
        assert_eq!(tokens.find(&secret[1..]), None);
        assert_eq!(tokens.find(""), None);
        let text = fs::read_to_string(&file.path).unwrap();
        assert!(!text.contains(&secret[PREFIX.len()..]), "{text}");
        let (other, _) = file.create("laptop", Scope::Read, None).unwrap();
        assert_ne!(other, secret);
    }

    #[test]
    fn what_is_revoked_or_expired_does_not_count() {
        let (_directory, file) = file();
        let (secret, _) = file.create("a", Scope::Admin, Some(0)).unwrap();
        assert_eq!(file.read().unwrap().find(&secret), None);
        let (secret, _) = file.create("b", Scope::Admin, Some(1)).unwrap();
        assert!(file.read().unwrap().find(&secret).is_some());
        file.revoke("b").unwrap();
        assert_eq!(file.read().unwrap().find(&secret), None);
        assert!(matches!(file.revoke("b"), Err(TokenError::Unknown(_))));
    }

    #[test]
    fn names_are_plain_and_taken_once() {
        let (_directory, file) = file();
        file.create("a", Scope::Read, None).unwrap();
        assert!(matches!(
            file.create("a", Scope::Read, None),
            Err(TokenError::Exists(_))
        ));
        for name in ["", "a b", "ä", &"x".repeat(65), "a\n"] {
            assert!(
                matches!(
                    file.create(name, Scope::Read, None),
                    Err(TokenError::Name(_))
                ),
                "{name:?}"
            );
        }
    }

    #[test]
    fn a_file_that_is_damaged_is_no_empty_one() {
        let (_directory, file) = file();
        file.create("a", Scope::Read, None).unwrap();
        fs::write(&file.path, "{").unwrap();
        assert!(matches!(file.read(), Err(TokenError::Damaged { .. })));
        assert!(matches!(
            file.create("b", Scope::Read, None),
            Err(TokenError::Damaged { .. })
        ));
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let (_directory, file) = file();
        file.create("a", Scope::Read, None).unwrap();
        let mode = fs::metadata(&file.path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
