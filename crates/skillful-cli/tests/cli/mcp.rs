//! `skillful mcp`: the program at the other end of two pipes, as a client starts it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::environment::Environment;

struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

fn world() -> Environment {
    let environment = Environment::new();
    environment.skill(".agents/skills/greet");
    environment
}

impl Server {
    fn start(environment: &Environment, arguments: &[&str]) -> Self {
        let mut child = environment
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self {
            child,
            input,
            output,
        }
    }

    fn begun(environment: &Environment) -> Self {
        let mut server = Self::start(environment, &["mcp"]);
        server.say(&json!({
            "jsonrpc": "2.0", "id": 0, "method": "initialize",
            "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
        }));
        assert_eq!(server.hear()["result"]["serverInfo"]["name"], "skillful");
        server.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        server
    }

    fn say(&mut self, message: &Value) {
        self.say_line(&message.to_string());
    }

    fn say_line(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{line}").unwrap();
        input.flush().unwrap();
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("not JSON ({error}): {line}"))
    }

    fn ask(&mut self, id: u64, method: &str, params: &Value) -> Value {
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let heard = self.hear();
            if heard["id"] == id {
                return heard;
            }
        }
    }

    /// Closes standard input and gives the exit code and what was told on standard error.
    fn end(mut self) -> (Option<i32>, String) {
        drop(self.input.take());
        let output = self.child.wait_with_output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    }
}

#[test]
fn a_client_reads_a_skill_and_goes() {
    let environment = world();
    let mut server = Server::begun(&environment);
    let read = server.ask(
        1,
        "tools/call",
        &json!({"name": "skill_read", "arguments": {"skill_id": "greet"}}),
    );
    let text = read["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("Do it."), "{text}");
    let (code, told) = server.end();
    assert_eq!((code, told.as_str()), (Some(0), ""));
    let status = environment.run(&["status", "greet", "--json"]).json();
    assert_eq!(status["skills"][0]["usage"]["reads"], 1, "{status}");
}

#[test]
fn what_is_no_message_is_answered_and_the_server_goes_on() {
    let environment = world();
    let mut server = Server::begun(&environment);
    server.say_line("{\"jsonrpc\": oops");
    assert_eq!(server.hear()["error"]["code"], -32700);
    server.say_line("[1, 2]");
    assert_eq!(server.hear()["error"]["code"], -32600);
    let long = format!("{{\"pad\": \"{}\"}}", "x".repeat(9 * 1024 * 1024));
    server.say_line(&long);
    assert!(
        server.hear()["error"]["message"]
            .as_str()
            .unwrap()
            .contains("limit")
    );
    let listed = server.ask(2, "tools/list", &json!({}));
    assert!(listed["result"]["tools"].as_array().unwrap().len() >= 5);
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn input_that_ends_before_anything_was_said_is_no_failure() {
    let environment = world();
    let (code, told) = Server::start(&environment, &["mcp"]).end();
    assert_eq!((code, told.as_str()), (Some(0), ""));
}

#[test]
fn a_reader_that_is_gone_is_no_panic() {
    let environment = world();
    let mut server = Server::begun(&environment);
    drop(std::mem::replace(&mut server.output, closed()));
    for id in 0..20 {
        let ask = json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"});
        if writeln!(server.input.as_mut().unwrap(), "{ask}").is_err() {
            break;
        }
    }
    let (code, told) = server.end();
    assert_eq!(code, Some(0));
    assert!(!told.contains("panicked"), "{told}");
}

/// The output of a program that has ended.
fn closed() -> BufReader<ChildStdout> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_skillful"))
        .arg("--version")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = child.stdout.take().unwrap();
    child.wait().unwrap();
    BufReader::new(output)
}

#[cfg(unix)]
#[test]
fn a_signal_to_end_ends_it_while_its_client_still_listens() {
    let environment = world();
    let mut server = Server::begun(&environment);
    server.ask(
        1,
        "tools/call",
        &json!({"name": "skill_list", "arguments": {}}),
    );
    let id = server.child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &id])
            .status()
            .unwrap()
            .success()
    );
    // Standard input stays open.
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
}

/// The protocol's own inspector, where it is installed, gets what it asks for.
#[test]
fn the_inspector_finds_tools_resources_and_prompts() {
    let modules = std::env::var_os("SKILLFUL_NODE_MODULES").map(std::path::PathBuf::from);
    let program = modules.map(|it| it.join("@modelcontextprotocol/inspector-cli/build/index.js"));
    let Some(program) = program.filter(|program| program.exists()) else {
        return;
    };
    let environment = world();
    let home = environment.home();
    let ask = |arguments: &[&str]| -> Value {
        let output = Command::new("node")
            .arg(&program)
            .args([env!("CARGO_BIN_EXE_skillful"), "mcp"])
            .args(arguments)
            .env("HOME", &home)
            .current_dir(environment.project())
            .output()
            .unwrap();
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
    };
    let tools = ask(&["--method", "tools/list"]);
    assert_eq!(tools["tools"].as_array().unwrap().len(), 5);
    let read = ask(&[
        "--method",
        "tools/call",
        "--tool-name",
        "skill_read",
        "--tool-arg",
        "skill_id=greet",
    ]);
    assert!(
        read["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("Do it.")
    );
    let resources = ask(&["--method", "resources/list"]);
    assert!(
        resources["resources"]
            .to_string()
            .contains("skill://greet/SKILL.md")
    );
    let prompts = ask(&["--method", "prompts/list"]);
    assert!(prompts["prompts"].to_string().contains("greet"));
}

/// What the documentation says to write into a client's configuration can be read by that client.
#[test]
fn the_configurations_in_the_documentation_are_sound() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/mcp.md");
    let page = std::fs::read_to_string(page).unwrap();
    let blocks = |language: &str| -> Vec<String> {
        let fence = format!("```{language}\n");
        let parts = page.split(&fence).skip(1);
        parts
            .map(|part| part.split("```").next().unwrap().to_owned())
            .collect()
    };
    let mut entries = 0;
    for block in blocks("json") {
        let config: Value = serde_json::from_str(&block).unwrap();
        let text = config.to_string();
        assert!(
            text.contains("\"skillful\"") && text.contains("\"mcp\""),
            "{block}"
        );
        entries += 1;
    }
    assert_eq!(entries, 5);
    for block in blocks("toml") {
        let config: toml::Table = block.parse().unwrap();
        assert_eq!(
            config["mcp_servers"]["skillful"]["command"].as_str(),
            Some("skillful")
        );
    }
    for line in [
        "claude mcp add --scope user skillful -- skillful mcp",
        "codex mcp add skillful -- skillful mcp",
    ] {
        assert!(page.contains(line));
    }
}
