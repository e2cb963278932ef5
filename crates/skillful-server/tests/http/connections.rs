//! Clients that are slow, many, or gone.

use std::io::{Read, Write};
use std::time::Duration;

use crate::server::{Home, until};

#[test]
fn a_head_that_does_not_come_to_an_end_ends_the_connection() {
    let home = Home::with_demo();
    let server = home.serve_with(|options| options.head_time = Duration::from_millis(300));
    let mut slow = server.connect();
    slow.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-")
        .unwrap();
    let mut silent = server.connect();
    let mut rest = Vec::new();
    slow.read_to_end(&mut rest).unwrap();
    assert!(
        !String::from_utf8_lossy(&rest).contains(" 200 "),
        "{rest:?}"
    );
    let mut rest = Vec::new();
    silent.read_to_end(&mut rest).unwrap();
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn idle_connections_make_room_for_new_ones() {
    let home = Home::with_demo();
    let server = home.serve_with(|options| options.connections = 4);
    let idle: Vec<_> = (0..40).map(|_| server.connect()).collect();
    for _ in 0..10 {
        assert_eq!(server.get("/healthz").status, 200);
    }
    drop(idle);
}

#[test]
fn a_connection_that_is_used_is_not_the_one_that_makes_room() {
    let home = Home::with_demo();
    let server = home.serve_with(|options| options.connections = 4);
    let mut events = server.connect();
    events
        .write_all(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .unwrap();
    let mut head = [0; 15];
    events.read_exact(&mut head).unwrap();
    let idle: Vec<_> = (0..20).map(|_| server.connect()).collect();
    for _ in 0..5 {
        assert_eq!(server.get("/healthz").status, 200);
    }
    home.skill("late", "Comes late. Use when asked.");
    until(|| {
        let mut bytes = [0; 512];
        let count = events.read(&mut bytes).unwrap();
        assert_ne!(count, 0, "the events were cut off");
        String::from_utf8_lossy(&bytes[..count])
            .contains("late")
            .then_some(())
    });
    drop(idle);
}

#[test]
fn who_vanishes_in_the_middle_takes_nothing_along() {
    let home = Home::with_demo();
    home.write(
        "home/.claude/skills/demo/large.txt",
        &"line\n".repeat(150_000),
    );
    let server = home.serve();
    for _ in 0..20 {
        let mut client = server.connect();
        let path = "/api/v1/skills/demo/files/large.txt";
        write!(client, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let mut some = [0; 100];
        client.read_exact(&mut some).unwrap();
    }
    for _ in 0..5 {
        let mut client = server.connect();
        client
            .write_all(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .unwrap();
        let mut some = [0; 10];
        client.read_exact(&mut some).unwrap();
    }
    until(|| {
        let metrics = server.get("/metrics").text();
        metrics
            .contains("skillful_event_followers 0\n")
            .then_some(())
    });
    assert_eq!(server.get("/api/v1/skills").status, 200);
}

#[test]
fn an_answer_that_is_under_way_is_finished_when_the_server_ends() {
    let home = Home::with_demo();
    home.write(
        "home/.claude/skills/demo/large.txt",
        &"line\n".repeat(150_000),
    );
    let mut server = home.serve();
    let path = "/api/v1/skills/demo/files/large.txt";
    let mut client = server.connect();
    write!(
        client,
        "GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/octet-stream\r\n\r\n"
    )
    .unwrap();
    let mut first = [0; 1];
    client.read_exact(&mut first).unwrap();
    let reader = std::thread::spawn(move || {
        let mut rest = Vec::new();
        client.read_to_end(&mut rest).unwrap();
        rest
    });
    server.stop();
    let rest = reader.join().unwrap();
    assert!(rest.ends_with(b"line\n"));
    assert!(rest.len() > 750_000, "{}", rest.len());
    assert!(std::net::TcpStream::connect(server.address).is_err());
}
