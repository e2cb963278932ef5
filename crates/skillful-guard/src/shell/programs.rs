//! What the common programs do with their input, as far as the flow of values goes.

use super::arguments::Argument;
use crate::context::Language;

/// A kind of program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Program {
    /// Brings something from the network; the same programs send.
    Fetch,
    /// Prints its arguments.
    Print,
    /// Prints files, or what it reads.
    Filter,
    /// Base64 and the like: with the right option it decodes.
    Encode,
    /// Runs what it reads, or a text, or a file.
    Interpreter(Language),
    /// `eval`: runs its arguments.
    Eval,
    /// `source`: runs a file.
    Source,
    /// Prints the environment.
    Environment,
    /// Prints what tells one machine from another.
    Machine,
    /// Prints secrets from a store.
    SecretStore,
    /// Prints the clipboard, the screen.
    Personal,
    /// Raw connections.
    Connect,
    /// Looks names up.
    Resolve,
    /// Copies files to another machine.
    Transfer,
    /// Sends mail.
    Mail,
    /// Copies or packs files here.
    Copy,
    /// Writes what it reads into files.
    Tee,
    /// Makes files executable.
    Chmod,
    /// Removes files.
    Remove,
    /// Overwrites files or devices.
    Wipe,
    /// Makes a file system.
    Format,
    /// Names the disks of the machine, or shows a whole history.
    Survey,
    /// Schedules commands.
    Schedule,
    /// Reads a line from the user into variables.
    Ask,
    /// Everything else.
    Other,
}

/// The kind of a program, by its name without a directory.
pub(crate) fn program(name: &str) -> Program {
    let name = name.strip_suffix(".exe").unwrap_or(name);
    match name {
        "curl" | "wget" | "fetch" | "http" | "https" | "xh" | "aria2c" | "lwp-request" | "GET"
        | "lynx" | "w3m" | "axel" | "curlie" | "wget2" => Program::Fetch,
        "echo" | "printf" => Program::Print,
        "cat" | "tac" | "head" | "tail" | "less" | "more" | "grep" | "egrep" | "rg" | "ag"
        | "sed" | "awk" | "gawk" | "cut" | "tr" | "rev" | "sort" | "uniq" | "strings" | "fold"
        | "jq" | "yq" | "paste" | "xargs" | "nl" | "bat" | "find" | "od" | "hexdump" | "iconv"
        | "column" | "wc" | "perl-p" | "split" => Program::Filter,
        "base64" | "gbase64" | "base32" | "openssl" | "xxd" | "uudecode" | "gunzip" | "zcat"
        | "gzip" | "bunzip2" | "bzcat" | "xz" | "unxz" | "xzcat" | "basenc" | "gpg" => {
            Program::Encode
        }
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash" | "fish" | "csh" | "tcsh" | "rbash" => {
            Program::Interpreter(Language::Shell)
        }
        "node" | "deno" | "bun" | "tsx" | "ts-node" => Program::Interpreter(Language::JavaScript),
        "perl" | "ruby" | "php" | "osascript" | "lua" | "Rscript" => {
            Program::Interpreter(Language::OtherCode)
        }
        "pwsh" | "powershell" | "cmd" => Program::Interpreter(Language::PowerShell),
        "lsblk" | "blkid" | "df" | "fdisk" | "parted" | "git" => Program::Survey,
        "eval" => Program::Eval,
        "source" | "." => Program::Source,
        "env" | "printenv" | "set" | "export" | "declare" => Program::Environment,
        "hostname" | "whoami" | "uname" | "id" | "ifconfig" | "ip" | "sw_vers"
        | "system_profiler" | "ioreg" | "lsb_release" | "hostnamectl" => Program::Machine,
        "security" | "secret-tool" | "pass" | "keyring" | "op" | "bw" | "lpass" | "gopass"
        | "ssh-add" => Program::SecretStore,
        "pbpaste" | "xclip" | "xsel" | "wl-paste" | "screencapture" | "scrot"
        | "gnome-screenshot" | "history" | "grim" => Program::Personal,
        "nc" | "ncat" | "netcat" | "telnet" | "socat" | "openbsd-nc" => Program::Connect,
        "dig" | "nslookup" | "host" | "drill" | "kdig" | "ping" | "ping6" => Program::Resolve,
        "scp" | "rsync" | "sftp" | "rclone" | "ftp" | "lftp" | "tftp" | "croc" | "s3cmd"
        | "gsutil" | "aws" | "azcopy" | "ssh" => Program::Transfer,
        "mail" | "mailx" | "mutt" | "sendmail" | "ssmtp" | "msmtp" | "swaks" => Program::Mail,
        "cp" | "mv" | "ln" | "tar" | "zip" | "7z" | "install" | "ditto" => Program::Copy,
        "tee" => Program::Tee,
        "chmod" => Program::Chmod,
        "rm" | "unlink" | "rmdir" | "srm" => Program::Remove,
        "dd" | "shred" | "wipe" | "truncate" | "blkdiscard" | "wipefs" => Program::Wipe,
        "newfs" | "diskutil" => Program::Format,
        "read" => Program::Ask,
        "crontab" | "at" | "launchctl" | "systemctl" | "schtasks" => Program::Schedule,
        name if name.starts_with("mkfs") => Program::Format,
        name if name.starts_with("python") || name == "pypy" || name == "pypy3" => {
            Program::Interpreter(Language::Python)
        }
        _ => Program::Other,
    }
}

/// Options after which the next word is a program's text.
pub(crate) const CODE_OPTIONS: &[&str] = &[
    "-c", "-e", "--eval", "-Command", "-command", "-r", "-lc", "-ic", "/c", "-E",
];

/// Options of curl, wget and others that give what is sent.
pub(crate) const BODY_OPTIONS: &[&str] = &[
    "-d",
    "--data",
    "--data-raw",
    "--data-binary",
    "--data-ascii",
    "--data-urlencode",
    "--json",
    "-F",
    "--form",
    "--form-string",
    "-T",
    "--upload-file",
    "--post-data",
    "--post-file",
    "--body-data",
    "--body-file",
];

/// Options of curl and wget that give what is written. `-O` takes a name in wget alone.
pub(crate) fn output_options(name: &str) -> &'static [&'static str] {
    match name {
        "wget" | "wget2" => &["-O", "--output-document"],
        _ => &["-o", "--output"],
    }
}

/// Whether the call of an encoding program takes an encoding off.
pub(crate) fn decodes(name: &str, has_option: impl Fn(&[&str]) -> bool) -> bool {
    match name {
        "base64" | "gbase64" | "base32" | "basenc" => has_option(&["-d", "-D", "--decode"]),
        "openssl" | "gpg" => has_option(&["-d", "--decrypt"]),
        "xxd" => has_option(&["-r"]),
        "gzip" | "xz" => has_option(&["-d", "--decompress"]),
        "uudecode" | "gunzip" | "zcat" | "bunzip2" | "bzcat" | "unxz" | "xzcat" => true,
        _ => false,
    }
}

/// Commands by which a tool of the user gives out a key, a token or what is kept secret: the program, and words that
/// stand among its arguments in this order.
const KEY_GIVERS: &[(&str, &[&str])] = &[
    ("git", &["credential", "fill"]),
    ("gh", &["auth", "token"]),
    ("glab", &["auth", "status", "-t"]),
    ("gcloud", &["auth", "print-access-token"]),
    ("gcloud", &["auth", "print-identity-token"]),
    ("gcloud", &["secrets", "versions", "access"]),
    ("gcloud", &["iam", "service-accounts", "keys", "create"]),
    ("aws", &["secretsmanager", "get-secret-value"]),
    ("aws", &["ssm", "get-parameter", "--with-decryption"]),
    (
        "aws",
        &["ssm", "get-parameters-by-path", "--with-decryption"],
    ),
    ("aws", &["configure", "get"]),
    ("aws", &["configure", "export-credentials"]),
    ("aws", &["sts", "get-session-token"]),
    ("aws", &["sts", "assume-role"]),
    ("aws", &["iam", "create-access-key"]),
    ("az", &["account", "get-access-token"]),
    ("az", &["ad", "sp", "create-for-rbac"]),
    ("az", &["keyvault", "secret", "show"]),
    ("kubectl", &["config", "view", "--raw"]),
    ("kubectl", &["get", "secret"]),
    ("kubectl", &["get", "secrets"]),
    ("kubectl", &["create", "token"]),
    ("oc", &["whoami", "-t"]),
    ("vault", &["kv", "get"]),
    ("vault", &["read"]),
    ("vault", &["token", "create"]),
    ("npm", &["token"]),
    ("heroku", &["auth:token"]),
    ("heroku", &["config"]),
    ("doppler", &["secrets"]),
    ("fly", &["auth", "token"]),
    ("flyctl", &["auth", "token"]),
    ("stripe", &["config", "--list"]),
    ("terraform", &["state", "pull"]),
    ("ansible-vault", &["view"]),
    ("ansible-vault", &["decrypt"]),
    ("sops", &["-d"]),
    ("sops", &["--decrypt"]),
    ("docker-credential-desktop", &["get"]),
    ("docker-credential-osxkeychain", &["get"]),
    ("git-credential-osxkeychain", &["get"]),
    ("gpg", &["--export-secret-keys"]),
    ("cmdkey", &["/list"]),
    ("klist", &["-f"]),
];

/// Whether a call prints a key that its tool holds.
pub(crate) fn gives_key(name: &str, arguments: &[Argument]) -> bool {
    KEY_GIVERS
        .iter()
        .filter(|(program, _)| *program == name)
        .any(|(_, words)| {
            let mut given = arguments.iter().map(|argument| argument.text.as_str());
            words.iter().all(|word| given.any(|given| given == *word))
        })
}
