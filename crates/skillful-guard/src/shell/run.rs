//! Walks a script as a shell would: values flow through pipes, variables, files and substitutions.

use std::collections::HashMap;
use std::ops::Range;

use super::arguments::{Argument, Call, base_name};
use super::programs::{self, BODY_OPTIONS, CODE_OPTIONS, Program, program};
use super::report;
use super::tree::{Command, Part, RedirectKind, Statement, Word};
use crate::context::{Form, Language, Unit};
use crate::facts::Facts;
use crate::flow::{Flow, PathKind, Taint, path_kind};
use crate::limits::{SYNTAX_DEPTH, SYNTAX_NODES};
use crate::text::View;

/// Walks the script.
pub(super) fn run(unit: &Unit, script: &[Statement], facts: &mut Facts) -> Vec<Unit> {
    let mut runner = Runner {
        unit,
        facts,
        variables: HashMap::new(),
        files: HashMap::new(),
        inner: Vec::new(),
        function: None,
        steps: 0,
    };
    runner.block(script, 0);
    runner.inner
}

struct Runner<'r> {
    unit: &'r Unit,
    facts: &'r mut Facts,
    variables: HashMap<String, Flow>,
    /// What was written into files, by the path as it was written.
    files: HashMap<String, Flow>,
    inner: Vec<Unit>,
    /// The function whose body is walked.
    function: Option<String>,
    steps: usize,
}

impl Runner<'_> {
    /// Walks statements and gives what they print.
    fn block(&mut self, statements: &[Statement], depth: usize) -> Flow {
        let mut printed = Flow::default();
        let mut only = None;
        for statement in statements {
            self.steps += 1;
            if depth > SYNTAX_DEPTH || self.steps > SYNTAX_NODES {
                return printed;
            }
            let output = self.statement(statement, depth + 1);
            printed.absorb(&output);
            only = if statements.len() == 1 { output.text } else { None };
        }
        printed.text = only;
        printed
    }

    fn statement(&mut self, statement: &Statement, depth: usize) -> Flow {
        match statement {
            Statement::Pipeline(commands) => self.pipeline(commands, depth),
            Statement::Assign { name, value } => {
                let value = self.value(value, depth).flow;
                self.assign(name, value);
                Flow::default()
            }
            Statement::Each { name, words } => {
                let mut value = Flow::default();
                for word in words {
                    value.absorb(&self.value(word, depth).flow);
                }
                self.assign(name, value);
                Flow::default()
            }
            Statement::Block(statements) => self.block(statements, depth),
            Statement::Function { name, body } => {
                let outer = self.function.replace(name.clone());
                self.block(body, depth);
                self.function = outer;
                Flow::default()
            }
        }
    }

    fn assign(&mut self, name: &str, mut value: Flow) {
        // A second value does not wash off what a branch before may have put in.
        if let Some(old) = self.variables.get(name) {
            if !old.taint.is_none() {
                value.absorb(old);
            }
        }
        self.variables.insert(name.to_owned(), value);
    }

    fn pipeline(&mut self, commands: &[Command], depth: usize) -> Flow {
        let mut passed: Option<Flow> = None;
        if is_fork_bomb(self.function.as_deref(), commands) {
            if let Some(first) = commands.first() {
                self.add("fork-bomb", &first.range, None);
            }
        }
        for command in commands {
            let output = self.command(command, passed.take(), depth);
            passed = Some(output);
        }
        passed.unwrap_or_default()
    }

    fn command(&mut self, command: &Command, piped: Option<Flow>, depth: usize) -> Flow {
        let mut input = piped;
        let mut written = Vec::new();
        for redirect in &command.redirects {
            let target = self.value(&redirect.target, depth);
            match redirect.kind {
                RedirectKind::Write => written.push(target),
                RedirectKind::Read => input = Some(self.content(&target)),
                RedirectKind::Here => input = Some(target.flow),
            }
        }
        let output = if command.words.is_empty() {
            let inner = self.block(&command.body, depth);
            match input {
                Some(input) if command.body.is_empty() => input,
                _ => inner,
            }
        } else {
            let words = command.words.iter().map(|word| self.value(word, depth)).collect();
            match Call::new(words, command.range.clone()) {
                Some(call) => self.call(&call, input, depth),
                None => Flow::default(),
            }
        };
        for target in written {
            self.write(&target, &output, &command.range);
        }
        output
    }

    /// A word's value.
    fn value(&mut self, word: &Word, depth: usize) -> Argument {
        let mut flow = Flow::text("");
        let mut text = String::new();
        for part in &word.parts {
            let (shown, value) = match part {
                Part::Text(text) => (text.clone(), Flow::text(text.as_str())),
                Part::Variable(name) => {
                    let value = self.variable(name);
                    (value.text.clone().unwrap_or_else(|| format!("${name}")), value)
                }
                Part::Output(statements) | Part::Process(statements) => {
                    let value = self.block(statements, depth + 1);
                    (value.text.clone().unwrap_or_else(|| "$()".to_owned()), value)
                }
            };
            text.push_str(&shown);
            flow = flow.then(&value);
        }
        Argument {
            text,
            flow,
            range: word.range.clone(),
        }
    }

    fn variable(&self, name: &str) -> Flow {
        if let Some(value) = self.variables.get(name) {
            return value.clone();
        }
        let upper = name.to_ascii_uppercase();
        let is_secret = name == upper
            && ["TOKEN", "SECRET", "PASSWORD", "PASSWD", "APIKEY", "API_KEY", "PRIVATE_KEY", "ACCESS_KEY", "CREDENTIAL"]
                .iter()
                .any(|word| upper.contains(word));
        let is_machine = matches!(name, "HOSTNAME" | "USER" | "LOGNAME");
        if is_secret {
            Flow::of(Taint::TOKEN)
        } else if is_machine {
            Flow::of(Taint::MACHINE)
        } else {
            Flow::default()
        }
    }

    /// What is in the file that a word names.
    fn content(&self, path: &Argument) -> Flow {
        let mut content = self.files.get(&path.text).cloned().unwrap_or_default();
        content.taint |= taint_of_path(&path.text);
        // What process substitution put there.
        content.absorb(&path.flow);
        content
    }

    fn write(&mut self, target: &Argument, value: &Flow, range: &Range<usize>) {
        let path = target.text.as_str();
        if path.starts_with("/dev/tcp/") || path.starts_with("/dev/udp/") {
            let rule = report::of_sending(value, &[]).unwrap_or("shell-socket");
            self.add(rule, range, Some(path.to_owned()));
        }
        self.written_path(path, range, value);
        let entry = self.files.entry(path.to_owned()).or_default();
        entry.absorb(value);
        entry.text.clone_from(&value.text);
    }

    /// Reports a write into a place where it has consequences.
    fn written_path(&mut self, path: &str, range: &Range<usize>, value: &Flow) {
        let text = value.known();
        if path_kind(path, PathKind::Privilege) && !path.contains("/etc/hosts") {
            self.add("privilege-file-written", range, Some(path.to_owned()));
        } else if path_kind(path, PathKind::Startup) {
            // A PATH or completion line is what installers add; a command that fetches or decodes is not.
            let is_setting = ["export ", "PATH=", "alias ", "source ", "eval \"$(", ". "].iter().any(|start| text.trim_start().starts_with(start));
            let rule = if is_setting { "startup-setting-written" } else { "startup-file-written" };
            self.add(rule, range, Some(path.to_owned()));
        } else if path_kind(path, PathKind::AgentControl) {
            self.add("agent-file-written", range, Some(path.to_owned()));
        } else if path_kind(path, PathKind::Device) {
            self.add("device-overwritten", range, Some(path.to_owned()));
        }
    }

    fn call(&mut self, call: &Call, input: Option<Flow>, depth: usize) -> Flow {
        let name = call.name();
        let kind = program(name);
        let stdin = input.clone().unwrap_or_default();
        match kind {
            Program::Fetch => self.fetch(call, input),
            Program::Print => self.print(call),
            Program::Filter => self.filter(call, input),
            Program::Encode => self.encode(call, input),
            Program::Interpreter(language) => self.interpret(call, language, input),
            Program::Eval => {
                let mut value = Flow::text("");
                for argument in &call.arguments {
                    value = value.then(&argument.flow);
                }
                self.execute(&value, Language::Shell, call, &call.range);
                Flow::default()
            }
            Program::Source => {
                for file in call.operands().take(1) {
                    let content = self.content(file);
                    self.execute(&content, Language::Shell, call, &call.range);
                }
                Flow::default()
            }
            Program::Environment => {
                let prints = call.operands().next().is_none() && !matches!(name, "export" | "declare");
                if prints && (name != "set" || call.arguments.is_empty()) || (name == "export" && call.has_option(&["-p"])) {
                    return Flow::of(Taint::ENVIRONMENT);
                }
                if matches!(name, "export" | "declare") {
                    self.exported(call);
                }
                Flow::default()
            }
            Program::Machine => Flow::of(Taint::MACHINE),
            Program::SecretStore => self.secret_store(call),
            Program::Personal => Flow::of(Taint::PERSONAL),
            Program::Connect => self.connect(call, &stdin),
            Program::Resolve => self.resolve(call, &stdin),
            Program::Transfer => self.transfer(call, &stdin),
            Program::Mail => {
                self.send(call, &stdin, &[], &call.range);
                Flow::default()
            }
            Program::Copy => self.copy(call),
            Program::Tee => {
                let targets: Vec<Argument> = call.operands().cloned().collect();
                for target in targets {
                    self.write(&target, &stdin, &call.range);
                }
                stdin
            }
            Program::Chmod => self.chmod(call),
            Program::Remove => self.remove(call),
            Program::Wipe | Program::Format => self.wipe(call),
            Program::Schedule => self.schedule(call, &stdin),
            Program::Other => self.other(call, stdin, depth),
        }
    }

    fn exported(&mut self, call: &Call) {
        for argument in &call.arguments {
            if let Some((name, value)) = argument.text.split_once('=') {
                let mut flow = argument.flow.clone();
                flow.text = argument.flow.text.as_ref().map(|_| value.to_owned());
                self.assign(name, flow);
            }
        }
    }

    fn fetch(&mut self, call: &Call, input: Option<Flow>) -> Flow {
        let outputs = call.values_of(programs::output_options(call.name()));
        let is_output = |argument: &Argument| outputs.iter().any(|output| output.range == argument.range);
        let is_address = |argument: &&Argument| {
            let text = argument.text.as_str();
            text.contains("://") || (!text.starts_with('-') && text.contains('.') && text.contains('/') && !text.starts_with(['.', '/', '~', '@']))
        };
        let addresses: Vec<String> = call
            .arguments
            .iter()
            .filter(|argument| !is_output(argument))
            .filter(is_address)
            .map(|argument| argument.text.clone())
            .collect();
        self.fact("fetches", &call.range, addresses.first().cloned());
        let mut sent = Flow::default();
        for body in call.values_of(BODY_OPTIONS) {
            sent.absorb(&body.flow);
            let text = body.text.trim_matches(['"', '\'']);
            if let Some((_, file)) = text.split_once('@') {
                let of_file = file.split(';').next().unwrap_or(file);
                if of_file == "-" {
                    sent.absorb(&input.clone().unwrap_or_default());
                } else {
                    sent.taint |= taint_of_path(of_file);
                    sent.absorb(&self.files.get(of_file).cloned().unwrap_or_default());
                }
            } else if text == "-" || text.ends_with("/dev/stdin") {
                sent.absorb(&input.clone().unwrap_or_default());
            } else if call.has_option(&["-T", "--upload-file", "--post-file", "--body-file"]) {
                sent.taint |= taint_of_path(text);
                sent.absorb(&self.files.get(text).cloned().unwrap_or_default());
            }
        }
        for argument in call.arguments.iter().filter(is_address) {
            let mut in_address = argument.flow.clone();
            in_address.addresses.clear();
            sent.absorb(&in_address);
        }
        self.send(call, &sent, &addresses, &call.range);
        let mut fetched = Flow::of(Taint::FETCHED);
        fetched.addresses = addresses.clone();
        let file = outputs.first().map(|output| output.text.clone());
        match file.as_deref() {
            Some("-" | "/dev/stdout" | "-qO-" | "-O-") => fetched,
            Some(text) if text.ends_with("O-") || text == "--output-document=-" => fetched,
            Some(text) => {
                let name = text.strip_prefix("-O").or(text.strip_prefix("-o")).unwrap_or(text);
                self.fetched_file(name, &fetched);
                Flow::default()
            }
            None => {
                let by_name = (call.name() == "curl" && call.has_option(&["-O", "--remote-name"])) || matches!(call.name(), "wget" | "wget2" | "aria2c" | "axel");
                let to_stdout = call.arguments.iter().any(|argument| argument.text.starts_with('-') && argument.text.ends_with("O-"));
                if by_name && !to_stdout {
                    let last = addresses.first().map(|address| base_name(address).to_owned());
                    self.fetched_file(&last.unwrap_or_default(), &fetched);
                    Flow::default()
                } else {
                    fetched
                }
            }
        }
    }

    fn fetched_file(&mut self, path: &str, fetched: &Flow) {
        self.files.insert(path.to_owned(), fetched.clone());
    }

    fn print(&mut self, call: &Call) -> Flow {
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

    fn filter(&mut self, call: &Call, input: Option<Flow>) -> Flow {
        let mut output = input.unwrap_or_default();
        let keeps_text = matches!(call.name(), "cat" | "tac");
        if call.name() == "rev" {
            output.text = output.text.map(|text| text.chars().rev().collect());
            output.taint |= if output.text.is_some() { Taint::DECODED } else { Taint::NONE };
        } else if !keeps_text {
            output.text = None;
        }
        let is_pattern_first = matches!(call.name(), "grep" | "egrep" | "rg" | "ag" | "sed" | "awk" | "gawk" | "tr" | "jq" | "yq" | "cut");
        let files: Vec<Argument> = call.operands().skip(usize::from(is_pattern_first)).cloned().collect();
        for file in &files {
            let content = self.content(file);
            output.absorb(&content);
            self.note_secret(&file.text, &call.range);
        }
        if call.name() == "find" {
            self.find(call);
        }
        if output.text.is_none() && keeps_text {
            if let [file] = files.as_slice() {
                output.text = self.files.get(&file.text).and_then(|content| content.text.clone());
            }
        }
        output
    }

    fn find(&mut self, call: &Call) {
        let root = call.operands().next().is_some_and(|path| path_kind(&path.text, PathKind::Root));
        let limited = call.arguments.iter().any(|argument| matches!(argument.text.as_str(), "-name" | "-iname" | "-path" | "-mtime" | "-size" | "-empty"));
        let deletes = call.arguments.iter().any(|argument| argument.text == "-delete") || call.arguments.iter().any(|argument| matches!(argument.text.as_str(), "rm" | "shred"));
        if root && deletes && !limited {
            self.add("deletes-root-or-home", &call.range, None);
        }
    }

    fn encode(&mut self, call: &Call, input: Option<Flow>) -> Flow {
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

    fn interpret(&mut self, call: &Call, language: Language, input: Option<Flow>) -> Flow {
        let code = call.values_of(CODE_OPTIONS);
        if let Some(code) = code.first() {
            let value = code.flow.clone();
            let range = code.range.clone();
            self.execute(&value, language, call, &range);
            return Flow::default();
        }
        if call.has_option(&["-EncodedCommand", "-enc", "-e"]) && language == Language::PowerShell {
            self.add("decode-and-run", &call.range, None);
        }
        let file = call.operands().next().cloned();
        match file {
            Some(file) if file.text != "-" && !call.has_option(&["-s"]) => {
                let content = self.content(&file);
                if content.taint.has(Taint::FETCHED) {
                    // What `<(curl …)` gives runs at once, a named file was fetched before.
                    let is_named = self.files.contains_key(&file.text);
                    let rule = if is_named { report::of_downloaded_file(&content.addresses) } else { report::of_remote_code(&content.addresses) };
                    self.add(rule, &call.range, content.addresses.first().cloned());
                } else {
                    self.execute(&content, language, call, &call.range);
                }
                self.fact("runs-command", &call.range, Some(file.text.clone()));
            }
            _ => {
                let value = input.unwrap_or_default();
                self.execute(&value, language, call, &call.range);
            }
        }
        Flow::default()
    }

    /// Reports and follows a value that is run as a program.
    fn execute(&mut self, value: &Flow, language: Language, call: &Call, range: &Range<usize>) {
        if let Some(rule) = report::of_execution(value) {
            let note = value.addresses.first().cloned().or_else(|| value.text.clone());
            let note = match (note, call.as_root) {
                (Some(note), true) => Some(format!("as root: {note}")),
                (note, _) => note,
            };
            self.add(rule, &call.range, note);
        }
        if let Some(text) = value.text.as_deref().filter(|text| text.contains([' ', '(', '/'])) {
            self.hand_over(text, language, range.start, value.taint.has(Taint::DECODED));
        }
    }

    /// Leaves a program inside this one to the engine of its language.
    fn hand_over(&mut self, text: &str, language: Language, at: usize, decoded: bool) {
        let source = self.unit.view.source_of(at);
        let mut inner = self.unit.inner(View::pinned(text.to_owned(), source), Form::Code(language), at);
        if decoded {
            inner.layers.push("encoded");
        }
        self.inner.push(inner);
    }

    fn secret_store(&mut self, call: &Call) -> Flow {
        let reads = call.arguments.iter().any(|argument| {
            let text = argument.text.as_str();
            text.starts_with("find-") || text.starts_with("dump-") || matches!(text, "lookup" | "show" | "get" | "read" | "export" | "-L")
        });
        if !reads {
            return Flow::default();
        }
        self.fact("reads-secret", &call.range, Some(call.name().to_owned()));
        Flow::of(Taint::SECRET)
    }

    fn connect(&mut self, call: &Call, input: &Flow) -> Flow {
        let runs_shell = call.arguments.iter().any(|argument| {
            let text = argument.text.to_ascii_lowercase();
            text.starts_with("exec:") || text.starts_with("system:")
        }) || (call.has_option(&["-e", "-c", "--exec", "--sh-exec"])
            && call.arguments.iter().any(|argument| matches!(program(base_name(&argument.text)), Program::Interpreter(_)) || argument.text.contains("/bin/")));
        if runs_shell {
            self.add("reverse-shell", &call.range, None);
        }
        let addresses: Vec<String> = call.operands().take(1).map(|host| host.text.clone()).collect();
        self.send(call, input, &addresses, &call.range);
        let mut output = Flow::of(Taint::FETCHED);
        output.addresses = addresses;
        output
    }

    fn resolve(&mut self, call: &Call, input: &Flow) -> Flow {
        let mut looked_up = input.clone();
        let mut has_host = false;
        for argument in call.operands() {
            has_host |= argument.text.contains("$") && argument.text.contains('.');
            looked_up.absorb(&argument.flow);
        }
        if has_host && !looked_up.taint.is_none() {
            self.add("dns-exfiltration", &call.range, None);
        }
        Flow::default()
    }

    fn transfer(&mut self, call: &Call, input: &Flow) -> Flow {
        let is_remote = |argument: &Argument| argument.text.contains(':') && !argument.text.starts_with('/');
        if call.name() != "aws" && !call.operands().any(is_remote) {
            return Flow::default();
        }
        if call.name() == "aws" && !call.arguments.iter().any(|argument| argument.text == "s3" || argument.text == "s3api") {
            return Flow::default();
        }
        let mut sent = if call.name() == "ssh" { input.clone() } else { Flow::default() };
        // `scp remote:file local` brings; only what stands before the last is sent.
        let operands: Vec<&Argument> = call.operands().collect();
        if operands.last().is_some_and(|last| is_remote(last)) {
            for argument in &operands {
                sent.absorb(&self.content(argument));
            }
        }
        self.send(call, &sent, &[], &call.range);
        Flow::default()
    }

    fn send(&mut self, call: &Call, value: &Flow, addresses: &[String], range: &Range<usize>) {
        if let Some(rule) = report::of_sending(value, addresses) {
            self.add(rule, range, addresses.first().cloned());
        } else if matches!(program(call.name()), Program::Fetch) && !call.values_of(BODY_OPTIONS).is_empty() {
            self.fact("network-send", range, addresses.first().cloned());
        }
    }

    fn copy(&mut self, call: &Call) -> Flow {
        let operands: Vec<Argument> = call.operands().cloned().collect();
        let mut packed = Flow::default();
        for operand in &operands {
            packed.absorb(&self.content(operand));
            self.note_secret(&operand.text, &call.range);
        }
        // `tar` names its output after the options, `cp` last, `zip` first.
        let to_stdout = call.arguments.iter().any(|argument| argument.text == "-") || (call.name() == "tar" && !call.has_option(&["-f", "--file"]));
        let target = match call.name() {
            "cp" | "mv" | "install" | "ditto" | "ln" => operands.last(),
            _ => operands.iter().find(|operand| operand.text.contains('.')).or(operands.first()),
        };
        if let Some(target) = target {
            if matches!(call.name(), "cp" | "mv" | "install" | "ln" | "ditto") {
                self.written_path(&target.text, &call.range, &Flow::default());
            }
            self.files.entry(target.text.clone()).or_default().absorb(&packed);
        }
        if to_stdout { packed } else { Flow::default() }
    }

    fn chmod(&mut self, call: &Call) -> Flow {
        let mode = call.operands().next().map(|mode| mode.text.clone()).unwrap_or_default();
        let sets_id = mode.contains("+s") || (mode.len() == 4 && mode.starts_with(['4', '6', '2']) && mode.bytes().all(|b| b.is_ascii_digit()));
        if sets_id {
            self.add("set-uid", &call.range, None);
        }
        let targets: Vec<String> = call.operands().skip(1).map(|path| path.text.clone()).collect();
        for target in targets {
            let opens = mode.ends_with("777") || mode.ends_with("666");
            if opens && (path_kind(&target, PathKind::Privilege) || path_kind(&target, PathKind::Root) || target.starts_with("/usr/") || target.starts_with("/etc/")) {
                self.add("opens-system-files", &call.range, Some(target));
            }
        }
        Flow::default()
    }

    fn remove(&mut self, call: &Call) -> Flow {
        let recursive = call.has_option(&["-r", "-R", "--recursive"]);
        let target = call.operands().find(|path| path_kind(&path.text, PathKind::Root) && path.text != ".." && !path.text.starts_with("../")).map(|path| path.text.clone());
        if let Some(target) = target.filter(|_| recursive) {
            self.add("deletes-root-or-home", &call.range, Some(target));
        }
        if call.operands().any(|path| path.text.contains("_history") || path.text.starts_with("/var/log")) {
            self.add("traces-removed", &call.range, None);
        }
        Flow::default()
    }

    fn wipe(&mut self, call: &Call) -> Flow {
        let device = call.arguments.iter().find(|argument| path_kind(&argument.text, PathKind::Device)).map(|argument| argument.text.clone());
        let is_erasing = call.name() != "diskutil" || call.arguments.iter().any(|argument| argument.text.starts_with("erase"));
        // `dd if=/dev/sda` reads a device, which is what backups do.
        let is_target = call.name() != "dd" || device.as_ref().is_some_and(|device| device.starts_with("of="));
        if is_erasing && is_target && device.is_some() {
            self.add("device-overwritten", &call.range, device);
        } else if call.name() == "dd" {
            let from_noise = call.arguments.iter().any(|argument| argument.text.starts_with("if=/dev/urandom") || argument.text.starts_with("if=/dev/zero"));
            let to_variable = call.arguments.iter().find(|argument| argument.text.starts_with("of=$")).map(|argument| argument.text.clone());
            if from_noise && to_variable.is_some() {
                self.add("device-overwritten", &call.range, to_variable);
            }
        } else if matches!(call.name(), "shred" | "wipe") {
            let root = call.operands().any(|path| path_kind(&path.text, PathKind::Root) || path_kind(&path.text, PathKind::Secret));
            if root {
                self.add("deletes-root-or-home", &call.range, None);
            }
        }
        Flow::default()
    }

    fn schedule(&mut self, call: &Call, input: &Flow) -> Flow {
        let text = input.known();
        let writes_table = call.name() == "crontab" && (call.arguments.iter().any(|argument| argument.text == "-") || call.operands().next().is_some());
        if writes_table {
            let fetches = ["curl", "wget", "base64", "/dev/tcp", "/tmp/", "nc "].iter().any(|word| text.contains(word));
            let rule = if fetches { "scheduled-remote-code" } else { "startup-file-written" };
            self.add(rule, &call.range, Some("crontab".to_owned()));
        }
        if call.name() == "launchctl" && call.arguments.iter().any(|argument| argument.text == "load" || argument.text == "bootstrap")
            || call.name() == "systemctl" && call.arguments.iter().any(|argument| argument.text == "enable")
            || call.name() == "schtasks" && call.arguments.iter().any(|argument| argument.text.eq_ignore_ascii_case("/create"))
        {
            self.add("service-enabled", &call.range, None);
        }
        Flow::default()
    }

    /// Programs that are no program of the system: a file that was fetched before, or anything else.
    fn other(&mut self, call: &Call, input: Flow, _depth: usize) -> Flow {
        let path = call.program.text.as_str();
        let named = self.files.get(path).or_else(|| self.files.get(path.trim_start_matches("./")));
        let fetched = named.filter(|content| content.taint.has(Taint::FETCHED)).cloned();
        if let Some(content) = fetched {
            self.add(report::of_downloaded_file(&content.addresses), &call.range, content.addresses.first().cloned());
        } else if call.program.flow.taint.has(Taint::FETCHED) || call.program.flow.taint.has(Taint::DECODED) {
            let value = call.program.flow.clone();
            self.execute(&value, Language::Shell, call, &call.range);
        }
        if path.contains('/') {
            self.fact("runs-command", &call.range, Some(path.to_owned()));
        }
        let mut output = input;
        output.text = None;
        for argument in &call.arguments {
            output.absorb(&argument.flow);
        }
        output
    }

    fn note_secret(&mut self, path: &str, range: &Range<usize>) {
        if taint_of_path(path).is_private() {
            self.fact("reads-secret", range, Some(path.to_owned()));
        }
    }

    fn add(&mut self, rule: &'static str, range: &Range<usize>, note: Option<String>) {
        self.facts.add(self.unit, rule, range, note);
    }

    /// An observation that is no finding by itself.
    fn fact(&mut self, name: &'static str, range: &Range<usize>, note: Option<String>) {
        self.facts.add(self.unit, name, range, note);
    }
}

/// What reading a path gives.
pub(crate) fn taint_of_path(path: &str) -> Taint {
    let path = path.trim_matches(['"', '\'']);
    if path_kind(path, PathKind::Secret) || path_kind(path, PathKind::EnvFile) {
        Taint::SECRET
    } else if path_kind(path, PathKind::Personal) {
        Taint::PERSONAL
    } else if matches!(path, "/etc/passwd" | "/etc/hosts" | "/etc/resolv.conf" | "/etc/machine-id") {
        Taint::MACHINE
    } else {
        Taint::NONE
    }
}

/// A function that pipes itself into itself.
fn is_fork_bomb(function: Option<&str>, commands: &[Command]) -> bool {
    let Some(function) = function else {
        return false;
    };
    let calls_itself = |command: &Command| command.words.first().and_then(Word::literal).is_some_and(|name| name == function);
    commands.len() > 1 && commands.iter().all(calls_itself)
}
