//! What can be at a path, without its content.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A SHA-256. Written as `sha256:` and 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest([u8; 32]);

/// A text is no digest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no digest: `sha256:` and 64 lower-case hexadecimal digits are needed")]
pub struct InvalidDigest(pub String);

impl Digest {
    /// The digest with these bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Its 64 digits without `sha256:`.
    pub fn hex(&self) -> String {
        self.0.iter().fold(String::new(), |mut text, byte| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    }

    /// The digest with these 64 lower-case digits, without `sha256:`.
    ///
    /// # Errors
    ///
    /// [`InvalidDigest`] for anything else.
    pub fn from_hex(text: &str) -> Result<Self, InvalidDigest> {
        let invalid = || InvalidDigest(text.to_owned());
        let digits = text.as_bytes();
        let is_digit = |digit: &u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
        if digits.len() != 64 || !digits.iter().all(is_digit) {
            return Err(invalid());
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| invalid())?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| invalid())?;
        }
        Ok(Self(bytes))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", self.hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Digest {
    type Err = InvalidDigest;

    fn from_str(text: &str) -> Result<Self, InvalidDigest> {
        text.strip_prefix("sha256:")
            .and_then(|digits| Self::from_hex(digits).ok())
            .ok_or_else(|| InvalidDigest(text.to_owned()))
    }
}

impl TryFrom<String> for Digest {
    type Error = InvalidDigest;

    fn try_from(text: String) -> Result<Self, InvalidDigest> {
        text.parse()
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.to_string()
    }
}

/// What is at a path. Links are themselves, never what they lead to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum State {
    /// Nothing.
    Absent,
    /// A regular file.
    File {
        /// Of its content.
        sha256: Digest,
        /// Its length in bytes.
        size: u64,
        /// Whether its owner may execute it; never on Windows.
        executable: bool,
    },
    /// A directory with all that it holds.
    Tree {
        /// Over everything in it.
        digest: Digest,
    },
    /// A link.
    Link {
        /// What it says, as it says it.
        target: String,
    },
}

impl State {
    /// Whether there is nothing.
    pub fn is_absent(&self) -> bool {
        *self == Self::Absent
    }
}

/// For messages: `nothing`, `a file`, `a directory`, `a link to TARGET`.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("nothing"),
            Self::File { sha256, .. } => write!(f, "a file ({})", short(sha256)),
            Self::Tree { digest } => write!(f, "a directory ({})", short(digest)),
            Self::Link { target } => write!(f, "a link to {target:?}"),
        }
    }
}

/// Enough of a digest for people to tell two apart.
fn short(digest: &Digest) -> String {
    let mut text = digest.to_string();
    text.truncate("sha256:".len() + 12);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_written_and_read_back_in_one_form_only() {
        let digest = Digest::from_bytes([0xa5; 32]);
        let text = digest.to_string();
        assert_eq!(text, format!("sha256:{}", "a5".repeat(32)));
        assert_eq!(text.parse(), Ok(digest));
        assert_eq!(Digest::from_hex(&digest.hex()), Ok(digest));
        for wrong in [
            "",
            "sha256:",
            &digest.hex(),
            &text.to_uppercase(),
            &text[..70],
            &format!("{text}0"),
            &text.replace("a5a5", "+5-5"),
            &format!("sha256:{}", "é".repeat(32)),
        ] {
            assert!(wrong.parse::<Digest>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn states_have_one_json_form() {
        let digest = Digest::from_bytes([0; 32]);
        let zeros = "0".repeat(64);
        for (state, json) in [
            (State::Absent, r#"{"kind":"absent"}"#.to_owned()),
            (
                State::File {
                    sha256: digest,
                    size: 3,
                    executable: true,
                },
                format!(
                    r#"{{"kind":"file","sha256":"sha256:{zeros}","size":3,"executable":true}}"#
                ),
            ),
            (
                State::Tree { digest },
                format!(r#"{{"kind":"tree","digest":"sha256:{zeros}"}}"#),
            ),
            (
                State::Link {
                    target: "../a".to_owned(),
                },
                r#"{"kind":"link","target":"../a"}"#.to_owned(),
            ),
        ] {
            assert_eq!(serde_json::to_string(&state).unwrap(), json);
            assert_eq!(serde_json::from_str::<State>(&json).unwrap(), state);
        }
    }
}
