//! The web as it is: the client that sources are fetched with, on stricter terms.

use std::io::Write;
use std::time::Duration;

use super::download::{DownloadUrl, Web, WebError};
use crate::http::{Client, Terms};
use crate::limits;
use crate::progress::Silent;
use crate::source::fetch::fault::FetchError;
use crate::source::{Address, Fault, Permission};

/// Fetches files within a time. It uses the proxy that the environment names.
#[derive(Clone, Copy, Debug)]
pub struct HttpWeb {
    timeout: Duration,
}

impl HttpWeb {
    /// A client that takes at most this long for one file.
    pub fn new(timeout: Duration) -> Self {
        Self { timeout }
    }
}

impl Web for HttpWeb {
    fn fetch(&self, url: &DownloadUrl, to: &mut dyn Write) -> Result<(), WebError> {
        let address = Address::parse(url.as_str(), Permission::Encrypted)
            .map_err(|fault| unreadable(url, &fault))?;
        let terms = Terms {
            time: self.timeout,
            permission: Permission::Encrypted,
            // An address without encryption is one of this machine, which redirects nobody elsewhere.
            redirections: if url.is_encrypted() {
                limits::REDIRECTIONS
            } else {
                0
            },
            certificates: None,
            // A program is checked against a digest that is known beforehand; whoever has it needs no second one.
            cache: None,
            // Whoever takes the bytes tells of them, and ends it when it is to end.
            progress: &Silent,
        };
        let fetched = Client::new(terms, &address)
            .and_then(|client| client.download(&address, limits::PROGRAM_BYTES, to));
        fetched.map(drop).map_err(|error| failed(&error))
    }
}

fn unreadable(url: &DownloadUrl, fault: &Fault) -> WebError {
    WebError(format!("{url} could not be fetched: {fault}"))
}

fn failed(error: &FetchError) -> WebError {
    WebError(error.to_string())
}

#[cfg(test)]
mod tests {
    use std::io::{self, BufRead};
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// Answers one request with this.
    fn answers(answer: &'static str) -> DownloadUrl {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let (stream, _) = listener.accept().unwrap();
            let mut lines = io::BufReader::new(&stream).lines();
            while lines
                .next()
                .is_some_and(|line| line.is_ok_and(|line| !line.is_empty()))
            {}
            (&stream).write_all(answer.as_bytes()).unwrap();
        });
        DownloadUrl::parse(&format!("http://{address}/tool")).unwrap()
    }

    fn fetched(answer: &'static str) -> Result<Vec<u8>, WebError> {
        let mut bytes = Vec::new();
        let web = HttpWeb::new(Duration::from_secs(60));
        web.fetch(&answers(answer), &mut bytes).map(|()| bytes)
    }

    #[test]
    fn a_body_is_handed_over() {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello";
        assert_eq!(fetched(answer).unwrap(), b"hello");
    }

    #[test]
    fn errors_and_redirects_from_this_machine_give_nothing() {
        for answer in [
            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            "HTTP/1.1 302 Found\r\nLocation: https://example.org/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            "HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\nConnection: close\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhel",
            "nonsense\r\n\r\n",
        ] {
            let error = fetched(answer);
            assert!(error.is_err(), "{answer}: {error:?}");
        }
    }

    #[test]
    fn an_error_says_where_and_what_to_do() {
        let answer = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        let said = fetched(answer).unwrap_err().to_string();
        assert!(said.starts_with("http://127.0.0.1:"), "{said}");
        assert!(
            said.ends_with("/tool answers 404: it is not there"),
            "{said}"
        );
    }
}
