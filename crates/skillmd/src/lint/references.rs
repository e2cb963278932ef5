//! The files that a body refers to: targets of its links and pictures, and paths such as `scripts/run.py` in code
//! spans.
//!
//! Paths are relative to the skill's directory (specification, "File references"). Whether they exist is the caller's to
//! say; nothing here touches a file.

use std::collections::HashSet;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};

use crate::code::Code;
use crate::diagnostic::Reporter;
use crate::document::Document;
use crate::excerpt::excerpt;
use crate::span::Span;

/// A reference to a file of the skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The file's path relative to the skill's directory: parts joined by `/`, none of them `.` or `..`, percent escapes
    /// decoded, without query and fragment.
    pub path: String,
    /// Where the path stands in the document's text.
    pub span: Span,
    /// How the text refers to it.
    pub kind: ReferenceKind,
}

/// How a text refers to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReferenceKind {
    /// The target of a Markdown link or picture.
    Link,
    /// A path in a code span. It may be a path of the project that the skill is used in.
    Mention,
}

/// The directories whose files count when a code span names them (specification, "Optional directories"; `templates` by
/// custom).
const DIRECTORIES: [&str; 4] = ["references", "scripts", "assets", "templates"];

/// The references to files of the skill, in the order of the text, each path once.
pub fn references(document: &Document) -> Vec<Reference> {
    let mut seen = HashSet::new();
    targets(document)
        .into_iter()
        .filter_map(|(target, span, kind)| match target {
            Target::Inside(path) => Some(Reference { path, span, kind }),
            Target::Outside(_) => None,
        })
        .filter(|reference| seen.insert(reference.path.clone()))
        .collect()
}

/// Whether the skill has a file or directory with a path relative to the skill's directory, as in [`Reference::path`].
pub type Exists<'f> = &'f dyn Fn(&str) -> bool;

/// Reports links that lead out of the skill and, where the skill's files are known, references to files that it lacks.
pub(super) fn check(document: &Document, exists: Option<Exists<'_>>, reporter: &mut Reporter<'_>) {
    let mut seen = HashSet::new();
    for (target, span, kind) in targets(document) {
        let (code, message, help) = match &target {
            Target::Inside(path) if exists.is_some_and(|exists| is_missing(path, kind, exists)) => {
                (
                    Code::ReferenceMissing,
                    format!("the skill has no file `{}`", excerpt(path)),
                    "add the file, or correct the path; upper and lower case count",
                )
            }
            Target::Inside(_) => continue,
            // Where the skill is installed, the file will not be there.
            Target::Outside(path) => (
                Code::ReferenceOutside,
                format!("`{}` is outside the skill's directory", excerpt(path)),
                "put the file into the skill, or name the other skill in words",
            ),
        };
        if seen.insert(target) {
            reporter.report(code, span, message).help(help);
        }
    }
}

/// A path in a code span counts only where its directory is there, because a skill may speak of the `scripts/` of the
/// project that it is used in.
fn is_missing(path: &str, kind: ReferenceKind, exists: Exists<'_>) -> bool {
    let directory = path.split('/').next().unwrap_or_default();
    let is_meant = kind == ReferenceKind::Link || exists(directory);
    is_meant && !exists(path)
}

/// What a link leads to, when it is a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Target {
    Inside(String),
    Outside(String),
}

fn targets(document: &Document) -> Vec<(Target, Span, ReferenceKind)> {
    let body = document.body();
    if !may_refer(body) {
        return Vec::new();
    }
    let at = document.body_span().start;
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
    let mut targets = Vec::new();
    for (event, range) in Parser::new_ext(body, options).into_offset_iter() {
        let source = Span::new(range.start, range.end);
        match event {
            Event::Start(
                Tag::Link {
                    link_type,
                    dest_url,
                    ..
                }
                | Tag::Image {
                    link_type,
                    dest_url,
                    ..
                },
            ) if !matches!(link_type, LinkType::Autolink | LinkType::Email) => {
                if let Some(target) = link_target(&dest_url) {
                    let span = place(body, source, &dest_url).shifted(at);
                    targets.push((target, span, ReferenceKind::Link));
                }
            }
            Event::Code(code) => {
                for (word, path) in mentions(&code) {
                    let span = place(body, source, word).shifted(at);
                    targets.push((Target::Inside(path), span, ReferenceKind::Mention));
                }
            }
            _ => {}
        }
    }
    targets
}

/// Whether a body can hold a reference at all. Reading Markdown costs more than all other checks together, and every
/// reference has one of these: a link's target, a definition of one, or a directory whose name ends in `s`.
fn may_refer(body: &str) -> bool {
    ["](", "]:", "s/"].iter().any(|mark| body.contains(mark))
}

/// Where `part` stands within `source`, or all of it where it is written otherwise (a link with its target elsewhere).
fn place(body: &str, source: Span, part: &str) -> Span {
    match source.slice(body).rfind(part) {
        Some(offset) => Span::new(source.start + offset, source.start + offset + part.len()),
        None => source,
    }
}

/// The file that a link leads to; nothing for addresses, anchors and placeholders.
fn link_target(destination: &str) -> Option<Target> {
    let path = destination.split(['#', '?']).next()?.trim();
    let path = decode_percent(path).replace('\\', "/");
    let is_address = path.starts_with("//") || has_scheme(&path) || is_host(&path);
    if path.is_empty() || is_address || is_placeholder(&path) {
        return None;
    }
    if !is_file_like(&path) {
        return None;
    }
    let is_absolute = path.starts_with(['/', '~']) || has_drive(&path);
    Some(match normalize(&path) {
        Some(inside) if !is_absolute => Target::Inside(inside),
        _ => Target::Outside(path),
    })
}

/// The words of a code span that are paths into one of the skill's usual directories.
fn mentions(code: &str) -> impl Iterator<Item = (&str, String)> {
    code.split_whitespace().filter_map(|word| {
        let word = word.trim_matches(['"', '\'', '(', ')', ',', ';', ':']);
        let path = normalize(word)?;
        let (directory, file) = path.split_once('/')?;
        let is_path = word
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte));
        let has_extension = file
            .rsplit_once('.')
            .is_some_and(|(stem, extension)| !stem.is_empty() && !extension.is_empty());
        (DIRECTORIES.contains(&directory) && is_path && has_extension && !is_placeholder(&path))
            .then_some((word, path))
    })
}

/// The path without `.` and `..`; nothing where it leads out of the directory or to the directory itself.
fn normalize(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// Whether the target names a file or directory rather than a page or a word that stands for an address.
fn is_file_like(path: &str) -> bool {
    /// Files that go without an extension.
    const BARE_NAMES: [&str; 10] = [
        "LICENSE",
        "LICENCE",
        "COPYING",
        "NOTICE",
        "README",
        "CHANGELOG",
        "AUTHORS",
        "VERSION",
        "Makefile",
        "Dockerfile",
    ];
    let name = path.rsplit('/').next().unwrap_or_default();
    let has_extension = name
        .rsplit_once('.')
        .is_some_and(|(_, extension)| !extension.is_empty() && extension.len() <= 8);
    has_extension || name.is_empty() || BARE_NAMES.contains(&name)
}

/// Whether the path is an example that the reader is to fill in.
fn is_placeholder(path: &str) -> bool {
    const MARKS: [char; 12] = ['<', '>', '{', '}', '*', '$', '|', '"', '(', ')', '…', '\n'];
    let lower = path.to_ascii_lowercase();
    path.contains(MARKS)
        || path.contains("...")
        || lower.contains("path/to")
        || lower.split(['/', '-', '_', '.']).any(|word| {
            matches!(
                word,
                "your" | "xxx" | "foo" | "bar" | "example" | "filename"
            )
        })
}

/// Whether the text begins with the scheme of an address (RFC 3986, 3.1). One letter is a drive.
fn has_scheme(path: &str) -> bool {
    path.split_once(':').is_some_and(|(scheme, _)| {
        scheme.len() > 1
            && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"+.-".contains(&byte))
    })
}

fn has_drive(path: &str) -> bool {
    let mut characters = path.chars();
    characters.next().is_some_and(|c| c.is_ascii_alphabetic()) && characters.next() == Some(':')
}

/// Whether the text begins with a host's name, its scheme forgotten, or is a mail address.
fn is_host(path: &str) -> bool {
    const DOMAINS: [&str; 10] = [
        "com", "org", "net", "io", "dev", "ai", "app", "cn", "gov", "edu",
    ];
    let host = path.split('/').next().unwrap_or_default();
    let domain = host.rsplit_once('.').map(|(_, domain)| domain);
    host.starts_with("www.")
        || host.contains('@')
        || domain.is_some_and(|domain| DOMAINS.contains(&domain))
}

/// The path with percent escapes decoded; as it is where they do not make text.
fn decode_percent(path: &str) -> String {
    let mut decoded = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let escaped = (byte == b'%').then(|| after.split_at_checked(2)).flatten();
        let (byte, after) = escaped
            .and_then(|(digits, after)| Some((hexadecimal(digits)?, after)))
            .unwrap_or((byte, after));
        decoded.push(byte);
        rest = after;
    }
    String::from_utf8(decoded).unwrap_or_else(|_| path.to_owned())
}

fn hexadecimal(digits: &[u8]) -> Option<u8> {
    digits.iter().try_fold(0, |value: u8, &digit| {
        let digit = char::from(digit).to_digit(16)?;
        Some((value << 4) | u8::try_from(digit).ok()?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Diagnostic;
    use crate::{Encoding, parse_text};

    fn document(body: &str) -> Document {
        parse_text(
            format!("---\nname: s\ndescription: x\n---\n{body}"),
            Encoding::Utf8,
        )
    }

    fn paths(body: &str) -> Vec<String> {
        let document = document(body);
        let references = references(&document);
        references.into_iter().map(|found| found.path).collect()
    }

    fn outside(body: &str) -> Vec<String> {
        let document = document(body);
        let mut reporter = Reporter::new(document.text());
        check(&document, None, &mut reporter);
        let found = reporter.finish();
        let slice = |found: &Diagnostic| found.span.slice(document.text()).to_owned();
        found.iter().map(slice).collect()
    }

    #[test]
    fn links_and_pictures_are_references() {
        assert_eq!(
            paths(
                "[a](references/a.md) ![b](./assets/b%20c.png \"title\") [c][d] [e](LICENSE#mit)\n\n[d]: d.txt?raw\n"
            ),
            ["references/a.md", "assets/b c.png", "d.txt", "LICENSE"]
        );
        assert_eq!(paths("[a](a/../b/./c.md) [d](docs/)"), ["b/c.md", "docs"]);
    }

    #[test]
    fn code_spans_name_files_of_the_usual_directories() {
        assert_eq!(
            paths(
                "Run `python scripts/run.py --fast`, see `references/a.md` and `src/main.rs`, `scripts/`."
            ),
            ["scripts/run.py", "references/a.md"]
        );
        assert_eq!(paths("```sh\npython scripts/run.py\n```\n"), [""; 0]);
        assert_eq!(
            paths("`scripts/../../x.py` `scripts/*.py` `scripts/<name>.py`"),
            [""; 0]
        );
    }

    #[test]
    fn addresses_anchors_and_placeholders_are_no_references() {
        let body = "[a](https://x.org/a.md) [b](#part) [c](mailto:a@b.c) [d](//x.org/a) <https://x.org> [e](www.x.org/a) \
                    [f](path/to/file.md) [g](<name>) [h]({file}.md) [i](*.md) [j](url) [k]($HOME/a.md) [l](x.com/a.md) \
                    [m](your-file.md) [n](...) [o]() [p](a@b.org) [q](/docs/page) [r](a/b)";
        assert_eq!(paths(body), [""; 0]);
        assert_eq!(outside(body), [""; 0]);
    }

    #[test]
    fn links_that_leave_the_skill_are_told() {
        let body = "[a](../b/c.md) [d](/etc/hosts.d/) [e](a/../../f.md) [g](~/.config/x.toml) [h](C:\\x.md) [i](../b/c.md)";
        assert_eq!(
            outside(body),
            [
                "../b/c.md",
                "/etc/hosts.d/",
                "a/../../f.md",
                "~/.config/x.toml",
                "C:\\x.md"
            ]
        );
        assert_eq!(paths(body), [""; 0]);
    }

    /// What is missed where this path is all that exists.
    fn missing(document: &Document, existing: &str) -> Vec<Diagnostic> {
        let mut reporter = Reporter::new(document.text());
        check(document, Some(&|path| path == existing), &mut reporter);
        reporter.finish()
    }

    #[test]
    fn missing_files_are_told_once_with_their_place() {
        let document = document("[a](a.md) [b](b.md) again [a](a.md#x)\n");
        let found = missing(&document, "b.md");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].span.slice(document.text()), "a.md");
        assert_eq!(found[0].code, Code::ReferenceMissing);
        assert_eq!((found[0].position.line, found[0].position.column), (5, 5));
    }

    #[test]
    fn a_mentioned_file_is_missed_only_in_a_directory_that_is_there() {
        let document = document("`scripts/a.py` and `assets/b.png`\n");
        let found = missing(&document, "scripts");
        assert_eq!(found.len(), 1);
        assert!(found[0].message.contains("scripts/a.py"));
    }
}
