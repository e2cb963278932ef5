//! The overview, `list`, `show` and `prompt`: what is there, and in which state.

use insta::assert_snapshot;

use crate::environment::{Environment, skill_text};

/// A machine with several clients: a shared skill, one that is shadowed, one that is broken, one with faults.
fn machine() -> Environment {
    let environment = Environment::new();
    environment.skill(".claude/skills/deploy");
    environment.skill(".agents/skills/review");
    environment.write_home(
        ".claude/skills/deploy/SKILL.md",
        skill_text("deploy").replace("Do it.", "Do it otherwise."),
    );
    environment.write_home(".codex/skills/empty/SKILL.md", "");
    environment.write_home(
        ".codex/skills/release/SKILL.md",
        "---\nname: release\ndescription: Use when: a release is due\nmetadata:\n  version: \"2\"\n---\n\nDo it.\n",
    );
    environment.write_home(
        ".claude/plugins/cache/market/tools/1.0.0/skills/lint/SKILL.md",
        skill_text("lint"),
    );
    environment
}

#[test]
fn the_overview_fits_a_page() {
    let run = machine().run(&[]);
    assert!(run.stdout.lines().count() <= 24, "{}", run.stdout);
    assert_snapshot!(run.transcript());
}

#[test]
fn without_skills_the_overview_says_what_to_do() {
    assert_snapshot!(Environment::new().run(&[]).transcript());
}

#[test]
fn the_list_has_every_candidate_with_its_reason() {
    let environment = machine();
    assert_snapshot!(environment.run(&["list"]).transcript());
    let list = environment.run(&["list", "--json"]).json();
    let skills = list["skills"].as_array().unwrap();
    let states: Vec<_> = skills
        .iter()
        .map(|skill| {
            format!(
                "{} {} {}",
                skill["id"].as_str().unwrap(),
                skill["source"].as_str().unwrap(),
                skill["state"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(
        states,
        [
            "deploy workspace ready",
            "deploy global shadowed",
            "empty global broken",
            "release global ready",
            "review workspace ready",
            "tools:lint plugin ready",
            "writing-skills bundled ready",
        ]
    );
    let shadowed = &skills[1];
    assert_eq!(shadowed["shadowed_by"], skills[0]["path"]);
    assert_eq!(shadowed["blockers"][0]["kind"], "shadowed");
    assert_eq!(skills[0]["client"], "claude-code");
    assert_eq!(skills[4]["client"], "universal");
    for skill in skills {
        for field in [
            "name",
            "description",
            "root",
            "path",
            "blockers",
            "diagnostics",
        ] {
            assert!(!skill[field].is_null(), "{field} of {skill}");
        }
    }
}

#[test]
fn the_list_can_be_narrowed() {
    let environment = machine();
    let broken = environment
        .run(&["list", "--state", "broken", "--json"])
        .json();
    assert_eq!(broken["skills"].as_array().unwrap().len(), 1);
    let codex = environment
        .run(&["list", "--client", "codex", "--json"])
        .json();
    let ids: Vec<_> = codex["skills"]
        .as_array()
        .unwrap()
        .iter()
        .map(|skill| skill["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["empty", "release", "review"]);
    let unknown = environment.run(&["list", "--client", "codx"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.stderr.contains("did you mean `codex`"),
        "{}",
        unknown.stderr
    );
    assert_eq!(environment.run(&["list", "--state", "odd"]).code, 2);
}

#[test]
fn digests_are_there_when_asked_for() {
    let environment = machine();
    let plain = environment.run(&["list", "--json"]).json();
    assert!(plain["skills"][0]["digest"].is_null());
    let list = environment.run(&["list", "--json", "--digests"]).json();
    for skill in list["skills"].as_array().unwrap() {
        let has_digest = skill["digest"]
            .as_str()
            .is_some_and(|digest| digest.starts_with("sha256:"));
        assert_eq!(has_digest, skill["state"] != "broken", "{skill}");
    }
}

#[test]
fn show_takes_id_name_directory_and_path() {
    let environment = machine();
    environment.write(
        ".agents/skills/odd-place/SKILL.md",
        "---\nname: Odd Name\ndescription: Use when odd.\n---\n\nDo it.\n",
    );
    let path = environment
        .project()
        .join(".agents/skills/odd-place/SKILL.md");
    environment.skill("elsewhere/not-in-a-root");
    let show = environment
        .run(&["show", "elsewhere/not-in-a-root", "--json"])
        .json();
    assert_eq!(show["id"], "not-in-a-root");
    for text in [
        "odd-name",
        "Odd Name",
        "odd-place",
        &path.to_string_lossy(),
        ".agents/skills/odd-place",
    ] {
        let run = environment.run(&["show", text, "--json"]);
        assert_eq!(run.json()["id"], "odd-name", "{text}");
    }
}

#[test]
fn show_tells_everything() {
    let environment = machine();
    environment.write_home(".codex/skills/release/scripts/tag.sh", "#!/bin/sh\n");
    environment.write_home(
        ".codex/skills/release/agents/openai.yaml",
        "interface:\n  display_name: Release\n",
    );
    assert_snapshot!(environment.run(&["show", "release"]).transcript());
    let show = environment.run(&["show", "release", "--json"]).json();
    assert_eq!(show["version"], 1);
    assert_eq!(show["state"], "ready");
    assert_eq!(show["frontmatter"]["metadata"]["version"], "2");
    assert_eq!(show["manifest"]["version"], "2");
    assert_eq!(
        show["manifest"]["codex"]["interface"]["display_name"],
        "Release"
    );
    assert_eq!(show["resources"][1]["path"], "scripts/tag.sh");
    assert!(show["bytes"].as_u64().unwrap() > 100);
    assert!(show["tokens"].as_u64().unwrap() > 0);
    let bundled = environment
        .run(&["show", "writing-skills", "--json"])
        .json();
    assert_eq!(bundled["source"], "bundled");
    assert!(bundled["tokens"].as_u64().unwrap() > 100);
}

#[test]
fn unknown_and_ambiguous_names_are_told_apart() {
    let environment = machine();
    for (directory, name) in [("a", "same name"), ("b", "Same Name")] {
        let text = format!("---\nname: {name}\ndescription: d\n---\nx\n");
        environment.write(&format!(".claude/skills/{directory}/deep/SKILL.md"), text);
    }
    assert_snapshot!(environment.run(&["show", "deploi"]).transcript());
    assert_snapshot!(environment.run(&["show", "deep"]).transcript());
}

#[test]
fn the_catalog_has_only_what_a_model_may_invoke() {
    let environment = machine();
    environment.write(
        ".claude/skills/manual/SKILL.md",
        "---\nname: manual\ndescription: d\ndisable-model-invocation: true\n---\nx\n",
    );
    let run = environment.run(&["prompt", "--as", "agentskills", "--json"]);
    let catalog = run.json();
    assert_eq!(
        catalog["included"],
        serde_json::json!([
            "deploy",
            "release",
            "review",
            "tools:lint",
            "writing-skills"
        ])
    );
    assert_eq!(catalog["omitted"], serde_json::json!([]));
    let text = environment.run(&["prompt", "--as", "agentskills"]).stdout;
    assert_eq!(format!("{}\n", catalog["text"].as_str().unwrap()), text);
    assert!(text.contains("<name>\ndeploy\n</name>"));
}

#[test]
fn roots_replace_everything_else() {
    let environment = machine();
    environment.skill("elsewhere/only");
    let list = environment
        .run(&["list", "--root", "elsewhere", "--json"])
        .json();
    let ids: Vec<_> = list["skills"]
        .as_array()
        .unwrap()
        .iter()
        .map(|skill| skill["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["only"]);
    let missing = environment.run(&["list", "--root", "nowhere"]);
    assert_snapshot!(missing.transcript());
}

#[test]
fn output_into_a_closed_pipe_is_no_failure() {
    use std::process::Stdio;
    let environment = machine();
    for name in 0..300 {
        environment.skill(&format!("many/skill-{name}"));
    }
    let mut child = environment
        .command(&["list", "--root", "many", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
}
