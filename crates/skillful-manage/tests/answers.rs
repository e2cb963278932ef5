//! What was fetched once and has not changed is not sent again.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is the report")]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use skillful_manage::source::fetch::FetchError;
use skillful_manage::source::{Address, Permission};

mod common;
use common::changing::{Changing, asked_with};
use common::*;

fn archive(name: &str) -> Vec<u8> {
    zip_of(&[("SKILL.md", skill_text(name).as_bytes())])
}

fn ground() -> Ground {
    let mut ground = Ground::new();
    ground.settings.answers = Some(ground.path().join("data/cache/answers"));
    ground
}

fn entries(ground: &Ground) -> Vec<PathBuf> {
    let directory = ground.settings.answers.as_ref().unwrap();
    let entries = fs::read_dir(directory).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn an_archive_is_sent_when_it_changed_and_not_before() {
    for (name, question, first, second) in [
        ("ETag", "If-None-Match", "\"one\"", "\"two\""),
        ("ETag", "If-None-Match", "W/\"one\"", "W/\"two\""),
        (
            "Last-Modified",
            "If-Modified-Since",
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Mon, 07 Nov 1994 08:49:37 GMT",
        ),
    ] {
        let ground = ground();
        let web = Changing::start(name, question);
        web.set("/pack.zip", first, archive("pdf"));
        let url = web.server.url("/pack.zip");
        let fresh = ground.fetch(&url).unwrap();
        assert_eq!(web.sent(), 1);
        let kept = ground.fetch(&url).unwrap();
        assert_eq!(web.sent(), 0, "{name}");
        assert_eq!(kept.resolution, fresh.resolution);
        assert_eq!(ids(&kept), ids(&fresh));
        let text = |directory: &PathBuf| fs::read(directory.join("SKILL.md")).unwrap();
        assert_eq!(text(&kept.directory), text(&fresh.directory));

        web.set("/pack.zip", second, archive("notes"));
        let newer = ground.fetch(&url).unwrap();
        assert_eq!(web.sent(), 1);
        let names = |it: &skillful_manage::source::fetch::Fetched| it.skills.skills[0].name.clone();
        assert_eq!(names(&newer), "notes");
        assert_eq!(entries(&ground).len(), 1, "one answer for one address");
        assert_eq!(names(&ground.fetch(&url).unwrap()), "notes");
        assert_eq!(web.sent(), 0);
    }
}

#[test]
fn of_an_index_only_what_changed_is_sent() {
    let ground = ground();
    let web = Changing::start("ETag", "If-None-Match");
    let index = |pdf: &[u8], notes: &[u8]| {
        let entry = |name: &str, bytes: &[u8]| {
            format!(
                r#"{{"name":"{name}","type":"archive","description":"d","url":"/{name}.zip","digest":"sha256:{}"}}"#,
                sha256(bytes)
            )
        };
        format!(
            r#"{{"$schema":"https://schemas.agentskills.io/discovery/0.2.0/schema.json","skills":[{},{}]}}"#,
            entry("pdf", pdf),
            entry("notes", notes)
        )
    };
    let (pdf, notes, newer) = (archive("pdf"), archive("notes"), archive("notes-2"));
    let place = "/.well-known/agent-skills/index.json";
    web.set(place, "\"1\"", index(&pdf, &notes));
    web.set("/pdf.zip", "\"p\"", pdf.clone());
    web.set("/notes.zip", "\"n\"", notes);
    let url = format!("well-known:{}", web.server.url("/"));
    ground.fetch(&url).unwrap();
    assert_eq!(web.sent(), 3);
    ground.fetch(&url).unwrap();
    assert_eq!(web.sent(), 0);

    web.set(place, "\"2\"", index(&pdf, &newer));
    web.set("/notes.zip", "\"m\"", newer);
    ground.fetch(&url).unwrap();
    assert_eq!(web.sent(), 2);

    // A server that says that nothing changed, although its own list says otherwise, is caught by the digest.
    web.set(place, "\"3\"", index(&pdf, b"other"));
    let error = ground.fails(&url);
    assert!(matches!(error, FetchError::Digest { .. }), "{error}");
}

#[test]
fn a_hub_sends_nothing_twice() {
    let mut ground = ground();
    let web = Changing::start("ETag", "If-None-Match");
    web.set("/.well-known/clawhub.json", "\"d\"", "{}");
    web.set(
        "/api/v1/skills/pdf",
        "\"a\"",
        r#"{"latestVersion":{"version":"1.0.0"}}"#,
    );
    let download = "/api/v1/download?slug=pdf&version=1.0.0";
    web.set(download, "\"z\"", archive("pdf"));
    ground.settings.hub =
        Some(Address::parse(&web.server.url("/"), Permission::Encrypted).unwrap());
    for sent in [3, 0, 0] {
        let fetched = ground.fetch("hub:pdf").unwrap();
        assert_eq!(fetched.resolution.version.as_deref(), Some("1.0.0"));
        assert_eq!(web.sent(), sent);
    }
}

#[test]
fn a_redirection_is_asked_every_time_and_what_it_leads_to_is_not_sent_again() {
    let ground = ground();
    let sent = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&sent);
    let server = Server::start(move |request| match request.url() {
        "/latest.zip" => Reply::redirect("/1.zip").with("ETag", "\"r\""),
        "/1.zip" if asked_with(request, "If-None-Match").is_some() => Reply::status(304),
        "/1.zip" => {
            count.fetch_add(1, Ordering::SeqCst);
            Reply::of(archive("pdf")).with("ETag", "\"1\"")
        }
        _ => Reply::status(404),
    });
    ground.fetch(&server.url("/latest.zip")).unwrap();
    ground.fetch(&server.url("/latest.zip")).unwrap();
    assert_eq!(sent.load(Ordering::SeqCst), 1);
    assert_eq!(
        *server.asked.lock().unwrap(),
        ["/latest.zip", "/1.zip", "/latest.zip", "/1.zip"]
    );
}

#[test]
fn an_answer_that_was_damaged_is_fetched_again() {
    let ground = ground();
    let web = Changing::start("ETag", "If-None-Match");
    web.set("/pack.zip", "\"one\"", archive("pdf"));
    let url = web.server.url("/pack.zip");
    ground.fetch(&url).unwrap();
    let [entry] = &entries(&ground)[..] else {
        panic!("one answer is kept");
    };
    let mut bytes = fs::read(entry).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(entry, bytes).unwrap();
    web.sent();
    assert_eq!(ids(&ground.fetch(&url).unwrap()), ["pdf:"]);
    assert_eq!(web.sent(), 1);
    fs::remove_dir_all(ground.path().join("data")).unwrap();
    assert!(ground.fetch(&url).is_ok());
    assert_eq!(web.sent(), 1);
}

#[test]
fn a_server_that_says_unchanged_unasked_has_given_nothing() {
    let ground = ground();
    let server = Server::start(|_| Reply::status(304).with("ETag", "\"one\""));
    let error = ground.fails(&server.url("/pack.zip"));
    assert!(
        matches!(error, FetchError::Status { status: 304, .. }),
        "{error}"
    );
}

/// Whatever a server calls its answers, nothing but a name of the standard's form is kept or sent back.
#[test]
fn hostile_names_are_not_kept() {
    let long = format!("\"{}\"", "x".repeat(10_000));
    for (header, value) in [
        ("ETag", "no quotes"),
        ("ETag", long.as_str()),
        ("ETag", "\"a\" , \"b\""),
        ("Last-Modified", "yesterday"),
        ("Cache-Control", "no-store"),
    ] {
        let ground = ground();
        let is_forbidden = header == "Cache-Control";
        let value = value.to_owned();
        let server = Server::start(move |request| {
            assert_eq!(asked_with(request, "If-None-Match"), None);
            assert_eq!(asked_with(request, "If-Modified-Since"), None);
            let reply = Reply::of(archive("pdf")).with(header, &value);
            if is_forbidden {
                reply.with("ETag", "\"fine\"")
            } else {
                reply
            }
        });
        for _ in 0..2 {
            ground.fetch(&server.url("/pack.zip")).unwrap();
        }
        assert_eq!(entries(&ground), Vec::<PathBuf>::new(), "{header}");
    }
}

#[test]
fn what_is_over_a_limit_is_not_kept_and_a_kept_answer_is_bounded_as_well() {
    let mut ground = ground();
    let web = Changing::start("ETag", "If-None-Match");
    web.set("/pack.zip", "\"one\"", archive("pdf"));
    let url = web.server.url("/pack.zip");
    let size = archive("pdf").len() as u64;
    ground.settings.download_bytes = size - 1;
    let is_too_large = |ground: &Ground| matches!(ground.fails(&url), FetchError::TooLarge { .. });
    assert!(is_too_large(&ground));
    assert_eq!(entries(&ground), Vec::<PathBuf>::new());
    ground.settings.download_bytes = size;
    ground.fetch(&url).unwrap();
    web.sent();
    ground.settings.download_bytes = size - 1;
    assert!(is_too_large(&ground));
    assert_eq!(web.sent(), 0);
}
