//! A server whose answers change, and which sends only what its asker does not have.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tiny_http::Request;

use super::{Reply, Server};

pub(crate) fn asked_with(request: &Request, name: &'static str) -> Option<String> {
    let mut headers = request.headers().iter();
    let found = headers.find(|header| header.field.equiv(name));
    found.map(|header| header.value.to_string())
}

/// A path with query, what the answer is called, and its body.
type Answer = (String, String, Vec<u8>);

/// A server of answers that can be changed, which counts those that it sends whole.
pub(crate) struct Changing {
    pub(crate) server: Server,
    answers: Arc<Mutex<Vec<Answer>>>,
    sent: Arc<AtomicUsize>,
}

impl Changing {
    /// `name` is the header that says what an answer is called, `question` the one that names it.
    pub(crate) fn start(name: &'static str, question: &'static str) -> Self {
        let answers = Arc::new(Mutex::new(Vec::<Answer>::new()));
        let sent = Arc::new(AtomicUsize::new(0));
        let (known, count) = (Arc::clone(&answers), Arc::clone(&sent));
        let server = Server::start(move |request| {
            let known = known.lock().unwrap();
            let found = known.iter().find(|(path, ..)| path == request.url());
            let Some((_, value, body)) = found else {
                return Reply::status(404);
            };
            if asked_with(request, question).as_deref() == Some(value) {
                return Reply::status(304).with(name, value);
            }
            count.fetch_add(1, Ordering::SeqCst);
            Reply::of(body.clone()).with(name, value)
        });
        Self {
            server,
            answers,
            sent,
        }
    }

    pub(crate) fn set(&self, path: &str, value: &str, body: impl Into<Vec<u8>>) {
        let mut answers = self.answers.lock().unwrap();
        answers.retain(|(known, ..)| known != path);
        answers.push((path.to_owned(), value.to_owned(), body.into()));
    }

    /// Takes an answer away.
    pub(crate) fn remove(&self, path: &str) {
        let mut answers = self.answers.lock().unwrap();
        answers.retain(|(known, ..)| known != path);
    }

    /// How many answers were sent whole since the last time.
    pub(crate) fn sent(&self) -> usize {
        self.sent.swap(0, Ordering::SeqCst)
    }
}
