//! Archives, documents, indexes and hubs, from a server of the test's own.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is the report")]

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use skillful_manage::source::fetch::FetchError;
use skillful_manage::source::{Address, Permission, Source};

mod common;
use common::*;

fn archive() -> Vec<u8> {
    zip_of(&[
        ("SKILL.md", skill_text("pdf").as_bytes()),
        ("scripts/run.sh", b"#!/bin/sh\n"),
        ("data.bin", &[0, 159, 146, 150, 13, 10]),
    ])
}

#[test]
fn an_archive_by_its_address() {
    let ground = Ground::new();
    let bytes = archive();
    let sum = sha256(&bytes);
    let server = Server::start(move |_| Reply::of(bytes.clone()).with("ETag", "\"one\""));
    let fetched = ground.fetch(&server.url("/files/pdf.skill")).unwrap();
    assert_eq!(ids(&fetched), ["pdf:"]);
    assert!(fetched.directory.ends_with("pdf"));
    assert_eq!(fetched.resolution.artifact, Some(sum));
    assert_eq!(fetched.resolution.etag.as_deref(), Some("\"one\""));
    let bytes = fs::read(fetched.directory.join("data.bin")).unwrap();
    assert_eq!(bytes, [0, 159, 146, 150, 13, 10]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let metadata = fs::metadata(fetched.directory.join("scripts/run.sh")).unwrap();
        assert_eq!(metadata.permissions().mode() & 0o777, 0o755);
    }
}

#[test]
fn a_document_by_its_address() {
    let ground = Ground::new();
    let server = Server::of_files(vec![
        ("/docs/pdf/SKILL.md", skill_text("pdf").into_bytes()),
        ("/page.md", b"\n<!DOCTYPE HTML><title>x</title>".to_vec()),
        ("/greet.md", skill_text("greet").into_bytes()),
    ]);
    let fetched = ground.fetch(&server.url("/docs/pdf/SKILL.md")).unwrap();
    assert_eq!(ids(&fetched), ["pdf:"]);
    assert!(fetched.directory.ends_with("pdf"));
    let fetched = ground.fetch(&server.url("/greet.md")).unwrap();
    assert_eq!(ids(&fetched), ["greet:greet.md"]);
    let error = ground.fails(&server.url("/page.md"));
    assert!(error.to_string().contains("a page for people"), "{error}");
}

#[test]
fn what_a_server_can_do_wrong_has_a_name() {
    let mut ground = Ground::new();
    ground.settings.download_bytes = 100_000;
    let server = Server::start(|request| match request.url() {
        "/loop.zip" => Reply::redirect("/loop.zip"),
        "/ftp.zip" => Reply::redirect("ftp://127.0.0.1/x.zip"),
        "/file.zip" => Reply::redirect("file:///etc/passwd"),
        "/plain.zip" => Reply::redirect("http://example.com/x.zip"),
        "/credentials.zip" => Reply::redirect("https://user:secret@127.0.0.1/x.zip"),
        "/nowhere.zip" => Reply::status(302),
        "/huge.zip" => Reply::of(vec![0; 200_000]),
        "/page.zip" => Reply::of("<html>"),
        "/private.zip" => Reply::status(401),
        "/busy.zip" => Reply::status(429).with("Retry-After", "86400"),
        "/moved.zip" => Reply::redirect("/real.zip"),
        "/real.zip" => Reply::of(archive()),
        _ => Reply::status(404),
    });
    let fails = |path: &str| ground.fails(&server.url(path));
    assert!(matches!(
        fails("/loop.zip"),
        FetchError::Redirections { .. }
    ));
    for refused in ["/ftp.zip", "/file.zip", "/plain.zip", "/credentials.zip"] {
        let error = fails(refused);
        assert!(
            matches!(error, FetchError::Address { .. }),
            "{refused}: {error}"
        );
        assert!(!error.to_string().contains("secret"), "{error}");
    }
    assert!(matches!(
        fails("/nowhere.zip"),
        FetchError::Status { status: 302, .. }
    ));
    assert!(matches!(
        fails("/huge.zip"),
        FetchError::TooLarge { limit: 100_000, .. }
    ));
    assert!(
        fails("/page.zip")
            .to_string()
            .contains("neither a ZIP nor a tar")
    );
    assert!(matches!(
        fails("/private.zip"),
        FetchError::Status { status: 401, .. }
    ));
    assert!(matches!(
        fails("/busy.zip"),
        FetchError::Status { status: 429, .. }
    ));
    assert!(matches!(
        fails("/none.zip"),
        FetchError::Status { status: 404, .. }
    ));
    assert_eq!(
        ids(&ground.fetch(&server.url("/moved.zip")).unwrap()),
        ["pdf:"]
    );
    assert!(matches!(
        ground.fails("http://127.0.0.1:1/x.zip"),
        FetchError::Network { .. }
    ));
}

#[test]
fn a_busy_server_is_asked_again_when_it_says_when() {
    let ground = Ground::new();
    let times = AtomicUsize::new(0);
    let server = Server::start(move |_| {
        if times.fetch_add(1, Ordering::SeqCst) == 0 {
            Reply::status(429).with("Retry-After", "0")
        } else {
            Reply::of(archive())
        }
    });
    assert!(ground.fetch(&server.url("/a.zip")).is_ok());
    assert_eq!(server.asked.lock().unwrap().len(), 2);
}

/// A server that promises a number of bytes, or none, and then sends these.
fn raw_server(head: String, body: Vec<u8>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 4096];
        let _read = stream.read(&mut request);
        let _sent = stream
            .write_all(head.as_bytes())
            .and_then(|()| stream.write_all(&body));
    });
    port
}

#[test]
fn an_interrupted_download_is_an_error_and_no_archive() {
    let ground = Ground::new();
    let bytes = archive();
    let half = bytes[..bytes.len() / 2].to_vec();
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", bytes.len());
    let port = raw_server(head, half.clone());
    let error = ground.fails(&format!("http://127.0.0.1:{port}/a.zip"));
    assert!(matches!(error, FetchError::Network { .. }), "{error}");
    // Without a length only the archive itself can tell.
    let port = raw_server(
        "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".to_owned(),
        half,
    );
    let error = ground.fails(&format!("http://127.0.0.1:{port}/a.zip"));
    assert!(matches!(error, FetchError::Unpack { .. }), "{error}");
    // A stated length that is a lie upwards is refused before anything arrives.
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n".to_owned();
    let port = raw_server(head, Vec::new());
    let error = ground.fails(&format!("http://127.0.0.1:{port}/a.zip"));
    assert!(matches!(error, FetchError::TooLarge { .. }), "{error}");
    // A body without end and without a length.
    let mut small = Ground::new();
    small.settings.download_bytes = 1_000;
    let port = raw_server(
        "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".to_owned(),
        vec![0; 100_000],
    );
    let error = small.fails(&format!("http://127.0.0.1:{port}/a.zip"));
    assert!(
        matches!(error, FetchError::TooLarge { limit: 1_000, .. }),
        "{error}"
    );
}

#[test]
fn an_index_of_the_first_version() {
    let ground = Ground::new();
    let index = r#"{"skills":[
        {"name":"pdf","description":"d","files":["SKILL.md","scripts/run.sh","a b%20c#d.txt"]},
        {"name":"notes","description":"d","files":["SKILL.md"],"more":1},
        {"name":"../up","description":"d","files":["SKILL.md"]},
        {"name":"empty","description":"d","files":["README.md"]}]}"#;
    let server = Server::of_files(vec![
        ("/.well-known/skills/index.json", index.into()),
        ("/.well-known/skills/pdf/SKILL.md", skill_text("pdf").into()),
        ("/.well-known/skills/pdf/scripts/run.sh", b"x".to_vec()),
        ("/.well-known/skills/pdf/a%20b%2520c%23d.txt", b"y".to_vec()),
        (
            "/.well-known/skills/notes/SKILL.md",
            skill_text("notes").into(),
        ),
    ]);
    let fetched = ground.fetch(&server.url("/")).unwrap();
    assert_eq!(ids(&fetched), ["notes:notes", "pdf:pdf"]);
    assert_eq!(
        fs::read(fetched.directory.join("pdf/a b%20c#d.txt")).unwrap(),
        b"y"
    );
    assert_eq!(fetched.notes.len(), 2, "{:?}", fetched.notes);
    assert!(matches!(fetched.source, Source::WellKnown(_)));

    server.asked.lock().unwrap().clear();
    let fetched = ground.fetch(&server.url("/docs@notes")).unwrap();
    assert_eq!(ids(&fetched), ["notes:notes"]);
    assert_eq!(
        *server.asked.lock().unwrap(),
        [
            "/docs/.well-known/agent-skills/index.json",
            "/docs/.well-known/skills/index.json",
            "/.well-known/agent-skills/index.json",
            "/.well-known/skills/index.json",
            "/.well-known/skills/notes/SKILL.md",
        ]
    );
    let error = ground.fails(&server.url("/@note"));
    assert_eq!(
        error.to_string(),
        "no skill is called `note`; did you mean `notes`?"
    );
}

fn final_index(entries: &str) -> Vec<u8> {
    format!(
        r#"{{"$schema":"https://schemas.agentskills.io/discovery/0.2.0/schema.json","skills":[{entries}]}}"#
    )
    .into_bytes()
}

fn entry(name: &str, kind: &str, url: &str, bytes: &[u8]) -> String {
    let digest = sha256(bytes);
    format!(
        r#"{{"name":"{name}","type":"{kind}","description":"d","url":"{url}","digest":"sha256:{digest}","x-more":[]}}"#
    )
}

#[test]
fn an_index_of_the_final_version() {
    let ground = Ground::new();
    let (zip, text) = (archive(), skill_text("notes").into_bytes());
    let without = zip_of(&[("pdf/SKILL.md", b"x")]);
    let entries = [
        entry("pdf", "archive", "../../files/pdf.zip", &zip),
        entry("notes", "skill-md", "notes/SKILL.md", &text),
    ];
    let server = Server::of_files(vec![
        (
            "/docs/.well-known/agent-skills/index.json",
            final_index(&entries.join(",")),
        ),
        ("/docs/files/pdf.zip", zip.clone()),
        ("/docs/.well-known/agent-skills/notes/SKILL.md", text),
        (
            "/bad/index.json",
            final_index(&entry("pdf", "archive", "/docs/files/pdf.zip", b"other")),
        ),
        (
            "/deep/index.json",
            final_index(&entry("pdf", "archive", "/deep.zip", &without)),
        ),
        ("/deep.zip", without),
        (
            "/out/index.json",
            final_index(&entry("pdf", "archive", "ftp://h/x.zip", &zip)),
        ),
    ]);
    let fetched = ground.fetch(&server.url("/docs")).unwrap();
    assert_eq!(ids(&fetched), ["notes:notes", "pdf:pdf"]);
    let fetched = ground.fetch(&server.url("/docs@pdf")).unwrap();
    assert_eq!(fetched.resolution.artifact, Some(sha256(&zip)));
    let index = |path: &str| ground.fails(&format!("well-known:{}", server.url(path)));
    assert!(matches!(
        index("/bad/index.json"),
        FetchError::Digest { .. }
    ));
    let error = index("/deep/index.json");
    assert!(
        error.to_string().contains("no SKILL.md at its top"),
        "{error}"
    );
    assert!(matches!(
        index("/out/index.json"),
        FetchError::Address { .. }
    ));
}

#[test]
fn a_package_holds_what_its_list_says_and_nothing_else() {
    let ground = Ground::new();
    let text = skill_text("pdf").into_bytes();
    let zip = zip_of(&[("SKILL.md", &text), ("extra.sh", b"x")]);
    let entry = |files: &str| {
        format!(
            r#"{{"name":"pdf","description":"d","files":[{files}],"package":{{"url":"/p.zip","digest":"sha256:{}"}}}}"#,
            sha256(&zip)
        )
    };
    let listed = |path: &str, bytes: &[u8]| {
        format!(r#"{{"path":"{path}","digest":"sha256:{}"}}"#, sha256(bytes))
    };
    let (skill, extra) = (listed("SKILL.md", &text), listed("extra.sh", b"x"));
    let server = Server::of_files(vec![
        ("/p.zip", zip.clone()),
        (
            "/good/index.json",
            final_index(&entry(&format!("{skill},{extra}"))),
        ),
        ("/more/index.json", final_index(&entry(&skill))),
        (
            "/less/index.json",
            final_index(&entry(&format!("{skill},{extra},{}", listed("x", b"x")))),
        ),
        (
            "/other/index.json",
            final_index(&entry(&format!("{skill},{}", listed("extra.sh", b"y")))),
        ),
    ]);
    let index = |path: &str| ground.fetch(&format!("well-known:{}", server.url(path)));
    assert!(index("/good/index.json").is_ok());
    for (path, reason) in [
        (
            "/more/index.json",
            "has `extra.sh`, which its list does not",
        ),
        ("/less/index.json", "lacks `x`"),
        ("/other/index.json", "is not what its index says"),
    ] {
        let error = index(path).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn a_site_that_is_a_repository_and_one_that_is_neither() {
    let ground = Ground::new();
    let repository = Repository::new(&ground.path().join("repos/team/repo"));
    repository.skill("skills/pdf");
    repository.commit();
    fs::rename(
        repository.directory.join(".git"),
        ground.path().join("repos/team/bare"),
    )
    .unwrap();
    let server = Server::of_repositories(&ground.path().join("repos"), |_| true);
    let fetched = ground.fetch(&server.url("/team/bare")).unwrap();
    assert_eq!(ids(&fetched), ["pdf:skills/pdf"]);
    assert!(matches!(fetched.source, Source::Git(_)));
    let error = ground.fails(&server.url("/team/none"));
    assert!(matches!(error, FetchError::NothingThere { .. }), "{error}");
}

#[test]
fn a_hub() {
    let mut ground = Ground::new();
    let repository = Repository::new(&ground.path().join("repos/lib"));
    repository.skill("skills/kept");
    repository.skill("skills/other");
    let commit = repository.commit();
    let host = Server::of_repositories(&ground.path().join("repos"), |_| true);
    let git = format!("git+{}", host.url("/lib/.git"));
    let hand_off = format!(
        r#"{{"repo":"{git}","commit":"{commit}","path":"skills/kept","contentHash":"x","archiveUrl":"https://h/x.zip"}}"#
    );
    let stolen = format!(r#"{{"repo":"/etc","commit":"{commit}"}}"#);
    let about =
        r#"{"skill":{"slug":"pdf"},"latestVersion":{"version":"1.2.0"},"owner":{"handle":"ann"}}"#;
    let server = Server::start(move |request| match request.url() {
        "/.well-known/clawhub.json" => Reply::of(r#"{"apiBase":"/hub","minCliVersion":"0"}"#),
        "/hub/api/v1/skills/pdf" | "/hub/api/v1/skills/kept" | "/hub/api/v1/skills/stolen" => {
            Reply::of(about)
        }
        "/hub/api/v1/skills/gone" => Reply::status(410),
        "/hub/api/v1/download?slug=pdf&version=1.2.0"
        | "/hub/api/v1/download?slug=pdf&version=1.0.0"
        | "/hub/api/v1/download?slug=pdf&tag=beta" => Reply::of(archive()),
        "/hub/api/v1/download?slug=kept&version=1.2.0" => Reply::of(hand_off.clone()),
        "/hub/api/v1/download?slug=stolen&version=1.2.0" => Reply::of(stolen.clone()),
        _ => Reply::status(404),
    });
    assert!(matches!(ground.fails("hub:pdf"), FetchError::NoHub));
    ground.settings.hub = Some(Address::parse(&server.url("/"), Permission::Encrypted).unwrap());
    let fetched = ground.fetch("hub:pdf").unwrap();
    assert_eq!(fetched.resolution.version.as_deref(), Some("1.2.0"));
    assert_eq!(ids(&fetched), ["pdf:"]);
    let fetched = ground.fetch("hub:@ann/pdf@1.0.0").unwrap();
    assert_eq!(fetched.resolution.version.as_deref(), Some("1.0.0"));
    assert!(ground.fetch("hub:pdf@beta").is_ok());
    assert!(matches!(
        ground.fails("hub:@bob/pdf"),
        FetchError::NotOnHub { .. }
    ));
    assert!(matches!(
        ground.fails("hub:none"),
        FetchError::NotOnHub { .. }
    ));
    assert!(matches!(ground.fails("hub:gone"), FetchError::Removed(_)));
    let fetched = ground.fetch("hub:kept").unwrap();
    assert_eq!(ids(&fetched), ["kept:skills/kept"]);
    assert_eq!(fetched.resolution.commit, Some(commit));
    assert!(matches!(fetched.source, Source::Hub(_)));
    let error = ground.fails("hub:stolen");
    assert!(
        error.to_string().contains("is no repository on the web"),
        "{error}"
    );
}

#[test]
fn a_site_with_a_slash_at_its_end_is_kept_as_the_repository_without() {
    let ground = Ground::new();
    let repository = Repository::new(&ground.path().join("repos/team/repo"));
    repository.skill("skills/pdf");
    repository.commit();
    let server = Server::of_repositories(&ground.path().join("repos"), |_| true);
    let fetched = ground.fetch(&server.url("/team/repo/.git/")).unwrap();
    let kept = fetched.source.to_string();
    assert_eq!(kept, format!("git+{}", server.url("/team/repo/.git")));
    assert_eq!(ground.source(&kept), fetched.source);
    let error = ground.fails(&server.url("/team/repo?x=y"));
    assert!(matches!(error, FetchError::NothingThere { .. }), "{error}");
}
