//! Commands that fetch, send, connect and look up.

use std::ops::Range;

use super::arguments::{Argument, Call, base_name};
use super::programs::{self, BODY_OPTIONS, Program, program};
use super::run::Runner;
use crate::flow::consequences::{self, taint_of_path};
use crate::flow::{Flow, Taint};

impl Runner<'_> {
    pub(super) fn fetch(&mut self, call: &Call, input: &Flow) -> Flow {
        let outputs = call.values_of(programs::output_options(call.name()));
        let is_output =
            |argument: &Argument| outputs.iter().any(|output| output.range == argument.range);
        let is_address = |argument: &&Argument| {
            let text = argument.text.as_str();
            text.contains("://")
                || (!text.starts_with('-')
                    && text.contains('.')
                    && text.contains('/')
                    && !text.starts_with(['.', '/', '~', '@']))
        };
        let addresses: Vec<String> = call
            .arguments
            .iter()
            .filter(|argument| !is_output(argument))
            .filter(is_address)
            .map(|argument| argument.text.clone())
            .collect();
        self.fact("fetches", &call.range, addresses.first().cloned());
        let mut payload = Flow::default();
        for body in call.values_of(BODY_OPTIONS) {
            payload.absorb(&body.flow);
            let text = body.text.trim_matches(['"', '\'']);
            if let Some((_, file)) = text.split_once('@').or_else(|| text.split_once("=<")) {
                let of_file = file.split(';').next().unwrap_or(file);
                if of_file == "-" {
                    payload.absorb(input);
                } else {
                    payload.taint |= taint_of_path(of_file);
                    payload.absorb(&self.files.get(of_file).cloned().unwrap_or_default());
                }
            } else if text == "-" || text.ends_with("/dev/stdin") {
                payload.absorb(input);
            } else if call.has_option(&["-T", "--upload-file", "--post-file", "--body-file"]) {
                payload.taint |= taint_of_path(text);
                payload.absorb(&self.files.get(text).cloned().unwrap_or_default());
            }
        }
        for argument in call.arguments.iter().filter(is_address) {
            let mut carried = argument.flow.clone();
            carried.addresses.clear();
            // Services that take their key in the address get it there.
            carried.taint = carried.taint.without(Taint::TOKEN);
            payload.absorb(&carried);
        }
        self.send(call, &payload, &addresses, &call.range);
        let mut fetched = Flow::of(Taint::FETCHED);
        fetched.addresses.clone_from(&addresses);
        let file = outputs.first().map(|output| output.text.clone());
        match file.as_deref() {
            Some("-" | "/dev/stdout" | "-qO-" | "-O-") => fetched,
            Some(text) if text.ends_with("O-") || text == "--output-document=-" => fetched,
            Some(text) => {
                let name = text
                    .strip_prefix("-O")
                    .or(text.strip_prefix("-o"))
                    .unwrap_or(text);
                self.fetched_file(name, &fetched);
                Flow::default()
            }
            None => {
                let by_name = (call.name() == "curl" && call.has_option(&["-O", "--remote-name"]))
                    || matches!(call.name(), "wget" | "wget2" | "aria2c" | "axel");
                let to_stdout = call.arguments.iter().any(|argument| {
                    argument.text.starts_with('-') && argument.text.ends_with("O-")
                });
                if by_name && !to_stdout {
                    let last = addresses
                        .first()
                        .map(|address| base_name(address).to_owned());
                    self.fetched_file(&last.unwrap_or_default(), &fetched);
                    Flow::default()
                } else {
                    fetched
                }
            }
        }
    }

    pub(super) fn fetched_file(&mut self, path: &str, fetched: &Flow) {
        self.files.insert(path.to_owned(), fetched.clone());
    }

    pub(super) fn connect(&mut self, call: &Call, input: &Flow) -> Flow {
        let runs_shell = call.arguments.iter().any(|argument| {
            let text = argument.text.to_ascii_lowercase();
            text.starts_with("exec:") || text.starts_with("system:")
        }) || (call.has_option(&["-e", "-c", "--exec", "--sh-exec"])
            && call.arguments.iter().any(|argument| {
                matches!(program(base_name(&argument.text)), Program::Interpreter(_))
                    || argument.text.contains("/bin/")
            }));
        if runs_shell {
            self.add("reverse-shell", &call.range, None);
        }
        let addresses: Vec<String> = call
            .operands()
            .take(1)
            .map(|host| host.text.clone())
            .collect();
        self.send(call, input, &addresses, &call.range);
        let mut output = Flow::of(Taint::FETCHED);
        output.addresses = addresses;
        output
    }

    pub(super) fn resolve(&mut self, call: &Call, input: &Flow) -> Flow {
        let mut looked_up = input.clone();
        let mut has_host = false;
        for argument in call.operands() {
            has_host |= argument.text.contains('$') && argument.text.contains('.');
            looked_up.absorb(&argument.flow);
        }
        if has_host && !looked_up.taint.is_none() {
            self.add("dns-exfiltration", &call.range, None);
        }
        Flow::default()
    }

    pub(super) fn transfer(&mut self, call: &Call, input: &Flow) -> Flow {
        let is_remote =
            |argument: &Argument| argument.text.contains(':') && !argument.text.starts_with('/');
        if call.name() != "aws" && !call.operands().any(is_remote) {
            return Flow::default();
        }
        if call.name() == "aws"
            && !call
                .arguments
                .iter()
                .any(|argument| argument.text == "s3" || argument.text == "s3api")
        {
            return Flow::default();
        }
        let reads_input = call.arguments.iter().any(|argument| argument.text == "-");
        let mut payload = if call.name() == "ssh" || reads_input {
            input.clone()
        } else {
            Flow::default()
        };
        // `scp remote:file local` brings; only what stands before the last is payload.
        let operands: Vec<&Argument> = call.operands().collect();
        if operands.last().is_some_and(|last| is_remote(last)) {
            for argument in &operands {
                payload.absorb(&self.content(argument));
            }
        }
        self.send(call, &payload, &[], &call.range);
        Flow::default()
    }

    pub(super) fn send(
        &mut self,
        call: &Call,
        value: &Flow,
        addresses: &[String],
        range: &Range<usize>,
    ) {
        if let Some(rule) = consequences::of_sending(value, addresses) {
            self.add(rule, range, addresses.first().cloned());
        } else if matches!(program(call.name()), Program::Fetch)
            && !call.values_of(BODY_OPTIONS).is_empty()
        {
            self.fact("network-send", range, addresses.first().cloned());
        }
    }
}
