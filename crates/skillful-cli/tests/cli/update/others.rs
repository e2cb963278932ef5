//! Sources that are no repositories: they are compared by their digests.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::json;

use super::steps;
use super::world::World;
use crate::environment::skill_text;

#[test]
fn a_directory_is_compared_by_its_digest() {
    let world = World::new();
    world.skill("source", "notes", "");
    let source = world.at("source").display().to_string();
    assert_eq!(world.run(&["add", &source, "--yes"]).code, 0);
    assert_eq!(world.kinds(), [json!(["notes", "current"])]);
    world.skill("source", "notes", "\nNewer.\n");
    assert_eq!(world.kinds(), [json!(["notes", "update"])]);
    let updated = world.run(&["update", "--yes"]);
    assert_eq!(updated.code, 0, "{}", updated.transcript());
    assert!(world.installed("notes").contains("Newer"));
    fs::remove_dir_all(world.at("source/skills/notes")).unwrap();
    assert_eq!(world.kinds(), [json!(["notes", "removed"])]);
    fs::remove_dir_all(world.at("source")).unwrap();
    let kinds = world.kinds();
    assert_eq!(
        kinds,
        [json!(["notes", "unreachable"])],
        "a disk may be away"
    );
    let pruned = world.run(&["update", "--prune", "--yes"]);
    assert_eq!(pruned.code, 1);
    assert!(world.installed("notes").contains("Newer"));
}

/// Serves one text at every path, until the text is taken away; the port, and how often the text was sent.
fn serve(text: &Arc<Mutex<Option<String>>>) -> (u16, Arc<AtomicUsize>) {
    let sent = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&sent);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let text = Arc::clone(text);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 4096];
            let read = stream.read(&mut request).unwrap_or(0);
            let request = String::from_utf8_lossy(&request[..read]).to_lowercase();
            let answer = match &*text.lock().unwrap() {
                Some(text) if request.contains(&format!("if-none-match: \"{}\"", text.len())) => {
                    "HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n".to_owned()
                }
                Some(text) => {
                    count.fetch_add(1, Ordering::SeqCst);
                    format!(
                        "HTTP/1.1 200 OK\r\nContent-Type: text/markdown\r\nETag: \"{0}\"\r\nContent-Length: {0}\r\nConnection: close\r\n\r\n{text}",
                        text.len()
                    )
                }
                None => {
                    "HTTP/1.1 503 x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned()
                }
            };
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    (port, sent)
}

#[test]
fn a_document_on_the_web_is_compared_by_its_digest() {
    let world = World::new();
    let text = Arc::new(Mutex::new(Some(skill_text("notes"))));
    let (port, sent) = serve(&text);
    let url = format!("http://127.0.0.1:{port}/notes/SKILL.md");
    let added = world.run(&["add", &url, "--yes"]);
    assert_eq!(added.code, 0, "{}", added.transcript());
    assert_eq!(world.kinds(), [json!(["notes", "current"])]);
    assert_eq!(
        sent.load(Ordering::SeqCst),
        1,
        "what is unchanged is not sent"
    );
    *text.lock().unwrap() = Some(format!("{}\nNewer.\n", skill_text("notes")));
    assert_eq!(world.kinds(), [json!(["notes", "update"])]);
    let updated = world.run(&["update", "--yes"]);
    assert_eq!(updated.code, 0, "{}", updated.transcript());
    assert!(world.installed("notes").contains("Newer"));
    assert_eq!(world.kinds(), [json!(["notes", "current"])]);
    assert_eq!(sent.load(Ordering::SeqCst), 2);
    *text.lock().unwrap() = None;
    let pruned = world.run(&["update", "--prune", "--yes", "--json"]);
    assert_eq!(
        steps(&pruned),
        [json!(["notes", "unreachable", "unreachable"])]
    );
    assert!(world.installed("notes").contains("Newer"));
}
