//! From what a program does with a value to the name of a rule. Shell, Python and JavaScript are judged alike.

use super::{Flow, HostKind, PathKind, Taint, path_kind, renews_tokens, worst_host};

/// The rule for running a value as a program, if there is one.
pub(crate) fn of_execution(value: &Flow) -> Option<&'static str> {
    if value.taint.has(Taint::FETCHED) {
        return Some(of_remote_code(&value.addresses));
    }
    if value.taint.has(Taint::DECODED) {
        return Some("decode-and-run");
    }
    value
        .taint
        .has(Taint::ASSEMBLED)
        .then_some("assembled-code")
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

/// Whether everyone names the host of what was fetched.
pub(crate) fn is_known(addresses: &[String]) -> bool {
    worst_host(addresses) == HostKind::Known
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
    let is_nameless = matches!(
        host,
        HostKind::Plain | HostKind::Anonymous | HostKind::Address
    );
    if host == HostKind::Local && !addresses.is_empty() {
        return None;
    }
    let renews = host == HostKind::Known
        && !addresses.is_empty()
        && addresses.iter().all(|address| renews_tokens(address));
    if taint.has(Taint::SECRET) && !renews {
        return Some("secret-to-network");
    }
    if taint.has(Taint::ENVIRONMENT) {
        return Some("environment-to-network");
    }
    if taint.has(Taint::PERSONAL) {
        return Some("personal-data-to-network");
    }
    if taint.has(Taint::FOUND_FILES)
        && !matches!(host, HostKind::Known | HostKind::Installer)
        && !addresses.is_empty()
    {
        return Some("files-to-network");
    }
    let weak = Taint::TOKEN | Taint::MACHINE;
    (taint.has(weak) && is_nameless).then_some("machine-data-to-nameless-host")
}

/// The rule for writing into the file of this path, if there is one. `text` is what is written, as far as it is known.
pub(crate) fn of_writing(path: &str, text: &str) -> Option<&'static str> {
    let is_copy = [".bak", ".orig", ".backup", ".old"]
        .iter()
        .any(|end| path.trim_end_matches(['"', '\'']).ends_with(end));
    if is_copy {
        None
    } else if path_kind(path, PathKind::Privilege) && !path.contains("/etc/hosts") {
        Some("privilege-file-written")
    } else if path_kind(path, PathKind::Startup) {
        // A PATH or completion line is what installers add; a command that fetches or decodes is not.
        const SETTINGS: &[&str] = &["export ", "PATH=", "alias ", "source ", "eval \"$(", ". "];
        let is_setting = SETTINGS
            .iter()
            .any(|start| text.trim_start().starts_with(start))
            || names_a_host(path, text);
        let name = path
            .trim_end_matches(['"', '\''])
            .rsplit('/')
            .next()
            .unwrap_or_default();
        let hides = name.starts_with('.')
            && [".plist", ".service", ".desktop", ".timer"]
                .iter()
                .any(|end| name.ends_with(end));
        let fetches = text.contains("://")
            && [
                "curl",
                "wget",
                "iwr",
                "irm",
                "http.get",
                "urlopen",
                "DownloadString",
                "/dev/tcp",
            ]
            .iter()
            .any(|word| text.contains(word));
        Some(match (hides, is_setting) {
            _ if fetches => "startup-fetches-code",
            (true, _) => "startup-runs-hidden-program",
            (false, true) => "startup-setting-written",
            (false, false) => "startup-file-written",
        })
    } else if path_kind(path, PathKind::AgentControl) {
        Some("agent-file-written")
    } else if path_kind(path, PathKind::Device) {
        Some("device-overwritten")
    } else {
        None
    }
}

/// Whether a text only says how a host is reached, which documents of forges ask for, and runs nothing.
fn names_a_host(path: &str, text: &str) -> bool {
    const SAFE: &[&str] = &[
        "host",
        "hostname",
        "user",
        "port",
        "identityfile",
        "identitiesonly",
        "addkeystoagent",
        "usekeychain",
        "preferredauthentications",
    ];
    let is_config = path.trim_end_matches(['"', '\'']).ends_with(".ssh/config");
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    is_config
        && text.trim_start().to_ascii_lowercase().starts_with("host ")
        && lines.all(|line| {
            let key = line.split([' ', '=', '\t']).next().unwrap_or_default();
            line.starts_with('#') || SAFE.contains(&key.to_ascii_lowercase().as_str())
        })
}

/// What reading the file of this path gives.
pub(crate) fn taint_of_path(path: &str) -> Taint {
    let path = path.trim_matches(['"', '\'']);
    if path_kind(path, PathKind::Secret) || path_kind(path, PathKind::EnvFile) {
        Taint::SECRET
    } else if path_kind(path, PathKind::Personal) {
        Taint::PERSONAL
    } else if matches!(
        path,
        "/etc/passwd" | "/etc/hosts" | "/etc/resolv.conf" | "/etc/machine-id"
    ) {
        Taint::MACHINE
    } else {
        Taint::NONE
    }
}

/// Whether a variable of the environment is named like a secret.
pub(crate) fn is_secret_variable(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "TOKEN",
        "SECRET",
        "PASSWORD",
        "PASSWD",
        "APIKEY",
        "API_KEY",
        "PRIVATE_KEY",
        "ACCESS_KEY",
        "CREDENTIAL",
    ];
    name == name.to_ascii_uppercase() && WORDS.iter().any(|word| name.contains(word))
}
