//! The description of the interface.

use crate::server::Home;

#[test]
fn the_interface_is_described_for_programs_and_for_people() {
    let home = Home::with_demo();
    let server = home.serve();
    let document = server.json("/api/v1/openapi.json");
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    let paths = document["paths"].as_object().unwrap();
    for path in [
        "/skills",
        "/skills/{id}",
        "/plans/{plan}/apply",
        "/history/{seq}",
        "/config/{key}",
    ] {
        assert!(paths.contains_key(path), "{path} is not described");
    }
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().unwrap() {
            assert!(
                operation["summary"].is_string(),
                "{method} {path} has no summary"
            );
            let responses = operation["responses"].as_object().unwrap();
            assert!(
                responses.contains_key("default"),
                "{method} {path} tells no problems"
            );
        }
    }
    let page = server.get("/api/v1/docs");
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert!(!page.text().contains("<script"));
    assert!(
        page.header("content-security-policy")
            .contains("style-src 'sha256-")
    );
    for path in paths.keys() {
        let shown = path.replace('{', "{");
        assert!(page.text().contains(&shown), "{path}");
    }
    assert!(page.text().contains("id=\"not-found\""));
}

#[test]
fn agents_and_people_are_answered_at_the_same_address() {
    let home = Home::with_demo();
    let server = home.serve();
    let hello = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}});
    let headers = [
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
    ];
    let answer = server.ask("POST", "/mcp", &headers, &hello.to_string());
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(answer.text().contains("\"serverInfo\""));
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert!(page.header("content-type").starts_with("text/html"));
    let bare = home.serve_with(|options| {
        options.panel = false;
        options.mcp = None;
    });
    assert_eq!(bare.get("/").status, 404);
    assert_eq!(bare.ask("POST", "/mcp", &headers, "{}").status, 404);
}
