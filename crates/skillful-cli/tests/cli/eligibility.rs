//! `why`, and the judged states in every other verb.

use insta::assert_snapshot;

use crate::environment::Environment;

/// The user's own configuration file, below the home.
const USER_FILE: &str = ".config/skillful/skills.toml";

fn skill(environment: &Environment, name: &str, frontmatter: &str) {
    environment.write(
        &format!(".agents/skills/{name}/SKILL.md"),
        format!("---\nname: {name}\ndescription: Does it. Use when asked.\n{frontmatter}\n---\n\nDo it.\n"),
    );
}

const NEEDY: &str = "required_permissions: [run_shell_command, fly]
primary-env: NEEDY_KEY
metadata:
  openclaw:
    requires:
      bins: [no-such-program]
      anyBins: [no-such-one, no-such-other]
      env: [NEEDY_TOKEN]
      config: [browser.enabled]
  hermes:
    requires_tools: [search]
install:
  - {id: brew, kind: brew, package: no-such-formula, bins: [no-such-program]}";

#[test]
fn why_tells_every_reason_and_the_way_out() {
    let environment = Environment::new();
    skill(&environment, "needy", NEEDY);
    let run = environment.run(&["why", "needy"]);
    assert_snapshot!(run.transcript());
    let why = environment.run(&["why", "needy", "--json"]).json();
    assert_eq!(
        (&why["version"], &why["state"]),
        (&1.into(), &"ineligible".into())
    );
    assert_eq!(why["eligible"], false);
    let kinds: Vec<_> = why["blockers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["kind"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        [
            "bin",
            "any-bin",
            "env",
            "config",
            "tool",
            "permission",
            "permission"
        ]
    );
    for blocker in why["blockers"].as_array().unwrap() {
        assert!(
            blocker["detail"].is_string() && blocker["help"].is_string(),
            "{blocker}"
        );
    }
    assert_eq!(why["notes"][0]["kind"], "setup-variable");
    assert_eq!(
        why["invocation"],
        serde_json::json!({"model": false, "person": false})
    );
}

#[test]
fn what_is_granted_and_given_is_no_blocker() {
    let environment = Environment::new();
    skill(&environment, "needy", NEEDY);
    environment.write_home(
        USER_FILE,
        "[permissions]\ngrants = ['run_shell_command', 'fly']\n[host]\ntools = ['search']\n[values]\nbrowser.enabled = true\n",
    );
    let bin = environment.write_home("bin/no-such-program", "");
    environment.write_home("bin/no-such-other", "");
    let command = |token: &str| {
        let mut command = environment.command(&["why", "needy", "--json"]);
        command
            .env("PATH", bin.parent().unwrap())
            .env("NEEDY_TOKEN", token);
        let output = command.output().unwrap();
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        for name in ["no-such-program", "no-such-other"] {
            let path = bin.parent().unwrap().join(name);
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        assert_eq!(command("t")["state"], "ready");
        let empty = command("");
        assert_eq!(empty["blockers"].as_array().unwrap().len(), 1, "{empty}");
        assert_eq!(empty["blockers"][0]["kind"], "env");
    }
    assert!(command("t")["blockers"].is_array());
}

#[test]
fn every_verb_shows_the_judged_state() {
    let environment = Environment::new();
    environment.skill(".agents/skills/fine");
    skill(&environment, "elsewhere", "platforms: []");
    skill(
        &environment,
        "off",
        "eligibility:\n  enabled: false\n  always: true",
    );
    let list = environment.run(&["list", "--json"]).json();
    let states: Vec<_> = list["skills"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|skill| skill["source"] == "workspace")
        .map(|skill| {
            (
                skill["id"].as_str().unwrap(),
                skill["state"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        states,
        [
            ("elsewhere", "ineligible"),
            ("fine", "ready"),
            ("off", "disabled")
        ]
    );
    assert_snapshot!(environment.run(&["list"]).transcript());
    let show = environment.run(&["show", "elsewhere", "--json"]).json();
    assert_eq!(show["blockers"][0]["kind"], "os");
    let overview = environment.run(&[]).stdout;
    assert!(overview.contains("1 ineligible, 1 disabled"), "{overview}");
    let prompt = environment.run(&["prompt", "--json"]).json();
    let included = prompt["included"].as_array().unwrap();
    assert!(included.contains(&"fine".into()) && !included.contains(&"elsewhere".into()));
}

#[test]
fn a_disabled_winner_still_shadows() {
    let environment = Environment::new();
    environment.skill(".claude/skills/deploy");
    environment.write_home(
        ".claude/skills/deploy/SKILL.md",
        "---\nname: deploy\ndescription: Another one. Use when asked.\n---\n",
    );
    environment.write_home(USER_FILE, "[skills.deploy]\nenabled = false\n");
    assert_snapshot!(environment.run(&["why", "deploy"]).transcript());
    let shadowed = environment.home().join(".claude/skills/deploy");
    let why = environment.run(&["why", shadowed.to_str().unwrap()]);
    assert_snapshot!(why.transcript());
}

#[test]
fn agents_have_switches_of_their_own() {
    let environment = Environment::new();
    environment.skill(".agents/skills/deploy");
    environment.write_home(
        USER_FILE,
        "[skills.deploy.agents.codex]\nmode = 'disabled'\n[skills.deploy]\nmode = 'manual-only'\n",
    );
    let why = |arguments: &[&str]| {
        environment
            .run(&[&["why", "deploy", "--json"], arguments].concat())
            .json()
    };
    let general = why(&[]);
    assert_eq!(
        (&general["state"], &general["mode"]),
        (&"ready".into(), &"manual-only".into())
    );
    assert_eq!(
        general["invocation"],
        serde_json::json!({"model": false, "person": true})
    );
    assert_eq!(general["settings"].as_array().unwrap().len(), 2);
    let codex = why(&["--agent", "codex"]);
    assert_eq!(
        (&codex["state"], &codex["agent"]),
        (&"disabled".into(), &"codex".into())
    );
    assert_eq!(codex["settings"][0]["layer"], "user");
    assert_eq!(codex["settings"][0]["line"], 2);
}

#[test]
fn an_unknown_skill_has_near_names() {
    let environment = Environment::new();
    environment.skill(".agents/skills/deploy");
    let run = environment.run(&["why", "deplyo"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains("did you mean `deploy`"),
        "{}",
        run.stderr
    );
}

#[test]
fn what_a_skill_asks_for_cannot_move_the_cursor() {
    let environment = Environment::new();
    skill(
        &environment,
        "evil",
        "eligibility:\n  required-bins: [\"a\\e[2Jb\"]\n  required-env: [\"\\u202ex\"]\ndeps: [\"\\e]0;t\\a\"]",
    );
    let why = environment.run(&["why", "evil"]);
    assert!(why.stdout.contains("a\\u{1b}[2Jb"), "{}", why.stdout);
    for arguments in [&["why", "evil"][..], &["list"], &["disable", "evil"]] {
        let run = environment.run(&[arguments, &["--color", "never"]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let is_hostile = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(
            !run.stdout.contains(is_hostile),
            "{arguments:?}: {:?}",
            run.stdout
        );
    }
}

#[test]
fn the_overview_points_to_the_reasons() {
    let environment = Environment::new();
    skill(&environment, "needy", NEEDY);
    let overview = environment.run(&[]).stdout;
    assert!(overview.contains("skillful why needy"), "{overview}");
}
