//! `serve` and `token`: the program as a server, and the program as its client.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use insta::assert_snapshot;

use crate::environment::{Environment, skill_text};

/// The running program. Killed when dropped.
struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    fn start(environment: &Environment, arguments: &[&str]) -> Self {
        let mut all = vec!["serve", "--listen", "127.0.0.1:0"];
        all.extend(arguments);
        let mut command = environment.command(&all);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").unwrap();
        Self {
            address: address.parse().unwrap(),
            child,
        }
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn get(&self, path: &str) -> String {
        get(self.address, path).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The whole answer, as it came.
fn get(address: SocketAddr, path: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

#[test]
fn what_one_machine_serves_another_installs() {
    let (here, there) = (Environment::new(), Environment::new());
    here.write_home(".claude/skills/pdf-forms/SKILL.md", skill_text("pdf-forms"));
    here.write_home(".claude/skills/pdf-forms/fields.md", "One line for each.\n");
    here.write_home(".claude/skills/single/SKILL.md", skill_text("single"));
    let server = Server::start(&here, &[]);
    let arguments = [
        "add",
        &server.url(),
        "--skill",
        "pdf-forms",
        "--skill",
        "single",
        "--yes",
        "--client",
        "claude-code",
    ];
    let added = there.run(&arguments);
    assert_eq!(added.code, 0, "{}", added.transcript());
    for file in [
        "pdf-forms/SKILL.md",
        "pdf-forms/fields.md",
        "single/SKILL.md",
    ] {
        let from = here.home().join(".claude/skills").join(file);
        let to = there.project().join(".claude/skills").join(file);
        assert_eq!(
            std::fs::read(from).unwrap(),
            std::fs::read(to).unwrap(),
            "{file}"
        );
    }
    let outdated = there.run(&["outdated", "--json"]);
    assert_eq!(outdated.code, 0, "{}", outdated.transcript());
}

#[test]
fn a_port_that_is_taken_is_told_with_the_way_out() {
    let environment = Environment::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let run = environment.run(&["serve", "--listen", &address]);
    assert_eq!(run.code, 1);
    let told = run.stderr.replace(&address, "[ADDRESS]");
    assert!(told.contains("cannot listen on [ADDRESS]"), "{told}");
    assert!(
        told.contains("--listen 127.0.0.1:0 takes a free port"),
        "{told}"
    );
}

#[test]
fn other_machines_are_not_answered_without_a_token() {
    let environment = Environment::new();
    let run = environment.run(&["serve", "--listen", "0.0.0.0:0"]);
    assert_snapshot!(run.transcript(), @r"
    exit 1
    --- stderr
    error: 0.0.0.0:0 can be reached from other machines, and there is no token that they would have to show
    hint: `skillful token create NAME` makes one
    ");
    let run = environment.run(&["serve", "--allow-origin", "app.example.org"]);
    assert_eq!(run.code, 2, "{}", run.transcript());
    let run = environment.run(&["serve", "--allow-host", "https://x"]);
    assert_eq!(run.code, 2, "{}", run.transcript());
}

#[test]
fn tokens_are_made_listed_and_revoked() {
    let environment = Environment::new();
    let made = environment.run(&["token", "create", "ci", "--scope", "write"]);
    assert_eq!(made.code, 0, "{}", made.transcript());
    let secret = made.stdout.trim().to_owned();
    assert!(
        secret.starts_with("skillful_") && secret.len() == 73,
        "{secret}"
    );
    let listed = environment.run(&["token", "list", "--json"]).json();
    assert_eq!(listed["tokens"][0]["name"], "ci");
    assert_eq!(listed["tokens"][0]["scope"], "write");
    assert!(!listed.to_string().contains(&secret[9..]));
    assert_eq!(environment.run(&["token", "create", "ci"]).code, 1);
    assert_eq!(environment.run(&["token", "create", "a b"]).code, 2);
    assert_eq!(
        environment
            .run(&["token", "create", "x", "--scope", "all"])
            .code,
        2
    );

    let server = Server::start(&environment, &[]);
    assert!(server.get("/api/v1/skills").starts_with("HTTP/1.1 401"));
    let expiring = environment
        .run(&["token", "create", "soon", "--expires", "1", "--json"])
        .json();
    assert_eq!(expiring["expired"], false);
    for name in ["ci", "soon"] {
        assert_eq!(environment.run(&["token", "revoke", name]).code, 0);
    }
    assert_eq!(environment.run(&["token", "revoke", "ci"]).code, 1);
    assert_snapshot!(environment.run(&["token", "list"]).transcript(), @r"
    exit 0
    --- stdout
    there is no token; `skillful token create NAME` makes one
    ");
    assert!(server.get("/api/v1/skills").starts_with("HTTP/1.1 200"));
}

#[test]
fn the_log_is_made_of_objects_and_takes_no_lines_from_strangers() {
    let environment = Environment::new();
    let mut command = environment.command(&["serve", "--listen", "127.0.0.1:0", "--log", "json"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let address: SocketAddr = line
        .trim()
        .strip_prefix("http://")
        .unwrap()
        .parse()
        .unwrap();
    get(address, "/nowhere%0a%1b[31m").unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let answered = loop {
        let mut line = String::new();
        assert!(log.read_line(&mut line).unwrap() > 0);
        let line: serde_json::Value = serde_json::from_str(&line).unwrap();
        if line["message"] == "answered" {
            break line;
        }
    };
    assert_eq!(answered["status"], 404);
    assert!(answered["request"].is_string());
    child.kill().unwrap();
    child.wait().unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_thousand_idle_connections_keep_nobody_out() {
    let environment = Environment::new();
    environment.write_home(".claude/skills/demo/SKILL.md", skill_text("demo"));
    let server = Server::start(&environment, &[]);
    let memory = || {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))
            .unwrap();
        line.split_whitespace()
            .next()
            .unwrap()
            .parse::<u64>()
            .unwrap()
    };
    assert!(server.get("/api/v1/skills").starts_with("HTTP/1.1 200"));
    let before = memory();
    // The descriptors of this process may be fewer than a thousand: then it is as many as there are.
    let idle: Vec<TcpStream> = (0..1_000)
        .map_while(|_| TcpStream::connect(server.address).ok())
        .collect();
    assert!(idle.len() > 500, "{}", idle.len());
    let mut idle = idle;
    idle.truncate(idle.len() - 10);
    for _ in 0..20 {
        assert!(server.get("/api/v1/skills").starts_with("HTTP/1.1 200"));
    }
    let grown = memory().saturating_sub(before);
    assert!(
        grown < 64 << 10,
        "{grown} KiB for {} connections",
        idle.len()
    );
}

/// What was begun is finished, what was not begun is not answered, and the program says that all is well.
#[cfg(unix)]
#[test]
fn the_end_comes_in_good_order_under_load() {
    let environment = Environment::new();
    environment.write_home(".claude/skills/demo/SKILL.md", skill_text("demo"));
    let mut server = Server::start(&environment, &[]);
    let address = server.address;
    assert!(server.get("/api/v1/skills").starts_with("HTTP/1.1 200"));
    let answered = Arc::new(AtomicUsize::new(0));
    let clients: Vec<_> = (0..8)
        .map(|_| {
            let answered = Arc::clone(&answered);
            thread::spawn(move || {
                while let Ok(answer) = get(address, "/api/v1/skills/demo") {
                    let Some((head, body)) = answer.split_once("\r\n\r\n") else {
                        assert_eq!(answer, "", "half a head");
                        break;
                    };
                    if head.starts_with("HTTP/1.1 200") {
                        serde_json::from_str::<serde_json::Value>(body).expect("a whole body");
                    }
                    answered.fetch_add(1, Ordering::SeqCst);
                }
            })
        })
        .collect();
    while answered.load(Ordering::SeqCst) < 50 {
        thread::sleep(Duration::from_millis(5));
    }
    let pid = server.child.id().to_string();
    let killed = std::process::Command::new("kill")
        .args(["-TERM", &pid])
        .status()
        .unwrap();
    assert!(killed.success());
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
    for client in clients {
        client.join().expect("every answer was whole or none");
    }
}

#[test]
fn how_often_a_client_may_ask_is_a_matter_of_choice() {
    let environment = Environment::new();
    let refused = |rate: &str| {
        let server = Server::start(&environment, &["--rate", rate]);
        let answers = (0..50).map(|_| server.get("/healthz"));
        answers
            .filter(|answer| answer.starts_with("HTTP/1.1 429"))
            .count()
    };
    assert_eq!(refused("1000"), 0);
    assert!(refused("1") > 0);
}
