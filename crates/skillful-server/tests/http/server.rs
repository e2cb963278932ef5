//! A server in this process on a free port, and a client that says exactly what it is told to.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::Value;
use skillful::Host;
use skillful_manage::DataDirectory;
use skillful_server::http::{Bound, Options, Scope, ServeError, TokenFile};
use skillful_server::{Engine, Settings};
use tempfile::TempDir;
use tokio::sync::oneshot;

/// A home with skills.
pub(crate) struct Home {
    directory: TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir_all(directory.path().join("project/.git")).unwrap();
        Self { directory }
    }

    /// A home with one skill of two files, `demo`.
    pub(crate) fn with_demo() -> Self {
        let home = Self::new();
        home.skill("demo", "Says hello. Use when somebody is greeted.");
        home.write("home/.claude/skills/demo/notes/tone.md", "Be kind.\n");
        home
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.directory.path().canonicalize().unwrap()
    }

    pub(crate) fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// A skill of the user.
    pub(crate) fn skill(&self, name: &str, description: &str) {
        let path = format!("home/.claude/skills/{name}/SKILL.md");
        self.write(
            &path,
            &format!("---\nname: {name}\ndescription: {description}\n---\n\n# {name}\n\nHello.\n"),
        );
    }

    pub(crate) fn tokens(&self) -> TokenFile {
        let settings = self.settings();
        TokenFile::of(&DataDirectory::of(&settings.host, &settings.options).unwrap())
    }

    pub(crate) fn token(&self, name: &str, scope: Scope) -> String {
        self.tokens().create(name, scope, None).unwrap().0
    }

    pub(crate) fn settings(&self) -> Settings {
        let (home, project) = (self.path().join("home"), self.path().join("project"));
        fs::create_dir_all(&home).unwrap();
        Settings {
            host: Host::new(&project).with_home(&home),
            options: skillful::Options {
                home: Some(home),
                project: Some(project),
                ..skillful::Options::default()
            },
            config: None,
            agent: None,
            watch: true,
        }
    }

    pub(crate) fn bound(&self, set: impl FnOnce(&mut Options)) -> Result<Bound, ServeError> {
        let mut options = Options {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            requests_per_second: NonZeroU32::new(100_000).unwrap(),
            ..Options::default()
        };
        set(&mut options);
        Bound::new(Engine::start(self.settings()), options)
    }

    pub(crate) fn serve(&self) -> Server {
        self.serve_with(|_| {})
    }

    pub(crate) fn serve_with(&self, set: impl FnOnce(&mut Options)) -> Server {
        Server::start(self.bound(set).unwrap())
    }
}

/// A server that runs until it is dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    fn start(bound: Bound) -> Self {
        let address = bound.address();
        let (end, ended) = oneshot::channel();
        let thread = thread::spawn(move || {
            let serving = bound.serve(async {
                let _ = ended.await;
            });
            skillful_server::block_on(serving).unwrap().unwrap();
        });
        Self {
            address,
            end: Some(end),
            thread: Some(thread),
        }
    }

    /// Ends it and waits until it has.
    pub(crate) fn stop(&mut self) {
        if let Some(end) = self.end.take() {
            let _ = end.send(());
        }
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        // So that a test that fails ends.
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        stream
    }

    /// Sends these bytes and reads until the server closes.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        // The server may have enough before it has read everything.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        Answer::parse(&answer)
    }

    pub(crate) fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let mut request = format!("{method} {path} HTTP/1.1\r\n");
        if !headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("host"))
        {
            write!(request, "Host: {}\r\n", self.address).unwrap();
        }
        for (name, value) in headers {
            write!(request, "{name}: {value}\r\n").unwrap();
        }
        let length = body.len();
        write!(
            request,
            "Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        self.raw(request.as_bytes())
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], "")
    }

    /// A GET that must succeed.
    pub(crate) fn json(&self, path: &str) -> Value {
        let answer = self.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }

    pub(crate) fn send(&self, method: &str, path: &str, body: &Value) -> Answer {
        let headers = [("Content-Type", "application/json")];
        self.ask(method, path, &headers, &body.to_string())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// An answer as it came.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    fn parse(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|it| it == b"\r\n\r\n");
        let Some(end) = end else {
            return Self {
                status: 0,
                headers: BTreeMap::new(),
                body: bytes.to_vec(),
            };
        };
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap();
        let headers = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
            .collect();
        Self {
            status: status.parse().unwrap(),
            headers,
            body: bytes[end + 4..].to_vec(),
        }
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The kind of a problem document.
    pub(crate) fn kind(&self) -> String {
        assert_eq!(
            self.header("content-type"),
            "application/problem+json",
            "{self:?}"
        );
        let problem = self.json();
        assert_eq!(problem["status"], self.status);
        problem["kind"].as_str().unwrap().to_owned()
    }
}

/// Asks again until it is so. The test's own end is the only limit.
pub(crate) fn until<T>(mut look: impl FnMut() -> Option<T>) -> T {
    loop {
        if let Some(found) = look() {
            return found;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

pub(crate) fn read_text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}
