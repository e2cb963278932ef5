//! What the server says about its work, on standard error: lines for people, or JSON for programs.

use std::str::FromStr;

/// The form of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// Nothing but warnings.
    #[default]
    Quiet,
    /// Lines for people.
    Text,
    /// A JSON object on each line.
    Json,
}

/// A word that is no form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no form of a log; the forms are quiet, text, json")]
pub struct UnknownLogFormat(pub String);

impl FromStr for LogFormat {
    type Err = UnknownLogFormat;

    fn from_str(text: &str) -> Result<Self, UnknownLogFormat> {
        match text {
            "quiet" => Ok(Self::Quiet),
            "text" => Ok(Self::Text),
            "json" => Ok(Self::Json),
            _ => Err(UnknownLogFormat(text.to_owned())),
        }
    }
}

/// From now on, what happens is told on standard error. To be called once in a process; later calls change nothing.
pub fn start_log(format: LogFormat) {
    let log = tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .with_target(false);
    // That somebody listens already is no fault.
    let _ = match format {
        LogFormat::Quiet => log.with_max_level(tracing::Level::WARN).try_init(),
        LogFormat::Text => log.with_max_level(tracing::Level::INFO).try_init(),
        LogFormat::Json => log
            .json()
            .flatten_event(true)
            .with_max_level(tracing::Level::INFO)
            .try_init(),
    };
}
