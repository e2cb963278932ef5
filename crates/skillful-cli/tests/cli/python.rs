//! The Python side of comparisons: other programs' libraries, where they are installed.

use std::process::{Command, Stdio};

/// Runs a Python script when the module that it needs can be imported; otherwise says so and returns nothing.
///
/// `SKILLFUL_PYTHON` names the interpreter; without it `python3` is used.
#[expect(clippy::print_stderr, reason = "a test that is skipped says why")]
pub(crate) fn run_with_module(module: &str, script: &str, arguments: &[&str]) -> Option<String> {
    let python = std::env::var("SKILLFUL_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let available = Command::new(&python)
        .args(["-c", &format!("import {module}")])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !available {
        eprintln!("skipped: {python} has no module {module}");
        return None;
    }
    let output = Command::new(&python)
        .args(["-X", "utf8", "-c", script])
        .args(arguments)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(String::from_utf8(output.stdout).unwrap())
}
