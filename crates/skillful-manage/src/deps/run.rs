//! Running one program to its end, or to ours.
//!
//! What it prints is handed on line by line as it comes, and its end kept. It has nothing to read. It is the leader of a
//! process group; when its time is up, when the user interrupts, and when it has ended, whatever of the group is still
//! there is killed.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::limits;
use crate::progress::{Progress, Step};

#[cfg_attr(unix, path = "run/unix.rs")]
#[cfg_attr(not(unix), path = "run/other.rs")]
mod group;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this exit code; nothing after a signal.
    Exited(Option<i32>),
    /// It took longer than it may and was killed.
    TimedOut,
    /// The user interrupted, and it was killed.
    Interrupted,
    /// It could not be started, for the reason that the system gives.
    NotStarted(String),
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// How it ended.
    pub ended: Ended,
    /// The last of what it printed, both outputs as they came; bytes that are no text are replaced.
    pub output: String,
    /// Whether it printed more than [`limits::OUTPUT_BYTES`], so that the beginning is missing.
    pub truncated: bool,
}

/// What is run.
#[derive(Debug)]
pub(super) struct Program<'a> {
    pub(super) file: &'a Path,
    pub(super) arguments: &'a [String],
    pub(super) directory: &'a Path,
    pub(super) search_path: Option<&'a str>,
    /// The file of `sudo` if it runs by it, and can be stopped by it alone.
    pub(super) sudo: Option<&'a Path>,
}

/// How often it is looked whether the program has ended or is to end.
const PAUSE: Duration = Duration::from_millis(20);

/// How long what was written last is waited for once the program has ended: a process that left the group may hold the
/// other end.
const DRAIN: Duration = Duration::from_millis(500);

/// Pieces of output that may wait to be looked at; a program that writes faster waits.
const PIECES: usize = 64;

/// Runs a program.
pub(super) fn run(program: &Program<'_>, time: Duration, progress: &dyn Progress) -> Ran {
    let mut command = Command::new(program.file);
    command
        .args(program.arguments)
        .current_dir(program.directory)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(path) = program.search_path {
        command.env("PATH", OsStr::new(path));
    }
    group::lead(&mut command);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            return Ran {
                ended: Ended::NotStarted(error.to_string()),
                output: String::new(),
                truncated: false,
            };
        }
    };
    let mut heard = Heard::new(progress);
    let pieces = listen(&mut child);
    let deadline = Instant::now() + time;
    let wait = wait(&mut child, &pieces, deadline, &mut heard);
    let ended = group::end(&mut child, wait, program.sudo);
    let rest = Instant::now() + DRAIN;
    while let Ok(bytes) = pieces.recv_timeout(rest.saturating_duration_since(Instant::now())) {
        heard.take(&bytes);
    }
    let tail = heard.finish();
    Ran {
        ended,
        output: String::from_utf8_lossy(&tail.bytes).into_owned(),
        truncated: tail.truncated,
    }
}

/// Threads that read both outputs. They end with the last holder of the other end, which nobody waits for.
fn listen(child: &mut Child) -> Receiver<Vec<u8>> {
    let (sender, pieces) = sync_channel(PIECES);
    if let Some(output) = child.stdout.take() {
        read_from(output, sender.clone());
    }
    if let Some(errors) = child.stderr.take() {
        read_from(errors, sender);
    }
    pieces
}

fn read_from(mut from: impl Read + Send + 'static, to: SyncSender<Vec<u8>>) {
    thread::spawn(move || {
        let mut buffer = [0; 8 * 1024];
        loop {
            match from.read(&mut buffer) {
                Ok(0) => return,
                Ok(count) => {
                    if to
                        .send(buffer.iter().take(count).copied().collect())
                        .is_err()
                    {
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    });
}

/// Why the waiting ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wait {
    Ended,
    TimeUp,
    Interrupted,
}

fn wait(
    child: &mut Child,
    pieces: &Receiver<Vec<u8>>,
    deadline: Instant,
    heard: &mut Heard<'_>,
) -> Wait {
    loop {
        if heard.progress.is_cancelled() {
            return Wait::Interrupted;
        }
        if Instant::now() >= deadline {
            return Wait::TimeUp;
        }
        if group::has_ended(child) {
            return Wait::Ended;
        }
        match pieces.recv_timeout(PAUSE) {
            Ok(bytes) => heard.take(&bytes),
            Err(RecvTimeoutError::Timeout) => {}
            // It has closed its outputs and goes on.
            Err(RecvTimeoutError::Disconnected) => thread::sleep(PAUSE),
        }
    }
}

/// What was heard of a program: its last bytes, and its lines for whoever looks on.
struct Heard<'a> {
    progress: &'a dyn Progress,
    line: Vec<u8>,
    tail: Tail,
}

impl<'a> Heard<'a> {
    fn new(progress: &'a dyn Progress) -> Self {
        Self {
            progress,
            line: Vec::new(),
            tail: Tail::default(),
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        self.tail.push(bytes);
        for &byte in bytes {
            // Bars of progress are drawn over themselves with a carriage return.
            if matches!(byte, b'\n' | b'\r') || self.line.len() >= limits::OUTPUT_LINE_BYTES {
                self.tell();
            }
            if !matches!(byte, b'\n' | b'\r') {
                self.line.push(byte);
            }
        }
    }

    fn tell(&mut self) {
        let line = String::from_utf8_lossy(&self.line);
        let line: String = line.chars().filter(|c| !c.is_control()).collect();
        if !line.trim().is_empty() {
            self.progress.step(Step::Line(&line));
        }
        self.line.clear();
    }

    fn finish(mut self) -> Tail {
        self.tell();
        self.tail
    }
}

/// The last bytes of an output.
#[derive(Debug, Default)]
struct Tail {
    bytes: Vec<u8>,
    truncated: bool,
}

impl Tail {
    fn push(&mut self, more: &[u8]) {
        self.bytes.extend_from_slice(more);
        let over = self.bytes.len().saturating_sub(limits::OUTPUT_BYTES);
        if over > 0 {
            self.bytes.drain(..over);
            self.truncated = true;
        }
    }
}

/// Asks `sudo` on the terminal for the right to go on without asking, in the foreground, where a password can be typed.
/// Whether it was given.
pub(super) fn ask_for_rights(sudo: &Path) -> io::Result<bool> {
    Ok(Command::new(sudo).arg("-v").status()?.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_an_output_is_kept() {
        let mut tail = Tail::default();
        tail.push(b"a");
        tail.push(&vec![b'b'; limits::OUTPUT_BYTES - 1]);
        assert!(!tail.truncated);
        tail.push(b"c");
        assert!(tail.truncated);
        assert_eq!(tail.bytes.len(), limits::OUTPUT_BYTES);
        assert_eq!((tail.bytes[0], tail.bytes.last()), (b'b', Some(&b'c')));
    }
}
