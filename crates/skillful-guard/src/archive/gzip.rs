//! What gzip packed: a tar archive, or one file.

use std::io::{Cursor, Read};

use flate2::read::MultiGzDecoder;

use super::bounded::Bounded;
use super::{Opening, tar};

pub(super) fn open(opening: &mut Opening<'_>) {
    let mut stream = MultiGzDecoder::new(opening.bytes);
    let mut start = Vec::new();
    if let Err(error) = stream
        .by_ref()
        .take(tar::BLOCK as u64)
        .read_to_end(&mut start)
    {
        opening.gap(error.to_string());
        return;
    }
    let is_tar = tar::begins(&start);
    let whole = Cursor::new(start).chain(stream);
    if is_tar {
        tar::open(opening, whole);
    } else {
        file(opening, whole);
    }
}

/// Adds what was packed as a member, under the name without its ending.
fn file(opening: &mut Opening<'_>, whole: impl Read) {
    let name = opening.path.rsplit(['/', '!']).next().unwrap_or_default();
    let name = match name
        .len()
        .checked_sub(3)
        .and_then(|end| name.split_at_checked(end))
    {
        Some((stem, ending)) if ending.eq_ignore_ascii_case(".gz") && !stem.is_empty() => stem,
        _ => "content",
    };
    let path = opening.path_of(name);
    let allowed = opening.allowed();
    let mut stream = Bounded::new(whole, allowed);
    let mut content = Vec::new();
    let read = stream.read_to_end(&mut content);
    opening.spend(stream.bytes_read());
    if stream.is_exceeded() {
        opening.is_bomb(&path, allowed);
        return;
    }
    // A stream that breaks off still showed its beginning.
    if let Err(error) = read {
        opening.gap(error.to_string());
    }
    opening.file(path, content, false);
}
