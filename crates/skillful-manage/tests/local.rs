//! Directories, files and archives of this machine.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is the report")]

use std::fs;

use skillful_manage::find::PickError;
use skillful_manage::source::fetch::FetchError;

mod common;
use common::*;

fn write(ground: &Ground, path: &str, content: impl AsRef<[u8]>) {
    let path = ground.path().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

#[test]
fn a_directory_is_copied_and_stays() {
    let ground = Ground::new();
    write(&ground, "project/skills/pdf/SKILL.md", skill_text("pdf"));
    write(
        &ground,
        "project/skills/pdf/inner/deep/SKILL.md",
        skill_text("deep"),
    );
    write(&ground, "project/skills/pdf/data.bin", [0, 255, 13, 10]);
    write(&ground, "project/skills/pdf/.git/config", "x");
    write(
        &ground,
        "project/.claude/skills/notes/SKILL.md",
        skill_text("notes"),
    );
    write(&ground, "project/node_modules/x/SKILL.md", skill_text("x"));
    write(&ground, "project/src/main.rs", "fn main() {}");
    let before = files_below(&ground.path().join("project"));
    let fetched = ground.fetch("./project").unwrap();
    assert_eq!(
        ids(&fetched),
        [
            "pdf:skills/pdf",
            "deep:skills/pdf/inner/deep",
            "notes:.claude/skills/notes"
        ]
    );
    assert_eq!(
        files_below(&fetched.directory),
        [
            ".claude/skills/notes/SKILL.md",
            "skills/pdf/SKILL.md",
            "skills/pdf/data.bin",
            "skills/pdf/inner/deep/SKILL.md",
        ]
    );
    let nested = &fetched.skills.skills[1];
    assert_eq!(nested.nested_in.as_deref(), Some("skills/pdf"));
    assert_eq!(
        fetched.chosen().unwrap().len(),
        2,
        "what lies in another skill is not chosen"
    );
    assert_eq!(files_below(&ground.path().join("project")), before);
    // One skill, by its directory and by its SKILL.md.
    for path in ["./project/skills/pdf", "./project/skills/pdf/SKILL.md"] {
        let fetched = ground.fetch(path).unwrap();
        assert_eq!(ids(&fetched), ["pdf:", "deep:inner/deep"]);
        assert!(fetched.directory.ends_with("pdf"));
    }
}

#[test]
fn files_and_archives() {
    let ground = Ground::new();
    write(&ground, "greet.md", skill_text("greet"));
    let zip = zip_of(&[("pdf/SKILL.md", skill_text("pdf").as_bytes())]);
    write(&ground, "a/pdf.skill", &zip);
    write(&ground, "a/broken.zip", &zip[..zip.len() - 30]);
    assert_eq!(
        ids(&ground.fetch("./greet.md").unwrap()),
        ["greet:greet.md"]
    );
    let fetched = ground.fetch("./a/pdf.skill").unwrap();
    assert_eq!(ids(&fetched), ["pdf:pdf"]);
    assert_eq!(fetched.resolution.artifact, Some(sha256(&zip)));
    assert!(matches!(
        ground.fails("./a/broken.zip"),
        FetchError::Unpack { .. }
    ));
}

#[test]
fn what_is_not_there_and_what_is_no_skill() {
    let ground = Ground::new();
    write(&ground, "project/README.md", "x");
    let error = ground.fails("./projct");
    assert!(
        error
            .to_string()
            .ends_with("has no `projct`; did you mean `project`?"),
        "{error}"
    );
    let error = ground.fails("./project");
    assert!(
        matches!(error, FetchError::Pick(PickError::None)),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn links_are_left_out_and_special_files_are_not_read() {
    use std::os::unix::fs::symlink;
    let ground = Ground::new();
    write(&ground, "project/pdf/SKILL.md", skill_text("pdf"));
    write(&ground, "secret.txt", "secret");
    let pdf = ground.path().join("project/pdf");
    symlink("../../secret.txt", pdf.join("secret.txt")).unwrap();
    symlink("/", pdf.join("all")).unwrap();
    symlink(".", pdf.join("loop")).unwrap();
    let fetched = ground.fetch("./project").unwrap();
    assert_eq!(files_below(&fetched.directory), ["pdf/SKILL.md"]);
    assert!(
        fetched.notes[0].contains("`pdf/secret.txt`"),
        "{:?}",
        fetched.notes
    );
}

#[test]
fn internal_skills_and_copies() {
    let ground = Ground::new();
    let internal = "---\nname: secret\ndescription: d\nmetadata:\n  internal: true\n---\n";
    write(&ground, "p/skills/secret/SKILL.md", internal);
    write(&ground, "p/skills/pdf/SKILL.md", skill_text("pdf"));
    write(&ground, "p/.claude/skills/pdf/SKILL.md", skill_text("pdf"));
    write(&ground, "p/skills/notes/SKILL.md", skill_text("notes"));
    write(
        &ground,
        "p/other/notes/SKILL.md",
        skill_text("notes") + "differs\n",
    );
    let fetched = ground.fetch("./p").unwrap();
    let chosen: Vec<&str> = fetched.chosen().unwrap().iter().map(|s| &*s.path).collect();
    assert_eq!(chosen, ["skills/notes", "skills/pdf", "other/notes"]);
    let duplicates: Vec<(&str, bool)> = fetched
        .skills
        .duplicates
        .iter()
        .map(|duplicate| (&*duplicate.id, duplicate.identical))
        .collect();
    assert_eq!(duplicates, [("notes", false), ("pdf", true)]);
    let pick = |name: &str| {
        let selector = skillful_manage::source::Selector::parse(name).unwrap();
        skillful_manage::find::pick(&fetched.skills, &selector).map(|skills| {
            skills
                .iter()
                .map(|skill| skill.path.clone())
                .collect::<Vec<_>>()
        })
    };
    assert_eq!(pick("secret").unwrap(), ["skills/secret"]);
    assert_eq!(pick("PDF").unwrap(), ["skills/pdf"]);
    assert!(matches!(pick("notes"), Err(PickError::Ambiguous { .. })));
    assert_eq!(pick("*").unwrap().len(), 4);
}
