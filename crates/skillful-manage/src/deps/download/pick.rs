//! Finding a program among the files of an archive that was unpacked.

use std::collections::BTreeMap;
use std::io;

use cap_fs_ext::DirExt;
use cap_std::fs::{Dir, File};

use super::DownloadError;
use crate::limits;

/// The file of a program in an unpacked archive: the one at the top once `strip` directories are taken off, else the one
/// in `bin` there, else the only one of its name.
///
/// # Errors
///
/// [`DownloadError`] when there is none or it is not clear which is meant.
pub(in crate::deps) fn pick(tree: &Dir, strip: usize, name: &str) -> Result<File, DownloadError> {
    let mut found = BTreeMap::new();
    search(tree, "", 0, name, &mut found)?;
    let after_strip = |path: &str| -> Option<String> {
        let parts: Vec<&str> = path.split('/').collect();
        let rest = parts.get(strip..).filter(|rest| !rest.is_empty())?;
        Some(rest.join("/"))
    };
    let mut inside: Vec<(String, String, File)> = found
        .into_iter()
        .filter_map(|(path, file)| Some((after_strip(&path)?, path, file)))
        .collect();
    let usual = format!("bin/{name}");
    let place = |wanted: &str| inside.iter().position(|(path, ..)| path == wanted);
    let index = match place(name).or_else(|| place(&usual)) {
        Some(index) => index,
        None if inside.len() == 1 => 0,
        None if inside.is_empty() => return Err(DownloadError::NotInArchive(name.to_owned())),
        None => {
            let paths = inside.into_iter().map(|(_, path, _)| path).collect();
            return Err(DownloadError::Ambiguous {
                name: name.to_owned(),
                paths,
            });
        }
    };
    Ok(inside.swap_remove(index).2)
}

/// Opens every regular file of this name. What the archive was unpacked to holds no links.
fn search(
    directory: &Dir,
    below: &str,
    depth: usize,
    name: &str,
    found: &mut BTreeMap<String, File>,
) -> io::Result<()> {
    if depth > limits::PATH_DEPTH || found.len() >= limits::NOTES {
        return Ok(());
    }
    for entry in directory.entries()? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let text = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{below}{text}");
        if kind.is_dir() {
            let inner = directory.open_dir_nofollow(entry.file_name())?;
            search(&inner, &format!("{path}/"), depth + 1, name, found)?;
        } else if kind.is_file() && text == name {
            found.insert(path, entry.open()?);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn picked(files: &[&str], strip: usize) -> Result<String, String> {
        let place = tempfile::tempdir().unwrap();
        for path in files {
            let whole = place.path().join(path);
            std::fs::create_dir_all(whole.parent().unwrap()).unwrap();
            std::fs::write(whole, path).unwrap();
        }
        let tree = Dir::open_ambient_dir(place.path(), cap_std::ambient_authority()).unwrap();
        let mut text = String::new();
        let mut file = pick(&tree, strip, "tool").map_err(|error| error.to_string())?;
        file.read_to_string(&mut text).unwrap();
        Ok(text)
    }

    #[test]
    fn the_place_decides_before_the_name_alone() {
        let ok = |path: &str| Ok(path.to_owned());
        assert_eq!(picked(&["tool", "bin/tool"], 0), ok("tool"));
        assert_eq!(picked(&["a/bin/tool", "a/share/tool"], 1), ok("a/bin/tool"));
        assert_eq!(picked(&["a/b/c/tool", "a/tool.md"], 0), ok("a/b/c/tool"));
        assert_eq!(picked(&["tool", "a/tool"], 1), ok("a/tool"));
        assert!(
            picked(&["a/tool", "b/tool"], 0)
                .unwrap_err()
                .contains("a/tool, b/tool")
        );
        assert!(
            picked(&["other"], 0)
                .unwrap_err()
                .contains("no file `tool`")
        );
        assert!(picked(&["tool"], 1).unwrap_err().contains("no file `tool`"));
    }
}
