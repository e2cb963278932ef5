//! Renaming and deleting every form of skill, and those that are not one's own.

use skillful_manage::author::Outcome;
use skillful_store::{Activity, Choice, Event, Key, Store, Timestamp};

use crate::world::{World, refused, text};

#[test]
fn a_rename_takes_everything_along() {
    let world = World::new();
    world.write(
        ".agents/skills/greet/SKILL.md",
        "---\n# kept\nname: 'greet' # mine\ndescription: Greets.\n---\r\nBody",
    );
    world.write(".agents/skills/greet/a/b.txt", "x");
    let before = world.snapshot(".agents/skills");
    let origin = world.at(".agents/skills");
    let key = |id: &str| Key::new(id, origin.to_str().unwrap());
    let at = Timestamp::from_seconds(5);
    let event = Event {
        key: key("greet"),
        activity: Activity::Read,
        at,
    };
    world.store.record(&[event]).unwrap();
    let approval = skillful_store::Approval::new("d", at);
    let what = "x".to_owned();
    world
        .store
        .choose(&key("greet"), Choice::Approve { what, approval })
        .unwrap();

    let done = world.person().rename(&"greet".into(), "Say Hello").unwrap();
    assert_eq!((done.outcome, &*done.id), (Outcome::Renamed, "say-hello"));
    assert_eq!(done.path, world.at(".agents/skills/say-hello/SKILL.md"));
    assert_eq!(
        world.read(".agents/skills/say-hello/SKILL.md"),
        "---\n# kept\nname: say-hello # mine\ndescription: Greets.\n---\r\nBody"
    );
    assert_eq!(world.read(".agents/skills/say-hello/a/b.txt"), "x");
    assert!(!world.exists(".agents/skills/greet"));
    let reads = |id: &str| {
        world
            .store
            .usage(&key(id))
            .unwrap()
            .of(Activity::Read)
            .count
    };
    assert_eq!((reads("greet"), reads("say-hello")), (0, 1));
    assert!(
        world
            .store
            .choices()
            .unwrap()
            .is_approved(&key("say-hello"), "x", "d")
    );

    let undone = world.person().undo(done.seq.unwrap()).unwrap();
    assert_eq!(world.snapshot(".agents/skills"), before);
    assert_eq!((reads("greet"), reads("say-hello")), (1, 0));
    world.person().undo(undone.entry.seq).unwrap();
    assert!(world.exists(".agents/skills/say-hello"));
    assert_eq!((reads("greet"), reads("say-hello")), (0, 1));
}

#[test]
fn single_files_keep_their_form_and_their_ending() {
    let world = World::new();
    let toml = "+++\nname = \"greet\"\ndescription = \"Greets.\" # mine\n+++\nHello.\n";
    world.write(".denkeeper/skills/greet.md", toml);
    world.write(".aleph/skills/note.skill.md", text("note"));
    world.write(
        ".aleph/skills/nameless.skill.md",
        "---\ndescription: Has no name.\n---\nx\n",
    );
    let person = world.person();
    person.rename(&"greet".into(), "hello").unwrap();
    assert_eq!(
        world.read(".denkeeper/skills/hello.md"),
        toml.replace("\"greet\"", "\"hello\"")
    );
    person.rename(&"note".into(), "memo").unwrap();
    assert_eq!(
        world.read(".aleph/skills/memo.skill.md"),
        text("note").replace("name: note", "name: memo")
    );
    person.rename(&"nameless".into(), "named").unwrap();
    assert!(
        world
            .read(".aleph/skills/named.skill.md")
            .starts_with("---\ndescription")
    );
    person
        .patch(&"hello".into(), None, "Greets.", "Says hello.")
        .unwrap();
    let done = person.delete(&"hello".into(), false).unwrap();
    assert_eq!(done.outcome, Outcome::Deleted);
    assert!(!world.exists(".denkeeper/skills/hello.md"));
    for _ in 0..5 {
        person.undo_last(None).unwrap();
    }
    assert_eq!(world.read(".denkeeper/skills/greet.md"), toml);
    assert_eq!(world.read(".aleph/skills/note.skill.md"), text("note"));
    assert!(world.exists(".aleph/skills/nameless.skill.md"));
}

#[test]
fn a_rename_never_runs_into_another_skill() {
    let world = World::new();
    world.skill("greet");
    world.skill("other");
    world.write(".agents/skills/elsewhere/SKILL.md", text("hidden-name"));
    let rename = |name: &str| world.person().rename(&"greet".into(), name);
    assert_eq!(refused(rename("other")), "exists");
    assert_eq!(refused(rename("hidden name")), "exists");
    assert_eq!(refused(rename("elsewhere")), "occupied");
    assert_eq!(refused(rename("../..")), "no-name");
    assert_eq!(rename("greet").unwrap().outcome, Outcome::Unchanged);
    let done = world
        .person()
        .rename(&"hidden-name".into(), "hidden-name")
        .unwrap();
    assert_eq!(
        done.outcome,
        Outcome::Renamed,
        "its directory had another name"
    );
    assert!(world.exists(".agents/skills/hidden-name"));
}

#[test]
fn a_directory_that_holds_more_is_deleted_only_if_that_is_meant() {
    let world = World::new();
    world.skill("greet");
    world.write(".agents/skills/greet/inner/SKILL.md", text("inner"));
    world.write(".agents/skills/greet/.git/config", "x");
    let before = world.snapshot(".agents");
    let error = world.person().delete(&"greet".into(), false).unwrap_err();
    assert_eq!(error.code(), "holds-more");
    assert!(
        error.to_string().contains("`.git`, `inner/SKILL.md`"),
        "{error}"
    );
    let done = world.person().delete(&"greet".into(), true).unwrap();
    assert!(!world.exists(".agents/skills/greet"));
    world.person().undo(done.seq.unwrap()).unwrap();
    assert_eq!(world.snapshot(".agents"), before);
}

#[test]
fn what_is_not_ones_own_is_refused_by_every_verb() {
    let mut world = World::new();
    world.skill("kept");
    world.pin("kept");
    world.write(
        ".claude/plugins/cache/market/tools/1.0/skills/lint/SKILL.md",
        text("lint"),
    );
    world.write(".agents/skills/packed.skill", archive());
    for (id, reason) in [
        ("writing-skills", "bundled"),
        ("tools:lint", "plugin"),
        ("packed", "archive"),
        ("kept", "pinned"),
        ("nobody", "unknown-skill"),
    ] {
        let author = world.person();
        let target = || id.into();
        assert_eq!(refused(author.edit(&target(), text(id).as_bytes())), reason);
        assert_eq!(refused(author.patch(&target(), None, "Do", "x")), reason);
        assert_eq!(
            refused(author.write_file(&target(), "a.md", b"x", None)),
            reason
        );
        assert_eq!(refused(author.remove_file(&target(), "a.md")), reason);
        assert_eq!(refused(author.rename(&target(), "new")), reason);
        assert_eq!(refused(author.delete(&target(), true)), reason);
    }
}

#[test]
fn what_is_pinned_is_not_undone_either() {
    let mut world = World::new();
    world.skill("greet");
    let done = world
        .person()
        .patch(&"greet".into(), None, "Do it.", "x")
        .unwrap();
    world.pin("greet");
    assert_eq!(refused(world.person().undo(done.seq.unwrap())), "pinned");
}

/// An archive with one skill.
fn archive() -> Vec<u8> {
    use std::io::Write;
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    writer.start_file("packed/SKILL.md", options).unwrap();
    writer.write_all(text("packed").as_bytes()).unwrap();
    writer.finish().unwrap().into_inner()
}
