//! The world of these tests: a project, repositories beside it, and a git that is counted.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use skillful_manage::{Actor, DataDirectory, Writer};

use crate::environment::{Environment, Run, skill_text};

/// A project that Claude Code reads, repositories beside it, and a git that writes down what it is asked.
pub(super) struct World {
    pub(super) environment: Environment,
}

impl World {
    pub(super) fn new() -> Self {
        let environment = Environment::new();
        fs::create_dir_all(environment.project().join(".claude")).unwrap();
        let world = Self { environment };
        world.install_git("");
        world
    }

    pub(super) fn at(&self, path: &str) -> PathBuf {
        self.environment.project().parent().unwrap().join(path)
    }

    pub(super) fn project(&self, path: &str) -> PathBuf {
        self.environment.project().join(path)
    }

    /// Puts the git that is found into place; `trick` is run before the real one.
    pub(super) fn install_git(&self, trick: &str) {
        let real = String::from_utf8(
            Command::new("sh")
                .args(["-c", "command -v git"])
                .output()
                .unwrap()
                .stdout,
        );
        let log = self.at("git.log");
        let script = format!(
            "#!/bin/sh\nprintf '%s\\n' \"$*\" >> '{}'\n{trick}\nexec '{}' \"$@\"\n",
            log.display(),
            real.unwrap().trim()
        );
        let path = self.at("bin/git");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub(super) fn path_variable(&self) -> OsString {
        let mut paths = vec![self.at("bin")];
        let system = std::env::var_os("PATH").unwrap();
        paths.extend(std::env::split_paths(&system));
        std::env::join_paths(paths).unwrap()
    }

    pub(super) fn run(&self, arguments: &[&str]) -> Run {
        self.environment
            .run_with_path(arguments, &self.path_variable())
    }

    /// How often a server was asked for something since the last time.
    pub(super) fn questions(&self) -> usize {
        let log = fs::read_to_string(self.at("git.log")).unwrap_or_default();
        let _ = fs::remove_file(self.at("git.log"));
        let is_question = |line: &&str| {
            let mut words = line.split(' ');
            words.any(|word| word == "ls-remote" || word == "fetch")
        };
        log.lines().filter(is_question).count()
    }

    pub(super) fn git(&self, repository: &str, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@example.com"])
            .args(arguments)
            .current_dir(self.at(repository))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    pub(super) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes a skill of a repository.
    pub(super) fn skill(&self, repository: &str, name: &str, more: &str) {
        let text = format!("{}{more}", skill_text(name));
        self.write(&format!("{repository}/skills/{name}/SKILL.md"), text);
    }

    pub(super) fn commit(&self, repository: &str) -> String {
        if !self.at(repository).join(".git").exists() {
            self.git(repository, &["init", "-q", "-b", "main"]);
            self.git(repository, &["config", "uploadpack.allowFilter", "true"]);
        }
        self.git(repository, &["add", "-A"]);
        self.git(repository, &["commit", "-q", "--allow-empty", "-m", "x"]);
        self.git(repository, &["rev-parse", "HEAD"])
    }

    pub(super) fn url(&self, repository: &str) -> String {
        format!("git+file://{}", self.at(repository).display())
    }

    /// Installs all skills of a repository, or what `of_it` names.
    pub(super) fn add(&self, repository: &str, of_it: &str) {
        let source = format!("{}{of_it}", self.url(repository));
        let added = self.run(&["add", &source, "--yes"]);
        assert_eq!(added.code, 0, "{}", added.transcript());
    }

    /// A world with the skills `notes` and `pdf` of one repository installed.
    pub(super) fn with_two() -> Self {
        let world = Self::new();
        world.skill("repo", "notes", "");
        world.skill("repo", "pdf", "");
        world.commit("repo");
        world.add("repo", "");
        world
    }

    pub(super) fn installed(&self, id: &str) -> String {
        fs::read_to_string(self.project(&format!(".agents/skills/{id}/SKILL.md"))).unwrap()
    }

    pub(super) fn lock(&self) -> String {
        fs::read_to_string(self.project("skills.lock")).unwrap()
    }

    /// Each skill with how it stands.
    pub(super) fn kinds(&self) -> Vec<Value> {
        let outdated = self.run(&["outdated", "--json"]);
        let document = outdated.json();
        let skills = document["skills"].as_array().unwrap().iter();
        skills
            .map(|skill| json!([skill["id"], skill["kind"]]))
            .collect()
    }

    pub(super) fn undo(&self, seq: u64) {
        let data = DataDirectory::at(self.environment.home().join(".local/share/skillful"));
        Writer::open(&data).unwrap().undo(seq, Actor::USER).unwrap();
    }

    pub(super) fn verify(&self) -> Run {
        self.run(&["verify"])
    }
}
