//! The world as you say it is.
//!
//! ```text
//! cargo run -p skillful --example custom_host
//! ```
//!
//! Whether a skill can be used depends on the operating system, on programs, tools and values. All of these come in
//! through a [`Host`], and nothing is asked of the process: an agent that drives another machine, or a container, says
//! what *that* one is like. The example judges the same four skills on two hosts: a bare one, which has no search path
//! and therefore no programs, and one that has all they ask for. For each skill that cannot be used it prints every
//! reason and the way out, as `skillful why` does.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde_json::json;
use skillful::eligibility::Explanation;
use skillful::{Host, Os, SkillSystem};

fn main() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    run(directory.path(), &mut io::stdout().lock())
}

/// Writes skills and a program into an empty directory, and judges the skills on two hosts.
pub(crate) fn run(directory: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    write_world(directory)?;
    // No home, no variables, no tools; of the process only what is said here.
    let bare = Host::new(directory).with_os(Os::Linux);
    judge("A bare machine", bare.clone(), out)?;
    let programs = directory.join("bin");
    let furnished = bare
        .with_os(Os::MacOs)
        .with_variable("PATH", programs.to_string_lossy())
        .with_tools(["calendar_add"])
        .with_values(json!({ "mail": { "account": "me@example.org" } }));
    judge("A furnished one", furnished, out)
}

fn judge(title: &str, host: Host, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let skills = SkillSystem::builder().host(host).root("skills").build()?;
    let snapshot = skills.snapshot();
    writeln!(out, "{title}:")?;
    for skill in snapshot.skills() {
        writeln!(out, "  {} is {}", skill.id, skill.state.as_str())?;
        // The reasons alone are in `skill.blockers`; this is all that there is to say.
        let conditions = snapshot.setup().conditions();
        let why = Explanation::of(skill, snapshot.registry(), &conditions, None);
        for reason in &why.standing.blockers {
            writeln!(out, "    {}: {}", reason.kind, reason.detail)?;
            if let Some(help) = &reason.help {
                writeln!(out, "      {help}")?;
            }
        }
    }
    Ok(())
}

fn write_world(directory: &Path) -> io::Result<()> {
    let skills = [
        (
            "archive-mail",
            "eligibility:\n  required-config: [mail.account]\n",
        ),
        ("book-room", "requires:\n  tools: [calendar_add]\n"),
        (
            "draw-graph",
            "metadata:\n  openclaw:\n    requires:\n      bins: [dot]\n",
        ),
        ("read-aloud", "platforms: [macos]\n"),
    ];
    for (name, needs) in skills {
        let place = directory.join("skills").join(name);
        fs::create_dir_all(&place)?;
        let text =
            format!("---\nname: {name}\ndescription: Use when asked to.\n{needs}---\n\nDo it.\n");
        fs::write(place.join("SKILL.md"), text)?;
    }
    let programs = directory.join("bin");
    fs::create_dir_all(&programs)?;
    let program = programs.join("dot");
    fs::write(&program, "#!/bin/sh\n")?;
    make_executable(&program)
}

#[cfg(unix)]
fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> io::Result<()> {
    Ok(())
}
