//! `pack`: a skill in one file.

use std::fs;

use insta::assert_snapshot;

use crate::environment::{Environment, skill_text};

fn machine() -> Environment {
    let environment = Environment::new();
    let text =
        skill_text("forms") + "\nSee [fields](references/fields.md) and `.templates/a.md`.\n";
    environment.write(".claude/skills/forms/SKILL.md", text);
    environment.write(".claude/skills/forms/references/fields.md", "# Fields\n");
    environment.write(".claude/skills/forms/.templates/a.md", "x");
    environment.write(".claude/skills/forms/.gitignore", "*.log\n");
    environment.write(".claude/skills/forms/a.log", "x");
    environment
}

#[test]
fn a_skill_is_packed_and_what_is_left_out_is_told() {
    let environment = machine();
    let dry = environment.run(&["pack", "forms", "--output", "forms.skill", "--dry-run"]);
    assert_snapshot!("pack_dry_run", dry.transcript());
    assert!(!environment.project().join("forms.skill").exists());
    let run = environment.run(&["pack", "forms", "--output", "forms.skill"]);
    assert_snapshot!("pack", run.transcript());
    let again = environment.run(&[
        "pack",
        ".claude/skills/forms",
        "--output",
        "forms.skill",
        "--json",
    ]);
    let document = again.json();
    assert_eq!(
        (document["written"].as_bool(), &document["form"]),
        (Some(false), &"skill".into())
    );
    assert_eq!(document["files"][0]["path"], "SKILL.md");
    let referred = document["left_out"]
        .as_array()
        .unwrap()
        .iter()
        .find(|out| out["referred_to"] == true);
    assert_eq!(referred.unwrap()["path"], ".templates/");
    let show = environment.run(&["show", "./forms.skill", "--json"]).json();
    assert_eq!(show["id"], "forms");
    for ending in ["zip", "tar.gz", "tgz"] {
        let run = environment.run(&["pack", "forms", "-o", &format!("x.{ending}"), "--json"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
}

#[test]
fn nothing_else_is_written_over() {
    let environment = machine();
    let path = environment.write("forms.zip", "mine");
    let pack = |arguments: &[&str]| {
        let mut all = vec!["pack", "forms", "--output", "forms.zip"];
        all.extend(arguments);
        environment.run(&all)
    };
    let refused = pack(&[]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("--force"), "{}", refused.stderr);
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    assert_eq!(pack(&["--force"]).code, 0);
    assert!(fs::read(&path).unwrap().starts_with(b"PK"));
}

#[test]
fn what_must_not_be_handed_on_is_refused_with_the_way_out() {
    let environment = machine();
    environment.write(
        ".claude/skills/forms/scripts/a.py",
        "TOKEN = 'ghp_k3Jd8sLq0ZxVbN7mWyTcR5uEoHfGi2aPQz1X'\n",
    );
    let pack = |arguments: &[&str]| {
        let mut all = vec!["pack", "forms", "--output", "x.zip"];
        all.extend(arguments);
        environment.run(&all)
    };
    let refused = pack(&[]);
    assert_snapshot!("pack_refused_for_a_key", refused.transcript());
    let said = &refused.stderr;
    assert!(!said.contains("ghp_k3Jd8"), "{said}");
    let digest = said.split("digest = ").nth(1).unwrap();
    let digest = digest.split(' ').next().unwrap();
    let entry = format!("[[guard.accept]]\ndigest = {digest}\nreason = 'a key of the examples'\n");
    // A project cannot accept what it ships.
    environment.write("skills.toml", &entry);
    let by_project = pack(&["--dry-run"]);
    assert_eq!(by_project.code, 1);
    assert!(
        by_project.stderr.contains("guard.accept"),
        "{}",
        by_project.stderr
    );
    environment.write_home(".config/skillful/skills.toml", &entry);
    assert_eq!(pack(&["--dry-run"]).code, 0);
    // Of other files it says nothing.
    environment.write(".claude/skills/forms/scripts/b.py", "\n");
    assert_eq!(pack(&["--dry-run"]).code, 1);
    fs::remove_file(
        environment
            .project()
            .join(".claude/skills/forms/scripts/b.py"),
    )
    .unwrap();
    assert_eq!(pack(&["--accept", "x", "--dry-run"]).code, 2);
    fs::remove_file(environment.project().join("skills.toml")).unwrap();

    environment.write("wrong/SKILL.md", skill_text("right"));
    let invalid = environment.run(&["pack", "./wrong", "--output", "x.zip"]);
    assert_snapshot!("pack_refused_as_invalid", invalid.transcript());
    assert_eq!(
        environment
            .run(&["pack", "./wrong", "--output", "x.zip", "--allow-invalid"])
            .code,
        0
    );
    assert_eq!(
        environment
            .run(&["pack", "forms", "--output", "x.rar"])
            .code,
        2
    );
    assert_eq!(
        environment
            .run(&["pack", "nobody", "--output", "y.zip"])
            .code,
        1
    );
}
