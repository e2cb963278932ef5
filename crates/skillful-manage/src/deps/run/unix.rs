//! Process groups of Unix.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::{Ended, PAUSE, Wait};

/// How long what runs with an administrator's rights may take to end when it is asked to.
const GRACE: Duration = Duration::from_secs(10);

pub(super) fn lead(command: &mut Command) {
    command.process_group(0);
}

/// It is not taken leave of yet: as long as it is not, no other process group can have its number.
pub(super) fn has_ended(child: &mut Child) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(
        waitid(WaitId::Pid(Pid::from_child(child)), options),
        Ok(None)
    )
}

/// Kills what is left of the group and takes leave of its leader.
pub(super) fn end(child: &mut Child, wait: Wait, sudo: Option<&Path>) -> Ended {
    let killed = kill_process_group(Pid::from_child(child), Signal::KILL);
    if wait != Wait::Ended
        && killed == Err(Errno::PERM)
        && let Some(sudo) = sudo
    {
        ask_to_end(child, sudo);
    }
    let status = match wait {
        // What cannot be killed is not waited for.
        _ if killed == Err(Errno::PERM) && !has_ended(child) => None,
        _ => Some(child.wait()),
    };
    match (wait, status) {
        (Wait::TimeUp, _) => Ended::TimedOut,
        (Wait::Interrupted, _) => Ended::Interrupted,
        (Wait::Ended, Some(Ok(status))) => Ended::Exited(status.code()),
        (Wait::Ended, Some(Err(error))) => Ended::NotStarted(error.to_string()),
        (Wait::Ended, None) => Ended::Exited(None),
    }
}

/// What runs with an administrator's rights is ended with these; `sudo` hands the signal on.
fn ask_to_end(child: &mut Child, sudo: &Path) {
    let _ = Command::new(sudo)
        .args(["-n", "--", "kill", "-TERM", &child.id().to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let deadline = Instant::now() + GRACE;
    while !has_ended(child) && Instant::now() < deadline {
        std::thread::sleep(PAUSE);
    }
}
