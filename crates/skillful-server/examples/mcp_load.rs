//! How a server of skills over standard input and output does under load: how soon it answers, how fast it hands skills
//! over to many requests at once, and what memory that takes.
//!
//!     cargo run --release -p skillful-server --example mcp_load -- SKILLS READS [TOOL ARGUMENTS] -- PROGRAM ARGUMENTS…
//!
//! `{root}` in the program's arguments is a fresh directory with so many skills, `{home}` an empty one, `{id}` in the
//! tool's arguments the id of one of them. Any other server of skills can be measured so:
//!
//!     … -- 1000 2000 -- target/release/skillful mcp --root {root} --home {home}
//!     … -- 1000 2000 load_skill '{"skill_id": "{id}"}' -- skillport-mcp

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a measurement: it prints, and ends where something fails"
)]

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// What is measured.
struct Load {
    skills: usize,
    reads: usize,
    tool: String,
    arguments: String,
    program: Vec<String>,
}

fn main() {
    let load = Load::parse(&std::env::args().skip(1).collect::<Vec<_>>());
    let directory = tempfile::tempdir().unwrap();
    let (root, home) = (
        directory.path().join("skills"),
        directory.path().join("home"),
    );
    fs::create_dir_all(&home).unwrap();
    write_skills(&root, load.skills);
    // The first start scans every skill; the second finds what is on record.
    for round in ["first", "second"] {
        let mut server = Server::start(&load, &root, &home);
        let begun = server.begun;
        server.ask("initialize",
            &json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "load", "version": "1"},
        }));
        println!("{round} start: initialize after {:?}", begun.elapsed());
        server.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        server.ask("tools/list", &json!({}));
        println!("{round} start: tools/list after {:?}", begun.elapsed());
        let answer = server.ask("tools/call", &load.call(0));
        println!(
            "{round} start: first read after {:?}{}",
            begun.elapsed(),
            fault(&answer)
        );
        if round == "second" {
            for requests in [1, 16, 64] {
                server.measure(&load, requests);
            }
        }
        println!("{round} start: {} MB at most", server.peak_megabytes());
        server.end();
    }
}

impl Load {
    fn parse(arguments: &[String]) -> Self {
        let mut parts = arguments.split(|argument| argument == "--");
        let ours = parts.next().unwrap();
        let program = parts.next().unwrap().to_vec();
        let at = |place: usize, usual: &str| {
            ours.get(place).cloned().unwrap_or_else(|| usual.to_owned())
        };
        Self {
            skills: at(0, "1000").parse().unwrap(),
            reads: at(1, "2000").parse().unwrap(),
            tool: at(2, "skill_read"),
            arguments: at(3, r#"{"skill_id": "{id}"}"#),
            program,
        }
    }

    /// A call that reads one of the skills.
    fn call(&self, number: usize) -> Value {
        let arguments = self
            .arguments
            .replace("{id}", &name(number * 7 % self.skills));
        let arguments: Value = serde_json::from_str(&arguments).unwrap();
        json!({"name": self.tool.replace("{id}", &name(number * 7 % self.skills)), "arguments": arguments})
    }
}

fn name(number: usize) -> String {
    format!("skill-{number:05}")
}

/// Skills of some 4 kB with a file each.
fn write_skills(root: &Path, count: usize) {
    for number in 0..count {
        let name = name(number);
        let directory = root.join(&name);
        fs::create_dir_all(directory.join("references")).unwrap();
        let mut body = String::new();
        for line in 0..60 {
            // Writing to a string cannot fail.
            let _ = writeln!(
                body,
                "{line}. Do step {line} of task {number}, and look at its outcome."
            );
        }
        let text = format!(
            "---\nname: {name}\ndescription: Does task {number}. Use when task {number} is asked for.\n---\n\n# Task {number}\n\n{body}"
        );
        fs::write(directory.join("SKILL.md"), text).unwrap();
        fs::write(directory.join("references/more.md"), "More about it.\n").unwrap();
    }
}

/// What went wrong with a call, for who reads the numbers.
fn fault(answer: &Value) -> String {
    let is_fault = answer.get("error").is_some() || answer["result"]["isError"] == true;
    let text = answer.to_string();
    if is_fault {
        format!(" (refused: {})", text.chars().take(300).collect::<String>())
    } else {
        String::new()
    }
}

struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    begun: Instant,
    last: u64,
}

impl Server {
    fn start(load: &Load, root: &Path, home: &Path) -> Self {
        let place = |text: &String| {
            let text = text.replace("{root}", root.to_str().unwrap());
            text.replace("{home}", home.to_str().unwrap())
        };
        let program: Vec<String> = load.program.iter().map(place).collect();
        let begun = Instant::now();
        let mut child = Command::new(&program[0])
            .args(&program[1..])
            .env("SKILLPORT_SKILLS_DIR", root)
            .env("SKILLPORT_DB_PATH", home.join("skills.lancedb"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            begun,
            last: 0,
        }
    }

    fn say(&mut self, message: &Value) {
        let mut line = message.to_string();
        line.push('\n');
        self.input.write_all(line.as_bytes()).unwrap();
    }

    fn request(&mut self, method: &str, params: &Value) -> u64 {
        self.last += 1;
        self.say(&json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}));
        self.last
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.request(method, params);
        loop {
            let heard = self.hear();
            if heard["id"] == id {
                return heard;
            }
        }
    }

    /// Reads skills with so many requests under way at any time.
    fn measure(&mut self, load: &Load, requests: usize) {
        let mut asked: HashMap<u64, Instant> = HashMap::new();
        let mut took: Vec<Duration> = Vec::with_capacity(load.reads);
        let begun = Instant::now();
        let mut sent = 0;
        while took.len() < load.reads {
            while sent < load.reads && asked.len() < requests {
                let now = Instant::now();
                let id = self.request("tools/call", &load.call(sent));
                asked.insert(id, now);
                sent += 1;
            }
            let heard = self.hear();
            if let Some(since) = heard["id"].as_u64().and_then(|id| asked.remove(&id)) {
                took.push(since.elapsed());
            }
        }
        let whole = begun.elapsed();
        took.sort();
        let at = |share: usize| took[(took.len() - 1) * share / 100];
        let count = u32::try_from(load.reads).unwrap();
        println!(
            "{requests:>3} at once: median {:?}, 99th percentile {:?}, {:.0} reads a second",
            at(50),
            at(99),
            f64::from(count) / whole.as_secs_f64()
        );
    }

    fn peak_megabytes(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes =
            line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
        kilobytes.unwrap_or_default() / 1024
    }

    fn end(mut self) {
        drop(self.input);
        let _ = self.child.wait();
    }
}
