//! What calls do: where programs run, requests leave, files are read and written.

use std::ops::Range;

use super::calls::{Role, is_credential_slot, role};
use super::evaluate::Evaluator;
use super::fold;
use super::tree::{Argument, Call, Expression};
use super::values::{is_shredded, variable_of_environment};
use crate::context::Language;
use crate::flow::consequences;
use crate::flow::{Flow, Taint};

/// A call with its values.
pub(super) struct Given<'c> {
    pub(super) call: &'c Call,
    pub(super) path: String,
    pub(super) object: Flow,
    pub(super) values: Vec<Flow>,
}

impl Given<'_> {
    pub(super) fn first(&self) -> Flow {
        self.values.first().cloned().unwrap_or_default()
    }

    /// What all arguments hold together, those left out that carry a secret to where it belongs.
    pub(super) fn payload(&self) -> Flow {
        let mut payload = Flow::default();
        for (argument, value) in self.call.arguments.iter().zip(&self.values) {
            if !argument.name.as_deref().is_some_and(is_credential_slot) {
                payload.absorb(value);
            }
        }
        payload
    }

    pub(super) fn addresses(&self) -> Vec<String> {
        let texts = self.values.iter().filter_map(|value| value.text.as_deref());
        let hosts = self
            .call
            .arguments
            .iter()
            .filter_map(|argument| match &argument.value {
                // `https.request({ host: … })`
                Expression::Pairs(pairs) => pairs.iter().find_map(|(key, value)| match value {
                    Expression::Text { text, .. }
                        if matches!(key.as_str(), "host" | "hostname") =>
                    {
                        Some(format!("https://{text}"))
                    }
                    _ => None,
                }),
                _ => None,
            });
        texts
            .filter(|text| text.starts_with("http") || text.starts_with("ws"))
            .map(str::to_owned)
            .chain(hosts)
            .collect()
    }
}

impl Evaluator<'_> {
    pub(super) fn call(&mut self, call: &Call) -> Flow {
        let path = self.path_of_callee(&call.callee, &call.range);
        let object = match &call.callee {
            Expression::Member { object, .. } => self.value(object),
            Expression::Name(_) => Flow::default(),
            other => self.value(other),
        };
        if last(&path) == "map"
            && let Some(mapped) = self.mapped(call, &object)
        {
            return mapped;
        }
        self.give_to_callbacks(call, &object);
        let values: Vec<Flow> = call
            .arguments
            .iter()
            .map(|argument| self.argument(argument))
            .collect();
        let given = Given {
            call,
            path,
            object,
            values,
        };
        let range = &call.range;
        self.look_at_hidden_texts(&given);
        match role(&given.path, self.language) {
            Role::Run => self.run(&given),
            Role::Command => self.command(&given),
            Role::Decode => Self::decode(&given),
            Role::Characters => Self::characters(&given),
            Role::Request => self.request(&given),
            Role::Send => {
                let mut addresses = given.addresses();
                addresses.extend(given.object.addresses.iter().cloned());
                self.send(&given.payload(), &addresses, range);
                Flow::default()
            }
            Role::Resolve => self.resolve(&given),
            Role::Read => self.read(&given),
            Role::Write => self.write(&given),
            Role::WriteInto => self.write_into(&given),
            Role::FetchFile => self.fetch_file(&given),
            Role::Variable => given
                .first()
                .text
                .as_deref()
                .map(variable_of_environment)
                .unwrap_or_default(),
            Role::Personal => Flow::of(Taint::PERSONAL),
            Role::SecretStore => {
                self.add("reads-secret", range, Some(given.path.clone()));
                Flow::of(Taint::SECRET)
            }
            Role::Machine => Flow::of(Taint::MACHINE),
            Role::DeleteTree => self.delete_tree(&given),
            Role::Deserialize => self.deserialize(&given),
            Role::Fold => fold::method(last(&given.path), &given.object, &given.values),
            // `text.encode('utf-8')` is the text, whatever its argument.
            Role::Same if matches!(last(&given.path), "encode" | "toString") => given.object,
            Role::Same => match given.values.first() {
                Some(value) => value.clone(),
                None => given.object,
            },
            Role::Join => self.join(&given),
            Role::Import => self.import(&given),
            Role::Ask => ask(&given),
            Role::Home => Flow::text("~"),
            Role::List => {
                let mut paths = given.payload();
                paths.absorb(&given.object);
                paths.taint |= Taint::FOUND_PATHS;
                paths
            }
            Role::Other if self.is_request_sent(&given) => {
                let addresses = given.object.addresses.clone();
                self.send(&given.payload(), &addresses, range);
                Flow::default()
            }
            // `path.open()`, where the path was found by looking around.
            Role::Other
                if last(&given.path) == "open"
                    && (given.object.taint.has(Taint::FOUND_PATHS)
                        || given.object.taint.has(Taint::SECRET_PATH)) =>
            {
                self.read(&given)
            }
            Role::Other => self.other(&given),
        }
    }

    /// A text that was hidden in pieces is searched as what it becomes, wherever it goes: it may be printed for the
    /// user to run.
    fn look_at_hidden_texts(&mut self, given: &Given<'_>) {
        for value in &given.values {
            let hidden = value.taint.has(Taint::ASSEMBLED) || value.taint.has(Taint::DECODED);
            if let Some(text) = value
                .text
                .as_deref()
                .filter(|text| hidden && text.len() >= 12 && text.contains([' ', '/']))
            {
                self.hand_over(text, Language::Shell, given.call.range.start, true);
            }
        }
    }

    fn argument(&mut self, argument: &Argument) -> Flow {
        self.value(&argument.value)
    }

    /// A program that is run.
    fn run(&mut self, given: &Given<'_>) -> Flow {
        let value = given.first();
        let language = self.language;
        self.execute(&value, language, given, &given.call.range);
        Flow::default()
    }

    fn command(&mut self, given: &Given<'_>) -> Flow {
        let Some(argument) = given.call.arguments.first() else {
            return Flow::default();
        };
        let mut value = given.first();
        let words = words_of(given.call);
        for word in &words {
            self.run_file(word, &given.call.range);
        }
        if words.is_empty() {
            self.run_file(&argument.value, &given.call.range);
        } else {
            let texts: Vec<Flow> = words.iter().map(|word| self.value(word)).collect();
            value = command_of_words(&texts);
        }
        self.execute(&value, Language::Shell, given, &given.call.range);
        // What a command prints depends on the command, not on what a program put into its arguments.
        let mut output = Flow::default();
        let prints_environment = value
            .known()
            .split([';', '&', '|'])
            .any(|command| matches!(command.trim(), "env" | "printenv" | "set"));
        if prints_environment {
            output.taint |= Taint::ENVIRONMENT;
        }
        for word in value.known().split_whitespace() {
            output.taint |= consequences::taint_of_path(word);
        }
        output
    }

    fn execute(
        &mut self,
        value: &Flow,
        language: Language,
        given: &Given<'_>,
        range: &Range<usize>,
    ) {
        self.add("runs-code", range, None);
        if value.taint.has(Taint::FETCHED) {
            let is_evaluated =
                language == self.language && role(&given.path, language) == Role::Run;
            let rule = consequences::of_downloaded_file(&value.addresses);
            if is_evaluated
                && rule == "download-and-run"
                && !consequences::is_known(&value.addresses)
            {
                let address = value.addresses.first().cloned();
                self.add("evaluates-fetched-code", range, address);
            }
            self.add(rule, range, value.addresses.first().cloned());
        } else if let Some(rule) = consequences::of_execution(value) {
            self.add(
                rule,
                range,
                value.text.clone().or_else(|| Some(given.path.clone())),
            );
        }
        let hidden = value.taint.has(Taint::DECODED) || value.taint.has(Taint::ASSEMBLED);
        if let Some(text) = value
            .text
            .as_deref()
            .filter(|text| text.contains([' ', '(', '/']))
        {
            self.hand_over(text, language, range.start, hidden);
        }
    }

    fn decode(given: &Given<'_>) -> Flow {
        let value = if given.values.is_empty() {
            given.object.clone()
        } else {
            given.first()
        };
        // `Buffer.from(text)` copies; only with an encoding it decodes. `bytes.fromhex` has none to give.
        let copies = last(&given.path) == "from"
            && !given
                .values
                .get(1)
                .is_some_and(|encoding| matches!(encoding.known(), "base64" | "hex" | "base64url"));
        if copies { value } else { fold::decoded(&value) }
    }

    fn characters(given: &Given<'_>) -> Flow {
        let mut value = given.payload();
        if matches!(last(&given.path), "bytes" | "bytearray") {
            let codes = given.call.arguments.first().map(|argument| &argument.value);
            let Some(Expression::List(codes)) = codes else {
                return value;
            };
            let bytes: Option<Vec<u8>> = codes.iter().map(byte).collect();
            value.text = bytes.and_then(crate::decode::text_of);
            value.taint |= if value.text.is_some() {
                Taint::DECODED
            } else {
                Taint::NONE
            };
            return value;
        }
        let codes: Option<String> = given
            .values
            .iter()
            .map(|code| code.known().parse().ok().and_then(char::from_u32))
            .collect();
        value.text = codes.filter(|_| !given.values.is_empty());
        value.taint |= Taint::ASSEMBLED;
        value
    }

    fn request(&mut self, given: &Given<'_>) -> Flow {
        let addresses = given.addresses();
        let mut payload = given.payload();
        payload.addresses.clear();
        self.send(&payload, &addresses, &given.call.range);
        let mut fetched = Flow::of(Taint::FETCHED);
        fetched.addresses = addresses;
        fetched.absorb(&given.first());
        fetched.taint = Taint::FETCHED;
        fetched
    }

    fn send(&mut self, value: &Flow, addresses: &[String], range: &Range<usize>) {
        match consequences::of_sending(value, addresses) {
            Some(rule) => self.add(rule, range, addresses.first().cloned()),
            None => self.add("network-send", range, addresses.first().cloned()),
        }
    }

    fn resolve(&mut self, given: &Given<'_>) -> Flow {
        let name = given.first();
        if name.text.is_none() && (name.taint.is_private() || name.taint.has(Taint::MACHINE)) {
            self.add("dns-exfiltration", &given.call.range, None);
        }
        Flow::default()
    }

    fn deserialize(&mut self, given: &Given<'_>) -> Flow {
        let value = given.payload();
        if value.taint.has(Taint::FETCHED) || value.taint.has(Taint::DECODED) {
            self.add(
                "unsafe-deserialization",
                &given.call.range,
                value.addresses.first().cloned(),
            );
        }
        value
    }

    fn join(&mut self, given: &Given<'_>) -> Flow {
        let is_path = given.path.contains("path") || last(&given.path) == "joinpath";
        let mut value = if is_path && last(&given.path) != "joinpath" {
            Flow::text("")
        } else {
            given.object.clone()
        };
        if is_path {
            for (index, part) in given.values.iter().enumerate() {
                let separator = if index == 0 && value.known().is_empty() {
                    ""
                } else {
                    "/"
                };
                value = value.then(&Flow::text(separator)).then(part);
            }
            return Self::as_path(value);
        }
        let mut joined = given.payload();
        joined.absorb(&given.object);
        let separator = given.object.text.clone();
        if separator.as_deref() == Some("") && parts_are_picked(given) {
            joined.taint |= Taint::ASSEMBLED;
        }
        // In Python the separator joins the list, in JavaScript the list is joined by the separator.
        let (separator, items) = match self.language {
            Language::Python => (separator, given.first().items),
            _ => (
                given.first().text.or(Some(",".to_owned())),
                given.object.items.clone(),
            ),
        };
        if let Some(separator) = separator.filter(|_| !items.is_empty()) {
            let text = items.join(&separator);
            if separator.is_empty() && is_shredded(items.len(), &text) {
                joined.taint |= Taint::ASSEMBLED;
            }
            joined.text = Some(text);
        }
        joined
    }

    /// A module or function whose name was hidden is run under that name next.
    fn import(&mut self, given: &Given<'_>) -> Flow {
        let name = given.payload();
        if name.taint.has(Taint::ASSEMBLED) || name.taint.has(Taint::DECODED) {
            self.add("assembled-code", &given.call.range, name.text.clone());
        }
        Flow::default()
    }

    fn other(&mut self, given: &Given<'_>) -> Flow {
        let mut value = given.payload();
        value.text = None;
        if given.path == "map"
            && given
                .call
                .arguments
                .first()
                .is_some_and(|argument| argument.value == Expression::Name("chr".to_owned()))
        {
            value.taint |= Taint::ASSEMBLED;
            let codes = given
                .values
                .get(1)
                .map(|codes| codes.items.clone())
                .unwrap_or_default();
            value.items = codes
                .iter()
                .filter_map(|code| char::from_u32(code.parse().ok()?))
                .map(String::from)
                .collect();
        }
        if let Some(own) = self.call_own(last(&given.path), &given.values) {
            value.absorb(&own);
        }
        self.grow(given);
        // What is put into an object is in it: `data.append(secret)`, `message.attach(part)`.
        if let Expression::Member { object, name } = &given.call.callee
            && !value.taint.is_none()
            && !matches!(
                name.as_str(),
                "info" | "debug" | "log" | "error" | "warning" | "print"
            )
        {
            self.absorb_into(object, &value);
        }
        value.absorb(&given.object);
        value
    }
}

/// The words of a command that is given as a list; none for one that is given as a text, whatever options stand behind it.
fn words_of(call: &Call) -> Vec<Expression> {
    let mut placed = call.arguments.iter().filter(|it| it.name.is_none());
    match (placed.next(), placed.next()) {
        (Some(first), second) => match (&first.value, second.map(|it| &it.value)) {
            (Expression::List(items), _) => items.clone(),
            // `spawn('sh', ['-c', text])`
            (program, Some(Expression::List(items))) => {
                [std::slice::from_ref(program), items].concat()
            }
            // `create_subprocess_exec('sh', '-c', text)`
            (program, Some(word @ Expression::Text { .. })) => {
                let rest = placed.map(|it| it.value.clone());
                [program.clone(), word.clone()]
                    .into_iter()
                    .chain(rest)
                    .collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Letters picked by number out of a table: `''.join(letters[i] for i in order)`.
fn parts_are_picked(given: &Given<'_>) -> bool {
    let picked = |expression: &Expression| matches!(expression, Expression::Index { .. });
    match given.call.arguments.first().map(|argument| &argument.value) {
        Some(Expression::Each { body, .. }) => picked(body),
        Some(Expression::List(items)) => items.len() > 3 && items.iter().all(picked),
        _ => false,
    }
}

/// What the user types is theirs, if they were asked for a secret.
fn ask(given: &Given<'_>) -> Flow {
    let question =
        given.payload().known().to_ascii_lowercase() + &given.first().known().to_ascii_lowercase();
    let secret = [
        "password",
        "passphrase",
        "seed phrase",
        "private key",
        "2fa",
        "mnemonic",
    ]
    .iter()
    .any(|word| question.contains(word));
    if secret {
        Flow::of(Taint::SECRET)
    } else {
        Flow::default()
    }
}

/// The last name of a dotted path.
pub(super) fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

fn byte(code: &Expression) -> Option<u8> {
    match code {
        Expression::Number(number) => u8::try_from(*number).ok(),
        _ => None,
    }
}

/// A list of words as a command: what a shell would be given, and whether the program itself is known.
fn command_of_words(words: &[Flow]) -> Flow {
    let shell = words.first().is_some_and(|word| {
        matches!(
            word.known().rsplit('/').next(),
            Some("sh" | "bash" | "zsh" | "cmd" | "powershell" | "pwsh")
        )
    });
    if shell
        && let Some(code) = words
            .iter()
            .skip(1)
            .find(|word| !word.known().starts_with(['-', '/']) || word.known().contains(' '))
    {
        return code.clone();
    }
    let mut command = words.first().cloned().unwrap_or_default();
    let texts: Option<Vec<String>> = words
        .iter()
        .map(|word| word.text.as_deref().map(quoted))
        .collect();
    command.text = texts.map(|texts| texts.join(" "));
    command
}

fn quoted(word: &str) -> String {
    let is_plain = !word.is_empty()
        && word
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_./:=@+,%~".contains(&byte));
    if is_plain {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
