//! Links: never written through, and taken along where they lead to the skill.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;

use crate::world::{World, refused, text};

#[test]
fn a_link_in_a_skill_is_never_written_through() {
    let world = World::new();
    world.skill("greet");
    world.write("outside/secret.md", "secret");
    let skill = world.at(".agents/skills/greet");
    symlink(world.at("outside"), skill.join("references")).unwrap();
    symlink(world.at("outside/secret.md"), skill.join("link.md")).unwrap();
    symlink(world.at("outside/absent.md"), skill.join("dangling.md")).unwrap();
    let before = world.snapshot("outside");
    let author = world.person();
    let write = |path: &str| author.write_file(&"greet".into(), path, b"x", None);
    assert_eq!(refused(write("references/secret.md")), "link");
    assert_eq!(refused(write("references/new.md")), "link");
    assert_eq!(refused(write("link.md")), "link");
    assert_eq!(refused(write("dangling.md")), "link");
    let patch = author.patch(&"greet".into(), Some("link.md"), "secret", "x");
    assert_eq!(refused(patch), "no-file");
    let removed = author.remove_file(&"greet".into(), "references/secret.md");
    assert_eq!(refused(removed), "no-file");
    author.remove_file(&"greet".into(), "link.md").unwrap();
    assert!(!world.exists(".agents/skills/greet/link.md"));
    assert_eq!(world.snapshot("outside"), before);
}

#[test]
fn a_skill_whose_own_file_is_a_link_is_refused() {
    let world = World::new();
    world.write(".agents/skills/greet/text.md", text("greet"));
    symlink("text.md", world.at(".agents/skills/greet/SKILL.md")).unwrap();
    let before = world.snapshot(".agents");
    assert_eq!(
        refused(world.person().patch(&"greet".into(), None, "Do", "x")),
        "link"
    );
    assert_eq!(
        refused(world.person().rename(&"greet".into(), "new")),
        "link"
    );
    assert_eq!(world.snapshot(".agents"), before);
}

#[test]
fn links_that_lead_to_a_skill_are_taken_along() {
    let world = World::new();
    world.write("work/.agents/skills/greet/SKILL.md", text("greet"));
    fs::create_dir_all(world.at("work/.claude/skills")).unwrap();
    symlink(
        "../../.agents/skills/greet",
        world.at("work/.claude/skills/greet"),
    )
    .unwrap();
    let before = world.snapshot("work");
    let author = world.person();
    author
        .patch(&"greet".into(), None, "Do it.", "Do that.")
        .unwrap();
    assert_eq!(
        world.snapshot("work")[".claude/skills/greet"],
        "-> ../../.agents/skills/greet"
    );
    assert!(
        world
            .read("work/.agents/skills/greet/SKILL.md")
            .contains("Do that.")
    );

    let done = author.rename(&"greet".into(), "hello").unwrap();
    assert_eq!(done.remarks[0].code(), "links", "{:?}", done.remarks);
    let after = world.snapshot("work");
    assert_eq!(
        after[".claude/skills/hello"],
        "-> ../../.agents/skills/hello"
    );
    assert!(!after.contains_key(".claude/skills/greet"));
    author.delete(&"hello".into(), false).unwrap();
    let after = world.snapshot("work");
    assert!(!after.contains_key(".claude/skills/hello"));
    assert!(!after.contains_key(".agents/skills/hello/"));
    for _ in 0..3 {
        author.undo_last(None).unwrap();
    }
    assert_eq!(world.snapshot("work"), before);
}

#[test]
fn an_installed_skill_gets_a_directory_of_its_own() {
    let world = World::new();
    world.write("fetched/SKILL.md", text("greet"));
    world.write("fetched/references/a.md", "a");
    let tree = world.data.objects().put_tree(&world.at("fetched")).unwrap();
    let object = world.data.objects().tree_path(&tree.digest());
    let link = world.at(".agents/skills/greet");
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(&object, &link).unwrap();
    let author = world.person();
    let done = author
        .patch(&"greet".into(), None, "Do it.", "Do that.")
        .unwrap();
    assert_eq!(done.remarks[0].code(), "unlinked", "{:?}", done.remarks);
    assert!(!link.symlink_metadata().unwrap().is_symlink());
    assert!(
        world
            .read(".agents/skills/greet/SKILL.md")
            .contains("Do that.")
    );
    assert_eq!(world.read(".agents/skills/greet/references/a.md"), "a");
    assert_eq!(
        fs::read_to_string(object.join("SKILL.md")).unwrap(),
        text("greet")
    );
    author.undo(done.seq.unwrap()).unwrap();
    assert_eq!(fs::read_link(&link).unwrap(), object);

    author
        .write_file(&"greet".into(), "b/c.md", b"c", None)
        .unwrap();
    assert_eq!(world.read(".agents/skills/greet/b/c.md"), "c");
    author.undo_last(None).unwrap();
    author
        .remove_file(&"greet".into(), "references/a.md")
        .unwrap();
    assert!(!world.exists(".agents/skills/greet/references"));
    author.undo_last(None).unwrap();
    let done = author.rename(&"greet".into(), "hello").unwrap();
    assert!(
        world
            .read(".agents/skills/hello/SKILL.md")
            .starts_with("---\nname: hello\n")
    );
    author.undo(done.seq.unwrap()).unwrap();
    assert_eq!(fs::read_link(&link).unwrap(), object);
    assert_eq!(refused(author.delete(&"greet".into(), true)), "installed");
}

#[test]
fn a_skill_is_changed_where_it_really_lies() {
    let world = World::new();
    world.write("code/greet/SKILL.md", text("greet"));
    fs::create_dir_all(world.at(".claude/skills")).unwrap();
    symlink(world.at("code/greet"), world.at(".claude/skills/greet")).unwrap();
    let done = world
        .person()
        .patch(&"greet".into(), None, "Do it.", "x")
        .unwrap();
    assert_eq!(done.path, world.at("code/greet/SKILL.md"));
    assert!(fs::read_link(world.at(".claude/skills/greet")).is_ok());
}
