//! Files that are no text: what they are by their first bytes, and whether anything in the skill runs them.

use std::borrow::Cow;

use crate::bundle::{Content, FileInput};
use crate::facts::Facts;
use crate::scan::Scanned;

/// How much of a file decides whether it is text, in bytes.
const SAMPLE: usize = 8 * 1024;

/// So many programs of a bundle are looked for in its texts.
const PROGRAMS: usize = 20;

/// A few odd bytes make no binary of a text of a line, in bytes.
const SHORT: usize = 60;

/// A kind of file that can do something by itself, by its first bytes.
const ACTIVE: &[(&[u8], &str)] = &[
    (b"\x7fELF", "native-program"),
    (b"MZ", "native-program"),
    (b"\xcf\xfa\xed\xfe", "native-program"),
    (b"\xce\xfa\xed\xfe", "native-program"),
    (b"\xca\xfe\xba\xbe", "native-program"),
    (b"\xfe\xed\xfa\xcf", "native-program"),
    (b"\0asm", "wasm-module"),
    (b"\x80\x02", "pickle-file"),
    (b"\x80\x03", "pickle-file"),
    (b"\x80\x04\x95", "pickle-file"),
    (b"\x80\x05\x95", "pickle-file"),
    (b"\xd0\xcf\x11\xe0", "old-office-file"),
];

/// Functions by which a pickle runs a command, as its opcodes name them.
const PICKLED_CALLS: &[&[u8]] = &[
    b"cposix\nsystem\n",
    b"cnt\nsystem\n",
    b"cos\nsystem\n",
    b"cos\npopen\n",
    b"csubprocess\n",
    b"cbuiltins\neval\n",
    b"cbuiltins\nexec\n",
    b"c__builtin__\neval\n",
    b"c__builtin__\nexec\n",
    b"\x05posix\x94\x8c\x06system",
    b"\x02nt\x94\x8c\x06system",
    b"\x0asubprocess\x94",
    b"\x08builtins\x94\x8c\x04eval",
    b"\x08builtins\x94\x8c\x04exec",
];

/// How far into a pickle in letters the call is looked for, in bytes.
const PICKLE_HEAD: usize = 400;

/// Whether a text is a pickle of the first protocol, which is written in letters, that runs a command.
pub(crate) fn is_pickled_call(bytes: &[u8]) -> bool {
    let head = bytes.get(..PICKLE_HEAD).unwrap_or(bytes);
    let begins = head.starts_with(b"c") || head.starts_with(b"(");
    begins
        && bytes.trim_ascii_end().ends_with(b".")
        && PICKLED_CALLS
            .iter()
            .any(|call| memchr::memmem::find(head, call).is_some())
}

/// How bytes are read as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Utf8,
    /// With a zero byte here and there, which a shell passes over and an agent as well.
    Utf8AndZeros,
    /// As PowerShell writes it; the second is the order of bytes, whether the high one comes first.
    Utf16(bool),
}

/// The bytes as text, if they are any; zero bytes are left out.
pub(crate) fn text(bytes: &[u8]) -> Option<Cow<'_, str>> {
    Some(match encoding(bytes)? {
        Encoding::Utf8 => String::from_utf8_lossy(bytes),
        Encoding::Utf8AndZeros => Cow::Owned(without_zeros(bytes)),
        Encoding::Utf16(is_big) => Cow::Owned(utf16(bytes, is_big)),
    })
}

/// Whether the bytes are text of some kind. Looks at their beginning alone.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    encoding(bytes).is_some()
}

fn encoding(bytes: &[u8]) -> Option<Encoding> {
    let sample = bytes.get(..SAMPLE).unwrap_or(bytes);
    if let Some(is_big) = order_of_utf16(sample) {
        let is_text = looks_like_text(utf16(sample, is_big).as_bytes());
        return is_text.then_some(Encoding::Utf16(is_big));
    }
    let zeros = memchr::memchr_iter(0, sample).count();
    if zeros == 0 && !sample.starts_with(b"%PDF-") {
        return looks_like_text(sample).then_some(Encoding::Utf8);
    }
    let rest = without_zeros(sample);
    let is_text = zeros * 20 <= sample.len() + SHORT
        && !rest
            .trim_end_matches(char::REPLACEMENT_CHARACTER)
            .contains(char::REPLACEMENT_CHARACTER)
        && looks_like_text(rest.as_bytes());
    is_text.then_some(Encoding::Utf8AndZeros)
}

fn without_zeros(bytes: &[u8]) -> String {
    let rest: Vec<u8> = bytes.iter().copied().filter(|&byte| byte != 0).collect();
    String::from_utf8_lossy(&rest).into_owned()
}

/// The order of bytes of UTF-16, by its mark, or because nearly every second byte is zero.
fn order_of_utf16(sample: &[u8]) -> Option<bool> {
    let are_zeros = |first: usize| {
        let every_second = sample.iter().skip(first).step_by(2);
        every_second.filter(|&&byte| byte == 0).count() * 10 >= sample.len() / 2 * 8
    };
    match sample {
        [0xff, 0xfe, ..] => Some(false),
        [0xfe, 0xff, ..] => Some(true),
        _ if sample.len() < 8 => None,
        _ => match (are_zeros(1), are_zeros(0)) {
            (true, false) => Some(false),
            (false, true) => Some(true),
            _ => None,
        },
    }
}

fn utf16(bytes: &[u8], is_big: bool) -> String {
    let units = bytes.chunks_exact(2).map(|pair| match *pair {
        [high, low] if is_big => u16::from_be_bytes([high, low]),
        [low, high] => u16::from_le_bytes([low, high]),
        _ => 0,
    });
    char::decode_utf16(units)
        .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
        .filter(|&character| character != '\u{feff}')
        .collect()
}

/// Whether hardly anything in it is no UTF-8, or a character that no text has.
fn looks_like_text(bytes: &[u8]) -> bool {
    let sample = bytes.get(..SAMPLE).unwrap_or(bytes);
    let odd = sample
        .iter()
        .filter(|&&byte| byte < 9 || (14..27).contains(&byte))
        .count();
    let invalid = sample
        .utf8_chunks()
        .filter(|chunk| !chunk.invalid().is_empty())
        .count();
    odd * 20 <= sample.len() + SHORT && invalid * 20 <= sample.len() + SHORT
}

/// Looks at a file that is no text.
pub(crate) fn scan(file: &FileInput, bytes: &[u8], facts: &mut Facts) {
    let name = file.path.to_ascii_lowercase();
    if let Some((_, rule)) = ACTIVE.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        facts.add_to_file(rule, None);
        if *rule == "native-program" && is_called_data(&name) {
            facts.add_to_file("program-called-data", None);
        }
    } else if matches!(name.rsplit('.').next(), Some("pyc" | "pyo")) {
        facts.add_to_file("compiled-python", None);
    }
    if bytes.first() == Some(&0x80) && PICKLED_CALLS.iter().any(|call| contains(bytes, call)) {
        facts.add_to_file("pickle-calls-system", None);
    }
    let is_picture = bytes.starts_with(b"\x89PNG")
        || bytes.starts_with(b"\xff\xd8\xff")
        || bytes.starts_with(b"GIF8");
    if is_picture && carries_program(bytes) {
        facts.add_to_file("picture-with-program", None);
    }
    if bytes.starts_with(b"%PDF")
        && [&b"/JavaScript"[..], b"/Launch", b"/OpenAction"]
            .iter()
            .any(|word| contains(bytes, word))
    {
        let acts = contains(bytes, b"/JavaScript") || contains(bytes, b"/Launch");
        if acts {
            facts.add_to_file("active-document", None);
        }
        if starts_program(bytes) {
            facts.add_to_file("document-starts-program", None);
        }
    }
}

/// Whether a name says that there is nothing in the file to run.
fn is_called_data(name: &str) -> bool {
    const DATA: &[&str] = &[
        "dat", "png", "jpg", "jpeg", "gif", "webp", "ico", "svg", "txt", "md", "json", "csv",
        "tsv", "log", "pdf", "db", "sqlite", "cfg", "ini", "yaml", "yml", "ttf", "woff", "woff2",
        "mp3", "wav", "mp4", "tmp", "cache",
    ];
    name.rsplit_once('.')
        .is_some_and(|(_, extension)| DATA.contains(&extension))
}

/// Whether a PDF starts a program, or saves and opens what it carries.
fn starts_program(bytes: &[u8]) -> bool {
    let launches = [&b"/S/Launch"[..], b"/S /Launch"]
        .iter()
        .any(|action| contains(bytes, action));
    launches
        || (contains(bytes, b"exportDataObject") && contains(bytes, b"nLaunch"))
        || contains(bytes, b"app.launchURL(\"file:")
}

/// A program or archive after the end of a picture.
fn carries_program(bytes: &[u8]) -> bool {
    const PROGRAMS: &[&[u8]] = &[
        b"PK\x03\x04",
        b"\x7fELF",
        b"MZ",
        b"#!",
        b"<?php",
        b"<script",
        b"\x1f\x8b",
    ];
    let end = if bytes.starts_with(b"\x89PNG") {
        find(bytes, b"IEND").map(|at| at + 8)
    } else if bytes.starts_with(b"\xff\xd8") {
        memchr::memmem::rfind(bytes, b"\xff\xd9").map(|at| at + 2)
    } else {
        memchr::memrchr(b';', bytes).map(|at| at + 1)
    };
    let rest = end.and_then(|end| bytes.get(end..)).unwrap_or_default();
    let rest = rest.trim_ascii_start();
    PROGRAMS.iter().any(|magic| rest.starts_with(magic))
}

fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    find(bytes, needle).is_some()
}

fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    memchr::memmem::find(bytes, needle)
}

/// Programs in the bundle that a text of the bundle names are worse than those that lie about.
pub(crate) fn unreferenced(files: &[&FileInput], scanned: &mut [Scanned<'_>]) {
    let programs: Vec<(usize, String)> = scanned
        .iter()
        .enumerate()
        .filter(|(_, entry)| {
            entry.facts.list.iter().any(|fact| {
                matches!(
                    fact.name,
                    "native-program" | "compiled-python" | "pickle-file"
                )
            })
        })
        .take(PROGRAMS)
        .map(|(index, entry)| {
            (
                index,
                entry
                    .path
                    .rsplit('/')
                    .next()
                    .unwrap_or(entry.path)
                    .to_owned(),
            )
        })
        .collect();
    for (index, name) in programs {
        let named = files.iter().any(|file| match &file.content {
            Content::Bytes(bytes) => is_text(bytes) && contains(bytes, name.as_bytes()),
            _ => false,
        });
        if let Some(entry) = scanned.get_mut(index).filter(|_| named) {
            entry.facts.add_to_file("program-run-by-skill", Some(name));
        }
    }
}
