//! `publish`: skills in a directory for a web server.

use std::fs;

use insta::assert_snapshot;

use crate::environment::Environment;

#[test]
fn skills_become_a_site() {
    let environment = Environment::new();
    environment.skill(".claude/skills/forms");
    environment.write(".claude/skills/forms/references/a.md", "# A\n");
    environment.skill("elsewhere/pdf");
    let run = environment.run(&["publish", "forms", "./elsewhere/pdf", "--to", "public"]);
    assert_snapshot!("publish", run.transcript());
    let index = |path: &str| fs::read_to_string(environment.project().join(path)).unwrap();
    assert_snapshot!(
        "publish_index",
        index("public/.well-known/agent-skills/index.json")
    );
    assert_snapshot!(
        "publish_index_of_0_1",
        index("public/.well-known/skills/index.json")
    );
    let again = environment
        .run(&["publish", "forms", "--to", "public", "--prune", "--json"])
        .json();
    assert_eq!(again["skills"][0]["change"], "unchanged");
    assert_eq!(again["skills"][1]["change"], "pruned");
    assert_eq!(again["layout"], "well-known");
}

#[test]
fn skills_become_a_tree_and_others_stay() {
    let environment = Environment::new();
    environment.skill(".claude/skills/forms");
    let theirs = environment.write("out/forms/SKILL.md", "theirs");
    let publish = ["publish", "forms", "--to", "out", "--as", "tree"];
    let refused = environment.run(&publish);
    assert_eq!(refused.code, 1);
    assert!(
        refused.stderr.contains("was left alone"),
        "{}",
        refused.stderr
    );
    assert_eq!(fs::read(&theirs).unwrap(), b"theirs");
    fs::remove_file(theirs).unwrap();
    let run = environment.run(&publish);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let check = environment.run(&["check", "out"]);
    assert_eq!(check.code, 0, "{}", check.transcript());
    let wrong = environment.run(&["publish", "forms", "--to", "out", "--base-url", "nowhere"]);
    assert_eq!(wrong.code, 2);
}
