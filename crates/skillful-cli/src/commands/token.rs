//! `skillful token`: who may ask a server.

use std::io::Write;
use std::time::SystemTime;

use serde::Serialize;
use skillful::contract::VERSION;
use skillful_manage::DataDirectory;
use skillful_server::http::{Token, TokenError, TokenFile};
use skillful_store::Timestamp;

use crate::args::{
    GlobalArgs, TokenAction, TokenArgs, TokenCreateArgs, TokenListArgs, TokenRevokeArgs,
};
use crate::error::{CommandError, Outcome};
use crate::input::World;
use crate::render::table::{self, Cell};
use crate::terminal::{BOLD, DIM, GOOD, WARNING, print_json, printable, stdout, width};

/// One token: `{"name", "scope", "created", "expires"?, "expired"}`; `token` beside it where it was made just now.
#[derive(Serialize)]
struct TokenJson<'a> {
    name: &'a str,
    scope: &'static str,
    created: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires: Option<Timestamp>,
    expired: bool,
}

#[derive(Serialize)]
struct Made<'a> {
    version: u32,
    token: &'a str,
    #[serde(flatten)]
    about: TokenJson<'a>,
}

#[derive(Serialize)]
struct Listed<'a> {
    version: u32,
    tokens: Vec<TokenJson<'a>>,
}

#[derive(Serialize)]
struct Revoked<'a> {
    version: u32,
    outcome: &'static str,
    name: &'a str,
}

impl<'a> TokenJson<'a> {
    fn of(token: &'a Token, now: Timestamp) -> Self {
        Self {
            name: &token.name,
            scope: token.scope.as_str(),
            created: token.created,
            expires: token.expires,
            expired: token.has_expired(now),
        }
    }
}

pub(crate) fn run(global: &GlobalArgs, args: &TokenArgs) -> Result<Outcome, CommandError> {
    let world = World::gather(global)?;
    let data = DataDirectory::of(&world.host, &world.options).ok_or_else(|| {
        CommandError::failed("there is no home to keep tokens in").hint("name one with --home")
    })?;
    let file = TokenFile::of(&data);
    match &args.action {
        TokenAction::Create(args) => create(global, args, &file),
        TokenAction::List(args) => list(global, args, &file),
        TokenAction::Revoke(args) => revoke(global, args, &file),
    }
}

fn create(
    global: &GlobalArgs,
    args: &TokenCreateArgs,
    file: &TokenFile,
) -> Result<Outcome, CommandError> {
    let made = file.create(&args.name, args.scope, args.expires);
    let (secret, token) = made.map_err(|error| failed(&error))?;
    if args.format.is_json() {
        print_json(&Made {
            version: VERSION,
            token: &secret,
            about: TokenJson::of(&token, now()),
        })?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    writeln!(out, "{secret}")?;
    out.flush()?;
    let mut notes = anstream::stderr();
    writeln!(
        notes,
        "{DIM}It is shown this once; send it as `Authorization: Bearer …`. From now on `skillful serve` asks everybody for a token.{DIM:#}"
    )?;
    Ok(Outcome::Fine)
}

fn list(
    global: &GlobalArgs,
    args: &TokenListArgs,
    file: &TokenFile,
) -> Result<Outcome, CommandError> {
    let tokens = file.read().map_err(|error| failed(&error))?;
    let now = now();
    if args.format.is_json() {
        print_json(&Listed {
            version: VERSION,
            tokens: tokens
                .all()
                .iter()
                .map(|token| TokenJson::of(token, now))
                .collect(),
        })?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    if tokens.all().is_empty() {
        writeln!(
            out,
            "{DIM}there is no token; `skillful token create NAME` makes one{DIM:#}"
        )?;
    }
    let rows: Vec<Vec<Cell>> = tokens.all().iter().map(|token| row(token, now)).collect();
    table::write(&mut out, &rows, width())?;
    out.flush()?;
    Ok(Outcome::Fine)
}

fn row(token: &Token, now: Timestamp) -> Vec<Cell> {
    let (end, style) = match token.expires {
        None => ("does not expire".to_owned(), DIM),
        Some(at) if token.has_expired(now) => (format!("expired {}", at.day()), WARNING),
        Some(at) => (format!("until {}", at.day()), DIM),
    };
    vec![
        Cell::new(&printable(&token.name), BOLD),
        Cell::plain(token.scope.as_str()),
        Cell::new(&format!("made {}", token.created.day()), DIM),
        Cell::new(&end, style),
    ]
}

fn revoke(
    global: &GlobalArgs,
    args: &TokenRevokeArgs,
    file: &TokenFile,
) -> Result<Outcome, CommandError> {
    file.revoke(&args.name).map_err(|error| failed(&error))?;
    if args.format.is_json() {
        print_json(&Revoked {
            version: VERSION,
            outcome: "revoked",
            name: &args.name,
        })?;
        return Ok(Outcome::Fine);
    }
    let mut out = stdout(global.color);
    writeln!(
        out,
        "{GOOD}revoked{GOOD:#} {BOLD}{}{BOLD:#}",
        printable(&args.name)
    )?;
    out.flush()?;
    Ok(Outcome::Fine)
}

fn now() -> Timestamp {
    Timestamp::from(SystemTime::now())
}

fn failed(error: &TokenError) -> CommandError {
    match error {
        TokenError::Name(_) => CommandError::usage(error),
        TokenError::Exists(_) => {
            CommandError::failed(error).hint("choose another name, or revoke that one first")
        }
        TokenError::Unknown(_) => {
            CommandError::failed(error).hint("`skillful token list` shows what there is")
        }
        TokenError::TooMany => {
            CommandError::failed(error).hint("`skillful token revoke NAME` takes one away")
        }
        TokenError::Damaged { .. } => CommandError::failed(error)
            .hint("nobody is answered before it is mended, or removed with all its tokens"),
        TokenError::Io { .. } | TokenError::Random(_) => CommandError::failed(error),
    }
}
