//! Activation: a skill's text is handed over, with everything in its place.
//!
//! ```text
//! SKILL.md ─read again→ body ─placeholders, commands→ text ─range→ part ─framing→ content
//! ```
//!
//! The file is read anew, so that an edit counts at once; the state is that of the last look around. A skill that is
//! not ready is refused with the reason. Other files of the skill are listed and never read, but for their digest; a
//! reader asks for them with [`crate::bundle::read_file`].
//!
//! ```no_run
//! use skillful::activate::{Arguments, Permissions, Request, Session, activate};
//! use skillful::refusal::Invoker;
//! use skillful::{Clients, Host, Library, Options};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let library = Library::scan(
//!     &Host::from_environment(),
//!     &Clients::built_in()?,
//!     &Options::default(),
//! );
//! let skill = library.registry.find("pdf-forms")?;
//! let request = Request {
//!     arguments: Arguments::parse("form.pdf 'Jane Doe'")?,
//!     invoker: Invoker::Model,
//!     ..Request::default()
//! };
//! let mut activation = activate(skill, &request, &Permissions::default())?;
//! let mut session = Session::default();
//! session.note(&mut activation);
//! if !activation.already_active {
//!     println!("{}", activation.content);
//! }
//! # Ok(())
//! # }
//! ```

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use skillmd::lint::estimate_tokens;
use skillmd::{Code, Document, Manifest, Reporter};

use crate::bundle::{Bundle, Resource, ResourcePath, digest};
use crate::check::merge_sidecar;
use crate::discover::Form;
use crate::host::Host;
use crate::limits;
use crate::load::Skill;
use crate::mode::Mode;
use crate::part::{self, Part, Range, RangeError};
use crate::refusal::{self, Invoker, Refusal};
use crate::roots::Source;

mod arguments;
mod claims;
mod framing;
mod session;
mod shell;
mod template;

pub use arguments::{Arguments, ArgumentsTooLong};
pub use claims::Claims;
pub use framing::{Framing, UnknownFraming};
pub use session::Session;
pub use shell::{CommandReport, LineReport, NotRun, Outcome, run_line};
pub use template::{Rendered, TooLong, Values, render};

/// How a skill is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// What it is activated with.
    pub arguments: Arguments,
    /// What stands around the text.
    pub framing: Framing,
    /// Which part of the text is wanted. The text is made anew for each part, inline commands included.
    pub range: Range,
    /// Leave placeholders and commands as they stand.
    pub as_written: bool,
    /// The conversation's id, where there is one.
    pub session_id: Option<String>,
    /// Values for `${NAME}`s that only the caller knows, such as `CLAUDE_PROJECT_DIR`.
    pub variables: BTreeMap<String, String>,
    /// Who wants it.
    pub invoker: Invoker,
}

/// What the operator allows. The default allows nothing that a skill could ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    /// The user's switch for the skill.
    pub mode: Mode,
    /// Whether inline commands of trusted skills that ask for it may be run.
    pub inline_shell: bool,
    /// Whether the skill with its present files was approved. Without it a skill is trusted for its place alone.
    pub trusted: bool,
    /// The environment of inline commands; they get no other.
    pub environment: BTreeMap<String, String>,
    /// The programs that the skill needs and that lie outside the search path, with their files: the reader is told.
    pub programs: BTreeMap<String, PathBuf>,
}

impl Permissions {
    /// The same with inline commands allowed. They find what a program needs to run, and nothing that could be a secret;
    /// behind the search path also the programs in the directory that Skillful placed them in
    /// ([`crate::Setup::program_directory`]), because they count as there when a skill is judged.
    #[must_use]
    pub fn with_inline_shell(mut self, host: &Host, own_programs: Option<&Path>) -> Self {
        const NEEDED: [&str; 9] = [
            "PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR",
        ];
        let needed = NEEDED.iter().filter_map(|name| {
            let value = host.variable(name)?;
            Some(((*name).to_owned(), value.to_owned()))
        });
        self.environment.extend(needed);
        // Without a search path the system has one of its own, which must not be replaced.
        let path = self.environment.get_mut("PATH");
        if let (Some(own), Some(path)) = (own_programs, path.filter(|path| !path.is_empty())) {
            let directories = std::env::split_paths(path.as_str()).chain([own.to_owned()]);
            // A directory with a separator in its path can be on no search path.
            if let Ok(joined) = std::env::join_paths(directories)
                && let Ok(joined) = joined.into_string()
            {
                *path = joined;
            }
        }
        self.inline_shell = true;
        self
    }
}

/// A skill as it is handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activation {
    /// The skill's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The digest of all its files; nothing when they are over a limit or cannot be read.
    pub digest: Option<String>,
    /// The directory of its files, absolute and without links; nothing for a single file, an archive, and a part of the
    /// program.
    pub directory: Option<PathBuf>,
    /// What stands around the text.
    pub framing: Framing,
    /// The text, in its frame.
    pub content: String,
    /// Which part of the skill's text is in the frame.
    pub part: Part,
    /// Files that may be asked for, sorted, at most [`limits::ACTIVATION_RESOURCES`]. Hidden ones are not among them.
    pub resources: Vec<Resource>,
    /// How many more files there are.
    pub more_resources: usize,
    /// What the skill wants.
    pub claims: Claims,
    /// What became of the inline commands, in their order.
    pub commands: Vec<CommandReport>,
    /// Whether the conversation was given the same before; see [`Session::note`].
    pub already_active: bool,
    /// Tokens of the content, estimated, rather too many than too few.
    pub tokens: usize,
}

impl Activation {
    /// Whether the text begins at its beginning.
    pub fn is_beginning(&self) -> bool {
        self.part.start == 0 || self.part.unit == part::Unit::Lines && self.part.start == 1
    }
}

/// Why a skill is not handed over.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActivationError {
    /// It may not be, or not to this invoker.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Its file cannot be read any more.
    #[error("`{id}` cannot be read any more: {reason}")]
    Unreadable {
        /// The skill.
        id: String,
        /// What is wrong with its file.
        reason: String,
    },
    /// The part that was asked for does not exist.
    #[error("`{id}`: {error}")]
    Range {
        /// The skill.
        id: String,
        /// What is wrong with the range.
        error: RangeError,
    },
    /// Its text with everything in its place is too long.
    #[error("`{id}`: {error}")]
    TooLong {
        /// The skill.
        id: String,
        /// The limit.
        error: TooLong,
    },
}

/// Hands over a skill.
///
/// # Errors
///
/// [`ActivationError`] when it is not ready, not for this invoker, or its text or the wanted part cannot be had.
pub fn activate(
    skill: &Skill,
    request: &Request,
    permissions: &Permissions,
) -> Result<Activation, ActivationError> {
    refusal::check_state(skill)?;
    let bytes = skill
        .content()
        .map_err(|found| unreadable(skill, found.message))?;
    activate_bytes(skill, bytes, request, permissions)
}

/// Hands over a skill whose SKILL.md has these bytes, whatever is on disk by now.
///
/// # Errors
///
/// As [`activate`].
pub fn activate_bytes(
    skill: &Skill,
    bytes: Vec<u8>,
    request: &Request,
    permissions: &Permissions,
) -> Result<Activation, ActivationError> {
    refusal::check_state(skill)?;
    let (document, manifest) = read(skill, bytes)?;
    let may_model = manifest.is_model_invocable();
    refusal::check_invoker(skill, may_model, request.invoker, permissions.mode)?;
    let directory = real_directory(skill);
    let request = &with_plugin_root(request, skill);
    let text = Text::new(skill, request, permissions, &manifest, directory.as_deref());
    let rendered = text
        .of(&document)
        .map_err(|error| ActivationError::TooLong {
            id: skill.id.clone(),
            error,
        })?;
    let (part_text, part) =
        part::of_text(&rendered.text, request.range).map_err(|error| ActivationError::Range {
            id: skill.id.clone(),
            error,
        })?;
    let (resources, more_resources) = resources(skill);
    let frame = framing::Frame {
        framing: request.framing,
        id: &skill.id,
        name: &skill.name,
        version: manifest.display.version.as_deref(),
        directory: directory.as_deref(),
        programs: &permissions.programs,
        resources: &resources,
        more_resources,
    };
    let content = frame.around(part_text.to_owned(), &part);
    let claims = Claims::of(&manifest, |tool| text.in_place(tool));
    Ok(Activation {
        id: skill.id.clone(),
        name: skill.name.clone(),
        digest: digest(skill),
        framing: request.framing,
        tokens: estimate_tokens(&content),
        content,
        part,
        claims,
        commands: rendered.commands,
        already_active: false,
        directory,
        resources,
        more_resources,
    })
}

/// The directory of a skill's files, absolute and without links; nothing for a single file, an archive, and a part of
/// the program.
pub fn real_directory(skill: &Skill) -> Option<PathBuf> {
    skill.directory().map(|_| skill.real_place())
}

/// The request with the directory of the plugin that the skill belongs to, unless the caller gave another. In Claude
/// Code a skill finds the plugin's other parts by it.
fn with_plugin_root<'a>(request: &'a Request, skill: &Skill) -> Cow<'a, Request> {
    const NAME: &str = "CLAUDE_PLUGIN_ROOT";
    let is_given = request.variables.contains_key(NAME);
    let root = plugin_root(skill).filter(|_| !is_given);
    let Some(root) = root else {
        return Cow::Borrowed(request);
    };
    let mut request = request.clone();
    request.variables.insert(NAME.to_owned(), root);
    Cow::Owned(request)
}

/// The nearest directory above a plugin's skill that is marked as a plugin.
fn plugin_root(skill: &Skill) -> Option<String> {
    /// A skill lies in `skills/NAME` of its plugin, or a little deeper.
    const LEVELS: usize = 5;
    const MARK: &str = ".claude-plugin";
    if !matches!(skill.root.source, Source::Plugin { .. }) {
        return None;
    }
    let directory = real_directory(skill)?;
    let root = directory
        .ancestors()
        .take(LEVELS)
        .find(|above| above.join(MARK).is_dir())?;
    root.to_str().map(str::to_owned)
}

fn unreadable(skill: &Skill, reason: String) -> ActivationError {
    ActivationError::Unreadable {
        id: skill.id.clone(),
        reason,
    }
}

/// The text of these bytes and what it says of itself, Codex's sidecar included.
fn read(skill: &Skill, bytes: Vec<u8>) -> Result<(Document, Manifest), ActivationError> {
    let document =
        skillmd::parse(bytes).map_err(|error| unreadable(skill, format!("it is {error}")))?;
    let mut problems = document.diagnostics().iter();
    if let Some(empty) = problems.find(|problem| problem.code == Code::FileEmpty) {
        return Err(unreadable(skill, empty.message.clone()));
    }
    let mut manifest = Manifest::read(&document, &mut Reporter::new(document.text()));
    if let Some(directory) = skill.directory() {
        merge_sidecar(directory, &mut manifest);
    }
    Ok((document, manifest))
}

/// The files that a reader may ask for, and how many more there are.
fn resources(skill: &Skill) -> (Vec<Resource>, usize) {
    let mut resources = Bundle::of(skill).resources;
    resources.retain(|resource| ResourcePath::parse(&resource.path).is_ok());
    let more = resources.len().saturating_sub(limits::ACTIVATION_RESOURCES);
    resources.truncate(limits::ACTIVATION_RESOURCES);
    (resources, more)
}

/// What is needed to make a skill's text.
struct Text<'a> {
    request: &'a Request,
    values: Values<'a>,
    setting: Result<shell::Setting<'a>, NotRun>,
}

/// A text, and what became of its commands.
struct Made {
    text: String,
    commands: Vec<CommandReport>,
}

impl<'a> Text<'a> {
    fn new(
        skill: &Skill,
        request: &'a Request,
        permissions: &'a Permissions,
        manifest: &'a Manifest,
        directory: Option<&'a Path>,
    ) -> Self {
        let shown = directory.and_then(Path::to_str);
        let session = request.session_id.as_deref();
        let names = &manifest.invocation.arguments;
        let values = Values {
            directory: shown,
            session,
            variables: &request.variables,
            arguments: &request.arguments,
            names: names.get(..limits::ARGUMENT_NAMES).unwrap_or(names),
            keep_skill_dir: request.framing == Framing::Kesoku,
        };
        let for_shell = shell::Values {
            directory: shown.unwrap_or_default(),
            session: session.unwrap_or_default(),
            variables: &request.variables,
            arguments: &request.arguments,
        };
        let execution = &manifest.execution;
        Self {
            request,
            values,
            setting: shell::setting(skill, execution, directory, permissions, &for_shell),
        }
    }

    /// The text that the framing stands around. The frontmatter of a whole file stays as it is written.
    fn of(&self, document: &Document) -> Result<Made, TooLong> {
        let is_file = self.request.framing == Framing::File;
        let (before, body) = if is_file {
            let start = document.body_span().start;
            let text = document.text();
            text.split_at_checked(start).unwrap_or((text, ""))
        } else {
            ("", document.body().trim())
        };
        let mut commands = shell::Commands::new(self.setting.clone());
        let mut text = before.to_owned();
        if self.request.as_written {
            text.push_str(body);
        } else {
            let rendered = render(body, &self.values, |command| commands.run(command))?;
            text.push_str(&rendered.text);
            self.append_arguments(&rendered, &mut text);
        }
        Ok(Made {
            text,
            commands: commands.reports,
        })
    }

    /// Arguments that have no place in the text follow it, as Claude Code does it.
    fn append_arguments(&self, rendered: &Rendered, text: &mut String) {
        if rendered.took_arguments || self.request.arguments.is_empty() {
            return;
        }
        let end = text.trim_end().len();
        text.truncate(end);
        text.extend(["\n\nARGUMENTS: ", self.request.arguments.text(), "\n"]);
    }

    /// The name of a tool with the skill's directory in its place. It takes no arguments: what a tool may do must not
    /// depend on them.
    fn in_place(&self, tool: &str) -> String {
        let none = Arguments::default();
        let values = Values {
            arguments: &none,
            names: &[],
            ..self.values.clone()
        };
        // Only a single tool's name of megabytes is too long; it stays as it is written.
        render(tool, &values, |_| None).map_or_else(|_| tool.to_owned(), |made| made.text)
    }
}

impl Skill {
    /// The bytes of the skill's own file as they are now; see [`crate::discover::read_again`].
    pub(crate) fn content(&self) -> crate::discover::Content {
        match &self.form {
            Form::Directory | Form::File => {
                crate::discover::read_again(&self.path, &self.root.real, &self.real_parent())
            }
            Form::Archive { .. } | Form::Bundled => crate::details::content(&self.form, &self.path),
        }
    }

    /// The directory that holds the skill's own file, without links.
    fn real_parent(&self) -> PathBuf {
        let place = self.real_place();
        match self.form {
            Form::Directory => place,
            _ => place.parent().map(Path::to_owned).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests;
