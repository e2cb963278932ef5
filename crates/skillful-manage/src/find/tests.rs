//! Where skills are found in a tree, and which are taken.

use super::*;
use crate::source::Selector;

fn tree(skills: &[&str]) -> tempfile::TempDir {
    let tree = tempfile::tempdir().unwrap();
    for path in skills {
        let path = tree.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let name = path
            .parent()
            .unwrap()
            .file_name()
            .unwrap()
            .to_string_lossy();
        let text = format!(
            "---\nname: {}\ndescription: d\n---\n",
            name.trim_start_matches('.')
        );
        std::fs::write(&path, text).unwrap();
    }
    tree
}

fn paths(found: &Found) -> Vec<&str> {
    found.skills.iter().map(|skill| &*skill.path).collect()
}

#[test]
fn every_place_is_found_in_the_order_in_which_clients_look() {
    let tree = tree(&[
        "deep/er/and/deeper/still/so/far/down/x/SKILL.md",
        ".claude/skills/b/SKILL.md",
        "skills/.system/c/SKILL.md",
        "skills/a/skill.md",
        "skills/a/inner/SKILL.md",
        "plugins/p/skills/d/SKILL.md",
        "flat/greet.skill.md",
        "flat/.skill.md",
        "node_modules/n/SKILL.md",
        ".git/g/SKILL.md",
    ]);
    let found = find(tree.path()).unwrap();
    assert_eq!(
        paths(&found),
        [
            "skills/a",
            "skills/a/inner",
            "flat/greet.skill.md",
            "plugins/p/skills/d",
            "deep/er/and/deeper/still/so/far/down/x",
            ".claude/skills/b",
            "skills/.system/c",
        ]
    );
    assert_eq!(found.skills[2].kind, FoundKind::File);
    assert_eq!(found.problems, Vec::<String>::new());
    assert_eq!(found.whole, None);
}

#[test]
fn a_limit_that_is_reached_is_told() {
    let deep = format!("{}/SKILL.md", ["d"; 20].join("/"));
    let tree = tree(&[&deep, "a/SKILL.md"]);
    let found = find(tree.path()).unwrap();
    assert_eq!(paths(&found), ["a"]);
    assert!(
        found.problems[0].ends_with("more than 16 levels"),
        "{:?}",
        found.problems
    );
}

#[test]
fn a_broken_skill_is_listed() {
    let tree = tree(&["a/SKILL.md"]);
    std::fs::write(tree.path().join("a/SKILL.md"), [0xff, 0xfe, 0xff]).unwrap();
    let found = find(tree.path()).unwrap();
    assert_eq!(found.skills.len(), 1);
    assert!(found.skills[0].broken);
}

#[test]
fn only_internal_ones_must_be_named() {
    let tree = tree(&["a/SKILL.md"]);
    let text = "---\nname: a\ndescription: d\nmetadata: {internal: \"true\"}\n---\n";
    std::fs::write(tree.path().join("a/SKILL.md"), text).unwrap();
    let found = find(tree.path()).unwrap();
    let error = by_default(&found).unwrap_err();
    assert_eq!(error, PickError::OnlyInternal(vec!["a".to_owned()]));
    assert_eq!(pick(&found, &Selector::All).unwrap().len(), 1);
    assert_eq!(by_default(&Found::default()), Err(PickError::None));
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let tree = tree(&["a/SKILL.md"]);
    std::os::unix::fs::symlink(".", tree.path().join("loop")).unwrap();
    std::os::unix::fs::symlink("a/SKILL.md", tree.path().join("SKILL.md")).unwrap();
    let found = find(tree.path()).unwrap();
    assert_eq!(paths(&found), ["a"]);
}

#[test]
fn names_that_are_like_one() {
    let names = ["pdf", "pdf-forms", "notes", "docx"];
    assert_eq!(near("pfd", names), ["pdf"]);
    assert_eq!(near("pdfs", names)[0], "pdf");
    assert_eq!(near("note", names), ["notes"]);
    assert_eq!(
        near("zzz", names).len(),
        4,
        "nothing is near, so all are named"
    );
}
