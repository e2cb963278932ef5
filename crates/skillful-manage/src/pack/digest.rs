//! The digest of packed files: that of [`skillful::bundle::digest`] for the skill that is unpacked from them.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::collect::PackedFile;

/// `sha256:` and 64 hexadecimal digits over files that are sorted by path.
pub(super) fn of_files(files: &[PackedFile]) -> String {
    let mut hasher = Sha256::new();
    for file in files {
        let mark = if file.executable { "x" } else { "-" };
        let (size, sha256) = (file.bytes.len(), hex(&Sha256::digest(&file.bytes)));
        hasher.update(format!("{}\0{size}\0{sha256}\0{mark}\n", file.path));
    }
    format!("sha256:{}", hex(&hasher.finalize()))
}

/// The same for bytes.
pub(crate) fn of_bytes(bytes: &[u8]) -> String {
    format!("sha256:{}", hex(&Sha256::digest(bytes)))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
