//! A small agent, end to end.
//!
//! ```text
//! cargo run -p skillful --example agent_loop                 with skills that the example writes
//! cargo run -p skillful --example agent_loop -- DIRECTORY    with the skills in a directory of yours
//! ```
//!
//! Its model is scripted, so that the example needs no network: it takes the skill that shares the most words with what
//! was asked, or the one that stands in backticks. All it knows is what a real model would be told, the system prompt
//! and the conversation. Everything else is what a real agent does:
//!
//! - the catalog goes into the system prompt, once for the whole conversation, so that the prompt stays cached;
//! - what a message brings up by itself is handed over before the model is asked: the person invokes it;
//! - the model calls two tools, `skill` and `skill_file`, and a refusal goes back to it as the result of its call;
//! - a skill that the conversation holds already is not sent twice;
//! - when a turn ends well, its skills have helped, and that goes on record.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use skillful::store::Activity;
use skillful::{
    Ambient, Arguments, Budget, Invoker, Message, Range, Request, Session, SkillSystem, catalog,
};

/// Most rounds of tool calls in a turn, unless a skill wants fewer.
const MAX_ROUNDS: u32 = 8;

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    if let Some(directory) = std::env::args_os().nth(1) {
        return run(Path::new(&directory), &mut out);
    }
    let directory = tempfile::tempdir()?;
    write_skills(directory.path())?;
    run(directory.path(), &mut out)
}

/// Holds a conversation about the skills in a directory, and prints it.
pub(crate) fn run(directory: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let skills = SkillSystem::builder().root(directory).build()?;
    let messages = messages(&skills);
    let mut agent = Agent::new(skills, out)?;
    for message in messages {
        agent.turn(&message)?;
    }
    agent.print_records()?;
    Ok(())
}

/// What the person says: about the example's own skills, else about the first one that can be used.
fn messages(skills: &SkillSystem) -> Vec<String> {
    let snapshot = skills.snapshot();
    if snapshot.find("pdf-forms").is_ok() {
        let messages = [
            "Please fill in the form application.pdf.",
            "And now the form visa.pdf.",
            "Use the skill `deploy`.",
            "/deploy staging",
        ];
        return messages.map(str::to_owned).to_vec();
    }
    let about = |id: &str| vec![format!("Use the skill `{id}`."), format!("/{id} please")];
    let first = snapshot.ready().next();
    first.map_or_else(Vec::new, |skill| about(&skill.id))
}

/// Two skills: one for the model to choose, one for people to bring up.
pub(crate) fn write_skills(directory: &Path) -> io::Result<()> {
    let files = [
        (
            "pdf-forms/SKILL.md",
            "---\nname: pdf-forms\ndescription: Fills in PDF forms. Use when a form is to be filled in.\n---\n\n\
             Read references/fields.md, then write one value for each field.\n",
        ),
        (
            "pdf-forms/references/fields.md",
            "Fields have names; dates are written 2026-12-01.\n",
        ),
        (
            "deploy/SKILL.md",
            "---\nname: deploy\ndescription: Deploys the service. Use when somebody says so.\n\
             disable-model-invocation: true\n---\n\nDeploy to $0, and watch the log for a minute.\n",
        ),
    ];
    for (path, text) in files {
        let path = directory.join(path);
        fs::create_dir_all(path.parent().unwrap_or(directory))?;
        fs::write(path, text)?;
    }
    Ok(())
}

/// Who says something in the conversation.
#[derive(Clone, Copy)]
enum Speaker {
    System,
    Person,
    Model,
    /// What the agent adds by itself: skills, and results of tools.
    Agent,
}

impl Speaker {
    const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Person => "person",
            Self::Model => "model",
            Self::Agent => "agent",
        }
    }
}

/// One entry of the conversation.
struct Entry {
    speaker: Speaker,
    text: String,
}

/// An agent in one conversation.
struct Agent<'a> {
    skills: SkillSystem,
    /// What the conversation was given already.
    session: Session,
    conversation: Vec<Entry>,
    /// The skills of this turn.
    in_use: BTreeSet<String>,
    out: &'a mut dyn Write,
}

impl<'a> Agent<'a> {
    fn new(skills: SkillSystem, out: &'a mut dyn Write) -> io::Result<Self> {
        let budget = Budget {
            tokens: Some(4_000),
            ..Budget::default()
        };
        let catalog = skills.catalog(&catalog::Options {
            budget,
            ..catalog::Options::default()
        });
        let mut agent = Self {
            skills,
            session: Session::default(),
            conversation: Vec::new(),
            in_use: BTreeSet::new(),
            out,
        };
        let text = format!(
            "You have skills. Before you do what one is for, call `skill` with its name.\n{}",
            catalog.text
        );
        agent.say(Speaker::System, text)?;
        Ok(agent)
    }

    fn turn(&mut self, text: &str) -> Result<(), Box<dyn Error>> {
        self.in_use.clear();
        self.say(Speaker::Person, text.to_owned())?;
        let message = Message {
            text,
            ..Message::default()
        };
        let matches = self
            .skills
            .matches(&message, Ambient::None, Some(MAX_ROUNDS));
        // The surest one drives the turn. An agent may as well take all that are sure enough for it.
        if let Some(found) = matches.skills.first() {
            let arguments = Arguments::parse(&found.arguments)?;
            let given = self.hand_over(&found.id, Invoker::Person, arguments);
            self.say(Speaker::Agent, given)?;
        }
        for _ in 0..matches.max_tool_rounds.unwrap_or(MAX_ROUNDS) {
            match model::next(&self.conversation) {
                model::Step::Answer(text) => {
                    self.say(Speaker::Model, text)?;
                    return Ok(self.turn_went_well()?);
                }
                model::Step::Call(call) => {
                    self.say(Speaker::Model, call.to_string())?;
                    let result = self.execute(&call);
                    self.say(Speaker::Agent, result)?;
                }
            }
        }
        Ok(self.say(Speaker::Agent, "That were too many rounds.".to_owned())?)
    }

    /// What the model is told about its call.
    fn execute(&mut self, call: &model::Call) -> String {
        match call {
            model::Call::Skill { name } => {
                self.hand_over(name, Invoker::Model, Arguments::default())
            }
            model::Call::SkillFile { name, path } => self.read_file(name, path),
        }
    }

    /// A skill's text, or why there is none.
    fn hand_over(&mut self, name: &str, invoker: Invoker, arguments: Arguments) -> String {
        let request = Request {
            invoker,
            arguments,
            ..Request::default()
        };
        match self.skills.activate(name, &request) {
            Ok(mut activation) => {
                self.session.note(&mut activation);
                let id = activation.id;
                let text = if activation.already_active {
                    format!("The text of `{id}` stands above, and has not changed.")
                } else {
                    activation.content
                };
                self.in_use.insert(id);
                text
            }
            // All errors are sentences that a model can act upon.
            Err(error) => error.to_string(),
        }
    }

    /// A file of a skill that the conversation holds, or why there is none. Other skills are not for the model to look
    /// into: they may be for people to bring up.
    fn read_file(&self, name: &str, path: &str) -> String {
        if !self.session.holds(name) {
            return format!("call `skill` with `{name}` first");
        }
        match self.skills.read_file(name, path, Range::Whole) {
            Ok(file) => String::from_utf8_lossy(file.content.as_bytes()).into_owned(),
            Err(error) => error.to_string(),
        }
    }

    fn turn_went_well(&mut self) -> io::Result<()> {
        for id in &self.in_use {
            if let Err(error) = self.skills.record_win(id) {
                writeln!(self.out, "not on record: {error}")?;
            }
        }
        Ok(())
    }

    fn say(&mut self, speaker: Speaker, text: String) -> io::Result<()> {
        for (number, line) in text.trim_end().lines().enumerate() {
            let who = if number == 0 { speaker.as_str() } else { "" };
            writeln!(self.out, "{}", format!("{who:8}{line}").trim_end())?;
        }
        self.conversation.push(Entry { speaker, text });
        Ok(())
    }

    fn print_records(&mut self) -> io::Result<()> {
        writeln!(self.out, "\nOn record:")?;
        let status = self.skills.status();
        for entry in status.entries() {
            let Some(usage) = entry.usage else {
                continue;
            };
            write!(self.out, "{:12}", entry.skill.id)?;
            for activity in [
                Activity::Offer,
                Activity::Read,
                Activity::Use,
                Activity::Win,
            ] {
                let count = usage.of(activity).count;
                write!(self.out, "  {} {count}", activity.as_plural())?;
            }
            writeln!(self.out)?;
        }
        Ok(())
    }
}

/// The scripted model. Put a real one here.
mod model {
    use std::fmt;

    use super::{Entry, Speaker};

    /// What the model does next.
    pub(crate) enum Step {
        /// It ends its turn.
        Answer(String),
        /// It wants something first.
        Call(Call),
    }

    /// A call of one of the agent's tools.
    pub(crate) enum Call {
        /// The text of a skill.
        Skill { name: String },
        /// A file of a skill.
        SkillFile { name: String, path: String },
    }

    impl fmt::Display for Call {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Self::Skill { name } => write!(f, "skill({name:?})"),
                Self::SkillFile { name, path } => write!(f, "skill_file({name:?}, {path:?})"),
            }
        }
    }

    /// Asked: look for a skill. Given one that has files: read the first. Otherwise: answer.
    pub(crate) fn next(conversation: &[Entry]) -> Step {
        let Some(last) = conversation.last() else {
            return Step::Answer("Hello.".to_owned());
        };
        let call = match last.speaker {
            Speaker::Person => choose(conversation, &last.text).map(|name| Call::Skill { name }),
            Speaker::Agent => first_file(&last.text),
            Speaker::System | Speaker::Model => None,
        };
        match (call, last.speaker) {
            (Some(call), _) => Step::Call(call),
            (None, Speaker::Agent) => Step::Answer("Understood. I go by that.".to_owned()),
            (None, _) => Step::Answer("I know no skill for that.".to_owned()),
        }
    }

    /// The skill that is named, else the one in the catalog that shares the most words with the request.
    fn choose(conversation: &[Entry], request: &str) -> Option<String> {
        if let Some(named) = request.split('`').nth(1) {
            return Some(named.to_owned());
        }
        let catalog = &conversation.first()?.text;
        let skills = catalog.split("<skill>").skip(1);
        let by_shared_words = skills.filter_map(|skill| {
            let shared = words(request).filter(|word| words(skill).any(|other| other == *word));
            Some((shared.count(), between(skill, "<name>", "</name>")?))
        });
        let (_, name) = by_shared_words
            .filter(|(shared, _)| *shared > 0)
            .max_by_key(|(shared, _)| *shared)?;
        Some(name.to_owned())
    }

    fn first_file(skill: &str) -> Option<Call> {
        Some(Call::SkillFile {
            name: between(skill, "<skill_content name=\"", "\"")?.to_owned(),
            path: between(skill, "<file>", "</file>")?.to_owned(),
        })
    }

    /// The words that may say something: those that are longer than most.
    fn words(text: &str) -> impl Iterator<Item = &str> {
        let words = text.split(|sign: char| !sign.is_alphanumeric());
        words.filter(|word| word.len() > 3)
    }

    fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
        let (_, rest) = text.split_once(before)?;
        rest.split_once(after).map(|(inner, _)| inner)
    }
}
