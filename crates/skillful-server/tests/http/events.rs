//! What happens, as it happens.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::server::{Home, Server};

/// A reader of events.
struct Reader(BufReader<TcpStream>);

impl Reader {
    fn new(server: &Server, path: &str, last: Option<&str>) -> Self {
        let mut stream = server.connect();
        let last = last.map_or(String::new(), |id| format!("Last-Event-ID: {id}\r\n"));
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: localhost\r\n{last}\r\n"
        )
        .unwrap();
        let mut reader = Self(BufReader::new(stream));
        assert!(reader.line().unwrap().contains(" 200 "));
        // It follows from here on, before anything happens.
        while reader.line().unwrap() != "" {}
        reader
    }

    /// Nothing at the end.
    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let count = self.0.read_line(&mut line).unwrap();
        (count > 0).then(|| line.trim_end().to_owned())
    }

    /// The next event; its data.
    fn event(&mut self) -> Option<Value> {
        loop {
            let line = self.line()?;
            if let Some(data) = line.strip_prefix("data: ") {
                return Some(serde_json::from_str(data).unwrap());
            }
        }
    }
}

#[test]
fn events_come_as_they_happen_and_are_taken_up_again() {
    let home = Home::with_demo();
    let mut server = home.serve();
    server.json("/api/v1/skills");
    let mut reader = Reader::new(&server, "/api/v1/events", None);
    let pinned = server.send(
        "PUT",
        "/api/v1/skills/demo/switches",
        &json!({"enabled": false}),
    );
    assert_eq!(pinned.status, 200, "{}", pinned.text());
    let first = reader.event().unwrap();
    let sequence = first["sequence"].as_u64().unwrap();

    let before = (sequence - 1).to_string();
    let mut again = Reader::new(&server, "/api/v1/events", Some(&before));
    assert_eq!(again.event().unwrap(), first);
    let mut since = Reader::new(&server, &format!("/api/v1/events?since={before}"), None);
    assert_eq!(since.event().unwrap(), first);
    // A number that was not given yet, as after a restart.
    let mut lost = Reader::new(&server, "/api/v1/events?since=99999", None);
    assert_eq!(lost.event().unwrap()["kind"], "resync");
    assert_eq!(server.get("/api/v1/events?since=x").status, 400);

    server.stop();
    while reader.line().is_some() {}
}

#[test]
fn only_so_many_may_follow() {
    let home = Home::with_demo();
    let server = home.serve();
    let readers: Vec<Reader> = (0..skillful_server::limits::FOLLOWERS)
        .map(|_| Reader::new(&server, "/api/v1/events", None))
        .collect();
    let answer = server.get("/api/v1/events");
    assert_eq!((answer.status, answer.kind()), (503, "busy".to_owned()));
    assert_eq!(server.get("/healthz").status, 200);
    drop(readers);
}
