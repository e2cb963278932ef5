//! Runs git: with an argument vector, without questions, with an end.
//!
//! git's own configuration counts, so that credential helpers, proxies and certificates work as its user set them up.
//! Whatever could run a program that the repository names, or ask a person, is turned off.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use super::said;
use crate::limits;
use crate::progress::Step;
use crate::source::fetch::{FetchError, Job};

/// Variables with which a caller's own repository would reach into ours (`git rev-parse --local-env-vars`), and those
/// that ask a person.
const REMOVED: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CONFIG",
    "GIT_CONFIG_PARAMETERS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_REPLACE_REF_BASE",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_TEMPLATE_DIR",
    "GIT_EXTERNAL_DIFF",
    "GIT_TRACE",
];

const SETTINGS: &[&str] = &[
    "protocol.ext.allow=never",
    // Where a server leads is looked at before it is followed.
    "http.followRedirects=false",
    "core.fsmonitor=false",
    "core.autocrlf=false",
    "core.longpaths=true",
    "core.askPass=",
    "credential.interactive=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "fetch.recurseSubmodules=false",
    "fetch.writeCommitGraph=false",
    "fetch.negotiationAlgorithm=noop",
    "submodule.recurse=false",
    "transfer.bundleURI=false",
];

/// A git program and what each run of it shares.
pub(in crate::source::fetch) struct Git<'a> {
    pub(super) job: &'a Job<'a>,
    /// For messages.
    url: String,
    /// The schemes that git may use for this source.
    protocols: &'static str,
    is_ssh: bool,
    /// That the server led elsewhere, and what the name of the place is pinned to, as curl takes it.
    pub(super) led: OnceLock<Option<String>>,
    /// The bare repository; it holds nothing but objects.
    pub(super) repository: PathBuf,
}

/// What one run is given.
#[derive(Clone, Default)]
pub(super) struct Input {
    bytes: Vec<u8>,
}

impl Input {
    pub(super) fn lines<'l>(lines: impl IntoIterator<Item = &'l str>) -> Self {
        let mut bytes = Vec::new();
        for line in lines {
            bytes.extend_from_slice(line.as_bytes());
            bytes.push(b'\n');
        }
        Self { bytes }
    }
}

impl<'a> Git<'a> {
    /// Makes the repository. No template is copied, so that it has no hooks.
    pub(super) fn init(job: &'a Job<'a>, url: &str) -> Result<Self, FetchError> {
        let scheme = url.split("://").next().unwrap_or_default();
        let git = Self {
            job,
            url: url.to_owned(),
            // A user's `url.….insteadOf` may turn https into ssh and back.
            protocols: match scheme {
                "file" => "file",
                "git" => "git:https:ssh",
                "http" => "http:https:ssh",
                _ => "https:ssh",
            },
            is_ssh: scheme == "ssh",
            led: OnceLock::new(),
            repository: job.staging.join("repository"),
        };
        fs::create_dir(&git.repository)?;
        git.run(
            &["init", "--quiet", "--bare", "--template=", "."],
            Input::default(),
        )?;
        git.run(&["config", "remote.origin.url", url], Input::default())?;
        Ok(git)
    }

    /// Runs git in the repository, and gives what it writes. What asks a server is run by [`Git::ask`].
    pub(super) fn run(&self, arguments: &[&str], input: Input) -> Result<Vec<u8>, FetchError> {
        let (status, output, errors) = self.outcome(arguments, input)?;
        if status.success() {
            return Ok(output);
        }
        Err(said::fault(&self.url, &errors))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.job.settings.git);
        command.current_dir(&self.repository);
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        if let Some(pin) = self.led.get().and_then(Option::as_ref) {
            command.args(["-c", &format!("http.curloptResolve={pin}")]);
        }
        // A directory that does not exist.
        let hooks = format!(
            "core.hooksPath={}",
            self.job.staging.join("no-hooks").display()
        );
        command.args(["-c", &hooks]).args(arguments);
        for variable in REMOVED {
            command.env_remove(variable);
        }
        command
            // Neither a repository above nor a `.git` beside it is looked for.
            .env("GIT_DIR", ".")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_ASKPASS", "")
            .env("SSH_ASKPASS", "")
            .env("SSH_ASKPASS_REQUIRE", "never")
            .env("GCM_INTERACTIVE", "never")
            .env("GIT_ALLOW_PROTOCOL", self.protocols)
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_LFS_SKIP_SMUDGE", "1")
            .env("GIT_PAGER", "")
            .env("LC_ALL", "C")
            .env_remove("LANGUAGE");
        // Who set up another way to call ssh has seen to its questions.
        if self.is_ssh
            && std::env::var_os("GIT_SSH_COMMAND").is_none()
            && std::env::var_os("GIT_SSH").is_none()
        {
            command.env("GIT_SSH_COMMAND", "ssh -o BatchMode=yes");
        }
        command
    }

    fn outcome(
        &self,
        arguments: &[&str],
        input: Input,
    ) -> Result<(ExitStatus, Vec<u8>, String), FetchError> {
        let mut command = self.command(arguments);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let program = || self.job.settings.git.display().to_string();
        let mut child = command
            .spawn()
            .map_err(|_| FetchError::GitMissing(program()))?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (mut output, mut errors) = (Ok(Vec::new()), String::new());
        let waited = thread::scope(|scope| {
            scope.spawn(move || {
                // A program that ends early reads no more; its status tells.
                stdin.map(|mut stdin| stdin.write_all(&input.bytes))
            });
            let reading = stdout.map(|stdout| {
                scope.spawn(move || {
                    let mut bytes = Vec::new();
                    let limit = limits::GIT_OUTPUT_BYTES;
                    let mut stdout = stdout.take(limit + 1);
                    stdout.read_to_end(&mut bytes)?;
                    // Beyond the limit it is read and forgotten, so that git does not wait for a reader.
                    let more = io::copy(&mut stdout.into_inner(), &mut io::sink())?;
                    if more > 0 || bytes.len() as u64 > limit {
                        return Err(io::ErrorKind::FileTooLarge.into());
                    }
                    Ok(bytes)
                })
            });
            let listening = stderr.map(|stderr| scope.spawn(move || self.listen(stderr)));
            let waited = self.wait(&mut child);
            if waited.is_err() {
                kill(&mut child);
            }
            output = join(reading, Ok(Vec::new()));
            errors = join(listening, String::new());
            waited
        });
        let status = waited?;
        let output = output.map_err(|error: io::Error| match error.kind() {
            io::ErrorKind::FileTooLarge => FetchError::TooLarge {
                what: format!("what git says of {}", self.url),
                limit: limits::GIT_OUTPUT_BYTES,
            },
            _ => FetchError::Io(error),
        })?;
        Ok((status, output, errors))
    }

    /// Passes on git's lines about its progress, and keeps the last of them.
    fn listen(&self, mut stderr: impl Read) -> String {
        let mut kept = String::new();
        let mut line = Vec::new();
        let mut piece = [0; 4096];
        while let Ok(read) = stderr.read(&mut piece) {
            if read == 0 {
                break;
            }
            for &byte in piece.get(..read).unwrap_or_default() {
                if !matches!(byte, b'\r' | b'\n') {
                    if line.len() < 1024 {
                        line.push(byte);
                    }
                    continue;
                }
                let text = crate::unpack::shown(&std::mem::take(&mut line));
                self.job.progress.step(Step::Line(&text));
                // A carriage return ends a line that the next one replaces.
                if byte == b'\n' && kept.len() < 16 * 1024 {
                    kept.push_str(&text);
                    kept.push('\n');
                }
            }
        }
        kept.push_str(&crate::unpack::shown(&line));
        kept
    }

    fn wait(&self, child: &mut Child) -> Result<ExitStatus, FetchError> {
        let began = Instant::now();
        let limit = self.job.settings.git_time;
        let mut looked = began;
        loop {
            if let Some(status) = child.try_wait()? {
                self.check_size()?;
                return Ok(status);
            }
            if self.job.progress.is_cancelled() {
                return Err(FetchError::Cancelled);
            }
            if began.elapsed() >= limit {
                return Err(FetchError::Timeout {
                    url: self.url.clone(),
                    seconds: limit.as_secs(),
                });
            }
            if looked.elapsed() >= Duration::from_millis(500) {
                looked = Instant::now();
                self.check_size()?;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn check_size(&self) -> Result<(), FetchError> {
        let limit = self.job.settings.repository_bytes;
        if packed_bytes(&self.repository) > limit {
            return Err(FetchError::TooLarge {
                what: self.url.clone(),
                limit,
            });
        }
        Ok(())
    }
}

fn join<T>(thread: Option<thread::ScopedJoinHandle<'_, T>>, otherwise: T) -> T {
    match thread.map(thread::ScopedJoinHandle::join) {
        Some(Ok(value)) => value,
        _ => otherwise,
    }
}

/// How much has arrived so far.
fn packed_bytes(repository: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(repository.join("objects").join("pack")) else {
        return 0;
    };
    entries
        .filter_map(|entry| entry.ok()?.metadata().ok())
        .map(|metadata| metadata.len())
        .sum()
}

/// Ends git and all that it started.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        // It may have ended by itself meanwhile.
        let _ended = kill_process_group(Pid::from_child(child), Signal::KILL);
    }
    let _killed = child.kill();
    let _status = child.wait();
}
