//! Publishing: sites that clients of either version of Agent Skills discovery read, and trees.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use serde_json::{Value, json};
use skillful_manage::deps::Sha256;
use skillful_manage::pack::{Prepared, prepare};
use skillful_manage::publish;
use skillful_manage::publish::{BaseUrl, Change, Layout, PublishError, Published, Target};
use skillful_manage::{Actor, DataDirectory, Writer};

use crate::{Place, skill_text, wishes};

fn prepared(place: &Place, name: &str) -> Prepared {
    prepare(&place.skill(name), &wishes()).unwrap()
}

/// Two skills, one with more than its SKILL.md.
fn two(place: &Place) -> Vec<Prepared> {
    place.write("pdf/SKILL.md", skill_text("pdf"));
    place.write("forms/SKILL.md", skill_text("forms"));
    place.program(
        "forms/scripts/fill.py",
        "#!/usr/bin/env python3\nprint('filled')\n",
    );
    vec![prepared(place, "pdf"), prepared(place, "forms")]
}

fn data(target: &Target) -> DataDirectory {
    DataDirectory::at(target.directory.with_file_name("data"))
}

fn publish(skills: &[Prepared], target: &Target) -> Result<Published, PublishError> {
    publish::publish(skills, target, &data(target))
}

fn tree(place: &Place) -> Target {
    Target {
        directory: place.path("tree"),
        layout: Layout::Tree,
        ..site(place)
    }
}

fn site(place: &Place) -> Target {
    Target {
        directory: place.path("site"),
        layout: Layout::WellKnown,
        base_url: None,
        prune: false,
    }
}

fn changes(published: &Published) -> Vec<(&str, Change)> {
    let skills = published.skills.iter();
    skills
        .map(|skill| (skill.name.as_str(), skill.change))
        .collect()
}

/// All files below a directory with their contents.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path
                    .strip_prefix(directory)
                    .unwrap()
                    .to_string_lossy()
                    .replace('\\', "/");
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn index(place: &Place, path: &str) -> Value {
    serde_json::from_slice(&fs::read(place.path("site").join(path)).unwrap()).unwrap()
}

const V02: &str = ".well-known/agent-skills/index.json";
const V01: &str = ".well-known/skills/index.json";

/// A client of 0.2.0, as its text asks: the schema must be known, addresses are relative to the index, the digest is
/// that of the artifact's bytes, the SKILL.md lies at an archive's top.
fn read_02(place: &Place) -> BTreeMap<String, BTreeMap<String, Vec<u8>>> {
    let index = index(place, V02);
    assert_eq!(
        index["$schema"],
        "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
    );
    let base = place.path("site/.well-known/agent-skills");
    let skills = index["skills"].as_array().unwrap();
    skills
        .iter()
        .map(|entry| {
            let text = |key: &str| entry[key].as_str().unwrap();
            let (name, url, digest) = (text("name"), text("url"), text("digest"));
            assert!(
                !url.contains("..") && !url.starts_with('/') && !url.contains("://"),
                "{url}"
            );
            assert!(!text("description").is_empty() && text("description").len() <= 1024);
            let bytes = fs::read(base.join(url)).unwrap();
            assert_eq!(digest, format!("sha256:{}", Sha256::of(&bytes)));
            let files = match text("type") {
                "skill-md" => BTreeMap::from([("SKILL.md".to_owned(), bytes)]),
                "archive" => {
                    assert!(url.ends_with(".tar.gz"));
                    untarred(&bytes)
                }
                other => panic!("`{other}` is no type"),
            };
            assert!(files.contains_key("SKILL.md"));
            (name.to_owned(), files)
        })
        .collect()
}

/// A client of 0.1: files one by one.
fn read_01(place: &Place) -> BTreeMap<String, BTreeMap<String, Vec<u8>>> {
    let index = index(place, V01);
    let base = place.path("site/.well-known/skills");
    let skills = index["skills"].as_array().unwrap();
    skills
        .iter()
        .map(|entry| {
            let name = entry["name"].as_str().unwrap();
            let files: Vec<&str> = entry["files"]
                .as_array()
                .unwrap()
                .iter()
                .map(|it| it.as_str().unwrap())
                .collect();
            assert_eq!(files[0], "SKILL.md");
            let read = |file: &&str| {
                (
                    (*file).to_owned(),
                    fs::read(base.join(name).join(file)).unwrap(),
                )
            };
            (name.to_owned(), files.iter().map(read).collect())
        })
        .collect()
}

fn untarred(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(bytes));
    let entries = archive.entries().unwrap();
    entries
        .map(|entry| {
            let mut entry = entry.unwrap();
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            (
                entry.path().unwrap().to_string_lossy().into_owned(),
                content,
            )
        })
        .collect()
}

fn contents(skills: &[Prepared]) -> BTreeMap<String, BTreeMap<String, Vec<u8>>> {
    let of = |skill: &Prepared| {
        let files = skill.files.iter();
        files
            .map(|file| (file.path.clone(), file.bytes.clone()))
            .collect()
    };
    skills
        .iter()
        .map(|skill| (skill.name.clone(), of(skill)))
        .collect()
}

#[test]
fn clients_of_both_versions_get_the_skills() {
    let place = Place::new();
    let skills = two(&place);
    let published = publish(&skills, &site(&place)).unwrap();
    assert_eq!(
        changes(&published),
        [("forms", Change::Added), ("pdf", Change::Added)]
    );
    assert_eq!(read_02(&place), contents(&skills));
    assert_eq!(read_01(&place), contents(&skills));
}

#[test]
fn the_same_skills_make_the_same_site() {
    let place = Place::new();
    let mut skills = two(&place);
    publish(&skills, &site(&place)).unwrap();
    let first = files(&place.path("site"));
    skills.reverse();
    let again = publish(&skills, &site(&place)).unwrap();
    assert_eq!(
        changes(&again),
        [("forms", Change::Unchanged), ("pdf", Change::Unchanged)]
    );
    assert_eq!(files(&place.path("site")), first);
    let other = Target {
        directory: place.path("other"),
        ..site(&place)
    };
    publish(&skills, &other).unwrap();
    assert_eq!(files(&place.path("other")), first);
}

#[test]
fn a_new_version_replaces_the_old_one_and_leaves_nothing_behind() {
    let place = Place::new();
    let skills = two(&place);
    publish(&skills, &site(&place)).unwrap();
    fs::remove_file(place.path("forms/scripts/fill.py")).unwrap();
    place.write("forms/references/a.md", "# A\n");
    let new = vec![prepared(&place, "forms")];
    let published = publish(&new, &site(&place)).unwrap();
    assert_eq!(changes(&published), [("forms", Change::Replaced)]);
    let now = contents(&[new[0].clone(), skills[0].clone()]);
    assert_eq!(read_02(&place), now);
    assert_eq!(read_01(&place), now);
    let names = files(&place.path("site"));
    assert!(
        !names.keys().any(|name| name.contains("fill.py")),
        "{names:?}"
    );
    let archives = names.keys().filter(|name| name.ends_with(".tar.gz"));
    assert_eq!(archives.count(), 1);
}

#[test]
fn what_others_published_stays() {
    let place = Place::new();
    let theirs = json!({
        "$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
        "generator": "other",
        "skills": [{"name": "theirs", "type": "skill-md", "description": "d", "url": "t.md", "digest": "sha256:0", "more": 1}],
    });
    place.write(&format!("site/{V02}"), theirs.to_string());
    place.write("site/.well-known/agent-skills/t.md", "theirs");
    place.write(
        &format!("site/{V01}"),
        r#"{"skills":[{"name":"theirs","description":"d","files":["SKILL.md"]}]}"#,
    );
    let skills = two(&place);
    let prune = Target {
        prune: true,
        ..site(&place)
    };
    publish(&skills, &prune).unwrap();
    let now = index(&place, V02);
    assert_eq!(now["generator"], "other");
    assert_eq!(now["skills"][2], theirs["skills"][0]);
    assert_eq!(index(&place, V01)["skills"][2]["name"], "theirs");

    let published = publish(&skills[..1], &prune).unwrap();
    assert_eq!(
        changes(&published),
        [("forms", Change::Pruned), ("pdf", Change::Unchanged)]
    );
    let names: Vec<String> = files(&place.path("site")).into_keys().collect();
    assert!(
        !names.iter().any(|name| name.contains("forms")),
        "{names:?}"
    );
    assert!(names.contains(&".well-known/agent-skills/t.md".to_owned()));
}

#[test]
fn names_and_files_of_others_are_not_taken() {
    let place = Place::new();
    let skills = two(&place);
    let before = r#"{"skills":[{"name":"pdf","description":"d","files":["SKILL.md"]}]}"#;
    place.write(&format!("site/{V01}"), before);
    let error = publish(&skills, &site(&place)).unwrap_err();
    assert!(matches!(error, PublishError::Foreign { .. }), "{error}");
    fs::remove_file(place.path("site").join(V01)).unwrap();

    place.write("site/.well-known/skills/pdf/mine.md", "mine");
    let error = publish(&skills, &site(&place)).unwrap_err();
    assert!(matches!(error, PublishError::NotOurs(_)), "{error}");
    assert!(
        !place.path("site").join(V02).exists(),
        "nothing was written"
    );
    fs::remove_file(place.path("site/.well-known/skills/pdf/mine.md")).unwrap();

    publish(&skills, &site(&place)).unwrap();
    place.write("site/.well-known/skills/pdf/SKILL.md", "changed by hand");
    let before = files(&place.path("site"));
    place.write("pdf/SKILL.md", skill_text("pdf") + "More.\n");
    let error = publish(&[prepared(&place, "pdf")], &site(&place)).unwrap_err();
    assert!(matches!(error, PublishError::NotOurs(_)), "{error}");
    assert_eq!(files(&place.path("site")), before);
}

#[test]
fn an_index_that_is_none_is_refused() {
    for (path, text) in [
        (V02, "{"),
        (V02, "[]"),
        (V02, r#"{"skills":[]}"#),
        (V02, r#"{"$schema":"https://example.org/9","skills":[]}"#),
        (V01, r#"{"skills":{}}"#),
    ] {
        let place = Place::new();
        let skills = two(&place);
        place.write(&format!("site/{path}"), text);
        let error = publish(&skills, &site(&place)).unwrap_err();
        assert!(
            matches!(error, PublishError::Index { .. }),
            "{text}: {error}"
        );
        assert_eq!(files(&place.path("site")).len(), 1, "nothing was written");
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let place = Place::new();
    let skills = two(&place);
    fs::create_dir_all(place.path("site")).unwrap();
    fs::create_dir_all(place.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(place.path("elsewhere"), place.path("site/.well-known")).unwrap();
    let error = publish(&skills, &site(&place)).unwrap_err();
    assert!(matches!(error, PublishError::Site(_)), "{error}");
    assert_eq!(fs::read_dir(place.path("elsewhere")).unwrap().count(), 0);
}

#[test]
fn addresses_can_be_whole() {
    let place = Place::new();
    let skills = two(&place);
    let target = Target {
        base_url: Some(BaseUrl::parse("https://example.org/docs/").unwrap()),
        ..site(&place)
    };
    publish(&skills, &target).unwrap();
    let url = index(&place, V02)["skills"][1]["url"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        url.starts_with("https://example.org/docs/.well-known/agent-skills/pdf/"),
        "{url}"
    );
    for bad in [
        "example.org",
        "ftp://example.org",
        "https://",
        "https://a b",
        "https://a?b",
        "https://u@a",
    ] {
        assert!(BaseUrl::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_tree_is_one_change_that_is_undone() {
    let place = Place::new();
    let skills = two(&place);
    let tree = Target {
        directory: place.path("deep/tree"),
        layout: Layout::Tree,
        prune: true,
        ..site(&place)
    };
    let first = publish(&skills, &tree).unwrap().entry.unwrap();
    assert_eq!(first.operation.as_str(), "publish");
    assert_eq!(first.skills, ["forms", "pdf"]);
    let before = files(&tree.directory);
    assert!(
        publish(&skills, &tree).unwrap().entry.is_none(),
        "nothing changed"
    );

    let second = publish(&skills[..1], &tree).unwrap().entry.unwrap();
    assert!(
        !tree.directory.join("forms").exists(),
        "its directories are gone as well"
    );
    let mut writer = Writer::open(&data(&tree)).unwrap();
    writer.undo(second.seq, Actor::USER).unwrap();
    assert_eq!(files(&tree.directory), before);
    writer.undo(first.seq, Actor::USER).unwrap();
    assert!(!place.path("deep/tree").exists());
}

/// While somebody else changes something, nothing is written.
#[test]
fn a_tree_waits_for_who_else_writes() {
    let place = Place::new();
    let skills = two(&place);
    let tree = tree(&place);
    let data = data(&tree);
    let (asked, waiting) = std::sync::mpsc::channel();
    let writer = Writer::open(&data).unwrap();
    std::thread::scope(|scope| {
        let publishing = scope.spawn(|| {
            asked.send(()).unwrap();
            publish(&skills, &tree).unwrap()
        });
        waiting.recv().unwrap();
        assert!(!place.path("tree").exists());
        drop(writer);
        assert!(publishing.join().unwrap().entry.is_some());
    });
    assert!(place.path("tree/pdf/SKILL.md").is_file());
}

#[test]
fn a_tree_is_a_directory_for_each_skill() {
    let place = Place::new();
    let skills = two(&place);
    let tree = tree(&place);
    publish(&skills, &tree).unwrap();
    place.write("tree/theirs/SKILL.md", "theirs");
    assert_eq!(
        skillful::bundle::digest(&place.skill("tree/forms")),
        Some(skills[1].digest.clone())
    );
    fs::remove_dir_all(place.path("forms/scripts")).unwrap();
    let published = publish(
        &[prepared(&place, "forms")],
        &Target {
            prune: true,
            ..tree.clone()
        },
    )
    .unwrap();
    assert_eq!(
        changes(&published),
        [("forms", Change::Replaced), ("pdf", Change::Pruned)]
    );
    let names: Vec<String> = files(&place.path("tree")).into_keys().collect();
    assert_eq!(
        names,
        [
            ".skillful-published.json",
            "forms/SKILL.md",
            "theirs/SKILL.md"
        ]
    );

    let theirs = place.write("theirs/SKILL.md", skill_text("theirs"));
    assert!(theirs.exists());
    let error = publish(&[prepared(&place, "theirs")], &tree).unwrap_err();
    assert!(matches!(error, PublishError::NotOurs(_)), "{error}");
    assert_eq!(
        fs::read(place.path("tree/theirs/SKILL.md")).unwrap(),
        b"theirs"
    );
}

#[test]
fn two_skills_of_one_name_are_refused() {
    let place = Place::new();
    let skills = two(&place);
    let twins = [skills[0].clone(), skills[0].clone()];
    let error = publish(&twins, &site(&place)).unwrap_err();
    assert!(matches!(error, PublishError::SameName(_)), "{error}");
}
