//! Files of a skill beside its own.

use skillful_manage::author::Outcome;

use crate::world::{HOSTILE, World, refused};

#[test]
fn files_come_and_go_with_their_directories() {
    let world = World::new();
    world.skill("greet");
    let before = world.snapshot(".agents/skills");
    let author = world.person();
    let path = "scripts/deep/run.sh";
    let done = author
        .write_file(&"greet".into(), path, b"#!/bin/sh\necho hi\n", Some(true))
        .unwrap();
    assert_eq!(done.outcome, Outcome::Written);
    assert_eq!(done.path, world.at(".agents/skills/greet").join(path));
    let again = author.write_file(&"greet".into(), path, b"#!/bin/sh\necho hi\n", None);
    assert_eq!(
        again.unwrap().outcome,
        Outcome::Unchanged,
        "it stays executable"
    );
    author
        .write_file(&"greet".into(), path, b"#!/bin/sh\necho ho\n", None)
        .unwrap();
    let file = format!("greet/{path}");
    assert_eq!(
        world.snapshot(".agents/skills")[&file],
        "#!/bin/sh\necho ho\ntrue"
    );
    let done = author.remove_file(&"greet".into(), path).unwrap();
    assert_eq!(done.outcome, Outcome::Removed);
    assert_eq!(world.snapshot(".agents/skills"), before);
    assert_eq!(
        refused(author.remove_file(&"greet".into(), path)),
        "no-file"
    );
    author.undo(done.seq.unwrap()).unwrap();
    assert_eq!(
        world.snapshot(".agents/skills")[&file],
        "#!/bin/sh\necho ho\ntrue"
    );
}

#[test]
fn what_cannot_be_a_file_of_a_skill_is_refused() {
    let world = World::new();
    world.skill("greet");
    world.write(".agents/skills/greet/references/a.md", "a");
    let before = world.snapshot(".");
    let write = |path: &str, content: &str| {
        let author = world.agent();
        author.write_file(&"greet".into(), path, content.as_bytes(), None)
    };
    for (path, reason) in [
        ("../x", "file-path"),
        ("/tmp/x", "file-path"),
        (".env", "file-path"),
        ("a/.git/config", "file-path"),
        ("a\\b", "file-path"),
        ("", "file-path"),
        ("SKILL.md", "main-file"),
        ("skill.MD", "main-file"),
        ("references", "not-a-file"),
        ("references/a.md/b", "not-a-file"),
        ("References/b.md", "case-clash"),
        ("references/A.md", "case-clash"),
    ] {
        assert_eq!(refused(write(path, "x")), reason, "{path}");
    }
    assert_eq!(
        refused(write("big", &"x".repeat(1024 * 1024 + 1))),
        "too-large"
    );
    assert_eq!(refused(write("x.md", HOSTILE)), "dangerous");
    assert_eq!(
        refused(world.person().remove_file(&"greet".into(), "SKILL.md")),
        "main-file"
    );
    let mut after = world.snapshot(".");
    after.retain(|path, _| !path.starts_with("data/"));
    assert_eq!(after, before);
}

#[test]
fn a_single_file_becomes_a_directory_by_its_first_other_file() {
    let world = World::new();
    let toml = "+++\nname = \"greet\"\ndescription = \"Greets.\" # mine\n+++\n\nHello.\n";
    world.write(".denkeeper/skills/greet.md", toml);
    let before = world.snapshot(".denkeeper");
    let done = world
        .agent()
        .write_file(&"greet".into(), "references/a.md", b"More.\n", None)
        .unwrap();
    assert_eq!(done.id, "greet");
    assert_eq!(done.remarks[0].code(), "made-directory");
    assert!(!world.exists(".denkeeper/skills/greet.md"));
    assert_eq!(world.read(".denkeeper/skills/greet/SKILL.md"), toml);
    world
        .agent()
        .patch(&"greet".into(), None, "Hello.", "Good day.")
        .unwrap();
    world.person().undo_last(None).unwrap();
    world.person().undo_last(None).unwrap();
    assert_eq!(world.snapshot(".denkeeper"), before);

    std::fs::create_dir_all(world.at(".denkeeper/skills/greet/notes")).unwrap();
    let error = world
        .agent()
        .write_file(&"greet".into(), "a.md", b"x", None);
    assert_eq!(refused(error), "occupied");
    assert_eq!(
        refused(world.agent().remove_file(&"greet".into(), "a.md")),
        "no-file"
    );
}
