//! From what a shell command does with a value to the name of a rule.

use crate::flow::{Flow, HostKind, Taint, worst_host};

/// The rule for running a value as a program, if there is one.
pub(crate) fn of_execution(value: &Flow) -> Option<&'static str> {
    if value.taint.has(Taint::FETCHED) {
        return Some(of_remote_code(&value.addresses));
    }
    if value.taint.has(Taint::DECODED) {
        return Some("decode-and-run");
    }
    value.taint.has(Taint::ASSEMBLED).then_some("assembled-code")
}

/// The rule for running what comes from these addresses.
pub(crate) fn of_remote_code(addresses: &[String]) -> &'static str {
    match worst_host(addresses) {
        HostKind::Local => "runs-code",
        HostKind::Installer => "pipe-to-shell-known",
        HostKind::Known | HostKind::Unknown => "pipe-to-shell",
        HostKind::Plain | HostKind::Anonymous | HostKind::Address => "pipe-to-shell-untrusted",
    }
}

/// The rule for running a file that was fetched before.
pub(crate) fn of_downloaded_file(addresses: &[String]) -> &'static str {
    match of_remote_code(addresses) {
        "pipe-to-shell" => "download-and-run",
        "pipe-to-shell-untrusted" => "download-and-run-untrusted",
        other => other,
    }
}

/// The rule for sending a value to these addresses, if there is one.
pub(crate) fn of_sending(value: &Flow, addresses: &[String]) -> Option<&'static str> {
    let taint = value.taint;
    let host = worst_host(addresses);
    let is_nameless = matches!(host, HostKind::Plain | HostKind::Anonymous | HostKind::Address);
    if host == HostKind::Local && !addresses.is_empty() {
        return None;
    }
    if taint.has(Taint::SECRET) {
        return Some("secret-to-network");
    }
    if taint.has(Taint::ENVIRONMENT) {
        return Some("environment-to-network");
    }
    if taint.has(Taint::PERSONAL) {
        return Some("personal-data-to-network");
    }
    let weak = Taint::TOKEN | Taint::MACHINE;
    (taint.has(weak) && is_nameless).then_some("machine-data-to-nameless-host")
}
