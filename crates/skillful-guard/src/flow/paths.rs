//! What kind of file a path names. Matched as text on the path as written, with `~`, `$HOME` and backslashes as they come.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

/// A kind of file that an attack wants to read or to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathKind {
    /// Keys, tokens, wallets, stores of passwords and cookies.
    Secret,
    /// `.env` files: often the project's own, and still secret.
    EnvFile,
    /// History, mail, messages, the clipboard's file.
    Personal,
    /// Runs by itself later: rc files, cron, services, hooks.
    Startup,
    /// Steers the agent: its instructions, settings, memory and tool servers.
    AgentControl,
    /// Decides who may do what on the machine.
    Privilege,
    /// A disk as a device.
    Device,
    /// The whole system, a home, a drive.
    Root,
}

struct Table {
    kind: PathKind,
    pattern: &'static str,
}

const TABLES: &[Table] = &[
    Table {
        kind: PathKind::Secret,
        pattern: concat!(
            r"(\.ssh/(id_(\w+|\*)($|[^\w.])|identity|\*)|\.ssh/?$|id_(rsa|dsa|ecdsa|ed25519)($|[^\w.])|\.aws/?(credentials|config|sso|\*|$)|\.kube/?(config|$)|\.docker/config\.json|",
            r"\.(npmrc|pypirc|netrc|git-credentials|pgpass|my\.cnf|boto|s3cfg)\b|gh/hosts\.yml|\.config/gcloud|gcloud/(credentials|application_default|access_tokens)|application_default_credentials|",
            r"\.azure/?(\w*token\w*|\*|$|msal)|\.gnupg|\.password-store|\.cargo/credentials|\.terraform\.d/credentials|\.vault-token|\.config/hub|",
            r"keychain|login\.keychain|login data|cookies\.sqlite|logins\.json|key4\.db|(chrome|chromium|brave|edge|firefox|safari).{0,60}(cookies|login data|local state|profiles?)|/cookies$|",
            r"wallet\.dat|\.(ethereum|bitcoin|electrum|exodus|solana|monero)\b|keystore|metamask|seed\.txt|phantom|\.config/solana/id\.json|",
            r"/etc/shadow|/etc/sudoers$|/etc/krb5|\.(claude|codex|openclaw|clawdbot|hermes)/(\.?credentials|auth|tokens?|\.env|secrets|openclaw\.json|clawdbot\.json)|\.config/(anthropic|openai|moltbook)|\.claude\.json|/proc/(self|\*|\d+|1)/environ|",
            r"secrets?\.(json|ya?ml|toml|env)|/run/secrets|/var/run/secrets|credentials\.(json|csv|xml|db)|\.pem$|\.p12$|\.pfx$|\.keychain-db|ntds\.dit|/sam$|1password|bitwarden|keepass|\.kdbx|unattend\.xml|169\.254\.169\.254|metadata\.google\.internal)"
        ),
    },
    Table {
        kind: PathKind::EnvFile,
        pattern: r"(^|[/\s'\x22=@(\\*])\.env(\.(local|production|prod|development|staging|\*))?($|[\s'\x22)*])",
    },
    Table {
        kind: PathKind::Personal,
        pattern: r"(\.(bash|zsh|python|mysql|psql|node_repl)_history|fish_history|consolehost_history|/var/mail|library/messages|chat\.db|whatsapp|telegram desktop|tdata|\.thunderbird|\.claude/(projects|history)|/var/log/(auth\.log|secure))",
    },
    Table {
        kind: PathKind::Startup,
        pattern: concat!(
            r"(\.(bashrc|zshrc|bash_profile|profile|zprofile|zshenv|zlogin|bash_login|bash_logout|kshrc|cshrc|xinitrc|xprofile|vimrc)\b|config\.fish|/etc/(profile|bash\.bashrc|zshrc|rc\.local|crontab|cron\.|init\.d|environment|ld\.so\.preload)|",
            r"/var/spool/cron|systemd/(system|user)|\.service$|\.timer$|launchagents|launchdaemons|\.config/autostart|start menu.{0,20}startup|currentversion\\+run|authorized_keys|",
            r"\.git/hooks|\.githooks|sitecustomize\.py|usercustomize\.py|\.pth$|\.pythonrc|\.husky|microsoft\.powershell_profile|\$profile\b|\.pam_environment|\.ssh/(rc|config)$)"
        ),
    },
    Table {
        kind: PathKind::AgentControl,
        pattern: concat!(
            r"((^|[/\\])(claude|agents|gemini|soul|memory|user|identity|heartbeat|tools|bootstrap)\.md$|\.(claude|codex|cursor|gemini|openclaw|clawdbot|windsurf|continue|cline)/(settings|config\.|mcp|hooks|rules|memory|instructions)|",
            r"\.cursorrules|\.clinerules|\.windsurfrules|copilot-instructions\.md|\.mcp\.json|mcp\.json|claude_desktop_config\.json|\.claude\.json|openclaw\.json|clawdbot\.json|settings\.local\.json)"
        ),
    },
    Table {
        kind: PathKind::Privilege,
        pattern: r"(/etc/(sudoers|passwd|shadow|group|pam\.d|polkit|ssh/sshd_config|hosts)|docker\.sock)",
    },
    Table {
        kind: PathKind::Device,
        pattern: r"^(of=)?(/dev/(sd|hd|nvme|vd|xvd|disk|rdisk|mmcblk|mapper/)|\\\\\.\\physicaldrive)",
    },
    Table {
        kind: PathKind::Root,
        pattern: r"^(/|/\*|/\.\*|~|~/|~/\*|~/\.\*|\$\{?home\}?/?\*?|\$\{?home\}?/\.\*|/(home|users|root|etc|usr|var|bin|boot|lib|opt|system|library|applications|windows|documents)(/\*|/)?|[a-z]:[\\/]*\*?|\.\.|\.\./\*?|%userprofile%\\?\*?|\$env:userprofile\\?\*?|(~|\$\{?home\}?)/\.[\[?]\S*|~/(\.config|\.local|\.ssh|library|appdata|documents|desktop|pictures|library|projects)/?\*?)$",
    },
];

static COMPILED: LazyLock<Vec<(PathKind, Regex)>> = LazyLock::new(|| {
    TABLES
        .iter()
        .filter_map(|table| {
            let regex = RegexBuilder::new(&ascii(table.pattern))
                .case_insensitive(true)
                .build();
            Some((table.kind, regex.ok()?))
        })
        .collect()
});

/// The classes of Unicode cost more, and no path needs them.
fn ascii(pattern: &str) -> String {
    pattern
        .replace(r"\b", r"(?-u:\b)")
        .replace(r"\w", "[0-9A-Za-z_]")
        .replace(r"\d", "[0-9]")
}

/// Whether the path is of this kind.
pub(crate) fn path_kind(path: &str, kind: PathKind) -> bool {
    let tables = COMPILED.iter().filter(|(other, _)| *other == kind);
    let path = path.trim_matches(['"', '\'']);
    !path.is_empty()
        && path.len() < 1000
        && !(kind == PathKind::Device && is_placeholder(path))
        && tables.into_iter().any(|(_, regex)| regex.is_match(path))
}

/// Whether a device stands for whichever the reader has: `/dev/sdX`, `/dev/diskN`.
fn is_placeholder(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    path.contains("/dev/") && name.contains(['X', 'Y', 'N'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_compiles() {
        assert_eq!(COMPILED.len(), TABLES.len());
    }

    #[test]
    fn kinds_of_paths() {
        for (path, kind) in [
            ("~/.ssh/id_ed25519", PathKind::Secret),
            ("$HOME/.aws/credentials", PathKind::Secret),
            ("/root/.ssh/id_rsa", PathKind::Secret),
            (
                "~/.config/gcloud/application_default_credentials.json",
                PathKind::Secret,
            ),
            (".env", PathKind::EnvFile),
            ("app/.env.production", PathKind::EnvFile),
            ("~/.bash_history", PathKind::Personal),
            ("~/.bashrc", PathKind::Startup),
            ("~/Library/LaunchAgents/a.plist", PathKind::Startup),
            (".claude/settings.json", PathKind::AgentControl),
            ("~/CLAUDE.md", PathKind::AgentControl),
            ("/etc/sudoers.d/x", PathKind::Privilege),
            ("/dev/sda1", PathKind::Device),
            ("$HOME/*", PathKind::Root),
            ("/*", PathKind::Root),
        ] {
            assert!(path_kind(path, kind), "{path} is {kind:?}");
        }
        for (path, kind) in [
            ("~/.ssh/id_rsa.pub", PathKind::Secret),
            ("~/.ssh/known_hosts", PathKind::Secret),
            (".environment", PathKind::EnvFile),
            ("~/projects/build", PathKind::Root),
            ("/tmp/x", PathKind::Root),
            ("/dev/null", PathKind::Device),
            ("of=/dev/sdX", PathKind::Device),
            ("/dev/rdiskN", PathKind::Device),
        ] {
            assert!(!path_kind(path, kind), "{path} is not {kind:?}");
        }
    }
}
