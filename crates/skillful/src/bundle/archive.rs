//! The files of a skill that is an archive.

use std::borrow::Cow;
use std::path::Path;

use skillmd::Code;
use zip::ZipArchive;

use super::{Bundle, Resource};
use crate::limits;
use crate::read::{self, Links};

/// Lists the members beside `member`, the archive's SKILL.md. Sizes are those that the archive states.
pub(super) fn list(path: &Path, member: &str) -> Bundle {
    let mut bundle = Bundle::default();
    if member.is_empty() {
        return bundle;
    }
    let top = member.rsplit_once('/').map(|(directory, _)| directory);
    let opened = read::open_regular(path, Links::Follow, limits::BUNDLE_BYTES)
        .ok()
        .and_then(|file| ZipArchive::new(file).ok());
    let Some(mut archive) = opened else {
        let message = format!("`{}` could not be read", path.display());
        bundle.note(Code::BundleUnreadable, message);
        return bundle;
    };
    for index in 0..archive.len() {
        let Ok(file) = archive.by_index_raw(index) else {
            continue;
        };
        let Ok(name) = file.name().map(Cow::into_owned) else {
            continue;
        };
        let below = match top {
            Some(top) => name
                .strip_prefix(top)
                .and_then(|rest| rest.strip_prefix('/')),
            None => Some(&*name),
        };
        let Some(below) = below.filter(|below| is_plain(below)) else {
            continue;
        };
        if name == member || !file.is_file() {
            continue;
        }
        if bundle.resources.len() + 1 >= limits::BUNDLE_FILES {
            bundle.truncated = true;
            break;
        }
        bundle.bytes = bundle.bytes.saturating_add(file.size());
        bundle.resources.push(Resource {
            path: below.to_owned(),
            size: file.size(),
            executable: file.unix_mode().is_some_and(|mode| mode & 0o100 != 0),
        });
    }
    bundle
}

/// Whether a member's name is a path that stays below its top, without the junk that macOS adds.
fn is_plain(name: &str) -> bool {
    !name.contains(['\\', ':', '\0'])
        && name.split('/').all(|part| !matches!(part, "" | "." | ".."))
        && !name.starts_with("__MACOSX/")
}
