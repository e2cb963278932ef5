//! Editing and patching a skill's own file and other texts.

use skillful_manage::author::{Outcome, Target};
use skillful_store::{Activity, Key, Store};

use crate::world::{HOSTILE, World, refused, text};

#[test]
fn an_edit_replaces_the_file_to_the_byte() {
    let world = World::new();
    let path = world.skill("greet");
    let new = "\u{feff}---\r\nname: greet\r\ndescription: Greets.   \r\n---\r\nBody without end";
    let done = world
        .person()
        .edit(&"greet".into(), new.as_bytes())
        .unwrap();
    assert_eq!(done.outcome, Outcome::Edited);
    assert_eq!(done.path, path);
    assert_eq!(std::fs::read(&path).unwrap(), new.as_bytes());
    let again = world
        .person()
        .edit(&"greet".into(), new.as_bytes())
        .unwrap();
    assert_eq!((again.outcome, again.seq), (Outcome::Unchanged, None));
    assert_eq!(again.digest, done.digest);
    world.person().undo(done.seq.unwrap()).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text("greet"));
}

#[test]
fn an_edit_keeps_the_id_and_adds_no_fault() {
    let world = World::new();
    world.skill("greet");
    let edit = |new: &str| world.person().edit(&"greet".into(), new.as_bytes());
    let described = "description: Greets.";
    for (new, reason) in [
        (String::new(), "invalid"),
        (text("other"), "other-id"),
        (format!("---\nname: greet\n{described}\n"), "invalid"),
        ("# Only a headline\n".to_owned(), "invalid"),
        (
            format!("---\nname: greet\n{described} x: y\n---\n"),
            "invalid",
        ),
        (
            format!("---\nname: greet\nname: other\n{described}\n---\n"),
            "invalid",
        ),
    ] {
        assert_eq!(refused(edit(&new)), reason, "{new}");
    }
    let not_text = world
        .person()
        .edit(&"greet".into(), b"---\nname: greet\n\xff");
    assert_eq!(refused(not_text), "invalid");
    let long = format!("{}{}", text("greet"), "x".repeat(1024 * 1024));
    assert_eq!(refused(edit(&long)), "too-large");
    assert_eq!(world.read(".agents/skills/greet/SKILL.md"), text("greet"));
}

#[test]
fn what_is_faulty_can_be_mended_bit_by_bit() {
    let world = World::new();
    let faulty = "---\nname: greet\ndescription: Greets: all\nlicense: a: b\n---\nHello.\n";
    world.write(".agents/skills/greet/SKILL.md", faulty);
    world
        .person()
        .patch(&"greet".into(), None, "license: a: b\n", "")
        .unwrap();
    world.write(".agents/skills/broken/SKILL.md", "");
    let done = world
        .person()
        .edit(&"broken".into(), text("broken").as_bytes());
    assert_eq!(done.unwrap().outcome, Outcome::Edited);
}

#[test]
fn a_patch_replaces_what_is_there_exactly_once() {
    let world = World::new();
    world.skill("greet");
    let patch = |find: &str, replace: &str| {
        let author = world.agent();
        author.patch(&"greet".into(), None, find, replace)
    };
    assert_eq!(refused(patch("nowhere", "x")), "no-match");
    assert_eq!(refused(patch("", "x")), "empty-find");
    let error = patch("greet", "x").unwrap_err();
    assert_eq!(error.code(), "several-matches");
    let message = error.to_string();
    assert!(message.contains("4 times, in lines 2, 3, 6"), "{message}");
    assert_eq!(refused(patch("name: greet", "name: other")), "other-id");
    assert_eq!(refused(patch("Do it.", HOSTILE)), "dangerous");
    assert_eq!(patch("Do it.\n", "").unwrap().outcome, Outcome::Patched);
    assert_eq!(
        world.read(".agents/skills/greet/SKILL.md"),
        text("greet").replace("Do it.\n", "")
    );
    let key = Key::new("greet", world.at(".agents/skills").to_str().unwrap());
    let usage = world.store.usage(&key).unwrap();
    assert_eq!(
        usage.of(Activity::Patch).count,
        1,
        "what was refused does not count"
    );
}

#[test]
fn other_texts_can_be_patched_as_well() {
    let world = World::new();
    world.skill("greet");
    let place = world.write(
        ".agents/skills/greet/references/a.txt",
        "\u{feff}one\r\ntwo\r\n",
    );
    world.write(".agents/skills/greet/blob", b"a\xff\xfe".as_slice());
    let patch = |file: &str, find: &str, replace: &str| {
        let author = world.person();
        author.patch(&"greet".into(), Some(file), find, replace)
    };
    let done = patch("references/a.txt", "one\ntwo", "1\n2\n3").unwrap();
    assert_eq!(done.path, place);
    assert_eq!(
        std::fs::read(place).unwrap(),
        "\u{feff}1\r\n2\r\n3\r\n".as_bytes()
    );
    assert_eq!(refused(patch("references/b.txt", "a", "b")), "no-file");
    assert_eq!(refused(patch("../greet/SKILL.md", "a", "b")), "file-path");
    assert_eq!(refused(patch("blob", "a", "b")), "not-text");
    assert_eq!(
        refused(patch("references/a.txt", "1", HOSTILE)),
        "dangerous"
    );
    patch("SKILL.md", "Do it.", "Do that.").unwrap();
}

#[test]
fn what_the_caller_saw_counts() {
    let world = World::new();
    world.skill("greet");
    let first = world
        .person()
        .patch(&"greet".into(), None, "Do it.", "One.")
        .unwrap();
    let seen = Target::from("greet").expecting(first.digest);
    let second = world.person().patch(&seen, None, "One.", "Two.").unwrap();
    let error = world
        .person()
        .patch(&seen, None, "Two.", "Three.")
        .unwrap_err();
    assert_eq!(error.code(), "other-digest");
    assert!(
        error.to_string().contains(&second.digest.unwrap()),
        "{error}"
    );
}

#[test]
fn a_name_that_means_several_skills_is_refused_and_a_twin_is_named() {
    let world = World::new();
    world.write(".agents/skills/one/SKILL.md", text("first"));
    world.write(".claude/skills/one/SKILL.md", text("second"));
    let error = world
        .person()
        .patch(&"one".into(), None, "Do it.", "x")
        .unwrap_err();
    assert_eq!(error.code(), "ambiguous");
    assert!(error.to_string().contains("first, second"), "{error}");

    let shadowed = world.write(".claude/skills/greet/SKILL.md", text("greet") + "Longer.\n");
    world.skill("greet");
    let done = world
        .person()
        .patch(&"greet".into(), None, "Do it.", "x")
        .unwrap();
    assert_eq!(done.remarks.len(), 1);
    assert!(
        done.remarks[0].to_string().contains(".claude"),
        "{:?}",
        done.remarks
    );
    let by_path = shadowed.to_str().unwrap();
    world
        .person()
        .patch(&by_path.into(), None, "Longer.", "x")
        .unwrap();
    assert!(std::fs::read_to_string(shadowed).unwrap().ends_with("x\n"));
}
