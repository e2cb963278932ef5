//! What the verbs that write skills share: who writes in the world of a command, what is read for it, and how refusals
//! are told.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use skillful_guard::RuleError;
use skillful_manage::author::{Author, AuthorError, Chosen, HistoryQuery, Target, Where};
use skillful_manage::gate::Gate;
use skillful_manage::{
    Actor, Change, ChangeError, DataDirectory, Entry, Mismatch, Swap, Writer, limits,
};
use skillful_store::{Choice, Key, SqliteStore, Store, choices_file};

use crate::args::{GlobalArgs, Owner, SubjectArgs, WriteArgs};
use crate::error::CommandError;
use crate::input::{World, stdin_limited};
use crate::manage::settle_if_possible;
use crate::records::{report_notices, store_at};
use crate::suggest::nearest;

/// The world of a command that writes.
pub(crate) struct Desk {
    pub(crate) world: World,
    pub(crate) data: DataDirectory,
    gate: Gate,
    store: Option<SqliteStore>,
}

impl Desk {
    /// Gathers it from the process and the options of the command line.
    pub(crate) fn gather(global: &GlobalArgs) -> Result<Self, CommandError> {
        let desk = Self::unsettled(global)?;
        Writer::settle(&desk.data).map_err(CommandError::failed)?;
        Ok(desk)
    }

    /// The same for a verb that only looks: what a killed process left is told where it cannot be finished.
    pub(crate) fn gather_to_look(global: &GlobalArgs) -> Result<Self, CommandError> {
        let desk = Self::unsettled(global)?;
        settle_if_possible(&desk.data);
        Ok(desk)
    }

    fn unsettled(global: &GlobalArgs) -> Result<Self, CommandError> {
        let world = World::gather(global)?;
        let data = DataDirectory::of(&world.host, &world.options);
        let data = data.ok_or_else(|| {
            CommandError::failed("there is no home to keep a history in")
                .hint("name one with --home")
        })?;
        let store = store_at(&world.host, &world.options).and_then(std::sync::Arc::into_inner);
        Ok(Self {
            gate: Gate::of(&world.config)
                .map_err(|error: &RuleError| CommandError::failed(error))?,
            world,
            data,
            store,
        })
    }

    /// Somebody who writes.
    pub(crate) fn author(&self, actor: &str, confirmed: Option<&String>) -> Author<'_> {
        let author = Author::new(&self.world, &self.data, &self.gate)
            .by(Actor::new(actor))
            .confirming(confirmed.cloned());
        match &self.store {
            Some(store) => author.with_records(store),
            None => author,
        }
    }

    /// The same as an option says.
    pub(crate) fn author_of(&self, args: &WriteArgs) -> Author<'_> {
        self.author(&args.actor, args.confirm.as_ref())
    }

    /// The records, which learned skills cannot do without.
    pub(crate) fn store(&self) -> Result<&dyn Store, CommandError> {
        match &self.store {
            Some(store) => Ok(store),
            None => Err(self
                .world
                .store()
                .err()
                .unwrap_or_else(|| CommandError::failed("there is no home to keep records in"))),
        }
    }

    /// Makes a person's choice for skills, which can be undone.
    pub(crate) fn choose(
        &self,
        change: Change,
        keys: &[Key],
        choice: &Choice,
    ) -> Result<Chosen, CommandError> {
        let store = self.store()?;
        let chosen = self.author("user", None).choose(change, keys, choice);
        report_notices(store);
        chosen.map_err(|error| self.refused(&error))
    }

    pub(crate) fn gate(&self) -> &Gate {
        &self.gate
    }

    /// The skill that was typed; a path counts from the working directory.
    pub(crate) fn target(&self, args: &SubjectArgs) -> Target {
        Target::from(self.typed(&args.id)).expecting(args.expect_digest.clone())
    }

    /// What was typed, as an absolute path if it is one.
    pub(crate) fn typed(&self, text: &str) -> String {
        let is_path = text.contains(['/', std::path::MAIN_SEPARATOR]);
        if !is_path {
            return text.to_owned();
        }
        let path = self.world.host.working_directory().join(text);
        let path: PathBuf = path.components().collect();
        path.to_string_lossy().into_owned()
    }

    /// A refusal, with the way out.
    pub(crate) fn refused(&self, error: &AuthorError) -> CommandError {
        let failure = CommandError::failed(error);
        match error {
            AuthorError::Change(ChangeError::ChangedSince { seq, paths }) => {
                failure.hint(self.since(*seq, paths))
            }
            AuthorError::LookUp(skillful::LookUpError::Unknown(text)) => {
                let otherwise = "`skillful list` shows what there is";
                failure.did_you_mean(self.near(text).as_deref(), Some(otherwise))
            }
            _ => match hint(error) {
                Some(hint) => failure.hint(hint),
                None => failure,
            },
        }
    }

    /// What is in the way of undoing a change: a newer one, or somebody's own hand.
    fn since(&self, seq: u64, paths: &[Mismatch]) -> String {
        let history = self.author("user", None).history(&HistoryQuery::default());
        let is_in_the_way = |entry: &Entry| {
            let touches = |swap: &Swap| {
                let path = &swap.path;
                paths
                    .iter()
                    .any(|it| it.path.starts_with(path) || path.starts_with(&it.path))
            };
            entry.seq > seq && !entry.is_undone() && entry.swaps.iter().any(touches)
        };
        let newer = history.unwrap_or_default().into_iter().find(is_in_the_way);
        match newer {
            Some(entry) => format!(
                "change {0} ({1}) came after it: `skillful undo {0}` takes that back first",
                entry.seq, entry.message
            ),
            None if paths.iter().any(|it| it.path.ends_with(choices_file::FILE_NAME)) => {
                "something else was chosen since; `skillful archive`, `restore` and `accept --revoke` change one \
                 choice by itself"
                    .to_owned()
            }
            None => "it was changed by hand, as shown above; keep a copy of what is there, and put back what the \
                     change had left, or edit it further"
                .to_owned(),
        }
    }

    fn near(&self, text: &str) -> Option<String> {
        let library = self.world.scan().ok()?;
        let known = library.registry.skills().iter();
        nearest(text, known.map(|skill| skill.id.as_str())).map(str::to_owned)
    }
}

fn hint(error: &AuthorError) -> Option<String> {
    let text = match error {
        AuthorError::ReadOnly { .. } if error.way_out().is_none() => {
            "make one of your own: `skillful create NAME --description TEXT --body-file FILE`"
        }
        AuthorError::Pinned { id } => {
            return Some(format!("`skillful pin {id} --off` lets it be changed"));
        }
        AuthorError::OtherId { .. } => "`skillful rename` gives it another name",
        AuthorError::Invalid(found) => {
            let code = found.first()?.code;
            return Some(format!("`skillful explain {code}` tells how to mend it"));
        }
        AuthorError::MainFile(_) => "`skillful edit` and `skillful patch` change it",
        AuthorError::NeedsConfirmation(gated) => {
            let digest = gated.digest.as_deref()?;
            return Some(format!(
                "a person who has looked at it repeats the command with --confirm {digest}"
            ));
        }
        AuthorError::HoldsMore { .. } => {
            "--everything deletes all of it; `skillful undo` brings it back"
        }
        AuthorError::NoRoot => "name one with --home or --root",
        AuthorError::Change(ChangeError::NothingToUndo) => {
            "`skillful history` shows what there is; --actor says whose changes are meant"
        }
        _ => error.way_out()?,
    };
    Some(text.to_owned())
}

/// Where new skills go.
pub(crate) fn place(owner: Option<Owner>) -> Where {
    match owner {
        None => Where::Usual,
        Some(Owner::User) => Where::User,
        Some(Owner::Project) => Where::Project,
    }
}

/// The bytes of a file that was named, or of standard input; no more than a file of a skill may have.
pub(crate) fn read_named(path: &Path) -> Result<Vec<u8>, CommandError> {
    if path == Path::new("-") {
        return stdin_limited(limits::WRITTEN_BYTES);
    }
    let failed = |error| CommandError::usage(format_args!("{}: {error}", path.display()));
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(limits::WRITTEN_BYTES + 1).read_to_end(&mut bytes))
        .map_err(failed)?;
    if bytes.len() as u64 > limits::WRITTEN_BYTES {
        return Err(CommandError::failed(format_args!(
            "{} has more than the limit of {} bytes",
            path.display(),
            limits::WRITTEN_BYTES
        )));
    }
    Ok(bytes)
}

/// The same as text.
pub(crate) fn read_text(path: &Path) -> Result<String, CommandError> {
    String::from_utf8(read_named(path)?)
        .map_err(|_| CommandError::failed(format_args!("{} is not UTF-8", path.display())))
}
