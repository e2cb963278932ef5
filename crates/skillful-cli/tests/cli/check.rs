//! `check` and `explain`: verdicts, formats, exit codes, ignore lists.

use insta::assert_snapshot;

use crate::environment::{Environment, skill_text};

const FAULTY: &str = "---\nname: Forms\ndescription: Use when: a form is to be filled\nversion: 1.0\n---\n\nSee [the guide](references/guide.md).\n";

#[test]
fn diagnostics_show_the_line_and_the_way_out() {
    let environment = Environment::new();
    environment.write("forms/SKILL.md", FAULTY);
    assert_snapshot!(environment.run(&["check", "forms"]).transcript());
}

#[test]
fn a_clean_skill_is_fine() {
    let environment = Environment::new();
    environment.skill("forms");
    assert_snapshot!(environment.run(&["check", "forms"]).transcript());
}

#[test]
fn json_is_the_contract() {
    let environment = Environment::new();
    environment.write("forms/SKILL.md", FAULTY);
    let run = environment.run(&["check", "--format", "json", "forms"]);
    let report = run.json();
    assert_eq!(run.code, 1);
    assert_eq!(report["version"], 1);
    let skill = &report["skills"][0];
    assert_eq!(skill["id"], "forms");
    assert_eq!(skill["name"], "Forms");
    assert_eq!(skill["valid"], false);
    assert_eq!(skill["path"], "forms/SKILL.md");
    let colon = skill["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .find(|found| found["code"] == "yaml-unquoted-colon")
        .unwrap();
    assert_eq!(colon["severity"], "error");
    assert_eq!((&colon["line"], &colon["column"]), (&3.into(), &14.into()));
    assert_eq!(colon["path"], "forms/SKILL.md");
    assert!(colon["fix"]["edits"][0]["replacement"].is_string());
    assert_eq!(report["summary"]["skills"], 1);
    let errors = skill["diagnostics"].as_array().unwrap().iter();
    let errors = errors.filter(|found| found["severity"] == "error").count();
    assert_eq!(report["summary"]["errors"], errors);
}

#[test]
fn sarif_names_rules_places_and_fixes() {
    let environment = Environment::new();
    environment.write("a b/SKILL.md", FAULTY.replace("Forms", "a-b"));
    let run = environment.run(&["check", "--format", "sarif", "a b"]);
    let log = run.json();
    assert_eq!(run.code, 1);
    assert_eq!(log["version"], "2.1.0");
    let sarif = &log["runs"][0];
    let results = sarif["results"].as_array().unwrap();
    assert!(!results.is_empty());
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        let rule = &sarif["tool"]["driver"]["rules"][index];
        assert_eq!(rule["id"], result["ruleId"]);
        let location = &result["locations"][0]["physicalLocation"];
        assert_eq!(location["artifactLocation"]["uri"], "a%20b/SKILL.md");
        assert!(location["region"]["startLine"].as_u64().unwrap() >= 1);
    }
    let colon = results
        .iter()
        .find(|result| result["ruleId"] == "yaml-unquoted-colon")
        .unwrap();
    let replacement = &colon["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(replacement["deletedRegion"]["startColumn"], 14);
}

#[test]
fn github_gets_workflow_commands() {
    let environment = Environment::new();
    environment.write("forms/SKILL.md", FAULTY);
    assert_snapshot!(
        environment
            .run(&["check", "--format", "github", "forms"])
            .transcript()
    );
}

#[test]
fn standard_input_is_one_skill_without_a_place() {
    let environment = Environment::new();
    let fine = environment.run_with_input(&["check", "-"], skill_text("any").as_bytes());
    assert_snapshot!(fine.transcript());
    let faulty = environment.run_with_input(&["check", "-", "--json"], FAULTY.as_bytes());
    assert_eq!(faulty.code, 1);
    assert_eq!(faulty.json()["skills"][0]["path"], "<stdin>");
}

#[test]
fn strict_fails_on_warnings_and_ignore_lists_silence() {
    let environment = Environment::new();
    environment.write(
        "empty/SKILL.md",
        "---\nname: empty\ndescription: Use when empty.\n---\n",
    );
    assert_eq!(environment.run(&["check", "empty"]).code, 0);
    assert_eq!(environment.run(&["check", "--strict", "empty"]).code, 1);
    let silenced = ["check", "--strict", "--ignore", "body-empty", "empty"];
    assert_eq!(environment.run(&silenced).code, 0);
    environment.write("skills.toml", "[check]\nignore = [\"body-empty\"]\n");
    assert_eq!(environment.run(&["check", "--strict", "empty"]).code, 0);
}

#[test]
fn a_faulty_configuration_is_named_and_kept() {
    let environment = Environment::new();
    environment.skill("a");
    environment.write("skills.toml", "[check]\nignore = [\"no-such-code\"]\n");
    let run = environment.run(&["check", "a"]);
    assert_snapshot!(run.transcript());
}

#[test]
fn several_paths_and_trees() {
    let environment = Environment::new();
    environment.skill("one");
    environment.skill("group/two");
    environment.skill("group/deep/three");
    let run = environment.run(&["check", "--json", "group", "one/SKILL.md"]);
    let report = run.json();
    let ids: Vec<_> = report["skills"]
        .as_array()
        .unwrap()
        .iter()
        .map(|skill| skill["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["three", "two", "one"]);
    assert_eq!(run.code, 0);
}

#[test]
fn without_paths_the_projects_roots_are_checked() {
    let environment = Environment::new();
    environment.skill(".claude/skills/one");
    environment.write_home(".claude/skills/global/SKILL.md", FAULTY);
    let report = environment.run(&["check", "--json"]).json();
    assert_eq!(report["skills"].as_array().unwrap().len(), 1);
    assert_eq!(report["skills"][0]["id"], "one");
}

#[test]
fn a_client_has_its_own_rules() {
    let environment = Environment::new();
    let text = "---\nname: forms\ndescription: Fills forms. Use when one is given.\nargument-hint: FILE\n---\n\nDo it.\n";
    environment.write("forms/SKILL.md", text);
    assert_eq!(
        environment.run(&["check", "forms"]).code,
        1,
        "not one of the six keys"
    );
    assert_eq!(
        environment
            .run(&["check", "--for", "claude-code", "forms"])
            .code,
        0
    );
    assert_snapshot!(
        environment
            .run(&["check", "--for", "codex", "forms"])
            .transcript()
    );
    assert_snapshot!(
        environment
            .run(&["check", "--for", "clade-code", "forms"])
            .transcript()
    );
}

#[test]
fn what_does_not_exist_is_wrong_usage() {
    let environment = Environment::new();
    assert_snapshot!(environment.run(&["check", "nothing"]).transcript());
    assert_snapshot!(environment.run(&["explain", "name-mising"]).transcript());
}

#[test]
fn explain_says_where_a_check_is_stricter() {
    let environment = Environment::new();
    let list = environment.run(&["explain"]).stdout;
    let row = |code: &str| list.lines().find(|line| line.starts_with(code)).unwrap();
    for code in ["byte-order-mark", "utf-16", "frontmatter-not-first"] {
        assert!(row(code).contains(", error in check  "), "{}", row(code));
    }
    assert!(!row("yaml-tag").contains("in check"));
    environment.write("x/SKILL.md", "\n---\nname: x\ndescription: y\n---\nBody\n");
    let check = environment.run(&["check", "--json", "x"]).json();
    let page = environment
        .run(&["explain", "--json", "frontmatter-not-first"])
        .json();
    let found = &check["skills"][0]["diagnostics"][0];
    assert_eq!(
        (&found["code"], &found["severity"]),
        (&page["code"], &page["checked_severity"])
    );
}

#[test]
fn explain_tells_every_code() {
    let environment = Environment::new();
    assert_snapshot!(
        environment
            .run(&["explain", "name-directory-mismatch"])
            .transcript()
    );
    let all = environment.run(&["explain", "--json"]).json();
    for code in all["codes"].as_array().unwrap() {
        let page = environment
            .run(&["explain", "--json", code["code"].as_str().unwrap()])
            .json();
        assert_eq!(page["severity"], code["severity"]);
        assert!(page["explanation"].as_str().unwrap().len() > 300);
    }
}

#[test]
fn the_bundled_skill_passes() {
    let environment = Environment::new();
    let bundled = concat!(env!("CARGO_MANIFEST_DIR"), "/../../skills");
    let run = environment.run(&["check", "--strict", bundled]);
    assert_eq!(run.code, 0, "{}", run.transcript());
}

#[test]
fn a_skill_that_several_paths_lead_to_is_checked_once() {
    let environment = Environment::new();
    environment.write("skills/a/SKILL.md", skill_text("a"));
    let run = environment.run(&[
        "check",
        "--json",
        "skills",
        "skills/a",
        "./skills/a/SKILL.md",
    ]);
    assert_eq!(run.json()["summary"]["skills"], 1);
}
