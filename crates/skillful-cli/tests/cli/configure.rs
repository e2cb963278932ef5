//! `enable`, `disable`, `pin`, `mode` and `config`: layers, switches, and edits that lose nothing.

use std::fs;

use insta::assert_snapshot;

use crate::environment::{Environment, Run};

/// The user's own configuration file, below the home.
const USER_FILE: &str = ".config/skillful/skills.toml";

fn machine() -> Environment {
    let environment = Environment::new();
    environment.skill(".agents/skills/deploy");
    environment.skill(".agents/skills/review");
    environment
}

fn user_file(environment: &Environment) -> String {
    fs::read_to_string(environment.home().join(USER_FILE)).unwrap_or_default()
}

fn project_file(environment: &Environment) -> String {
    fs::read_to_string(environment.project().join("skills.toml")).unwrap_or_default()
}

fn state(environment: &Environment, id: &str) -> String {
    let why = environment.run(&["why", id, "--json"]).json();
    why["state"].as_str().unwrap().to_owned()
}

#[track_caller]
fn fine(run: &Run) {
    assert_eq!((run.code, &*run.stderr), (0, ""), "{}", run.stdout);
}

#[test]
fn disable_and_enable() {
    let environment = machine();
    let run = environment.run(&["disable", "deploy"]);
    assert_snapshot!(run.transcript());
    assert_eq!(
        user_file(&environment),
        "[skills.deploy]\nenabled = false\n"
    );
    assert_eq!(state(&environment, "deploy"), "disabled");
    let again = environment.run(&["disable", "deploy", "--json"]).json();
    assert_eq!(
        (&again["changed"], &again["state"]),
        (&false.into(), &"disabled".into())
    );
    let run = environment.run(&["enable", "deploy", "--json"]).json();
    assert_eq!(
        (&run["changed"], &run["state"]),
        (&true.into(), &"ready".into())
    );
    assert_eq!(
        (&run["id"], &run["key"]),
        (&"deploy".into(), &"skills.deploy.enabled".into())
    );
    assert_eq!(user_file(&environment), "[skills.deploy]\nenabled = true\n");
}

#[test]
fn enable_overrules_the_author_and_a_mode() {
    let environment = machine();
    environment.write(
        ".agents/skills/off/SKILL.md",
        "---\nname: off\ndescription: Use when off.\neligibility:\n  enabled: false\n---\n",
    );
    environment.write_home(USER_FILE, "[skills.off]\nmode = 'disabled' # for now\n");
    assert_eq!(state(&environment, "off"), "disabled");
    fine(&environment.run(&["enable", "off"]));
    assert_eq!(user_file(&environment), "[skills.off]\nenabled = true\n");
    assert_eq!(state(&environment, "off"), "ready");
}

#[test]
fn comments_and_order_stay() {
    let environment = machine();
    let text = "# my skills\n\n[skills.Review]  # good\nmode = 'pinned'   # always\n\n[check]\nignore = [\n  'body-empty', # drafts\n]\n";
    environment.write_home(USER_FILE, text);
    fine(&environment.run(&["pin", "review", "--off"]));
    assert_eq!(
        user_file(&environment),
        text.replace("[skills.Review]  # good\nmode = 'pinned'   # always\n", "")
    );
    environment.write_home(USER_FILE, text.replace("pinned", "required"));
    let other = environment.run(&["pin", "review", "--off"]).stdout;
    assert!(
        other.starts_with("already skills.review.mode = required"),
        "{other}"
    );
    environment.write_home(USER_FILE, text);
    fine(&environment.run(&["mode", "review", "manual-only"]));
    assert_eq!(
        user_file(&environment),
        text.replace("'pinned'", "\"manual-only\"")
    );
}

#[test]
fn modes_and_agents() {
    let environment = machine();
    fine(&environment.run(&["pin", "deploy"]));
    fine(&environment.run(&["mode", "deploy", "name-only", "--agent", "codex"]));
    fine(&environment.run(&["disable", "deploy", "--agent", "claude-code"]));
    let why = |agent: &str| {
        environment
            .run(&["why", "deploy", "--json", "--agent", agent])
            .json()
    };
    assert_eq!(why("codex")["mode"], "name-only");
    assert_eq!(why("other")["mode"], "pinned");
    assert_eq!(why("claude-code")["state"], "disabled");
    let odd = environment.run(&["mode", "deploy", "loud"]);
    assert_eq!(odd.code, 2);
    assert!(odd.stderr.contains("name-only"), "{}", odd.stderr);
}

#[test]
fn an_unknown_id_is_refused_unless_forced() {
    let environment = machine();
    let run = environment.run(&["disable", "deplyo"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains("did you mean `deploy`"),
        "{}",
        run.stderr
    );
    assert_eq!(user_file(&environment), "");
    let run = environment.run(&["config", "set", "skills.deplyo.mode", "pinned"]);
    assert_eq!(run.code, 1);
    let forced = environment
        .run(&["disable", "Not_Yet", "--force", "--json"])
        .json();
    assert_eq!(forced["id"], "not-yet");
    assert!(forced["state"].is_null());
    assert_eq!(
        user_file(&environment),
        "[skills.not-yet]\nenabled = false\n"
    );
}

#[test]
fn a_project_may_only_tighten() {
    let environment = machine();
    fine(&environment.run(&["disable", "deploy", "--in", "project"]));
    assert_eq!(
        project_file(&environment),
        "[skills.deploy]\nenabled = false\n"
    );
    assert_eq!(state(&environment, "deploy"), "disabled");
    let run = environment.run(&["enable", "deploy", "--json"]).json();
    assert_eq!(run["state"], "disabled", "the project's word holds: {run}");
    fine(&environment.run(&["enable", "deploy", "--in", "project"]));
    assert_eq!(project_file(&environment), "");
    assert_eq!(state(&environment, "deploy"), "ready");

    let pin = environment.run(&["pin", "deploy", "--in", "project"]);
    assert_eq!(pin.code, 2);
    let value = environment.run(&["config", "set", "values.a", "1", "--in", "project"]);
    assert_eq!(value.code, 2);
    let grant = environment.run(&[
        "config",
        "set",
        "permissions.grants",
        "fly",
        "--in",
        "project",
    ]);
    assert!(
        grant.stderr.contains("may not add `fly`"),
        "{}",
        grant.stderr
    );
    let grants = environment.run(&["config", "get", "permissions.grants"]);
    assert_eq!(grants.stdout.trim(), "");
}

#[test]
fn a_hostile_project_gets_nothing() {
    let environment = machine();
    environment.write(
        ".agents/skills/greedy/SKILL.md",
        "---\nname: greedy\ndescription: Use when greedy.\nrequired_permissions: [run_shell_command]\n---\n",
    );
    environment.write_home(
        "secret/hidden/SKILL.md",
        "---\nname: hidden\ndescription: x\n---\n",
    );
    environment.write_home(USER_FILE, "[skills.deploy]\nenabled = false\n");
    environment.write(
        "skills.toml",
        "[permissions]\ngrants = ['run_shell_command']\ninline-shell = true\n[skills.deploy]\nenabled = true\n[roots.x]\npath = '../home/secret'\n[clients.evil]\nglobal = ['~/secret']\n",
    );
    assert_eq!(state(&environment, "greedy"), "ineligible");
    assert_eq!(state(&environment, "deploy"), "disabled");
    let list = environment.run(&["list", "--json"]).json();
    assert!(!list.to_string().contains("hidden"), "{list}");
    let problems = list["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 5, "{problems:#?}");
    assert!(
        problems
            .iter()
            .all(|problem| problem["code"] == "config-invalid")
    );
}

#[cfg(unix)]
#[test]
fn a_root_of_a_project_cannot_leave_it_by_a_link() {
    let environment = machine();
    environment.write_home(
        "secret/hidden/SKILL.md",
        "---\nname: hidden\ndescription: x\n---\n",
    );
    std::os::unix::fs::symlink(
        environment.home().join("secret"),
        environment.project().join("out"),
    )
    .unwrap();
    environment.write(
        "skills.toml",
        "[roots.x]\npath = 'out'\n[roots.y]\npath = 'none'\n",
    );
    let list = environment.run(&["list", "--json"]).json();
    assert!(!list["skills"].to_string().contains("hidden"), "{list}");
    assert_eq!(list["problems"].as_array().unwrap().len(), 2, "{list}");
}

#[test]
fn more_roots_can_be_named() {
    let environment = machine();
    environment.write_home(
        "team/lint/SKILL.md",
        "---\nname: lint\ndescription: Use when linting.\n---\n",
    );
    environment.skill("vendor/format");
    environment.write_home(
        USER_FILE,
        "[roots.team]\npath = '~/team'\ntrust = 'trusted'\n",
    );
    environment.write("skills.toml", "[roots.vendor]\npath = 'vendor'\n");
    let list = environment.run(&["list", "--json"]).json();
    let found: Vec<_> = list["skills"]
        .as_array()
        .unwrap()
        .iter()
        .map(|skill| {
            format!(
                "{} {}",
                skill["id"].as_str().unwrap(),
                skill["source"].as_str().unwrap()
            )
        })
        .collect();
    assert!(found.contains(&"lint global".to_owned()), "{found:?}");
    assert!(found.contains(&"format workspace".to_owned()), "{found:?}");
}

#[test]
fn a_faulty_file_is_told_and_never_written() {
    let environment = machine();
    environment.write_home(USER_FILE, "[skills.deploy]\nenabled = flase\n");
    let list = environment.run(&["list"]);
    assert_eq!(list.code, 0);
    assert!(
        list.stderr
            .contains("skills.toml:2:11: the file is not TOML"),
        "{}",
        list.stderr
    );
    for arguments in [
        &["disable", "review"][..],
        &["config", "set", "catalog.max-tokens", "3"],
        &["config", "unset", "catalog"],
    ] {
        let run = environment.run(arguments);
        assert_eq!(run.code, 1, "{}", run.stdout);
        assert!(run.stderr.contains("skills.toml:2:11: "), "{}", run.stderr);
    }
    assert_eq!(
        user_file(&environment),
        "[skills.deploy]\nenabled = flase\n"
    );
}

#[test]
fn get_tells_who_said_it() {
    let environment = machine();
    environment.write_home(
        USER_FILE,
        "[catalog]\nmax-tokens = 4000\n[skills.deploy]\nmode = 'pinned'\ncolour = 'red'\n",
    );
    environment.write("skills.toml", "[catalog]\nmax-tokens = 2000\n");
    let mut command = environment.command(&["config", "get"]);
    command.env("SKILLFUL_HOST_TOOLS", "search, fetch");
    let run = command.output().unwrap();
    let text = String::from_utf8(run.stdout).unwrap();
    let root = environment
        .home()
        .parent()
        .unwrap()
        .to_string_lossy()
        .into_owned();
    assert_snapshot!(text.replace(&root, "[ROOT]"));
    assert_eq!(
        environment
            .run(&["config", "get", "catalog.max-tokens"])
            .stdout,
        "2000\n"
    );
    let json = environment
        .run(&["config", "get", "skills", "--json"])
        .json();
    assert_eq!(json["settings"].as_array().unwrap().len(), 1);
    assert_eq!(json["settings"][0]["key"], "skills.deploy.mode");
    assert_eq!(json["settings"][0]["line"], 4);
    assert_eq!(json["problems"][0]["line"], 5);
    let missing = environment.run(&["config", "get", "catalog.max-skills"]);
    assert_eq!((missing.code, &*missing.stdout), (1, ""));
    let unknown = environment.run(&["config", "get", "catalog.max-token"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.stderr.contains("did you mean `max-tokens`"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn set_and_unset() {
    let environment = machine();
    fine(&environment.run(&[
        "config",
        "set",
        "permissions.grants",
        "run_shell_command, read",
    ]));
    fine(&environment.run(&["config", "set", "values.browser.port", "80"]));
    fine(&environment.run(&["config", "set", "values.note", "- plain words"]));
    assert_eq!(
        user_file(&environment),
        "[permissions]\ngrants = [\"run_shell_command\", \"read\"]\n\n[values]\nnote = \"- plain words\"\n\n[values.browser]\nport = 80\n"
    );
    let unset = environment
        .run(&["config", "unset", "permissions.grants", "--json"])
        .json();
    assert_eq!(
        (&unset["changed"], &unset["value"]),
        (&true.into(), &serde_json::Value::Null)
    );
    let unset = environment
        .run(&["config", "unset", "permissions.grants", "--json"])
        .json();
    assert_eq!(unset["changed"], false);
    for (arguments, text) in [
        (["catalog.max-tokens", "many"], "a whole number from 1"),
        (["catalog", "1"], "is a section"),
        (["catalogue.max", "1"], "did you mean `catalog`"),
        (["skills.deploy.mode", "loud"], "name-only"),
        (["a..b", "1"], "a part is empty"),
    ] {
        let run = environment.run(&[&["config", "set"][..], &arguments].concat());
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(run.stderr.contains(text), "{}", run.stderr);
    }
}

#[test]
fn path_tells_where_the_files_lie() {
    let environment = machine();
    environment.write("skills.toml", "");
    assert_snapshot!(environment.run(&["config", "path"]).transcript());
    let json = environment.run(&["config", "path", "--json"]).json();
    assert_eq!(json["files"][1]["exists"], true);
}

#[test]
fn a_named_file_replaces_all_others() {
    let environment = machine();
    environment.write_home(USER_FILE, "[skills.deploy]\nenabled = false\n");
    let named = environment.write("other.toml", "[skills.review]\nenabled = false\n");
    let named = named.to_str().unwrap();
    let list = environment
        .run(&["list", "--json", "--config", named, "--state", "disabled"])
        .json();
    assert_eq!(list["skills"].as_array().unwrap().len(), 1);
    assert_eq!(list["skills"][0]["id"], "review");
    fine(&environment.run(&["enable", "review", "--config", named]));
    assert_eq!(
        fs::read_to_string(named).unwrap(),
        "[skills.review]\nenabled = true\n"
    );
    let root = environment.project().join(".agents/skills");
    let nowhere = environment
        .command(&["disable", "deploy", "--root", root.to_str().unwrap()])
        .env_remove("SKILLFUL_HOME")
        .output()
        .unwrap();
    assert_eq!(nowhere.status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let environment = machine();
    let real = environment.write_home("dotfiles/skills.toml", "# mine\n");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    let link = environment.home().join(USER_FILE);
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(&real, &link).unwrap();
    fine(&environment.run(&["disable", "deploy"]));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(
        fs::read_to_string(&real)
            .unwrap()
            .contains("enabled = false")
    );
    assert_eq!(
        fs::metadata(&real).unwrap().permissions().mode() & 0o777,
        0o600
    );
    // A project's file that is a link to somebody's file is none to write to.
    symlink(&real, environment.project().join("skills.toml")).unwrap();
    let run = environment.run(&["disable", "review", "--in", "project"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains("leads out of the project"),
        "{}",
        run.stderr
    );
}

#[test]
fn changes_at_the_same_time_are_all_kept() {
    let environment = Environment::new();
    let names: Vec<String> = (0..8).map(|number| format!("skill-{number}")).collect();
    for name in &names {
        environment.skill(&format!(".agents/skills/{name}"));
    }
    let children: Vec<_> = names
        .iter()
        .map(|name| {
            environment
                .command(&["disable", name, "--json"])
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    if cfg!(unix) {
        let text = user_file(&environment);
        assert_eq!(
            text.matches("enabled = false").count(),
            names.len(),
            "{text}"
        );
    }
}
