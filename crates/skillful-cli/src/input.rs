//! From what was typed to what the library takes: the host, the clients, the configuration, and the skills at paths.

use std::collections::BTreeSet;
use std::io::Read;
use std::ops::Deref;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use skillful::discover::{Candidate, Form};
use skillful::guard::Care;
use skillful::places::{self, PathError};
use skillful::{Clients, Host, Library, Options, Problem, Setup};
use skillmd::{Code, Document, limits};

use crate::args::GlobalArgs;
use crate::error::CommandError;
use crate::progress::Progress;
use crate::records;
use crate::suggest::nearest;

/// The world that a command works in.
pub(crate) struct World(Setup);

impl Deref for World {
    type Target = Setup;

    fn deref(&self) -> &Setup {
        &self.0
    }
}

impl World {
    /// Gathers it from the process and the options of the command line. A faulty configuration is no failure: what is
    /// wrong with it is in [`Setup::problems`].
    pub(crate) fn gather(global: &GlobalArgs) -> Result<Self, CommandError> {
        if let Some(path) = global.config.as_deref().filter(|path| !path.is_file()) {
            let message = format!("{} is not a file", path.display());
            return Err(
                CommandError::usage(message).hint("--config takes the path of a skills.toml")
            );
        }
        let host = Host::from_environment();
        let options = Options {
            roots: global.root.clone(),
            project: global.project.clone(),
            home: global.home.clone(),
            extra: Vec::new(),
        };
        let clients = Clients::built_in().map_err(CommandError::failed)?;
        let choices = records::choices(&host, &options);
        let named = global.config.as_deref();
        Ok(Self(Setup::read(host, clients, options, named, choices)))
    }

    /// Searches all roots, and judges what was found. A directory that was named but cannot be searched is a failure.
    pub(crate) fn scan(&self) -> Result<Library, CommandError> {
        self.scan_for(None)
    }

    /// The same, judged for the agent of this name.
    pub(crate) fn scan_for(&self, agent: Option<&str>) -> Result<Library, CommandError> {
        self.scan_with(agent, Care::Brief)
    }

    /// The same, with so much care about whether files changed.
    pub(crate) fn scan_with(
        &self,
        agent: Option<&str>,
        care: Care,
    ) -> Result<Library, CommandError> {
        let library = self.guarded(care, |guard| self.agent(agent).scan(guard));
        for problem in &library.problems {
            if let Problem::RootMissing(_) | Problem::RootNotDirectory(_) = problem {
                return Err(CommandError::usage(problem)
                    .hint("--root and --project take the path of a directory"));
            }
        }
        Ok(library)
    }

    /// A text with the home as `~` in the paths that it names.
    pub(crate) fn with_short_home(&self, text: &str) -> String {
        match self.host.home().and_then(Path::to_str) {
            Some(home) if home.len() > 1 => text.replace(
                &format!("{home}{MAIN_SEPARATOR}"),
                &format!("~{MAIN_SEPARATOR}"),
            ),
            _ => text.to_owned(),
        }
    }

    /// A path as people read it: relative to the working directory where it lies below it.
    pub(crate) fn shown(&self, path: &Path) -> String {
        shown_below(path, self.host.working_directory(), self.host.home())
    }
}

fn shown_below(path: &Path, working_directory: &Path, home: Option<&Path>) -> String {
    if let Ok(below) = path.strip_prefix(working_directory)
        && !below.as_os_str().is_empty()
    {
        return below.to_string_lossy().into_owned();
    }
    match home.and_then(|home| path.strip_prefix(home).ok()) {
        Some(below) if !below.as_os_str().is_empty() => format!("~/{}", below.to_string_lossy()),
        _ => path.to_string_lossy().into_owned(),
    }
}

/// Hands every skill at the paths to `visit`; the results are in the order of the paths, then sorted by path, one for each
/// skill however many of the paths lead to it. `done` says what `visit` does, for those who wait.
pub(crate) fn visit_all<T: Send>(
    paths: &[PathBuf],
    done: &str,
    visit: impl Fn(Candidate) -> T + Sync,
) -> Result<Vec<T>, CommandError> {
    let progress = Progress::start(done);
    let visit = |candidate| {
        let result = visit(candidate);
        progress.step();
        result
    };
    let mut results = Vec::new();
    let mut seen = BTreeSet::new();
    for path in paths {
        let visited = places::visit(path, visit).map_err(cannot_visit)?;
        for problem in &visited.problems {
            crate::terminal::warn(&problem.to_string());
        }
        for (path, result) in visited.skills {
            if paths.len() == 1 || seen.insert(std::path::absolute(&path).unwrap_or(path)) {
                results.push(result);
            }
        }
    }
    Ok(results)
}

pub(crate) fn cannot_visit(error: PathError) -> CommandError {
    CommandError::usage(error)
        .hint("a path is a skill's directory, a file, or a directory to search")
}

/// Whether standard input was named instead of paths.
pub(crate) fn is_stdin(paths: &[PathBuf]) -> Result<bool, CommandError> {
    match paths {
        [only] => Ok(only == Path::new("-")),
        _ if paths.iter().any(|path| path == Path::new("-")) => {
            Err(CommandError::usage("`-` must be the only path")
                .hint("standard input holds one SKILL.md"))
        }
        _ => Ok(false),
    }
}

/// The one skill at a path.
pub(crate) fn one_candidate(path: &Path) -> Result<Candidate, CommandError> {
    let visited = places::visit(path, |candidate| candidate).map_err(cannot_visit)?;
    let count = visited.skills.len();
    let mut skills = visited.skills.into_iter();
    match (skills.next(), count) {
        (Some((_, candidate)), 1) => Ok(candidate),
        (None, _) => Err(CommandError::usage(format_args!(
            "{} holds no skill",
            path.display()
        ))),
        _ => Err(CommandError::usage(format_args!(
            "{} holds {count} skills; name one of them",
            path.display()
        ))),
    }
}

/// The document of a candidate and how it is kept, or the reason why it cannot be read.
pub(crate) fn document(candidate: Candidate) -> Result<(Form, Document), String> {
    let bytes = candidate.content.map_err(|diagnostic| diagnostic.message)?;
    let document = skillmd::parse(bytes).map_err(|error| format!("the file is {error}"))?;
    Ok((candidate.form, document))
}

/// The document on standard input.
pub(crate) fn stdin_document() -> Result<Document, CommandError> {
    skillmd::parse(stdin_bytes()?)
        .map_err(|error| CommandError::failed(format_args!("standard input is {error}")))
}

/// The bytes on standard input, at most as many as a SKILL.md may have.
pub(crate) fn stdin_bytes() -> Result<Vec<u8>, CommandError> {
    stdin_limited(limits::FILE_BYTES as u64)
}

/// The first bytes on standard input, one more than the limit where there are more.
pub(crate) fn stdin_up_to(limit: u64) -> Result<Vec<u8>, CommandError> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| CommandError::failed(format_args!("standard input: {error}")))?;
    Ok(bytes)
}

/// The bytes on standard input, at most this many.
pub(crate) fn stdin_limited(limit: u64) -> Result<Vec<u8>, CommandError> {
    let bytes = stdin_up_to(limit)?;
    if bytes.len() as u64 > limit {
        return Err(CommandError::failed(format_args!(
            "standard input has more than the limit of {limit} bytes"
        )));
    }
    Ok(bytes)
}

/// The diagnostic codes that were named.
pub(crate) fn codes(names: &[String]) -> Result<BTreeSet<Code>, CommandError> {
    names.iter().map(|name| code(name)).collect()
}

/// The diagnostic code of this name.
pub(crate) fn code(name: &str) -> Result<Code, CommandError> {
    name.parse().map_err(|error| {
        let known = Code::ALL.iter().map(|code| code.as_str());
        let otherwise = "`skillful explain` without a code lists all";
        CommandError::usage(error).did_you_mean(nearest(name, known), Some(otherwise))
    })
}
