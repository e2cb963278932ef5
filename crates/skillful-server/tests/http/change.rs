//! Changing skills and the configuration.

use serde_json::json;

use crate::server::{Home, read_text};

#[test]
fn a_skill_is_written_edited_and_brought_back() {
    let home = Home::new();
    let server = home.serve();
    let new = json!({"name": "Release notes", "description": "Writes notes. Use when a version is tagged."});
    let made = server.send("POST", "/api/v1/skills", &new);
    assert_eq!(made.status, 201, "{}", made.text());
    assert_eq!(made.header("location"), "/api/v1/skills/release-notes");
    let again = server.send("POST", "/api/v1/skills", &new);
    assert_eq!((again.status, again.kind()), (409, "conflict".to_owned()));

    let source = server.json("/api/v1/skills/release-notes/source");
    let digest = source["digest"].as_str().unwrap();
    let text = format!("{}\nMore.\n", source["text"].as_str().unwrap());
    let stale = json!({"text": text, "expect_digest": "sha256:0"});
    let refused = server.send("PUT", "/api/v1/skills/release-notes/source", &stale);
    assert_eq!(
        (refused.status, refused.kind()),
        (409, "conflict".to_owned())
    );
    let headers = [
        ("Content-Type", "application/json"),
        ("If-Match", &format!("\"{digest}\"") as &str),
    ];
    let body = json!({"text": text}).to_string();
    let edited = server.ask(
        "PUT",
        "/api/v1/skills/release-notes/source",
        &headers,
        &body,
    );
    assert_eq!(edited.status, 200, "{}", edited.text());
    let seq = edited.json()["seq"].as_u64().unwrap();

    let change = server.json(&format!("/api/v1/history/{seq}"));
    let diff = change["places"][0]["files"][0]["diff"].as_str().unwrap();
    assert!(diff.contains("+More."), "{diff}");
    let path = made.json()["path"].as_str().unwrap().to_owned();
    assert!(read_text(path.as_ref()).ends_with("More.\n"));
    assert_eq!(
        server
            .send("POST", &format!("/api/v1/history/{seq}/undo"), &json!({}))
            .status,
        200
    );
    assert!(!read_text(path.as_ref()).ends_with("More.\n"));
    assert_eq!(
        server
            .send("POST", "/api/v1/history/redo", &json!({}))
            .status,
        200
    );
    assert!(read_text(path.as_ref()).ends_with("More.\n"));
    assert_eq!(server.get("/api/v1/history/999").status, 404);

    let file = json!({"base64": "AAEC"});
    let written = server.send("PUT", "/api/v1/skills/release-notes/files/data.bin", &file);
    assert_eq!(written.status, 200, "{}", written.text());
    let both = json!({"text": "x", "base64": "AAEC"});
    assert_eq!(
        server
            .send("PUT", "/api/v1/skills/release-notes/files/a", &both)
            .status,
        400
    );
    assert_eq!(
        server
            .send(
                "DELETE",
                "/api/v1/skills/release-notes/files/data.bin",
                &json!({})
            )
            .status,
        200
    );
    let renamed = server.send(
        "POST",
        "/api/v1/skills/release-notes/rename",
        &json!({"name": "notes"}),
    );
    assert_eq!(renamed.json()["id"], "notes", "{}", renamed.text());
    assert_eq!(
        server
            .send("DELETE", "/api/v1/skills/notes", &json!({}))
            .status,
        200
    );
    assert_eq!(server.get("/api/v1/skills/notes").status, 404);
}

#[test]
fn what_comes_with_the_program_is_not_changed() {
    let home = Home::new();
    let server = home.serve();
    let answer = server.send("DELETE", "/api/v1/skills/writing-skills", &json!({}));
    assert_eq!((answer.status, answer.kind()), (403, "refused".to_owned()));
}

#[test]
fn fixes_are_applied_as_one_change() {
    let home = Home::new();
    home.write(
        "home/.claude/skills/mend/SKILL.md",
        "---\nname: mend\ndescription: Mends: use when asked.\n---\nText.\n",
    );
    let server = home.serve();
    let fixed = server.send("POST", "/api/v1/skills/mend/fix", &json!({}));
    assert_eq!(fixed.status, 200, "{}", fixed.text());
    let text = read_text(&home.path().join("home/.claude/skills/mend/SKILL.md"));
    assert!(
        text.contains("\"Mends: use when asked.\"") || text.contains("'Mends: use when asked.'"),
        "{text}"
    );
    let again = server.send("POST", "/api/v1/skills/mend/fix", &json!({}));
    assert_eq!(again.json()["outcome"], "unchanged");
}

#[test]
fn switches_and_settings_are_kept_in_the_configuration() {
    let home = Home::with_demo();
    let server = home.serve();
    let path = "/api/v1/skills/demo/switches";
    let off = server.send("PUT", path, &json!({"enabled": false}));
    assert_eq!(off.json()["state"], "disabled", "{}", off.text());
    assert_eq!(server.json("/api/v1/skills/demo")["state"], "disabled");
    assert_eq!(
        server.send("PUT", path, &json!({"enabled": true})).json()["state"],
        "ready"
    );
    assert_eq!(server.send("PUT", path, &json!({})).status, 400);
    assert_eq!(
        server.send("PUT", path, &json!({"mode": "odd"})).status,
        400
    );

    let key = "/api/v1/config/catalog.max-tokens";
    let set = server.send("PUT", key, &json!({"value": "500"}));
    assert_eq!(set.json()["value"], 500, "{}", set.text());
    assert_eq!(
        server.json("/api/v1/config?key=catalog.max-tokens")["settings"][0]["value"],
        500
    );
    assert_eq!(
        server.send("PUT", key, &json!({"value": "many"})).status,
        400
    );
    assert_eq!(
        server.send("DELETE", key, &json!({})).json()["changed"],
        true
    );
    let odd = server.send(
        "PUT",
        "/api/v1/config/catalog.max-token",
        &json!({"value": "1"}),
    );
    assert_eq!(
        odd.json()["hints"][0],
        "did you mean `max-tokens`?",
        "{}",
        odd.text()
    );
}

#[test]
fn choices_are_made_and_taken_back() {
    let home = Home::with_demo();
    let server = home.serve();
    let post = |what: &str, body: serde_json::Value| {
        let answer = server.send("POST", &format!("/api/v1/skills/demo/{what}"), &body);
        assert_eq!(answer.status, 200, "{what}: {}", answer.text());
        answer.json()["outcome"].clone()
    };
    assert_eq!(post("pin", json!({})), "pinned");
    assert_eq!(post("unpin", json!({})), "unpinned");
    assert_eq!(post("archive", json!({"reason": "old"})), "archived");
    assert_eq!(post("restore", json!({})), "restored");
    let digest = server.json("/api/v1/skills/demo/source")["digest"].clone();
    assert_eq!(
        post("accept", json!({"digest": digest, "reason": "read it"})),
        "accepted"
    );
    let other = json!({"digest": "sha256:0", "reason": "x"});
    let other = server.send("POST", "/api/v1/skills/demo/accept", &other);
    assert_eq!((other.status, other.kind()), (409, "conflict".to_owned()));
    let revoked = server.send("DELETE", "/api/v1/skills/demo/accept", &json!({}));
    assert_eq!(revoked.json()["outcome"], "revoked");
}
