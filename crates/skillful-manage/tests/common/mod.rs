//! What the tests of fetching share: repositories, and servers of their own.

#![allow(dead_code, reason = "each test file uses its own part")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "in a test, a panic is the report"
)]

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use skillful_manage::progress::Silent;
use skillful_manage::source::fetch::{FetchError, Fetched, Fetcher, Settings};
use skillful_manage::source::{Permission, Source, Surroundings};
use tempfile::TempDir;
use tiny_http::{Header, Request, Response, StatusCode};

pub(crate) mod changing;

/// A directory of the test's own, with room for sources and for staging.
pub(crate) struct Ground {
    pub(crate) directory: TempDir,
    pub(crate) settings: Settings,
}

impl Ground {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let settings = Settings {
            git: git_program(directory.path()),
            ..Settings::default()
        };
        Self {
            directory,
            settings,
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn surroundings(&self) -> Surroundings {
        Surroundings {
            home: Some(self.path().join("home")),
            working_directory: self.path().to_owned(),
            permission: Permission::Encrypted,
        }
    }

    pub(crate) fn source(&self, text: &str) -> Source {
        Source::parse(text, &self.surroundings()).unwrap_or_else(|error| panic!("{error}"))
    }

    pub(crate) fn staging(&self) -> PathBuf {
        tempfile::Builder::new()
            .prefix("staging-")
            .tempdir_in(self.path())
            .unwrap()
            .keep()
    }

    pub(crate) fn fetch(&self, text: &str) -> Result<Fetched, FetchError> {
        let fetcher = Fetcher::new(self.settings.clone());
        fetcher.fetch(&self.source(text), &self.staging(), &Silent)
    }

    pub(crate) fn fails(&self, text: &str) -> FetchError {
        match self.fetch(text) {
            Err(error) => {
                assert!(!error.to_string().chars().any(char::is_control), "{error}");
                error
            }
            Ok(fetched) => panic!("{text} was fetched: {fetched:#?}"),
        }
    }
}

/// git without any configuration but that of the repository.
fn git_program(directory: &Path) -> PathBuf {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let path = directory.join("git");
        let script = "#!/bin/sh\nHOME=/nonexistent GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 exec git \"$@\"\n";
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }
    #[cfg(not(unix))]
    {
        let _unused = directory;
        PathBuf::from("git")
    }
}

/// A repository with a working tree.
pub(crate) struct Repository {
    pub(crate) directory: PathBuf,
}

impl Repository {
    pub(crate) fn new(directory: &Path) -> Self {
        fs::create_dir_all(directory).unwrap();
        let repository = Self {
            directory: directory.to_owned(),
        };
        repository.git(&["init", "-q", "-b", "main", "."]);
        repository.git(&["config", "uploadpack.allowFilter", "true"]);
        repository.git(&["config", "core.autocrlf", "false"]);
        repository
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .args(arguments)
            .current_dir(&self.directory)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_NAME", "a")
            .env("GIT_AUTHOR_EMAIL", "a@example.com")
            .env("GIT_COMMITTER_NAME", "a")
            .env("GIT_COMMITTER_EMAIL", "a@example.com")
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {errors}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.directory.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn skill(&self, path: &str) {
        let name = path.rsplit('/').next().unwrap();
        self.write(&format!("{path}/SKILL.md"), skill_text(name));
    }

    /// Commits everything, and gives the hash.
    pub(crate) fn commit(&self) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", "x"]);
        self.git(&["rev-parse", "HEAD"])
    }

    pub(crate) fn url(&self) -> String {
        format!("git+file://{}", self.directory.display())
    }
}

pub(crate) fn skill_text(name: &str) -> String {
    format!("---\nname: {name}\ndescription: What {name} does and when.\n---\nBody.\n")
}

/// What a server answers.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn of(body: impl Into<Vec<u8>>) -> Self {
        Self {
            status: 200,
            headers: Vec::new(),
            body: body.into(),
        }
    }

    pub(crate) fn status(status: u16) -> Self {
        Self {
            status,
            ..Self::of("")
        }
    }

    pub(crate) fn redirect(to: &str) -> Self {
        Self::status(302).with("Location", to)
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }
}

/// A server on this machine, for as long as the value lives.
pub(crate) struct Server {
    listener: Arc<tiny_http::Server>,
    pub(crate) asked: Arc<Mutex<Vec<String>>>,
    pub(crate) port: u16,
}

impl Server {
    pub(crate) fn start(answer: impl Fn(&mut Request) -> Reply + Send + Sync + 'static) -> Self {
        let server = Arc::new(tiny_http::Server::http("127.0.0.1:0").unwrap());
        let port = server.server_addr().to_ip().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (serving, log) = (Arc::clone(&server), Arc::clone(&asked));
        thread::spawn(move || {
            for mut request in serving.incoming_requests() {
                log.lock().unwrap().push(request.url().to_owned());
                let reply = answer(&mut request);
                let mut response =
                    Response::from_data(reply.body).with_status_code(StatusCode(reply.status));
                for (name, value) in reply.headers {
                    response.add_header(Header::from_bytes(name, value).unwrap());
                }
                let _gone = request.respond(response);
            }
        });
        Self {
            listener: server,
            asked,
            port,
        }
    }

    /// Serves files by their paths.
    pub(crate) fn of_files(files: Vec<(&str, Vec<u8>)>) -> Self {
        let files: Vec<(String, Vec<u8>)> = files
            .into_iter()
            .map(|(path, bytes)| (path.to_owned(), bytes))
            .collect();
        Self::start(move |request| {
            let path = request.url().split('?').next().unwrap();
            match files.iter().find(|(known, _)| known == path) {
                Some((_, bytes)) => Reply::of(bytes.clone()),
                None => Reply::status(404),
            }
        })
    }

    /// Serves the repositories below a directory as a host does.
    pub(crate) fn of_repositories(
        top: &Path,
        allowed: impl Fn(&Request) -> bool + Send + Sync + 'static,
    ) -> Self {
        let top = top.to_owned();
        Self::start(move |request| {
            if allowed(request) {
                backend(&top, request)
            } else {
                Reply::status(401).with("WWW-Authenticate", "Basic realm=\"x\"")
            }
        })
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Ends it. Nobody listens there any more afterwards.
    pub(crate) fn stop(self) {
        let port = self.port;
        drop(self);
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
            thread::yield_now();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.listener.unblock();
    }
}

/// `git http-backend`, by the rules of CGI.
fn backend(top: &Path, request: &mut Request) -> Reply {
    let (path, query) = match request.url().split_once('?') {
        Some((path, query)) => (path.to_owned(), query.to_owned()),
        None => (request.url().to_owned(), String::new()),
    };
    let header = |name: &'static str| {
        let mut headers = request.headers().iter();
        let found = headers.find(|header| header.field.equiv(name));
        found.map_or(String::new(), |header| header.value.to_string())
    };
    let (kind, protocol, encoding) = (
        header("Content-Type"),
        header("Git-Protocol"),
        header("Content-Encoding"),
    );
    let mut body = Vec::new();
    let method = request.method().to_string();
    request.as_reader().read_to_end(&mut body).unwrap();
    let mut child = Command::new("git")
        .arg("http-backend")
        .env("GIT_PROJECT_ROOT", top)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("REQUEST_METHOD", method)
        .env("PATH_INFO", path)
        .env("QUERY_STRING", query)
        .env("CONTENT_TYPE", kind)
        .env("CONTENT_LENGTH", body.len().to_string())
        .env("HTTP_CONTENT_ENCODING", encoding)
        .env("GIT_PROTOCOL", protocol)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = thread::spawn(move || stdin.write_all(&body));
    let mut output = Vec::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_end(&mut output)
        .unwrap();
    let _ended_early = writer.join().unwrap();
    child.wait().unwrap();
    let end = output
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .expect("a head");
    let mut reply = Reply::of(output[end + 4..].to_vec());
    for line in String::from_utf8_lossy(&output[..end]).lines() {
        let (name, value) = line.split_once(": ").unwrap();
        if name == "Status" {
            reply.status = value[..3].parse().unwrap();
        } else {
            reply = reply.with(name, value);
        }
    }
    reply
}

/// A ZIP archive of files.
pub(crate) fn zip_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    use zip::write::SimpleFileOptions;
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (path, bytes) in files {
        let mode = if path.contains(".sh") { 0o755 } else { 0o644 };
        let options = SimpleFileOptions::default().unix_permissions(mode);
        writer.start_file(*path, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    use std::fmt::Write;
    let digest = sha2::Sha256::digest(bytes);
    digest.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// The paths of all files below a directory, sorted.
pub(crate) fn files_below(directory: &Path) -> Vec<String> {
    let mut files = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(path) = open.pop() {
        for entry in fs::read_dir(&path).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                open.push(entry.path());
            } else {
                let path = entry.path();
                let below = path.strip_prefix(directory).unwrap();
                files.push(below.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    files.sort();
    files
}

pub(crate) fn ids(fetched: &Fetched) -> Vec<String> {
    let skills = fetched.skills.skills.iter();
    skills
        .map(|skill| format!("{}:{}", skill.id, skill.path))
        .collect()
}
