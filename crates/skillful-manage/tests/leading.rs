//! Servers that lead elsewhere: followed to where they may lead, by git as by the client for archives.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is the report")]

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;

use skillful_manage::progress::Silent;
use skillful_manage::source::fetch::{FetchError, Fetcher};
use skillful_manage::source::{Permission, Source, Surroundings};

mod common;
use common::*;

/// A host with one repository, `/team/repo/.git`.
fn host(ground: &Ground) -> (Server, String) {
    let repository = Repository::new(&ground.path().join("repos/team/repo"));
    repository.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    repository.skill("skills/pdf");
    let commit = repository.commit();
    let server = Server::of_repositories(&ground.path().join("repos"), |_| true);
    (server, commit)
}

/// A server that leads everything to an address before what was asked for.
fn leading(to: String) -> Server {
    Server::start(move |request| {
        let (_, rest) = request.url().split_once(".git").unwrap();
        Reply::redirect(&format!("{to}{rest}"))
    })
}

#[test]
fn a_repository_that_moved_is_fetched_from_where_it_is() {
    let ground = Ground::new();
    let (host, commit) = host(&ground);
    let old = leading(host.url("/team/repo/.git"));
    let url = format!("git+{}", old.url("/old/repo.git"));
    let fetched = ground.fetch(&url).unwrap();
    assert_eq!(ids(&fetched), ["pdf:skills/pdf"]);
    assert_eq!(fetched.resolution.commit.as_deref(), Some(&*commit));
    assert_eq!(fetched.source.to_string(), url, "what was asked for stays");
    let asked = old.asked.lock().unwrap().clone();
    let question = "/old/repo.git/info/refs?service=git-upload-pack";
    assert_eq!(
        asked, [question; 2],
        "by git, and by who looks where it leads"
    );

    // A commit needs no list of branches, and is led all the same.
    let fetched = ground.fetch(&format!("{url}#{commit}")).unwrap();
    assert_eq!(ids(&fetched), ["pdf:skills/pdf"]);
}

#[test]
fn a_server_that_leads_nowhere_costs_one_question() {
    let ground = Ground::new();
    let (host, _) = host(&ground);
    ground
        .fetch(&format!("git+{}", host.url("/team/repo/.git")))
        .unwrap();
    let asked = host.asked.lock().unwrap();
    let is_first = |url: &&String| url.contains("/info/refs");
    // git asks it once for each of its runs, and nobody else does.
    assert_eq!(asked.iter().filter(is_first).count(), 3, "{asked:?}");
}

#[test]
fn where_no_server_may_lead_no_git_is_led() {
    let ground = Ground::new();
    for to in [
        "http://example.com/x.git",
        "ftp://127.0.0.1/x.git",
        "file:///etc",
        "ext::sh -c true",
        "https://user:secret@127.0.0.1/x.git",
    ] {
        let server = leading(to.to_owned());
        let error = ground.fails(&format!("git+{}", server.url("/old/repo.git")));
        assert!(matches!(error, FetchError::Address { .. }), "{to}: {error}");
        assert!(!error.to_string().contains("secret"), "{error}");
        assert_eq!(server.asked.lock().unwrap().len(), 2, "{to}");
    }
    let server = Server::start(|request| Reply::redirect(request.url()));
    let error = ground.fails(&format!("git+{}", server.url("/loop.git")));
    assert!(matches!(error, FetchError::Redirections { .. }), "{error}");
}

#[test]
fn what_is_no_repository_is_not_taken_for_one() {
    let ground = Ground::new();
    let sign_in = Server::start(|request| {
        if request.url().starts_with("/sign-in") {
            Reply::of("<html>")
        } else {
            Reply::redirect("/sign-in?for=x")
        }
    });
    let error = ground.fails(&format!("git+{}", sign_in.url("/old/repo.git")));
    assert!(
        error
            .to_string()
            .contains("is no repository; give the address"),
        "{error}"
    );
}

/// Where a first server has led git, no other one leads it further.
#[test]
fn only_the_beginning_is_led() {
    let ground = Ground::new();
    let (host, _) = host(&ground);
    let elsewhere = host.url("/team/repo/.git");
    let count = Arc::new(Mutex::new(0));
    let server = {
        let (count, top) = (Arc::clone(&count), ground.path().join("repos"));
        let inner = Server::of_repositories(&top, |_| true);
        let inner_url = inner.url("");
        Server::start(move |request| {
            let _kept = &inner;
            if request.url().ends_with("/git-upload-pack") {
                *count.lock().unwrap() += 1;
                return Reply::redirect(&format!("{elsewhere}/git-upload-pack"));
            }
            Reply::redirect(&format!("{inner_url}{}", request.url()))
        })
    };
    // Its list of branches lies elsewhere, so git asks there for everything.
    let fetched = ground.fetch(&format!("git+{}", server.url("/team/repo/.git")));
    assert_eq!(ids(&fetched.unwrap()), ["pdf:skills/pdf"]);
    assert_eq!(*count.lock().unwrap(), 0);
}

const CHILD: &str = "SKILLFUL_TEST_BEHIND_PROXY";

/// Behind a proxy, a server of the test's own can be a public one: both git and the client for archives ask it for
/// `http://1.1.1.1`, which leads to a private address. The proxy would hand that out, and is never asked for it.
#[test]
fn a_public_server_leads_nobody_into_a_private_network() {
    if env::var_os(CHILD).is_some() {
        return ask_behind_the_proxy();
    }
    let (proxy, asked) = proxy();
    let this = "a_public_server_leads_nobody_into_a_private_network";
    let output = Command::new(env::current_exe().unwrap())
        .args(["--exact", this, "--nocapture"])
        .env(CHILD, "1")
        .env("http_proxy", &proxy)
        .env("all_proxy", &proxy)
        .env_remove("no_proxy")
        .env_remove("NO_PROXY")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let asked = asked.lock().unwrap();
    assert_eq!(asked.len(), 3, "{asked:?}");
    let is_public = |line: &String| line.contains("1.1.1.1");
    assert!(asked.iter().all(is_public), "{asked:?}");
}

/// A proxy that says of everything that it lies on this machine, and what it was asked for: by `CONNECT`, or by a whole
/// address.
fn proxy() -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let mut head = || -> Vec<String> {
                let lines = lines.by_ref().map_while(Result::ok);
                lines.take_while(|line| !line.is_empty()).collect()
            };
            let mut first = head();
            if first.is_empty() {
                continue;
            }
            log.lock().unwrap().push(first[0].clone());
            if first[0].starts_with("CONNECT ") {
                stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
                first = head();
            }
            let path = first[0].split(' ').nth(1).unwrap();
            let path = path.strip_prefix("http://1.1.1.1").unwrap_or(path);
            let answer = format!(
                "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9{path}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            );
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    (url, asked)
}

fn ask_behind_the_proxy() {
    let mut ground = Ground::new();
    ground.settings.permission = Permission::Unencrypted;
    let surroundings = Surroundings {
        permission: Permission::Unencrypted,
        ..ground.surroundings()
    };
    for text in ["git+http://1.1.1.1/old/repo.git", "http://1.1.1.1/pack.zip"] {
        let source = Source::parse(text, &surroundings).unwrap();
        let error = Fetcher::new(ground.settings.clone())
            .fetch(&source, &ground.staging(), &Silent)
            .unwrap_err();
        assert!(
            matches!(error, FetchError::PrivateNetwork { .. }),
            "{text}: {error}"
        );
    }
}
