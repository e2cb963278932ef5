//! Keeps a server busy for a while, with files changing under it, and prints how its memory goes.
//!
//! ```text
//! cargo run --release -p skillful-server --example soak -- target/release/skillful --minutes 60
//! ```
//!
//! A thousand skills are made in a home of their own. Clients list, search, read and follow events over HTTP at a steady
//! pace while other threads change, add and remove skills. Every answer is looked at: a skill that exists must be handed
//! over with its own text. The last lines say how many requests failed, and how far memory rose after the warm-up.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a measuring program: it ends where something is not as it must be, and prints what it measured"
)]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const SKILLS: u64 = 1_000;
const CLIENTS: u64 = 8;
/// Between two requests of one client: eight clients make forty requests a second.
const PAUSE: Duration = Duration::from_millis(200);
/// Between two changes on disk.
const CHANGE: Duration = Duration::from_secs(1);
const SAMPLES: u32 = 60;
/// In how many of the samples memory may still rise.
const WARM_UP: usize = 6;

struct Load {
    base: String,
    agent: ureq::Agent,
    stop: AtomicBool,
    requests: AtomicU64,
    failures: AtomicU64,
    events: AtomicU64,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let program = arguments
        .next()
        .unwrap_or_else(|| "target/release/skillful".to_owned());
    let program = fs::canonicalize(program).unwrap();
    let minutes = arguments.nth(1).map_or(60.0, |text| text.parse().unwrap());
    let home = tempfile::tempdir().unwrap();
    let skills = home.path().join(".agents/skills");
    for number in 0..SKILLS {
        write_skill(&skills, number, 0);
    }
    let (mut server, base) = serve(&program, home.path());
    let load = Arc::new(Load {
        base,
        agent: ureq::Agent::new_with_config(
            ureq::Agent::config_builder()
                .http_status_as_error(false)
                .timeout_global(Some(Duration::from_secs(30)))
                .build(),
        ),
        stop: AtomicBool::new(false),
        requests: AtomicU64::new(0),
        failures: AtomicU64::new(0),
        events: AtomicU64::new(0),
    });
    let mut threads: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let load = Arc::clone(&load);
            thread::spawn(move || load.ask(client))
        })
        .collect();
    threads.push({
        let load = Arc::clone(&load);
        thread::spawn(move || load.change(&skills))
    });
    let listener = Arc::clone(&load);
    thread::spawn(move || listener.listen());
    let curve = sample(&server, &load, minutes);
    load.stop.store(true, Ordering::Relaxed);
    for thread in threads {
        thread.join().unwrap();
    }
    report(&curve, &load);
    server.kill().unwrap();
    server.wait().unwrap();
}

/// Starts the server on a free port; gives where it listens.
fn serve(program: &Path, home: &Path) -> (Child, String) {
    let mut server = Command::new(program)
        .args(["serve", "--listen", "127.0.0.1:0", "--home"])
        .arg(home)
        .current_dir(home)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let base = lines
        .by_ref()
        .map_while(Result::ok)
        .find_map(|line| {
            let start = line.find("http://")?;
            let url = line[start..].split_whitespace().next()?;
            Some(url.trim_end_matches('/').to_owned())
        })
        .unwrap();
    thread::spawn(move || lines.for_each(drop));
    (server, base)
}

fn write_skill(skills: &Path, number: u64, version: u64) {
    let directory = skills.join(format!("soak-{number:04}"));
    fs::create_dir_all(&directory).unwrap();
    let paragraph =
        "Read the request, look at the files that it names, and answer in a few lines.\n";
    let text = format!(
        "---\nname: soak-{number:04}\ndescription: Task {number} of a long run, version {version}. Use when task {number} is asked for.\n---\n\
         # Task {number}\n\n{}",
        paragraph.repeat(20 + usize::try_from(number % 60).unwrap())
    );
    fs::write(
        directory.join("notes.md"),
        format!("Notes of task {number}.\n"),
    )
    .unwrap();
    // As editors do it: whole, by a rename.
    let staged = directory.join("SKILL.md.tmp");
    fs::write(&staged, text).unwrap();
    fs::rename(staged, directory.join("SKILL.md")).unwrap();
}

impl Load {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// One client: one request after the other, each of another kind.
    fn ask(&self, client: u64) {
        let mut turn = client * 7;
        while !self.is_stopped() {
            // The first hundred come and go.
            let number = 100 + turn * 37 % (SKILLS - 100);
            let id = format!("soak-{number:04}");
            let (path, wanted) = match turn % 6 {
                0 => (
                    format!("/api/v1/skills/{id}/content"),
                    format!("# Task {number}"),
                ),
                1 => (
                    format!("/api/v1/search?q=task+{number}&limit=5"),
                    "results".to_owned(),
                ),
                2 => (format!("/api/v1/skills?text={id}"), id),
                3 => (
                    format!("/api/v1/skills/{id}/files/notes.md"),
                    format!("Notes of task {number}."),
                ),
                4 => (format!("/api/v1/skills/{id}"), "manifest".to_owned()),
                _ => (
                    "/api/v1/prompt?max_tokens=2000".to_owned(),
                    "included".to_owned(),
                ),
            };
            self.get(&path, &wanted);
            turn += 1;
            thread::sleep(PAUSE);
        }
    }

    fn get(&self, path: &str, wanted: &str) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        let answer = self.agent.get(format!("{}{path}", self.base)).call();
        let is_fine = answer.is_ok_and(|mut answer| {
            let status = answer.status();
            let text = answer.body_mut().read_to_string().unwrap_or_default();
            let is_fine = status.is_success() && text.contains(wanted);
            if !is_fine {
                println!("{path}: {status} {text:.200}");
            }
            is_fine
        });
        if !is_fine {
            self.failures.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Edits one skill after the other, and takes away and brings back some of the first hundred.
    fn change(&self, skills: &Path) {
        let mut version = 1;
        while !self.is_stopped() {
            write_skill(skills, 100 + version * 13 % (SKILLS - 100), version);
            let coming = version % 100;
            let directory = skills.join(format!("soak-{coming:04}"));
            if version % 2 == 0 {
                let _ = fs::remove_dir_all(directory);
            } else {
                write_skill(skills, coming, version);
            }
            version += 1;
            thread::sleep(CHANGE);
        }
    }

    /// Follows events.
    fn listen(&self) {
        let agent = ureq::Agent::new_with_defaults();
        let Ok(mut answer) = agent.get(format!("{}/api/v1/events", self.base)).call() else {
            println!("the events cannot be followed");
            self.failures.fetch_add(1, Ordering::Relaxed);
            return;
        };
        let lines = BufReader::new(answer.body_mut().as_reader()).lines();
        for line in lines.map_while(Result::ok) {
            if line.starts_with("id:") {
                self.events.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

/// Resident memory in KiB; nothing where the system does not tell.
fn memory(server: &Child) -> Option<u64> {
    let mut status = String::new();
    let path = format!("/proc/{}/status", server.id());
    fs::File::open(path)
        .ok()?
        .read_to_string(&mut status)
        .ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn sample(server: &Child, load: &Load, minutes: f64) -> Vec<u64> {
    let whole = Duration::from_secs_f64(minutes * 60.0);
    let start = Instant::now();
    let mut curve = Vec::new();
    for number in 1..=SAMPLES {
        let due = whole * number / SAMPLES;
        thread::sleep(due.saturating_sub(start.elapsed()));
        let kib = memory(server).unwrap_or_default();
        curve.push(kib);
        println!(
            "{:>6.1} min  {:>7.1} MiB  {:>8} requests  {:>4} failed  {:>6} events",
            start.elapsed().as_secs_f64() / 60.0,
            kib as f64 / 1024.0,
            load.requests.load(Ordering::Relaxed),
            load.failures.load(Ordering::Relaxed),
            load.events.load(Ordering::Relaxed),
        );
    }
    curve
}

fn report(curve: &[u64], load: &Load) {
    let (after, last) = (curve[WARM_UP], curve[curve.len() - 1]);
    let most = curve[WARM_UP..].iter().max().copied().unwrap_or_default();
    let percent = |kib: u64| 100.0 * (kib as f64 / after as f64 - 1.0);
    println!(
        "memory after warm-up {:.1} MiB, at the end {:+.1} %, at most {:+.1} %; {} requests, {} failed",
        after as f64 / 1024.0,
        percent(last),
        percent(most),
        load.requests.load(Ordering::Relaxed),
        load.failures.load(Ordering::Relaxed),
    );
}
