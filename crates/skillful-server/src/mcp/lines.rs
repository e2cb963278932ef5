//! Messages as lines, over standard input and output or any other pair of streams.
//!
//! What is no message is answered with an error, and the next line is read: a client that waits for an answer learns that
//! there will be none. A line over the limit is read to its end without being kept. Before the first request nothing but
//! a request is listened to, so that a stray notification does not end the handshake.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use rmcp::model::{ClientJsonRpcMessage, ErrorCode, RequestId, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::{ErrorData, RoleServer};
use serde::Serialize;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use crate::limits;

/// A client at the other end of two streams.
pub(super) struct Lines<R, W> {
    reader: BufReader<R>,
    /// What was read of a line so far. It outlives a call of `receive` that is given up.
    line: Vec<u8>,
    /// Whether the line is over the limit, and its rest is dropped.
    is_too_long: bool,
    writer: Arc<Mutex<Option<W>>>,
    /// Answers to what was no message.
    refusals: VecDeque<Refusal>,
    /// The one that is being written: it is written whole even if `receive` is given up meanwhile.
    refusing: Option<JoinHandle<io::Result<()>>>,
    has_begun: bool,
    limit: usize,
}

/// An answer to what is no message. Its id is null where none could be read, as JSON-RPC has it.
#[derive(Debug, Serialize, PartialEq)]
struct Refusal {
    jsonrpc: &'static str,
    id: Option<RequestId>,
    error: ErrorData,
}

/// What became of a look for the end of a line.
enum Step {
    More,
    Whole,
    TooLong,
    End,
}

impl<R, W> Lines<R, W>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(super) fn new(reader: R, writer: W) -> Self {
        Self {
            reader: BufReader::new(reader),
            line: Vec::new(),
            is_too_long: false,
            writer: Arc::new(Mutex::new(Some(writer))),
            refusals: VecDeque::new(),
            refusing: None,
            has_begun: false,
            limit: limits::MCP_MESSAGE_BYTES,
        }
    }

    /// Reads what is there, up to the end of the line. Nothing is lost when it is given up while it waits.
    async fn step(&mut self) -> io::Result<Step> {
        let there = self.reader.fill_buf().await?;
        if there.is_empty() {
            return Ok(Step::End);
        }
        let end = memchr::memchr(b'\n', there);
        let part = &there[..end.unwrap_or(there.len())];
        let taken = end.map_or(there.len(), |end| end + 1);
        if self.is_too_long || self.line.len() + part.len() > self.limit {
            self.is_too_long = true;
            self.line = Vec::new();
        } else {
            self.line.extend_from_slice(part);
        }
        self.reader.consume(taken);
        Ok(match (end, self.is_too_long) {
            (None, _) => Step::More,
            (Some(_), true) => Step::TooLong,
            (Some(_), false) => Step::Whole,
        })
    }

    /// The message of the line that was read; nothing for an empty line, and for what is not listened to.
    fn message(&mut self) -> Option<ClientJsonRpcMessage> {
        let line = std::mem::take(&mut self.line);
        let text = line.trim_ascii();
        if text.is_empty() {
            return None;
        }
        match parse(text) {
            Ok(message) => {
                self.has_begun |= matches!(message, ClientJsonRpcMessage::Request(_));
                self.has_begun.then_some(message)
            }
            Err(refusal) => {
                self.refusals.extend(refusal.map(|it| *it));
                None
            }
        }
    }

    /// Writes the answers that wait, each before the next message is read.
    async fn refuse(&mut self) -> io::Result<()> {
        loop {
            if let Some(refusing) = &mut self.refusing {
                let written = refusing.await;
                self.refusing = None;
                written.map_err(io::Error::other)??;
            }
            let Some(refusal) = self.refusals.pop_front() else {
                return Ok(());
            };
            let bytes = line_of(&refusal)?;
            let writer = Arc::clone(&self.writer);
            let refusing = tokio::spawn(async move { write(&writer, &bytes).await });
            self.refusing = Some(refusing);
        }
    }
}

async fn write<W: AsyncWrite + Unpin>(writer: &Mutex<Option<W>>, bytes: &[u8]) -> io::Result<()> {
    let mut writer = writer.lock().await;
    let Some(writer) = writer.as_mut() else {
        return Err(io::ErrorKind::NotConnected.into());
    };
    writer.write_all(bytes).await?;
    writer.flush().await
}

fn line_of(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(message)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Reads a message. What is none is answered, but for a notification, which never is.
fn parse(text: &[u8]) -> Result<ClientJsonRpcMessage, Option<Box<Refusal>>> {
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    let error = match serde_json::from_slice(text) {
        Ok(message) => return Ok(message),
        Err(error) => error,
    };
    let Ok(value) = serde_json::from_slice::<Value>(text) else {
        let message = format!("this is not JSON: {error}");
        let error = ErrorData::new(ErrorCode::PARSE_ERROR, message, None);
        return Err(Some(Box::new(Refusal::new(None, error))));
    };
    let id = value.get("id").cloned();
    let id = id.and_then(|id| serde_json::from_value::<RequestId>(id).ok());
    let is_notification = value.get("method").is_some() && value.get("id").is_none();
    if is_notification {
        tracing::debug!(%error, "a notification that is none was left out");
        return Err(None);
    }
    let what = match &value {
        Value::Array(_) => {
            Cow::Borrowed("batches are not part of the protocol; send one message a line")
        }
        _ => Cow::Owned(format!("this is no message of the protocol: {error}")),
    };
    let error = ErrorData::new(ErrorCode::INVALID_REQUEST, what, None);
    Err(Some(Box::new(Refusal::new(id, error))))
}

impl Refusal {
    fn new(id: Option<RequestId>, error: ErrorData) -> Self {
        Self {
            jsonrpc: "2.0",
            id,
            error,
        }
    }

    fn too_long(limit: usize) -> Self {
        let message =
            format!("a message has more than the limit of {limit} bytes; it was not read");
        Self::new(
            None,
            ErrorData::new(ErrorCode::INVALID_REQUEST, message, None),
        )
    }
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let writer = Arc::clone(&self.writer);
        async move { write(&writer, &line_of(&message)?).await }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if let Err(error) = self.refuse().await {
                tracing::debug!(%error, "the client does not listen any more");
                return None;
            }
            match self.step().await {
                Ok(Step::More) => {}
                Ok(Step::Whole) => {
                    if let Some(message) = self.message() {
                        return Some(message);
                    }
                }
                Ok(Step::TooLong) => {
                    self.is_too_long = false;
                    self.refusals.push_back(Refusal::too_long(self.limit));
                }
                Ok(Step::End) => return None,
                Err(error) => {
                    tracing::debug!(%error, "the client cannot be read any more");
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.writer.lock().await.take();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, DuplexStream, duplex};

    use super::*;

    const PING: &str = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;

    fn lines(
        limit: usize,
    ) -> (
        DuplexStream,
        Lines<DuplexStream, DuplexStream>,
        DuplexStream,
    ) {
        let (peer, reader) = duplex(1024);
        let (writer, answers) = duplex(64 * 1024);
        let mut lines = Lines::new(reader, writer);
        lines.limit = limit;
        (peer, lines, answers)
    }

    async fn after(sent: Vec<u8>, limit: usize) -> (Vec<Value>, Vec<Value>) {
        let (mut peer, mut lines, mut answers) = lines(limit);
        tokio::spawn(async move {
            let _ = peer.write_all(&sent).await;
        });
        let mut messages = Vec::new();
        while let Some(message) = lines.receive().await {
            messages.push(serde_json::to_value(message).unwrap());
        }
        lines.close().await.unwrap();
        let mut text = String::new();
        answers.read_to_string(&mut text).await.unwrap();
        let answers = text.lines().map(|line| serde_json::from_str(line).unwrap());
        (messages, answers.collect())
    }

    #[tokio::test]
    async fn what_is_no_message_is_answered_and_the_next_is_read() {
        let sent = format!(
            "not json\r\n\n{PING}\n{{\"id\":3,\"method\":5,\"jsonrpc\":\"2.0\"}}\n[{PING}]\n{{\"a\":1}}\n\u{feff}{PING}\r\n"
        );
        let (messages, answers) = after(sent.into_bytes(), 4096).await;
        assert_eq!(messages.len(), 2, "{messages:?}");
        let told: Vec<(i64, &Value)> = answers
            .iter()
            .map(|answer| (answer["error"]["code"].as_i64().unwrap(), &answer["id"]))
            .collect();
        let null = Value::Null;
        let three = Value::from(3);
        assert_eq!(
            told,
            [
                (-32700, &null),
                (-32600, &three),
                (-32600, &null),
                (-32600, &null)
            ]
        );
        assert!(answers.iter().all(|answer| answer["jsonrpc"] == "2.0"));
    }

    #[tokio::test]
    async fn a_line_over_the_limit_is_dropped_and_told() {
        let mut sent = vec![b'x'; 100_000];
        sent.extend_from_slice(format!("\n{PING}\n").as_bytes());
        let (messages, answers) = after(sent, 100).await;
        assert_eq!(messages.len(), 1);
        assert_eq!(answers.len(), 1);
        assert!(
            answers[0]["error"]["message"]
                .as_str()
                .unwrap()
                .contains("100 bytes")
        );
    }

    #[tokio::test]
    async fn nothing_is_kept_of_a_line_over_the_limit() {
        let (mut peer, mut lines, _answers) = lines(100);
        let reading = tokio::spawn(async move {
            // It never ends, so that this only returns when the client is gone.
            assert!(lines.receive().await.is_none());
            (lines.line.capacity(), lines.is_too_long)
        });
        for _ in 0..100 {
            peer.write_all(&[b'x'; 1024]).await.unwrap();
        }
        drop(peer);
        assert_eq!(reading.await.unwrap(), (0, true));
    }

    #[tokio::test]
    async fn a_line_is_read_on_after_it_was_given_up() {
        let (mut peer, mut lines, _answers) = lines(4096);
        let (first, second) = PING.split_at(10);
        peer.write_all(first.as_bytes()).await.unwrap();
        tokio::select! {
            biased;
            _ = lines.receive() => panic!("there is no whole line"),
            () = tokio::task::yield_now() => {}
        }
        peer.write_all(format!("{second}\n").as_bytes())
            .await
            .unwrap();
        assert!(lines.receive().await.is_some());
    }

    #[tokio::test]
    async fn only_a_request_begins() {
        let sent = format!(
            "{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}}\n{PING}\n\
             {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}}\n"
        );
        let (messages, answers) = after(sent.into_bytes(), 4096).await;
        assert_eq!(messages.len(), 2);
        assert_eq!(messages[0]["method"], "ping");
        assert!(answers.is_empty());
    }
}
