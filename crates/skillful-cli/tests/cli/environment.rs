//! A world of its own for each test: a home and a project in a fresh directory, and the command run in it with a
//! cleared environment.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A fresh home and project. Deleted when dropped.
pub(crate) struct Environment {
    directory: TempDir,
}

impl Environment {
    pub(crate) fn new() -> Self {
        let directory = tempfile::Builder::new()
            .prefix("skillful-test-")
            .tempdir()
            .expect("a temporary directory");
        let environment = Self { directory };
        fs::create_dir_all(environment.home()).unwrap();
        fs::create_dir_all(environment.project().join(".git")).unwrap();
        environment
    }

    /// The home directory, empty at first.
    pub(crate) fn home(&self) -> PathBuf {
        self.path().join("home")
    }

    /// The project, a repository without content.
    pub(crate) fn project(&self) -> PathBuf {
        self.path().join("project")
    }

    fn path(&self) -> PathBuf {
        // Links in the temporary directory's own path (macOS) would show in every output.
        fs::canonicalize(self.directory.path()).unwrap()
    }

    /// Writes a file below the project, with the directories it needs.
    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        write(&self.project().join(path), content)
    }

    /// Writes a file below the home.
    pub(crate) fn write_home(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        write(&self.home().join(path), content)
    }

    /// Writes a small, valid skill to `DIRECTORY/SKILL.md` below the project.
    pub(crate) fn skill(&self, directory: &str) -> PathBuf {
        let name = directory.rsplit('/').next().unwrap_or(directory);
        self.write(&format!("{directory}/SKILL.md"), skill_text(name))
    }

    /// The command, to be run in the project.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skillful"));
        command
            .env_clear()
            .env("HOME", self.home())
            .env("USERPROFILE", self.home())
            .env("SKILLFUL_HOME", self.home())
            .current_dir(self.project())
            .args(arguments)
            .stdin(Stdio::null());
        command
    }

    /// Runs the command and takes what it prints.
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        Run::of(&self.command(arguments).output().unwrap(), &self.path())
    }

    /// The same with a search path, for commands that run other programs.
    pub(crate) fn run_with_path(&self, arguments: &[&str], path: &std::ffi::OsStr) -> Run {
        let output = self.command(arguments).env("PATH", path).output();
        Run::of(&output.unwrap(), &self.path())
    }

    /// Runs the command with a search path of one directory below the project.
    #[cfg(unix)]
    pub(crate) fn run_with_programs(&self, directory: &str, arguments: &[&str]) -> Run {
        let path = self.project().join(directory);
        let output = self.command(arguments).env("PATH", path).output().unwrap();
        Run::of(&output, &self.path())
    }

    /// Runs the command with this on its standard input.
    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Run {
        use std::io::Write;
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        Run::of(&child.wait_with_output().unwrap(), &self.path())
    }
}

fn write(path: &Path, content: impl AsRef<[u8]>) -> PathBuf {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
    path.to_owned()
}

/// The text of a small skill that breaks no rule and draws no advice.
pub(crate) fn skill_text(name: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: Does {name}. Use when {name} is asked for.\n---\n\n# {name}\n\nDo it.\n"
    )
}

/// What a run of the command printed, with the test's own directory as `[ROOT]`.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn of(output: &Output, root: &Path) -> Self {
        let clean = |bytes: &[u8]| {
            String::from_utf8(bytes.to_vec())
                .expect("output is text")
                .replace(&*root.to_string_lossy(), "[ROOT]")
        };
        Self {
            code: output.status.code().expect("no signal ended it"),
            stdout: clean(&output.stdout),
            stderr: clean(&output.stderr),
        }
    }

    /// Standard output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("not JSON ({error}): {}\n{}", self.stdout, self.stderr))
    }

    /// Exit code, standard output and standard error in one text, for snapshots.
    pub(crate) fn transcript(&self) -> String {
        let mut text = format!("exit {}\n", self.code);
        for (name, stream) in [("stdout", self.stdout.as_str()), ("stderr", &self.stderr)] {
            if !stream.is_empty() {
                text.extend(["--- ", name, "\n", stream]);
            }
        }
        text
    }
}
