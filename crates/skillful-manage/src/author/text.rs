//! Changing a skill's text: as a whole, or one place of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use skillful::Skill;
use skillful::bundle::ResourcePath;
use skillful::discover::Candidate;
use skillful::load::load;
use skillful::records::key_of;
use skillful::state::State as SkillState;
use skillmd::{Code, Diagnostic, Severity};

use super::draft::FileEdit;
use super::subject::{Base, Subject};
use super::{Author, AuthorError, Done, Outcome, Remark, Target};
use crate::change::Change;
use crate::{Operation, limits};

impl Author<'_> {
    /// Replaces a skill's own file by `text`, to the byte. The id stays; giving it another one is [`Self::rename`].
    ///
    /// # Errors
    ///
    /// [`AuthorError`]; [`AuthorError::Invalid`] when the new text has faults that the old one did not have.
    pub fn edit(&self, target: &Target, text: &[u8]) -> Result<Done, AuthorError> {
        let library = self.search();
        let subject = Subject::find(self, &library, target)?;
        let edit = FileEdit::write(subject.main_name(), text.to_vec());
        self.replace(&subject, &edit, Verb::Edit)
    }

    /// Replaces `find`, which must be there exactly once, by `replace`: in the skill's own file, or in another text file
    /// of it. In a file with Windows' line ends, those of both texts count as such.
    ///
    /// # Errors
    ///
    /// [`AuthorError`]; [`AuthorError::NoMatch`] and [`AuthorError::SeveralMatches`].
    pub fn patch(
        &self,
        target: &Target,
        file: Option<&str>,
        find: &str,
        replace: &str,
    ) -> Result<Done, AuthorError> {
        if find.is_empty() {
            return Err(AuthorError::EmptyFind);
        }
        let library = self.search();
        let subject = Subject::find(self, &library, target)?;
        let name = match file {
            Some(path) => plain_path(path)?,
            None => subject.main_name(),
        };
        let path = if name == subject.main_name() {
            subject.main()
        } else {
            subject.place.join(&name)
        };
        let bytes = subject.bytes(&name).ok_or_else(|| AuthorError::NoFile {
            id: subject.id().to_owned(),
            path: name.clone(),
        })?;
        let (text, encoding) = skillmd::decode(bytes.to_vec()).map_err(|error| {
            let path = path.clone();
            AuthorError::NotText { path, error }
        })?;
        let patched = match patched(&text, find, replace) {
            Ok(patched) => patched,
            Err(Matches { count: 0, .. }) => return Err(AuthorError::NoMatch { path }),
            Err(Matches { count, lines }) => {
                return Err(AuthorError::SeveralMatches { path, count, lines });
            }
        };
        let edit = FileEdit::write(name, encoding.encode(&patched));
        self.replace(&subject, &edit, Verb::Patch)
    }

    /// Replaces the text of a learned skill.
    pub(crate) fn capture_again(&self, skill: &Skill, text: &[u8]) -> Result<Done, AuthorError> {
        let library = self.search();
        let target = Target::from(skill.path.to_string_lossy());
        let subject = Subject::find(self, &library, &target)?;
        let edit = FileEdit::write(subject.main_name(), text.to_vec());
        self.replace(&subject, &edit, Verb::Capture)
    }

    /// Puts new content into a file of a skill that is there.
    fn replace(
        &self,
        subject: &Subject<'_>,
        edit: &FileEdit,
        verb: Verb,
    ) -> Result<Done, AuthorError> {
        let main_name = subject.main_name();
        let is_main = edit.path == main_name;
        let new = edit.bytes.as_deref().unwrap_or_default();
        let path = if is_main {
            subject.main()
        } else {
            subject.place.join(&edit.path)
        };
        let mut done = Done {
            outcome: Outcome::Unchanged,
            id: subject.id().to_owned(),
            path,
            seq: None,
            digest: subject.gathered.digest.clone(),
            remarks: subject.remarks(),
        };
        if subject.bytes(&edit.path) == Some(new) {
            return Ok(done);
        }
        if is_main {
            check_text(subject, new)?;
        } else {
            check_size(&edit.path, new.len(), limits::WRITTEN_BYTES)?;
            subject.refuse_links(&edit.path)?;
        }
        let bundle = subject.bundle_with(edit);
        let (digest, remark) = subject.pass_gate(self, &subject.skill.form, &main_name, &bundle)?;
        done.remarks.extend(remark);
        done.remarks.extend(subject.unlinked());
        let (operation, past, outcome) = match verb {
            Verb::Edit => (Operation::EDIT, "edited", Outcome::Edited),
            Verb::Patch => (Operation::PATCH, "patched", Outcome::Patched),
            Verb::Capture => (Operation::CAPTURE, "learned anew", Outcome::Edited),
        };
        let mut change = Change::new(operation, self.actor.clone()).about(subject.id());
        change.swaps = subject.swaps(&self.data.objects(), edit)?;
        change.message = if is_main {
            format!("{past} {}", subject.id())
        } else {
            format!("{past} {} in {}", edit.path, subject.id())
        };
        let entry = self.commit(change, Some(key_of(subject.skill)))?;
        done.outcome = outcome;
        done.seq = Some(entry.seq);
        done.digest = digest;
        Ok(done)
    }
}

/// How the text changes.
#[derive(Clone, Copy)]
enum Verb {
    Edit,
    Patch,
    Capture,
}

impl Subject<'_> {
    /// That a link to what was installed makes way for a directory.
    pub(super) fn unlinked(&self) -> Option<Remark> {
        let path = self.place.clone();
        matches!(self.base, Base::Object(_)).then_some(Remark::Unlinked { path })
    }
}

/// A path as it is written in a skill's list of files.
pub(super) fn plain_path(path: &str) -> Result<String, AuthorError> {
    let parsed = ResourcePath::parse(path).map_err(|fault| AuthorError::FilePath {
        path: path.to_owned(),
        fault,
    })?;
    Ok(parsed.as_str().to_owned())
}

pub(super) fn check_size(what: &str, bytes: usize, limit: u64) -> Result<(), AuthorError> {
    let bytes = bytes as u64;
    if bytes > limit {
        return Err(AuthorError::TooLarge {
            what: format!("`{what}`"),
            bytes,
            limit,
        });
    }
    Ok(())
}

/// Refuses a text that would make the skill broken, another skill, or worse to read than it is.
pub(super) fn check_text(subject: &Subject<'_>, new: &[u8]) -> Result<(), AuthorError> {
    let main = subject.main_name();
    check_size(&main, new.len(), skillmd::limits::FILE_BYTES as u64)?;
    let loaded = loaded_with(subject.skill, new.to_vec());
    if loaded.state == SkillState::Broken {
        return Err(AuthorError::Invalid(errors(&loaded).cloned().collect()));
    }
    let old = match subject.bytes(&main) {
        Some(bytes) => loaded_with(subject.skill, bytes.to_vec()),
        None => subject.skill.clone(),
    };
    let mut known: BTreeMap<Code, usize> = BTreeMap::new();
    for error in errors(&old) {
        *known.entry(error.code).or_default() += 1;
    }
    let is_new = |error: &&Diagnostic| match known.get_mut(&error.code) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    let added: Vec<Diagnostic> = errors(&loaded).filter(is_new).cloned().collect();
    if !added.is_empty() {
        return Err(AuthorError::Invalid(added));
    }
    if loaded.id != subject.id() {
        return Err(AuthorError::OtherId {
            id: subject.id().to_owned(),
            found: loaded.id,
        });
    }
    Ok(())
}

/// The skill as it would be found with another text.
pub(super) fn loaded_with(skill: &Skill, text: Vec<u8>) -> Skill {
    let candidate = Candidate {
        path: skill.path.clone(),
        form: skill.form.clone(),
        real_directory: skill.real_directory.clone(),
        content: Ok(text),
        notes: Vec::new(),
    };
    load(candidate, &Arc::clone(&skill.root))
}

fn errors(skill: &Skill) -> impl Iterator<Item = &Diagnostic> {
    let found = skill.diagnostics.iter();
    found.filter(|found| found.severity == Severity::Error)
}

/// How often a text occurs.
#[derive(Debug, PartialEq, Eq)]
struct Matches {
    count: usize,
    lines: Vec<usize>,
}

/// The text with the one occurrence of `find` replaced.
fn patched(text: &str, find: &str, replace: &str) -> Result<String, Matches> {
    let is_windows = text
        .split_once('\n')
        .is_some_and(|(first, _)| first.ends_with('\r'));
    if !is_windows {
        return replaced(text, find, replace);
    }
    let replace = with_windows_line_ends(replace);
    match replaced(text, find, &replace) {
        Err(Matches { count: 0, .. }) => replaced(text, &with_windows_line_ends(find), &replace),
        outcome => outcome,
    }
}

fn replaced(text: &str, find: &str, replace: &str) -> Result<String, Matches> {
    let starts = occurrences(text, find);
    if let [start] = starts[..] {
        let mut patched = text.to_owned();
        patched.replace_range(start..start + find.len(), replace);
        return Ok(patched);
    }
    let line = |start: &usize| {
        let before = text.get(..*start).unwrap_or_default();
        before.matches('\n').count() + 1
    };
    let mut lines: Vec<usize> = starts.iter().take(limits::NAMED_LINES).map(line).collect();
    lines.dedup();
    Err(Matches {
        count: starts.len(),
        lines,
    })
}

/// Where a text occurs, those places included that overlap. At most [`limits::MATCHES`] are looked for.
fn occurrences(text: &str, find: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut from = 0;
    while starts.len() < limits::MATCHES {
        let Some(start) = text.get(from..).and_then(|rest| rest.find(find)) else {
            break;
        };
        starts.push(from + start);
        let first = find.chars().next().map_or(1, char::len_utf8);
        from += start + first;
    }
    starts
}

fn with_windows_line_ends(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

/// The bytes of a text that is edited entry by entry.
pub(super) fn parse(subject: &Subject<'_>) -> Result<skillmd::Document, AuthorError> {
    let bytes = subject.bytes(&subject.main_name()).unwrap_or_default();
    skillmd::parse(bytes.to_vec()).map_err(|error| AuthorError::NotText {
        path: subject.main(),
        error,
    })
}

#[cfg(test)]
mod tests {
    use skillmd::Encoding;

    use super::*;

    #[test]
    fn a_patch_needs_exactly_one_place() {
        assert_eq!(patched("a b c", "b", "x"), Ok("a x c".to_owned()));
        assert_eq!(patched("a b c", " b", ""), Ok("a c".to_owned()));
        let matches = |count, lines: &[usize]| {
            Err(Matches {
                count,
                lines: lines.to_vec(),
            })
        };
        assert_eq!(patched("a", "b", "x"), matches(0, &[]));
        assert_eq!(patched("b\na\nb b", "b", "x"), matches(3, &[1, 3]));
        assert_eq!(patched("aaa", "aa", "x"), matches(2, &[1]), "they overlap");
        let many = "é".repeat(10_000);
        assert_eq!(
            patched(&many, "é", ""),
            matches(limits::MATCHES, &[1]),
            "nobody needs to know the exact number"
        );
    }

    #[test]
    fn line_ends_of_windows_are_kept() {
        let text = "a\r\nb\r\nc\r\n";
        assert_eq!(
            patched(text, "a\nb", "x\ny"),
            Ok("x\r\ny\r\nc\r\n".to_owned())
        );
        assert_eq!(
            patched(text, "b", "y\r\nz"),
            Ok("a\r\ny\r\nz\r\nc\r\n".to_owned())
        );
        assert_eq!(patched("a\nb\n", "a", "x\r\n"), Ok("x\r\n\nb\n".to_owned()));
    }

    #[test]
    fn every_encoding_is_kept() {
        for encoding in [Encoding::Utf8, Encoding::Utf8WithMark, Encoding::Utf16Le] {
            let bytes = encoding.encode("grüße");
            let (text, found) = skillmd::decode(bytes).unwrap();
            assert_eq!(found, encoding);
            assert_eq!(patched(&text, "ü", "u"), Ok("gruße".to_owned()));
        }
    }
}
