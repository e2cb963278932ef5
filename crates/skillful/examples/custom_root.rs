//! A directory of your own, followed as it changes.
//!
//! ```text
//! cargo run -p skillful --example custom_root
//! ```
//!
//! An agent that brings its own directory of skills names it as a root: then nothing else is searched, no client's
//! directory and nobody's home. The directory need not exist yet. The example begins to watch, writes a skill, and
//! prints the events until the skill can be used; then it edits the skill, and prints until that was noticed.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use skillful::{Host, SkillSystem, WatchOptions};

/// How long the example waits for an event that must come.
const PATIENCE: Duration = Duration::from_secs(60);

fn main() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    run(directory.path(), &mut io::stdout().lock())
}

/// Follows the directory `skills` below an empty one.
pub(crate) fn run(directory: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let skills = SkillSystem::builder()
        .host(Host::new(directory))
        .root("skills")
        .build()?;
    // Subscribe first, so that nothing is missed.
    let mut events = skills.subscribe();
    // The system follows the disk for as long as this is kept.
    let _watching = skills.watch(WatchOptions::default())?;
    writeln!(out, "{} skills", skills.snapshot().skills().len())?;

    let mut follow = |description: &str| -> Result<(), Box<dyn Error>> {
        write_skill(directory, description)?;
        loop {
            // Events say that it is time to look; what there is, the snapshot says.
            let event = events.recv_timeout(PATIENCE)?;
            let happening = &event.happening;
            let id = happening.id.as_deref().unwrap_or("-");
            writeln!(out, "event: {} {id}", happening.kind.as_str())?;
            let snapshot = skills.snapshot();
            let greet = snapshot.find("greet").ok();
            if let Some(greet) = greet.filter(|greet| greet.description == description) {
                writeln!(out, "greet is {}: {description}", greet.state.as_str())?;
                return Ok(());
            }
        }
    };
    follow("Says hello. Use when somebody arrives.")?;
    follow("Says hello and goodbye. Use when somebody comes or goes.")
}

/// Writes the skill in one step: whoever follows the directory sees the whole file or none.
fn write_skill(directory: &Path, description: &str) -> io::Result<()> {
    let text = format!("---\nname: greet\ndescription: {description}\n---\n\nBe kind.\n");
    let draft = directory.join("draft.md");
    fs::write(&draft, text)?;
    let place = directory.join("skills/greet");
    fs::create_dir_all(&place)?;
    fs::rename(draft, place.join("SKILL.md"))
}
