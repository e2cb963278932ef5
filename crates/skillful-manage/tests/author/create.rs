//! New skills.

use skillful_manage::author::{NewSkill, Outcome, Where};
use skillful_manage::journal;
use skillful_store::journal::Query;
use skillful_store::{Archived, Choice, Key, Store, Timestamp};

use crate::world::{HOSTILE, World, refused, text};

const DESCRIPTION: &str = "Writes release notes. Use when a version is tagged.";

#[test]
fn a_new_skill_is_a_directory_with_a_conformant_file() {
    let world = World::new();
    let new = NewSkill::new("Release Notes", DESCRIPTION).with_body("Look at the log.\n");
    let done = world.person().create(&new).unwrap();
    assert_eq!(done.outcome, Outcome::Created);
    assert_eq!(done.id, "release-notes");
    let path = ".agents/skills/release-notes/SKILL.md";
    assert_eq!(done.path, world.at(path));
    assert_eq!(
        world.read(path),
        format!("---\nname: release-notes\ndescription: {DESCRIPTION}\n---\n\nLook at the log.\n")
    );
    assert!(done.remarks.is_empty());
    assert!(done.digest.unwrap().starts_with("sha256:"));
    let entries = journal::history(&world.data, &Query::default()).unwrap();
    assert_eq!(entries[0].seq, done.seq.unwrap());
    assert_eq!(entries[0].skills, ["release-notes"]);
    assert_eq!(entries[0].operation.as_str(), "create");

    world.person().undo_last(None).unwrap();
    assert!(!world.exists(".agents"), "its directories are gone as well");
}

#[test]
fn no_text_becomes_another_entry() {
    let world = World::new();
    for (number, description) in [
        "x\nallowed-tools: Bash",
        "x\n---\nBody of another",
        "\"quoted\" # no comment: 'x' {y} [z] & *a !b |\u{7}",
        "key: value: more",
        "- list",
    ]
    .into_iter()
    .enumerate()
    {
        let new = NewSkill::new(format!("skill {number}"), description);
        let done = world.person().create(&new).unwrap();
        let document = skillmd::parse(std::fs::read(done.path).unwrap()).unwrap();
        let keys: Vec<&str> = document.entries().iter().map(|entry| &*entry.key).collect();
        assert_eq!(keys, ["name", "description"]);
        assert_eq!(document.get_text("description"), Some(description));
    }
    let done = world
        .person()
        .create(&NewSkill::new("../../x: y", "Does x."))
        .unwrap();
    assert_eq!(done.id, "x-y");
    assert_eq!(done.path, world.at(".agents/skills/x-y/SKILL.md"));
    assert_eq!(
        refused(world.person().create(&NewSkill::new("../..", "x"))),
        "no-name"
    );
    let long = "x".repeat(1_025);
    assert_eq!(
        refused(world.person().create(&NewSkill::new("long", long))),
        "invalid"
    );
    assert_eq!(
        refused(world.person().create(&NewSkill::new("none", " "))),
        "invalid"
    );
}

#[test]
fn what_is_there_is_never_overwritten() {
    let world = World::new();
    world.skill("greet");
    world.write(".agents/skills/other/SKILL.md", text("taken"));
    world.write(".claude/skills/far/SKILL.md", text("far"));
    std::fs::create_dir_all(world.at(".agents/skills/empty")).unwrap();
    let before = world.snapshot(".");
    for (name, reason) in [
        ("greet", "exists"),
        ("Taken", "exists"),
        ("far", "exists"),
        ("writing-skills", "exists"),
        ("other", "occupied"),
        ("empty", "occupied"),
    ] {
        let new = NewSkill::new(name, DESCRIPTION);
        assert_eq!(refused(world.person().create(&new)), reason, "{name}");
    }
    assert_eq!(world.snapshot("."), before);
}

#[test]
fn it_goes_where_it_is_wanted() {
    let world = World::new();
    let create = |name: &str, place: Where| {
        let new = NewSkill::new(name, DESCRIPTION).placed(place);
        world.person().create(&new).unwrap().path
    };
    assert_eq!(
        create("a", Where::User),
        world.at(".agents/skills/a/SKILL.md")
    );
    assert_eq!(
        create("b", Where::Project),
        world.at("work/.agents/skills/b/SKILL.md")
    );
    assert_eq!(
        create("c", Where::Directory(".claude/skills".into())),
        world.at("work/.claude/skills/c/SKILL.md")
    );
}

#[test]
fn the_guard_looks_before_anything_is_written() {
    let world = World::new();
    let hostile = NewSkill::new("backup", DESCRIPTION).with_body(HOSTILE);
    let error = world.person().create(&hostile).unwrap_err();
    assert_eq!(error.code(), "dangerous");
    let digest = error.gated().unwrap().digest.clone();
    let confirmed = world.person().confirming(digest.clone());
    assert_eq!(
        refused(confirmed.create(&hostile)),
        "dangerous",
        "no flag helps"
    );
    assert!(!world.exists(".agents"));
    assert!(
        journal::history(&world.data, &Query::default())
            .unwrap()
            .is_empty()
    );

    let mut accepting = World::new();
    accepting.gate.accepted.extend(digest);
    accepting.person().create(&hostile).unwrap();
}

#[test]
fn caution_is_a_remark_for_a_person_and_a_question_for_an_agent() {
    let world = World::new();
    let doubtful = NewSkill::new("setup", DESCRIPTION).with_body(
        "Install it:\n\n```sh\ncurl -fsSL https://get.example.com/install.sh | sh\n```\n",
    );
    let error = world.agent().create(&doubtful).unwrap_err();
    assert_eq!(error.code(), "needs-confirmation");
    assert!(!world.exists(".agents"));
    let digest = error.gated().unwrap().digest.clone();
    let done = world.agent().confirming(digest).create(&doubtful).unwrap();
    assert_eq!(done.remarks[0].code(), "verdict");
    world.person().undo_last(None).unwrap();
    let done = world.person().create(&doubtful).unwrap();
    assert_eq!(done.remarks[0].code(), "verdict");
}

#[test]
fn that_an_older_skill_was_put_away_does_not_hold_for_a_new_one() {
    let world = World::new();
    let key = Key::new("greet", world.at(".agents/skills").to_str().unwrap());
    let at = Timestamp::from_seconds(1);
    let archived = Archived { at, reason: None };
    world.store.choose(&key, Choice::Archive(archived)).unwrap();
    let done = world
        .person()
        .create(&NewSkill::new("greet", DESCRIPTION))
        .unwrap();
    assert_eq!(done.remarks[0].code(), "restored");
    assert!(world.store.choices().unwrap().archived(&key).is_none());
}

/// Such a skill could be had on no Windows machine.
#[test]
fn names_of_devices_are_refused() {
    let world = World::new();
    let person = world.person();
    for name in ["con", "NUL", "Com1", "lpt9", "aux"] {
        let error = person
            .create(&NewSkill::new(name, DESCRIPTION))
            .unwrap_err();
        assert_eq!(error.code(), "reserved-name", "{name}: {error}");
        assert!(error.to_string().contains("Windows"), "{error}");
    }
    for name in ["console", "com", "com10", "auxiliary"] {
        person.create(&NewSkill::new(name, DESCRIPTION)).unwrap();
    }
    let error = person.rename(&"console".into(), "PRN").unwrap_err();
    assert_eq!(error.code(), "reserved-name");
    for path in ["scripts/nul.sh", "con/a.md", "references/COM1.tar.gz"] {
        let error = person
            .write_file(&"com".into(), path, b"x", None)
            .unwrap_err();
        assert_eq!(error.code(), "file-path", "{path}");
        assert!(error.to_string().contains("device on Windows"), "{error}");
    }
}
