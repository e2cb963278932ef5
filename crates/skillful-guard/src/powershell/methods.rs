//! What the common methods of .NET do, in commands of a shell.

use std::ops::Range;

use super::build::{command, into_file, output, text, unknown};
use crate::shell::tree::{Part, Word};

/// The value of `base.name(arguments)`; the base of a static method is empty.
pub(super) fn call(
    name: &str,
    base: Vec<Part>,
    arguments: Vec<Word>,
    range: &Range<usize>,
) -> Vec<Part> {
    let mut given = arguments.iter().cloned();
    let mut next = || given.next().unwrap_or_default();
    let option = |option: &str| text(option, range);
    match name {
        "downloadstring" | "downloaddata" | "openread" | "getstringasync" | "getasync"
        | "getstreamasync" | "getbytearrayasync" => vec![fetched(arguments, range)],
        "downloadfile" | "downloadfileasync" => {
            let (address, file) = (next(), next());
            vec![output(vec![command(
                "curl",
                [address, option("-o"), file],
                range,
            )])]
        }
        "uploadstring" | "uploaddata" | "uploadvalues" | "postasync" | "uploadstringasync" => {
            let (address, body) = (next(), arguments.last().cloned().unwrap_or_default());
            vec![output(vec![command(
                "curl",
                [option("-d"), body, address],
                range,
            )])]
        }
        "uploadfile" => {
            let (address, file) = (next(), arguments.last().cloned().unwrap_or_default());
            vec![output(vec![command(
                "curl",
                [option("-T"), file, address],
                range,
            )])]
        }
        "frombase64string" => {
            let printed = command("echo", arguments, range);
            vec![output(vec![
                printed,
                command("base64", [option("-d")], range),
            ])]
        }
        "readalltext" | "readallbytes" | "readalllines" => {
            vec![output(vec![command("cat", arguments, range)])]
        }
        "writealltext" | "writeallbytes" | "appendalltext" | "writealllines" => {
            let (file, value) = (next(), next());
            vec![output(vec![into_file(
                command("echo", [value], range),
                file,
            )])]
        }
        "create" | "invokescript" | "addscript" | "load" | "newscriptblock" => {
            let mut words = vec![option("-c")];
            words.extend(arguments);
            vec![output(vec![command("pwsh", words, range)])]
        }
        "invoke" | "invokereturnasis" | "invokecommand" => {
            let run = Word {
                range: range.clone(),
                parts: base,
            };
            let mut words = vec![option("-c"), run];
            words.extend(arguments);
            vec![output(vec![command("pwsh", words, range)])]
        }
        "gethostaddresses" | "gethostentry" | "gethostbyname" => {
            vec![output(vec![command("dig", arguments, range)])]
        }
        "getstring" | "getbytes" | "tobase64string" | "concat" | "join" | "parse" => {
            joined(arguments)
        }
        "replace" => replaced(base, &arguments),
        "tostring" | "trim" | "tochararray" | "split" | "toupper" | "tolower" | "toarray"
        | "trimend" | "trimstart" | "readtoend" | "getawaiter" | "getresult" => base,
        // A method whose name is computed, or that nobody knows, with an address: it fetches.
        _ if arguments
            .iter()
            .any(|word| word.literal().is_some_and(|text| text.contains("://"))) =>
        {
            vec![fetched(arguments, range)]
        }
        _ => {
            let mut parts = base;
            parts.extend(joined(arguments));
            parts.push(unknown());
            parts
        }
    }
}

fn fetched(arguments: Vec<Word>, range: &Range<usize>) -> Part {
    output(vec![command("curl", arguments, range)])
}

fn joined(arguments: Vec<Word>) -> Vec<Part> {
    arguments.into_iter().flat_map(|word| word.parts).collect()
}

/// A text with one text in the place of another, where all three are known.
pub(super) fn replaced(base: Vec<Part>, arguments: &[Word]) -> Vec<Part> {
    let word = Word {
        parts: base,
        ..Word::default()
    };
    let texts: Option<Vec<String>> = arguments.iter().map(Word::literal).collect();
    match (word.literal(), texts.as_deref()) {
        (Some(text), Some([from, to, ..])) if !from.is_empty() => {
            vec![Part::Text(text.replace(from.as_str(), to))]
        }
        (Some(text), Some([from])) if !from.is_empty() => {
            vec![Part::Text(text.replace(from.as_str(), ""))]
        }
        _ => word.parts,
    }
}
