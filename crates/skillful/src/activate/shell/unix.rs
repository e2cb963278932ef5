//! One command on a Unix system.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::{Outcome, Ran, Setting};
use crate::limits;

/// Bytes of output that are enough for any [`limits::INLINE_OUTPUT_CHARS`] characters.
const OUTPUT_BYTES: usize = limits::INLINE_OUTPUT_CHARS * 4 + 4;

/// How often a command that has closed its output is asked whether it has ended.
const PAUSE: Duration = Duration::from_millis(2);

pub(super) fn run(setting: &Setting<'_>, command: &str, time: Duration) -> Ran {
    let deadline = Instant::now() + time;
    let started = Command::new(setting.shell.program())
        .arg("-c")
        .arg(command)
        // What follows the text are `$0`, `$1`, …; without arguments `$0` would be the shell's name.
        .args(first_or_empty(setting.words))
        .current_dir(&setting.directory)
        .env_clear()
        .envs(&setting.environment)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn();
    let mut child = match started {
        Ok(child) => child,
        Err(error) => {
            return Ran {
                output: String::new(),
                outcome: Outcome::NotStarted(error.to_string()),
                truncated: false,
            };
        }
    };
    let (bytes, end) = read_output(&mut child, deadline);
    let ended = end == End::Closed && has_ended(&child, deadline);
    let outcome = stop(&mut child, ended);
    let text = String::from_utf8_lossy(&bytes);
    let output: String = text.chars().take(limits::INLINE_OUTPUT_CHARS).collect();
    Ran {
        truncated: end == End::Full || output.len() < text.len(),
        outcome: if end == End::Full {
            Outcome::Done
        } else {
            outcome
        },
        output,
    }
}

fn first_or_empty(words: &[String]) -> impl Iterator<Item = &str> {
    let empty = words.is_empty().then_some("");
    empty.into_iter().chain(words.iter().map(String::as_str))
}

/// Why reading the output came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Closed,
    Full,
    TimeUp,
}

/// Waits for output no longer than until the deadline, whoever holds the other end.
fn read_output(child: &mut Child, deadline: Instant) -> (Vec<u8>, End) {
    let mut bytes = Vec::new();
    let Some(mut output) = child.stdout.take() else {
        return (bytes, End::Closed);
    };
    let mut buffer = [0; 4096];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let Ok(timeout) = Timespec::try_from(left) else {
            return (bytes, End::TimeUp);
        };
        match poll(&mut [PollFd::new(&output, PollFlags::IN)], Some(&timeout)) {
            Ok(0) => return (bytes, End::TimeUp),
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return (bytes, End::Closed),
        }
        match output.read(&mut buffer) {
            Ok(0) => return (bytes, End::Closed),
            Ok(count) => bytes.extend(buffer.iter().take(count)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return (bytes, End::Closed),
        }
        if bytes.len() > OUTPUT_BYTES {
            return (bytes, End::Full);
        }
    }
}

/// Whether the command ends before the deadline. It is not taken leave of yet: as long as it is not, no other process
/// group can have its number.
fn has_ended(child: &Child, deadline: Instant) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    loop {
        match waitid(WaitId::Pid(Pid::from_child(child)), options) {
            Ok(None) if Instant::now() < deadline => std::thread::sleep(PAUSE),
            Ok(None) => return false,
            Ok(Some(_)) | Err(_) => return true,
        }
    }
}

/// Kills whatever of the command's group is still there, and takes leave of the command.
fn stop(child: &mut Child, ended: bool) -> Outcome {
    // Nothing is left to kill when the whole group has ended.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    match child.wait() {
        _ if !ended => Outcome::TimedOut,
        Ok(status) if status.success() => Outcome::Done,
        Ok(status) => Outcome::Failed(status.code()),
        Err(error) => Outcome::NotStarted(error.to_string()),
    }
}
