//! Requests that want something else than they say.

use std::fmt::Write as _;
use std::num::NonZeroU32;

use serde_json::json;

use crate::server::Home;

const EVERYWHERE: [&str; 6] = [
    "/",
    "/api/v1/skills",
    "/mcp",
    "/healthz",
    "/metrics",
    "/.well-known/agent-skills/index.json",
];

#[test]
fn a_name_that_is_not_ours_is_answered_nowhere() {
    let home = Home::with_demo();
    let server = home.serve_with(|options| options.allow_hosts = vec!["skills.example.org".into()]);
    for path in EVERYWHERE {
        for host in [
            "evil.example",
            "evil.example:80",
            "localhost.evil.example",
            "10.0.0.1",
        ] {
            let answer = server.ask("GET", path, &[("Host", host)], "");
            assert_eq!(
                (answer.status, answer.kind()),
                (421, "foreign-host".into()),
                "{host} {path}"
            );
        }
    }
    for host in ["localhost", "127.0.0.1:9", "[::1]", "skills.example.org"] {
        assert_eq!(
            server.ask("GET", "/healthz", &[("Host", host)], "").status,
            200,
            "{host}"
        );
    }
    let none = server.raw(b"GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n");
    assert_eq!(none.status, 421);
    let two = server.raw(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert_ne!(two.status, 200);
    let absolute = server.raw(
        b"GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    );
    assert_eq!(absolute.status, 421);
}

#[test]
fn pages_of_other_sites_may_not_ask() {
    let home = Home::with_demo();
    let server =
        home.serve_with(|options| options.allow_origins = vec!["https://app.example.org".into()]);
    for path in EVERYWHERE {
        for origin in [
            "https://evil.example",
            "null",
            "http://127.0.0.1:1",
            "http://localhost.evil",
        ] {
            let answer = server.ask("GET", path, &[("Origin", origin)], "");
            assert_eq!(
                (answer.status, answer.kind()),
                (403, "foreign-origin".into()),
                "{origin} {path}"
            );
            assert_eq!(answer.header("access-control-allow-origin"), "");
        }
    }
    let own = format!("http://{}", server.address);
    let answer = server.ask("GET", "/api/v1/skills", &[("Origin", &own)], "");
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("access-control-allow-origin"), "");
    let listed = ("Origin", "https://app.example.org");
    let answer = server.ask("GET", "/api/v1/skills", &[listed], "");
    assert_eq!(
        answer.header("access-control-allow-origin"),
        "https://app.example.org"
    );
    assert_eq!(
        server
            .ask("OPTIONS", "/api/v1/skills", &[listed], "")
            .status,
        204
    );
    let image = server.ask(
        "GET",
        "/api/v1/skills",
        &[("Sec-Fetch-Site", "cross-site")],
        "",
    );
    assert_eq!(image.kind(), "foreign-origin");
}

#[test]
fn only_json_changes_anything() {
    let home = Home::with_demo();
    let server = home.serve();
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "",
    ] {
        for (method, path) in [
            ("POST", "/api/v1/skills"),
            ("DELETE", "/api/v1/skills/demo"),
        ] {
            let answer = server.ask(method, path, &[("Content-Type", kind)], "{}");
            assert_eq!(
                (answer.status, answer.kind()),
                (415, "media-type".into()),
                "{method} {kind}"
            );
        }
    }
    for body in ["", "{", "[]", "{\"name\":1}", "{\"unknown\":true}", "null"] {
        let headers = [("Content-Type", "application/json; charset=utf-8")];
        let answer = server.ask("POST", "/api/v1/skills", &headers, body);
        assert_eq!(
            (answer.status, answer.kind()),
            (400, "invalid".into()),
            "{body}"
        );
    }
    assert_eq!(server.json("/api/v1/skills?source=global")["total"], 1);
}

#[test]
fn a_body_that_is_too_large_is_refused_before_it_is_read() {
    let home = Home::with_demo();
    let server = home.serve();
    let body = format!("{{\"text\":\"{}\"}}", "x".repeat(10 << 20));
    let declared = format!(
        "POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    let answer = server.raw(declared.as_bytes());
    assert_eq!((answer.status, answer.kind()), (413, "too-large".into()));
    let mut chunked = "POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
        Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        .to_owned();
    for chunk in body.as_bytes().chunks(1 << 20) {
        write!(
            chunked,
            "{:x}\r\n{}\r\n",
            chunk.len(),
            std::str::from_utf8(chunk).unwrap()
        )
        .unwrap();
    }
    chunked.push_str("0\r\n\r\n");
    let answer = server.raw(chunked.as_bytes());
    // Where the server closes while the client still sends, the answer may be lost on the way.
    assert!(matches!(answer.status, 413 | 0), "{answer:?}");
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn no_path_leads_out_of_a_skill() {
    let home = Home::with_demo();
    home.write("home/.claude/skills/secret.txt", "secret");
    home.write("secret.txt", "secret");
    let server = home.serve();
    let ways = [
        "../secret.txt",
        "..%2fsecret.txt",
        "%2e%2e/secret.txt",
        "%2e%2e%2fsecret.txt",
        "..%5csecret.txt",
        "notes/../../secret.txt",
        "notes%2f..%2f..%2fsecret.txt",
        "./../secret.txt",
        "%252e%252e%252fsecret.txt",
        "%2fetc%2fpasswd",
        "/etc/passwd",
        "..%00/secret.txt",
        "notes/%00",
        "..;/secret.txt",
        "%c0%ae%c0%ae/secret.txt",
    ];
    for way in ways {
        for path in [
            format!("/api/v1/skills/demo/files/{way}"),
            format!("/api/v1/skills/{way}"),
            format!("/api/v1/skills/{way}/source"),
            format!("/api/v1/skills/{way}/files/SKILL.md"),
            format!("/api/v1/explain/{way}"),
            format!("/api/v1/diff/{way}"),
            format!("/api/v1/plans/{way}"),
            format!("/.well-known/agent-skills/{way}"),
            format!("/.well-known/skills/demo/{way}"),
            format!("/.well-known/skills/{way}/SKILL.md"),
            format!("/panel/{way}"),
        ] {
            let answer = server.get(&path);
            assert!(
                (400..500).contains(&answer.status),
                "{path}: {}",
                answer.status
            );
            assert!(
                !answer.text().contains("secret\n") && answer.text() != "secret",
                "{path}"
            );
            assert!(!answer.text().contains("root:"), "{path}");
        }
        let body = json!({"text": "x"}).to_string();
        let headers = [("Content-Type", "application/json")];
        let path = format!("/api/v1/skills/demo/files/{way}");
        let written = server.ask("PUT", &path, &headers, &body);
        if written.status == 200 {
            // What is escaped twice is a name with percent signs in it.
            let path = written.json()["path"].as_str().unwrap().to_owned();
            let directory = home.path().join("home/.claude/skills/demo");
            assert_eq!(
                std::path::Path::new(&path).parent(),
                Some(&*directory),
                "{way}"
            );
        } else {
            assert!(
                (400..500).contains(&written.status),
                "{way}: {}",
                written.text()
            );
        }
    }
    let secret = home.path().join("home/.claude/skills/secret.txt");
    assert_eq!(crate::server::read_text(&secret), "secret");
}

#[test]
fn names_of_skills_do_not_become_paths() {
    let home = Home::new();
    let server = home.serve();
    for name in ["../x", "a/b", "/etc", "..", "a\\b"] {
        let new = json!({"name": name, "description": "Does it. Use when asked."});
        let answer = server.send("POST", "/api/v1/skills", &new);
        if answer.status == 201 {
            let path = answer.json()["path"].as_str().unwrap().to_owned();
            let root = home.path().join("home/.agents/skills");
            let below = std::path::Path::new(&path).strip_prefix(root).unwrap();
            assert_eq!(below.components().count(), 2, "{path}");
        } else {
            assert!(
                (400..500).contains(&answer.status),
                "{name}: {}",
                answer.text()
            );
        }
    }
}

#[test]
fn who_asks_too_often_has_to_wait() {
    let home = Home::with_demo();
    let server = home.serve_with(|options| options.requests_per_second = NonZeroU32::MIN);
    let answers: Vec<u16> = (0..20).map(|_| server.get("/healthz").status).collect();
    assert_eq!(answers[0], 200);
    assert!(answers.contains(&429), "{answers:?}");
    let answer = crate::server::until(|| {
        let answer = server.get("/healthz");
        (answer.status == 429).then_some(answer)
    });
    assert_eq!(answer.kind(), "too-many-requests");
    assert!(answer.header("retry-after").parse::<u64>().unwrap() >= 1);
}

#[test]
fn every_answer_says_what_a_browser_may_do_with_it() {
    let home = Home::with_demo();
    let server = home.serve();
    for path in [
        "/api/v1/skills",
        "/api/v1/skills/none",
        "/nowhere",
        "/healthz",
        "/metrics",
    ] {
        let answer = server.get(path);
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'"), "{path}: {policy}");
        assert!(!answer.header("x-request-id").is_empty(), "{path}");
    }
    let headers = [("X-Request-Id", "mine-1")];
    assert_eq!(
        server
            .ask("GET", "/healthz", &headers, "")
            .header("x-request-id"),
        "mine-1"
    );
    let headers = [("X-Request-Id", "not plain\t")];
    assert_ne!(
        server
            .ask("GET", "/healthz", &headers, "")
            .header("x-request-id"),
        "not plain\t"
    );
}
