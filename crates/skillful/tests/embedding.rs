//! The code of the page "Embed Skillful in your agent": it is compiled and run here, and every part of its blocks
//! must be found here line by line.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is the report")]
#![expect(clippy::print_stdout, reason = "the page shows code that prints")]

use std::error::Error;
use std::fs;
use std::path::Path;

use skillful::{
    Ambient, Arguments, Budget, Invoker, Message, Range, Request, Session, SkillSystem, catalog,
};
use skillful::{Host, Options};
use tempfile::TempDir;

/// Two skills, one of which is for people to bring up.
fn project() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let files = [
        (
            "pdf-forms/SKILL.md",
            "---\nname: pdf-forms\ndescription: Fills in forms.\n---\nRead fields.md.\n",
        ),
        ("pdf-forms/fields.md", "Dates first.\n"),
        (
            "deploy/SKILL.md",
            "---\nname: deploy\ndescription: Deploys.\ndisable-model-invocation: true\n---\nDeploy to $0.\n",
        ),
    ];
    for (path, text) in files {
        let path = directory.path().join("skills").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    directory
}

fn begin(project: &Path) -> Result<SkillSystem, Box<dyn Error>> {
    use skillful::SkillSystem;

    let skills = SkillSystem::builder()
        .agent("my-agent") // whose switches in skills.toml count
        .root(project.join("skills")) // leave it out to search where all known clients keep skills
        .build()?;

    for skill in skills.snapshot().skills() {
        println!("{} is {}", skill.id, skill.state.as_str());
    }
    Ok(skills)
}

/// Once for a conversation: what the model may choose from, for the system prompt.
fn system_prompt(skills: &SkillSystem) -> String {
    let options = catalog::Options {
        budget: Budget {
            tokens: Some(4_000),
            ..Budget::default()
        },
        ..catalog::Options::default()
    };
    skills.catalog(&options).text
}

/// First in a turn: what the person's message brings up by itself.
fn on_message(skills: &SkillSystem, session: &mut Session, text: &str) -> Vec<String> {
    let message = Message {
        text,
        ..Message::default()
    };
    let matches = skills.matches(&message, Ambient::None, Some(20));
    let mut texts = Vec::new();
    for found in &matches.skills {
        texts.push(match Arguments::parse(&found.arguments) {
            Ok(arguments) => hand_over(skills, session, &found.id, Invoker::Person, arguments),
            Err(too_long) => too_long.to_string(),
        });
    }
    texts
}

/// The model calls its tool `skill`.
fn on_skill_call(skills: &SkillSystem, session: &mut Session, name: &str) -> String {
    hand_over(skills, session, name, Invoker::Model, Arguments::default())
}

/// The text of a skill, unless the conversation has it, or why there is none.
fn hand_over(
    skills: &SkillSystem,
    session: &mut Session,
    name: &str,
    invoker: Invoker,
    arguments: Arguments,
) -> String {
    let request = Request {
        invoker,
        arguments,
        ..Request::default()
    };
    match skills.activate(name, &request) {
        Ok(mut activation) => {
            session.note(&mut activation);
            if activation.already_active {
                "You have it already; it stands above.".to_owned()
            } else {
                activation.content
            }
        }
        Err(refusal) => refusal.to_string(),
    }
}

/// The model calls its tool `skill_file`.
fn on_file_call(skills: &SkillSystem, session: &Session, name: &str, path: &str) -> String {
    if !session.holds(name) {
        return "Read the skill first.".to_owned();
    }
    match skills.read_file(name, path, Range::Whole) {
        Ok(file) => String::from_utf8_lossy(file.content.as_bytes()).into_owned(),
        Err(refusal) => refusal.to_string(),
    }
}

/// The person was content.
fn on_success(skills: &SkillSystem, name: &str) {
    if let Err(error) = skills.record_win(name) {
        println!("not on record: {error}");
    }
}

fn follow(skills: &SkillSystem, project: &Path) -> Result<(), Box<dyn Error>> {
    use skillful::{EventKind, WatchOptions};

    let events = skills.subscribe();
    let watching = skills.watch(WatchOptions::default())?; // until it is dropped
    fs::rename(
        project.join("skills/deploy"),
        project.join("skills/release"),
    )?;
    for event in events {
        match event.happening.kind {
            EventKind::Loaded | EventKind::Removed => println!("there is another catalog now"),
            EventKind::Resync => println!("events were missed: look at the snapshot"),
            _ => {}
        }
        if event.happening.kind == EventKind::Loaded {
            break;
        }
    }
    drop(watching);
    Ok(())
}

fn keep_records(host: &Host, options: &Options) -> Result<SkillSystem, Box<dyn Error>> {
    use std::sync::Arc;

    use skillful::records;
    use skillful::store::SqliteStore;

    let mut builder = SkillSystem::builder()
        .host(host.clone())
        .options(options.clone());
    // Where the command keeps them; any other directory will do.
    if let Some(directory) = records::directory(host, options) {
        builder = builder.store(Arc::new(SqliteStore::at(directory)));
    }
    let skills = builder.build()?;
    for entry in skills.status().entries() {
        println!("{} is {}", entry.skill.id, entry.stage.as_str());
    }
    Ok(skills)
}

fn other_world(project: &Path) -> Result<SkillSystem, Box<dyn Error>> {
    use skillful::{Host, Os, SkillSystem};

    let host = Host::new(project) // no home, no variables, no programs
        .with_os(Os::Linux)
        .with_variable("PATH", "/usr/bin:/bin")
        .with_tools(["read", "shell"]);
    let skills = SkillSystem::builder().host(host).root("skills").build()?;
    for skill in skills.snapshot().skills() {
        for blocker in &skill.blockers {
            println!("{}: {}", skill.id, blocker.detail);
        }
    }
    Ok(skills)
}

#[test]
fn a_system_begins_with_all_skills() {
    let project = project();
    for skills in [begin(project.path()), other_world(project.path())] {
        assert_eq!(skills.unwrap().snapshot().ready().count(), 2);
    }
}

#[test]
fn a_turn_goes_as_the_page_says() {
    let project = project();
    let skills = begin(project.path()).unwrap();
    let mut session = Session::default();
    let prompt = system_prompt(&skills);
    assert!(prompt.contains("pdf-forms") && !prompt.contains("deploy"));

    assert_eq!(on_message(&skills, &mut session, "fill it in"), [""; 0]);
    let call = |session: &mut Session, name| on_skill_call(&skills, session, name);
    assert!(call(&mut session, "deploy").contains("for people to bring up"));
    for place in ["staging", "production"] {
        let texts = on_message(&skills, &mut session, &format!("/deploy {place}"));
        assert!(texts[0].contains(&format!("Deploy to {place}.")));
    }

    let file = |session: &Session, path| on_file_call(&skills, session, "pdf-forms", path);
    assert_eq!(file(&session, "fields.md"), "Read the skill first.");
    assert!(call(&mut session, "pdf-forms").contains("Read fields.md."));
    assert!(call(&mut session, "pdf-forms").contains("stands above"));
    assert_eq!(file(&session, "fields.md"), "Dates first.\n");
    assert!(file(&session, "../x").contains("is not a path"));
    on_success(&skills, "pdf-forms");
}

#[test]
fn changes_are_followed() {
    let project = project();
    let skills = begin(project.path()).unwrap();
    follow(&skills, project.path()).unwrap();
}

#[test]
fn records_outlive_the_system() {
    let project = project();
    let host = Host::new(project.path());
    let options = Options {
        home: Some("home".into()),
        roots: vec!["skills".into()],
        ..Options::default()
    };
    let first = keep_records(&host, &options).unwrap();
    on_success(&first, "deploy");
    first.archive("pdf-forms", None).unwrap();
    drop(first);
    let second = keep_records(&host, &options).unwrap();
    let status = second.status();
    let stages = status.entries().into_iter().map(|entry| {
        let is_used = entry.usage.is_some();
        (entry.stage.as_str(), is_used)
    });
    assert_eq!(
        stages.collect::<Vec<_>>(),
        [("active", true), ("archived", false)]
    );
}

#[test]
fn the_page_shows_this_code() {
    let lines = |text: &'static str| text.lines().map(str::trim).collect::<Vec<_>>();
    let code = lines(include_str!("embedding.rs"));
    let page = include_str!("../../../docs/embedding.md");
    let mut blocks = 0;
    for block in page.split("```rust\n").skip(1) {
        let shown = lines(block.split("```").next().unwrap());
        for part in shown.split(|line| line.is_empty()) {
            let is_here = code.windows(part.len()).any(|window| window == part);
            assert!(is_here, "not in the tests:\n{}", part.join("\n"));
        }
        blocks += 1;
    }
    assert_eq!(blocks, 5, "blocks of the page");
}
