//! Commands that print, change, copy, delete and schedule.

use std::ops::Range;

use super::arguments::{Argument, Call};
use super::programs;
use super::run::Runner;
use crate::flow::consequences::{self, taint_of_path};
use crate::flow::{Flow, PathKind, Taint, path_kind};

impl Runner<'_> {
    pub(super) fn print(call: &Call) -> Flow {
        let mut printed: Option<Flow> = None;
        for argument in &call.arguments {
            if argument.text.starts_with('-') && argument.text.len() <= 3 && printed.is_none() {
                continue;
            }
            printed = Some(match printed {
                Some(before) => before.then(&Flow::text(" ")).then(&argument.flow),
                None => argument.flow.clone(),
            });
        }
        let mut printed = printed.unwrap_or_default();
        // `printf '\x63…'` and `echo -e` print what the escapes stand for.
        if let Some(text) = printed.text.as_deref().and_then(crate::decode::unescape) {
            printed.text = Some(text);
            printed.taint |= Taint::DECODED;
        }
        printed
    }

    pub(super) fn filter(&mut self, call: &Call, input: Option<Flow>, depth: usize) -> Flow {
        let mut output = input.unwrap_or_default();
        let keeps_text = matches!(call.name(), "cat" | "tac");
        if call.name() == "rev" {
            output.text = output.text.map(|text| text.chars().rev().collect());
            output.taint |= if output.text.is_some() {
                Taint::DECODED
            } else {
                Taint::NONE
            };
        } else if !keeps_text {
            output.text = None;
        }
        let is_pattern_first = matches!(
            call.name(),
            "grep" | "egrep" | "rg" | "ag" | "sed" | "awk" | "gawk" | "tr" | "jq" | "yq" | "cut"
        );
        let files: Vec<Argument> = call
            .operands()
            .skip(usize::from(is_pattern_first))
            .cloned()
            .collect();
        for file in &files {
            let content = self.content(file);
            output.absorb(&content);
            // Nobody reads commands out of a picture unless somebody hid them there.
            if is_medium(&file.text) {
                output.taint |= Taint::DECODED;
            }
            self.note_secret(&file.text, &call.range);
        }
        if call.name() == "find" {
            self.find(call);
            self.run_on_found(call, depth);
        }
        if output.text.is_none()
            && keeps_text
            && let [file] = files.as_slice()
        {
            output.text = self
                .files
                .get(&file.text)
                .and_then(|content| content.text.clone());
        }
        output
    }

    pub(super) fn find(&mut self, call: &Call) {
        let root = call
            .operands()
            .next()
            .is_some_and(|path| path_kind(&path.text, PathKind::Root));
        let limited = call.arguments.iter().any(|argument| {
            matches!(
                argument.text.as_str(),
                "-name" | "-iname" | "-path" | "-mtime" | "-size" | "-empty"
            )
        });
        let deletes = call
            .arguments
            .iter()
            .any(|argument| argument.text == "-delete")
            || call
                .arguments
                .iter()
                .any(|argument| matches!(argument.text.as_str(), "rm" | "shred"));
        if root && deletes && !limited {
            self.add("deletes-root-or-home", &call.range, None);
        }
    }

    /// What `find … -exec PROGRAM {} ;` does with each file that it finds.
    fn run_on_found(&mut self, call: &Call, depth: usize) {
        let exec = call
            .arguments
            .iter()
            .position(|argument| matches!(argument.text.as_str(), "-exec" | "-execdir" | "-ok"));
        let Some(exec) = exec else { return };
        let (before, after) = call.arguments.split_at(exec);
        let mut found = Flow::of(Taint::FOUND_FILES);
        for argument in before {
            found.taint |= taint_of_path(&argument.text);
        }
        self.files.insert("{}".to_owned(), found);
        let words: Vec<Argument> = after
            .iter()
            .skip(1)
            .take_while(|argument| !matches!(argument.text.as_str(), ";" | "+" | "\\;"))
            .cloned()
            .collect();
        if let Some(inner) = Call::new(words, call.range.clone()) {
            self.call(&inner, None, depth + 1);
        }
        self.files.remove("{}");
    }

    /// Disks by name, or all that a repository ever held.
    pub(super) fn survey(call: &Call) -> Flow {
        if call.name() != "git" {
            return Flow::of(Taint::FOUND_PATHS);
        }
        let words: Vec<&str> = call
            .arguments
            .iter()
            .map(|word| word.text.as_str())
            .collect();
        let is_whole = matches!(words.first(), Some(&("bundle" | "archive" | "fast-export")))
            || (words.first() == Some(&"log") && words.contains(&"-p"));
        if is_whole {
            Flow::of(Taint::FOUND_FILES)
        } else {
            Flow::default()
        }
    }

    pub(super) fn encode(&mut self, call: &Call, input: Option<Flow>) -> Flow {
        let mut value = input.unwrap_or_default();
        for file in call.operands() {
            value.absorb(&self.content(file));
        }
        if programs::decodes(call.name(), |options| call.has_option(options)) {
            value.taint |= Taint::DECODED;
            value.text = value.text.as_deref().and_then(crate::decode::decode_text);
        } else {
            value.text = None;
        }
        value
    }

    pub(super) fn copy(&mut self, call: &Call) -> Flow {
        let operands: Vec<Argument> = call.operands().cloned().collect();
        let mut packed = Flow::default();
        for operand in &operands {
            packed.absorb(&self.content(operand));
            let is_whole = matches!(operand.text.as_str(), "." | "./" | "..")
                || path_kind(&operand.text, PathKind::Root);
            if call.name() == "tar" && is_whole {
                packed.taint |= Taint::FOUND_FILES;
            }
            self.note_secret(&operand.text, &call.range);
        }
        // `tar` names its output after the options, `cp` last, `zip` first.
        let to_stdout = call.arguments.iter().any(|argument| argument.text == "-")
            || (call.name() == "tar" && !call.has_option(&["-f", "--file"]));
        let target = match call.name() {
            "cp" | "mv" | "install" | "ditto" | "ln" => operands.last(),
            _ => operands
                .iter()
                .find(|operand| operand.text.contains('.'))
                .or(operands.first()),
        };
        if let Some(target) = target {
            if matches!(call.name(), "cp" | "mv" | "install" | "ln" | "ditto") {
                self.written_path(&target.text, &call.range, &Flow::default());
            }
            self.files
                .entry(target.text.clone())
                .or_default()
                .absorb(&packed);
        }
        if to_stdout { packed } else { Flow::default() }
    }

    pub(super) fn chmod(&mut self, call: &Call) -> Flow {
        let mode = call
            .operands()
            .next()
            .map(|mode| mode.text.clone())
            .unwrap_or_default();
        let sets_id = mode.contains("+s")
            || (mode.len() == 4
                && mode.starts_with(['4', '6', '2'])
                && mode.bytes().all(|b| b.is_ascii_digit()));
        if sets_id {
            self.add("set-uid", &call.range, None);
        }
        let targets: Vec<String> = call
            .operands()
            .skip(1)
            .map(|path| path.text.clone())
            .collect();
        for target in targets {
            let opens = mode.ends_with("777") || mode.ends_with("666");
            if opens
                && (path_kind(&target, PathKind::Privilege)
                    || path_kind(&target, PathKind::Root)
                    || target.starts_with("/usr/")
                    || target.starts_with("/etc/"))
            {
                self.add("opens-system-files", &call.range, Some(target));
            }
        }
        Flow::default()
    }

    pub(super) fn remove(&mut self, call: &Call) -> Flow {
        let recursive = call.has_option(&["-r", "-R", "--recursive"]);
        let target = call
            .operands()
            .find(|path| {
                path_kind(&path.text, PathKind::Root)
                    && path.text != ".."
                    && !path.text.starts_with("../")
            })
            .map(|path| path.text.clone());
        if let Some(target) = target.filter(|_| recursive) {
            self.add("deletes-root-or-home", &call.range, Some(target));
        }
        if call.operands().any(|path| {
            // What was packed away by rotation is taken out by everyone who runs short of space.
            let is_rotated = [".gz", ".xz", ".bz2", ".zst", ".old"]
                .iter()
                .any(|end| path.text.ends_with(end));
            path.text.contains("_history") || path.text.starts_with("/var/log") && !is_rotated
        }) {
            self.add("traces-removed", &call.range, None);
        }
        Flow::default()
    }

    pub(super) fn wipe(&mut self, call: &Call) -> Flow {
        let device = call
            .arguments
            .iter()
            .find(|argument| path_kind(&argument.text, PathKind::Device))
            .map(|argument| argument.text.clone());
        let is_erasing = call.name() != "diskutil"
            || call
                .arguments
                .iter()
                .any(|argument| argument.text.starts_with("erase"));
        // `dd if=/dev/sda` reads a device, which is what backups do.
        let is_target = call.name() != "dd"
            || device
                .as_ref()
                .is_some_and(|device| device.starts_with("of="));
        if is_erasing && is_target && device.is_some() {
            self.add("device-overwritten", &call.range, device);
        } else if call.name() == "dd" {
            let from_noise = call.arguments.iter().any(|argument| {
                argument.text.starts_with("if=/dev/urandom")
                    || argument.text.starts_with("if=/dev/zero")
            });
            let to_variable = call
                .arguments
                .iter()
                .find(|argument| argument.text.starts_with("of=$"))
                .map(|argument| argument.text.clone());
            let to_each = call.arguments.iter().find(|argument| {
                argument.text.starts_with("of=") && argument.flow.taint.has(Taint::FOUND_PATHS)
            });
            let to_variable = to_variable.or(to_each.map(|argument| argument.text.clone()));
            if from_noise && to_variable.is_some() {
                self.add("device-overwritten", &call.range, to_variable);
            }
        } else if matches!(call.name(), "shred" | "wipe") {
            let root = call.operands().any(|path| {
                path_kind(&path.text, PathKind::Root) || path_kind(&path.text, PathKind::Secret)
            });
            if root {
                self.add("deletes-root-or-home", &call.range, None);
            }
        }
        Flow::default()
    }

    pub(super) fn schedule(&mut self, call: &Call, input: &Flow) -> Flow {
        let text = input.known();
        let writes_table = call.name() == "crontab"
            && (call.arguments.iter().any(|argument| argument.text == "-")
                || call.operands().next().is_some());
        if writes_table {
            let fetches = [
                "curl", "wget", "base64", "/dev/tcp", "/tmp/", "nc ", "mshta", "://",
            ]
            .iter()
            .any(|word| text.contains(word));
            let rule = if fetches {
                "scheduled-remote-code"
            } else {
                "startup-file-written"
            };
            self.add(rule, &call.range, Some("crontab".to_owned()));
        }
        if call.name() == "launchctl"
            && call
                .arguments
                .iter()
                .any(|argument| argument.text == "load" || argument.text == "bootstrap")
            || call.name() == "systemctl"
                && call
                    .arguments
                    .iter()
                    .any(|argument| argument.text == "enable")
            || call.name() == "schtasks"
                && call
                    .arguments
                    .iter()
                    .any(|argument| argument.text.eq_ignore_ascii_case("/create"))
        {
            self.add("service-enabled", &call.range, None);
        }
        Flow::default()
    }

    pub(super) fn secret_store(&mut self, call: &Call) -> Flow {
        let reads = call.arguments.iter().any(|argument| {
            let text = argument.text.as_str();
            text.starts_with("find-")
                || text.starts_with("dump-")
                || matches!(text, "lookup" | "show" | "get" | "read" | "export" | "-L")
        });
        if !reads {
            return Flow::default();
        }
        self.fact("reads-secret", &call.range, Some(call.name().to_owned()));
        Flow::of(Taint::SECRET)
    }

    pub(super) fn note_secret(&mut self, path: &str, range: &Range<usize>) {
        if path_kind(path, PathKind::Secret) {
            self.fact("reads-keys", range, Some(path.to_owned()));
        }
        if taint_of_path(path).is_private() {
            self.fact("reads-secret", range, Some(path.to_owned()));
        }
    }

    /// Reports a write into a place where it has consequences.
    pub(super) fn written_path(&mut self, path: &str, range: &Range<usize>, value: &Flow) {
        if let Some(rule) = consequences::of_writing(path, value.known()) {
            self.add(rule, range, Some(path.to_owned()));
        }
    }

    pub(super) fn write(&mut self, target: &Argument, value: &Flow, range: &Range<usize>) {
        let path = target.text.as_str();
        if path.starts_with("/dev/tcp/") || path.starts_with("/dev/udp/") {
            let rule = consequences::of_sending(value, &[]).unwrap_or("shell-socket");
            self.add(rule, range, Some(path.to_owned()));
        }
        self.written_path(path, range, value);
        let entry = self.files.entry(path.to_owned()).or_default();
        entry.absorb(value);
        entry.text.clone_from(&value.text);
    }

    /// What is in the file that a word names.
    pub(super) fn content(&self, path: &Argument) -> Flow {
        let mut content = self.files.get(&path.text).cloned().unwrap_or_default();
        content.taint |= taint_of_path(&path.text);
        // What process substitution put there.
        content.absorb(&path.flow);
        // A pattern stands for the files that were written under such names.
        if let Some((stem, _)) = path.text.split_once('*').filter(|(stem, _)| stem.len() > 3) {
            for (name, written) in self.files.iter().filter(|(name, _)| name.starts_with(stem)) {
                if name.len() > stem.len() || written.taint.has(Taint::FOUND_FILES) {
                    content.absorb(written);
                }
            }
        }
        content
    }
}

/// Whether a path names a picture, a sound or a typeface.
fn is_medium(path: &str) -> bool {
    let extension = path
        .rsplit('.')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    path.contains('.')
        && matches!(
            extension.as_str(),
            "png"
                | "jpg"
                | "jpeg"
                | "gif"
                | "ico"
                | "webp"
                | "bmp"
                | "wav"
                | "mp3"
                | "ogg"
                | "ttf"
                | "woff"
                | "woff2"
                | "pdf"
        )
}
