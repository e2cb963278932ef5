//! The commands of PowerShell and of Windows, under the names that a shell has for what they do.

use std::ops::Range;

use super::build::{command, into_file, text};
use crate::shell::tree::{Command, Part, Word};

/// The commands that a command with these words stands for, as a pipeline. What is not known stays as it is.
pub(super) fn translated(words: Vec<Word>, range: &Range<usize>) -> Vec<Command> {
    let mut words = words.into_iter();
    let Some(program) = words.next() else {
        return Vec::new();
    };
    let Some(name) = program.literal() else {
        let mut call = command("", words, range);
        if let Some(first) = call.words.first_mut() {
            *first = program;
        }
        return vec![call];
    };
    let given = Given::new(words.collect());
    let lower = name.to_ascii_lowercase();
    let base = lower.rsplit(['\\', '/']).next().unwrap_or(&lower);
    known(base.strip_suffix(".exe").unwrap_or(base), &given, range)
        .unwrap_or_else(|| vec![command(&name, given.words, range)])
}

/// The words of a command after its name.
#[derive(Clone, Debug, Default)]
struct Given {
    words: Vec<Word>,
}

impl Given {
    fn new(words: Vec<Word>) -> Self {
        Self { words }
    }

    /// The value of an option that may be shortened: `-OutF x` is `-OutFile x`.
    fn option(&self, names: &[&str]) -> Option<Word> {
        let at = self.words.iter().position(|word| {
            let text = word.literal().unwrap_or_default().to_ascii_lowercase();
            let given = text.trim_start_matches(['-', '/']);
            given.len() < text.len()
                && !given.is_empty()
                && names
                    .iter()
                    .any(|name| given == *name || (given.len() > 2 && name.starts_with(given)))
        })?;
        self.words.get(at + 1).cloned()
    }

    /// The words that are neither options nor, after an option with a value, that value.
    fn operands(&self) -> Vec<Word> {
        const SWITCHES: &[&str] = &[
            "usebasicparsing",
            "usebasic",
            "useb",
            "force",
            "recurse",
            "raw",
            "passthru",
            "wait",
            "nonewwindow",
            "urlcache",
            "split",
            "f",
            "b",
            "decode",
            "nop",
            "noprofile",
            "noni",
            "noninteractive",
            "s",
            "c",
            "i",
            "list",
            "hidden",
            "verb",
            "append",
            "noclobber",
            "transfer",
            "download",
            "q",
            "quiet",
            "y",
            "va",
        ];
        let mut operands = Vec::new();
        let mut skips = false;
        for word in &self.words {
            let literal = word.literal().unwrap_or_default();
            let is_option = literal.starts_with('-') && literal.len() > 1
                || (literal.starts_with('/') && literal.len() < 14 && !literal.contains('.'));
            if is_option {
                let name = literal.trim_start_matches(['-', '/']).to_ascii_lowercase();
                skips = literal.starts_with('-') && !SWITCHES.contains(&name.as_str());
            } else if skips {
                skips = false;
            } else {
                operands.push(word.clone());
            }
        }
        operands
    }

    fn has(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| {
            word.literal()
                .is_some_and(|text| words.contains(&text.to_ascii_lowercase().as_str()))
        })
    }

    /// The words from one on, as one word with blanks between; of several, those that hold blanks keep quotation marks.
    fn rest_from(&self, at: usize) -> Word {
        let words = self.words.get(at..).unwrap_or_default();
        let mut rest = Word::default();
        for (index, word) in words.iter().enumerate() {
            let is_quoted =
                words.len() > 1 && word.literal().is_some_and(|text| text.contains(' '));
            let mark = if is_quoted { "\"" } else { "" };
            let blank = if index > 0 { " " } else { "" };
            rest.parts.push(Part::Text(format!("{blank}{mark}")));
            rest.parts.extend(word.parts.iter().cloned());
            rest.parts.push(Part::Text(mark.to_owned()));
        }
        if let Some(first) = words.first() {
            rest.range = first.range.clone();
        }
        rest
    }
}

fn known(name: &str, given: &Given, range: &Range<usize>) -> Option<Vec<Command>> {
    let simple = |program: &str, words: Vec<Word>| Some(vec![command(program, words, range)]);
    match name {
        "iex" | "invoke-expression" | "invoke-command" | "icm" | "start-job" | "sajb" => {
            Some(vec![runs(given.words.clone(), range)])
        }
        "iwr" | "irm" | "curl" | "wget" | "invoke-webrequest" | "invoke-restmethod"
        | "start-bitstransfer" => Some(vec![request(given, range)]),
        "certutil" if given.has(&["-urlcache", "/urlcache"]) => {
            Some(vec![fetch_into(&given.operands(), range)])
        }
        "certutil" if given.has(&["-decode", "/decode"]) => {
            let mut operands = given.operands().into_iter();
            let (from, to) = (operands.next()?, operands.next()?);
            let decoded = command("base64", [text("-d", range), from], range);
            Some(vec![into_file(decoded, to)])
        }
        "bitsadmin" => Some(vec![fetch_into(&given.operands(), range)]),
        "mshta" | "regsvr32" | "msiexec" | "rundll32" | "wscript" | "cscript" | "installutil" => {
            started(given, range)
        }
        "start-process" | "saps" | "start" | "invoke-item" | "ii" | "call" => started(given, range),
        "get-content" | "gc" | "type" | "cat" => simple("cat", paths(given)),
        "get-clipboard" | "gcb" => simple("pbpaste", Vec::new()),
        "get-childitem" | "gci" | "dir" | "ls" => {
            let lists_environment = given.operands().iter().any(|word| {
                word.literal()
                    .is_some_and(|text| text.to_ascii_lowercase().starts_with("env:"))
            });
            if lists_environment {
                simple("env", Vec::new())
            } else {
                simple("find", paths(given))
            }
        }
        "cmdkey" if given.has(&["/list"]) => simple("security", vec![text("dump-keychain", range)]),
        "netsh" if given.has(&["key=clear"]) => {
            simple("security", vec![text("dump-keychain", range)])
        }
        "systeminfo" | "get-computerinfo" | "ipconfig" => simple("hostname", Vec::new()),
        "resolve-dnsname" => simple(
            "dig",
            vec![given.option(&["name"]).or(given.operands().pop())?],
        ),
        "send-mailmessage" => simple("mail", given.words.clone()),
        "out-file" | "tee-object" => simple("tee", paths(given)),
        "set-content" | "add-content" | "sc" | "ac" | "set-itemproperty" | "new-itemproperty"
        | "sp" | "new-item" => Some(vec![written(given, range)]),
        "reg" if given.has(&["add"]) => {
            let value = given.option(&["d"])?;
            let key = given.words.get(1).cloned()?;
            Some(vec![into_file(command("echo", [value], range), key)])
        }
        "schtasks" | "register-scheduledtask" | "new-scheduledtaskaction" => {
            let task = given.option(&["tr", "execute", "action"])?;
            let printed = command("echo", [task], range);
            Some(vec![printed, command("crontab", [text("-", range)], range)])
        }
        "copy-item" | "cpi" | "copy" | "move-item" | "mi" | "move" | "xcopy" | "robocopy" => {
            simple("cp", given.operands())
        }
        "remove-item" | "ri" | "del" | "erase" | "rd" | "rmdir" | "rm" => {
            let mut words = vec![text("-rf", range)];
            words.extend(given.operands());
            simple("rm", words)
        }
        "powershell" | "pwsh" => Some(interpreter(given, range)),
        "cmd" => {
            let at = given.words.iter().position(|word| {
                word.literal().is_some_and(|text| {
                    matches!(text.to_ascii_lowercase().as_str(), "/c" | "/k" | "/r")
                })
            })?;
            simple("pwsh", vec![text("-c", range), given.rest_from(at + 1)])
        }
        _ => None,
    }
}

/// A request, with what it sends and where the answer goes.
fn request(given: &Given, range: &Range<usize>) -> Command {
    let mut words = Vec::new();
    for (names, option) in [
        (&["body", "d"][..], "-d"),
        (&["infile", "form"][..], "-T"),
        (&["outfile", "o", "destination"][..], "-o"),
    ] {
        if let Some(value) = given.option(names) {
            words.push(text(option, range));
            words.push(value);
        }
    }
    match given.option(&["uri", "source", "url"]) {
        Some(address) => words.push(address),
        None => words.extend(given.operands().into_iter().take(1)),
    }
    command("curl", words, range)
}

/// An address and then a file, among other words.
fn fetch_into(operands: &[Word], range: &Range<usize>) -> Command {
    let is_address = |word: &&Word| {
        word.parts
            .iter()
            .any(|part| matches!(part, Part::Text(text) if text.contains("://")))
    };
    let at = operands
        .iter()
        .position(|word| is_address(&word))
        .unwrap_or(0);
    let mut words: Vec<Word> = operands.get(at).cloned().into_iter().collect();
    if let Some(file) = operands.get(at + 1) {
        words.push(text("-o", range));
        words.push(file.clone());
    }
    command("curl", words, range)
}

/// A program that is started; one that is given an address fetches it and runs what comes.
fn started(given: &Given, range: &Range<usize>) -> Option<Vec<Command>> {
    let operands = given.operands();
    let program = given
        .option(&["filepath"])
        .or_else(|| operands.first().cloned())?;
    let all: Vec<Word> = given.words.clone();
    let address = all.iter().find_map(|word| {
        let text = word.literal()?;
        let at = text.find("http")?;
        Some((word.clone(), text.get(at..)?.to_owned()))
    });
    let name = program.literal().unwrap_or_default().to_ascii_lowercase();
    if let Some((word, address)) =
        address.filter(|_| !name.starts_with("power") && !name.starts_with("pwsh"))
    {
        let fetched = command("curl", [text(&address, &word.range)], range);
        return Some(vec![fetched, command("pwsh", [], range)]);
    }
    let mut words = vec![program];
    match given.option(&["argumentlist", "args"]) {
        Some(arguments) => words.extend(split(&arguments)),
        None => words.extend(operands.into_iter().skip(1)),
    }
    Some(translated(words, range))
}

/// Arguments that are given as one text.
fn split(word: &Word) -> Vec<Word> {
    match word.literal() {
        Some(literal) => literal
            .split([' ', ','])
            .filter(|part| !part.is_empty())
            .map(|part| text(part.trim_matches(['"', '\'']), &word.range))
            .collect(),
        None => vec![word.clone()],
    }
}

/// A value that is written to a path, both named or in their places.
fn written(given: &Given, range: &Range<usize>) -> Command {
    let mut operands = given.operands().into_iter();
    let path = given
        .option(&["path", "literalpath", "filepath"])
        .or_else(|| operands.next())
        .unwrap_or_default();
    let value = given.option(&["value"]).or_else(|| operands.next());
    match value {
        Some(value) => into_file(command("echo", [value], range), path),
        None => command("tee", [path], range),
    }
}

fn paths(given: &Given) -> Vec<Word> {
    match given.option(&["path", "literalpath", "filepath"]) {
        Some(path) => vec![path],
        None => given.operands(),
    }
}

/// A program in these words, or in what is piped in.
fn runs(words: Vec<Word>, range: &Range<usize>) -> Command {
    let program: Vec<Word> = words
        .into_iter()
        .filter(|word| !word.literal().is_some_and(|text| text.starts_with('-')))
        .collect();
    if program.is_empty() {
        return command("pwsh", [], range);
    }
    let whole = Given::new(program).rest_from(0);
    command("pwsh", [text("-c", range), whole], range)
}

/// `powershell` with a program in words, encoded, or in a file.
fn interpreter(given: &Given, range: &Range<usize>) -> Vec<Command> {
    let position = |names: &[&str]| {
        given.words.iter().position(|word| {
            let text = word.literal().unwrap_or_default().to_ascii_lowercase();
            let option = text.trim_start_matches(['-', '/']);
            option.len() < text.len()
                && !option.is_empty()
                && names.iter().any(|name| name.starts_with(option))
        })
    };
    if let Some(at) = position(&["encodedcommand", "ec"]) {
        let code = given.words.get(at + 1).cloned().unwrap_or_default();
        return vec![
            command("echo", [code], range),
            command("base64", [text("-d", range)], range),
            command("pwsh", [], range),
        ];
    }
    if let Some(at) = position(&["command"]) {
        return vec![runs(vec![given.rest_from(at + 1)], range)];
    }
    let operands = given.operands();
    match given
        .option(&["file", "f"])
        .or_else(|| operands.first().cloned())
    {
        Some(file) if file.literal().is_some_and(|text| text.contains(' ')) => {
            vec![runs(vec![given.rest_from(0)], range)]
        }
        Some(file) => vec![command("pwsh", [file], range)],
        None => vec![command("pwsh", [], range)],
    }
}
