//! Where there are no process groups, on Windows, a tree of processes is ended by the system's own `taskkill`.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::{Ended, Wait};

#[cfg(windows)]
pub(super) fn lead(command: &mut Command) {
    use std::os::windows::process::CommandExt;
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;
    command.creation_flags(CREATE_NEW_PROCESS_GROUP);
}

#[cfg(not(windows))]
pub(super) fn lead(_: &mut Command) {}

pub(super) fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

pub(super) fn end(child: &mut Child, wait: Wait, _: Option<&Path>) -> Ended {
    if wait != Wait::Ended {
        end_tree(child.id());
        // The tree may be gone already.
        let _ = child.kill();
    }
    match (wait, child.wait()) {
        (Wait::TimeUp, _) => Ended::TimedOut,
        (Wait::Interrupted, _) => Ended::Interrupted,
        (Wait::Ended, Ok(status)) => Ended::Exited(status.code()),
        (Wait::Ended, Err(error)) => Ended::NotStarted(error.to_string()),
    }
}

fn end_tree(process: u32) {
    let Some(root) = std::env::var_os("SystemRoot") else {
        return;
    };
    let _ = Command::new(PathBuf::from(root).join("System32").join("taskkill.exe"))
        .args(["/T", "/F", "/PID", &process.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
}
