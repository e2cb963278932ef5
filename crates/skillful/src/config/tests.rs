use skillmd::invocation::Scope;

use super::*;
use crate::mode::Mode;

fn key(text: &str) -> KeyPath {
    text.parse().unwrap()
}

/// The configuration of a user's and a project's file.
fn config(user: &str, project: &str) -> Config {
    Config::of_layers([
        Layer::read(Level::User, Path::new("/home/ann/user.toml"), user),
        Layer::read(Level::Project, Path::new("/p/skills.toml"), project),
    ])
}

fn problems(config: &Config) -> Vec<String> {
    config.problems().iter().map(ToString::to_string).collect()
}

#[test]
fn the_higher_layer_counts_and_is_remembered() {
    let system = "[catalog]\nmax-tokens = 100\nmax-skills = 5\n";
    let user = "[catalog]\nmax-tokens = 200\n";
    let host = Host::new("/").with_variable("SKILLFUL_CATALOG_MAX_CHARACTERS", "9");
    let config = Config::of_layers([
        Layer::read(Level::System, Path::new("/etc/s.toml"), system),
        Layer::read(Level::User, Path::new("/u.toml"), user),
        Layer::of_environment(&host),
    ]);
    assert_eq!(
        (
            config.max_tokens(),
            config.max_skills(),
            config.max_characters()
        ),
        (Some(200), Some(5), Some(9))
    );
    let origin = &config.get(&key("catalog.max-tokens")).unwrap().origin;
    assert_eq!(
        (origin.level, &*origin.file, origin.position.line),
        (Level::User, Path::new("/u.toml"), 2)
    );
    assert_eq!(problems(&config), [""; 0]);
}

#[test]
fn a_project_takes_away() {
    let user = "[catalog]\nmax-tokens = 200\n[permissions]\ngrants = ['a', 'b']\ninline-shell = true\n[host]\ntools = ['x', 'y']\n[skills.s]\nmode = 'pinned'\n";
    let project = "[catalog]\nmax-tokens = 100\nmax-skills = 3\n[permissions]\ngrants = ['b']\ninline-shell = false\n[host]\ntools = []\n[skills.s]\nmode = 'manual-only'\nenabled = false\nscope = 'standalone'\n";
    let config = config(user, project);
    assert_eq!(problems(&config), [""; 0]);
    assert_eq!(
        (config.max_tokens(), config.max_skills()),
        (Some(100), Some(3))
    );
    assert_eq!(config.grants(), ["b"]);
    assert!(!config.allows_inline_shell());
    assert!(!config.furnish(Host::new("/")).has_tool("x"));
    let switches = config.switches("s", None);
    assert_eq!(switches.mode(), Mode::ManualOnly);
    assert!(!switches.enabled.unwrap().value);
    assert_eq!(switches.scope.unwrap().value, Scope::Standalone);
}

#[test]
fn a_project_gives_nothing() {
    let user = "[catalog]\nmax-tokens = 200\n[permissions]\ngrants = ['a']\n[skills.off]\nenabled = false\n[skills.hidden]\nmode = 'manual-only'\n[roots.team]\npath = '/team'\n";
    let project = "[catalog]\nmax-tokens = 300\n[permissions]\ngrants = ['a', 'run_shell_command']\ninline-shell = true\n[host]\ntools = ['x']\n[skills.off]\nenabled = true\n[skills.off.agents.codex]\nenabled = true\n[skills.hidden]\nmode = 'auto'\n[skills.loud]\nmode = 'required'\n[values]\na = 1\n[trust]\nsources = ['github.com/x']\n[roots.team]\npath = 'mine'\n[roots.out]\npath = '/etc'\n[roots.up]\npath = '../x'\n[roots.home]\npath = '~/x'\n[roots.in]\npath = 'more/skills'\ntrust = 'trusted'\n";
    let config = config(user, project);
    assert_eq!(config.max_tokens(), Some(200));
    assert_eq!(config.grants(), ["a"]);
    assert!(!config.allows_inline_shell());
    assert!(!config.furnish(Host::new("/")).has_tool("x"));
    assert_eq!(config.values(), &Json::Null);
    assert_eq!(config.trusted_sources(), [""; 0]);
    for agent in [None, Some("codex")] {
        let off = config.switches("off", agent).enabled.unwrap();
        assert_eq!(
            (off.value, off.origin.level),
            (false, Level::User),
            "{agent:?}"
        );
    }
    assert_eq!(config.switches("hidden", None).mode(), Mode::ManualOnly);
    assert_eq!(config.switches("loud", None).mode(), Mode::Auto);
    let roots = config.extra_roots(Some(Path::new("/home/ann")));
    let paths: Vec<_> = roots.iter().map(|root| (&*root.path, root.trust)).collect();
    assert_eq!(
        paths,
        [
            (Path::new("/p/more/skills"), Trust::Community),
            (Path::new("/team"), Trust::Community)
        ]
    );
    assert_eq!(roots[0].within.as_deref(), Some(Path::new("/p")));
    let problems = problems(&config);
    assert_eq!(problems.len(), 15, "{problems:#?}");
    assert!(
        problems
            .iter()
            .all(|problem| problem.starts_with("/p/skills.toml:")),
        "{problems:#?}"
    );
}

#[test]
fn a_projects_tightening_holds_for_every_agent() {
    let user = "[skills.s.agents.codex]\nenabled = true\nmode = 'pinned'\n";
    let switches = config(user, "[skills.s]\nenabled = false\nmode = 'name-only'\n")
        .switches("s", Some("codex"));
    assert!(!switches.enabled.clone().unwrap().value);
    assert_eq!(switches.mode(), Mode::NameOnly);
    let switches =
        config(user, "[skills.s.agents.codex]\nmode = 'auto'\n").switches("s", Some("codex"));
    assert_eq!(switches.mode(), Mode::Auto);
}

#[test]
fn what_is_said_for_an_agent_goes_first() {
    let config = config(
        "[skills.s]\nmode = 'disabled'\n[skills.s.agents.codex]\nmode = 'auto'\n[skills.'p:x']\nenabled = false\n",
        "",
    );
    assert_eq!(config.switches("s", None).mode(), Mode::Disabled);
    assert_eq!(config.switches("s", Some("other")).mode(), Mode::Disabled);
    assert_eq!(config.switches("s", Some("codex")).mode(), Mode::Auto);
    assert!(!config.switches("p:x", None).enabled.unwrap().value);
    assert_eq!(config.switches("t", None), Switches::default());
    assert_eq!(config.said_of("s").count(), 2);
}

#[test]
fn diagnostics_to_leave_out_add_up() {
    let config = config(
        "[check]\nignore = ['body-empty']\n",
        "[check]\nignore = ['body-too-long', 'body-empty', 'no-such']\n",
    );
    assert_eq!(
        config.ignored(),
        BTreeSet::from([Code::BodyEmpty, Code::BodyTooLong])
    );
    assert_eq!(problems(&config).len(), 1);
}

#[test]
fn values_of_all_layers_are_one_tree() {
    let layer = |level, text| Layer::read(level, Path::new("f"), text);
    let config = Config::of_layers([
        layer(
            Level::System,
            "[values]\na = { x = 1, y = 2 }\nb = 3\nc.d = 4\n",
        ),
        layer(Level::User, "[values]\na.x = 5\nb.z = [6]\nc = 'text'\n"),
    ]);
    assert_eq!(
        config.values(),
        &serde_json::json!({"a": {"x": 5, "y": 2}, "b": {"z": [6]}, "c": "text"})
    );
}

#[test]
fn a_file_full_of_faults_is_not_listed_to_the_end() {
    use std::fmt::Write;
    let mut text = String::new();
    for number in 0..300 {
        writeln!(text, "odd{number} = 1").unwrap();
    }
    let problems = problems(&config(&text, "[other]\n"));
    assert_eq!(problems.len(), limits::CONFIG_PROBLEMS + 2);
    assert!(
        problems[limits::CONFIG_PROBLEMS].contains("200 more"),
        "{problems:?}"
    );
}

#[test]
fn roots_are_absolute_or_below_the_home_or_beside_the_file() {
    let user = "[roots]\na.path = '/x/./y'\nb.path = '~/z'\nb.trust = 'trusted'\nc.path = 'w'\n";
    let config = config(user, "");
    let roots = |home: Option<&str>| -> Vec<_> {
        let roots = config.extra_roots(home.map(Path::new));
        roots
            .into_iter()
            .map(|root| (root.path, root.trust, root.source))
            .collect()
    };
    let root = |path: &str, trust| (PathBuf::from(path), trust, Source::Global);
    assert_eq!(
        roots(Some("/h")),
        [
            root("/x/y", Trust::Community),
            root("/h/z", Trust::Trusted),
            root("/home/ann/w", Trust::Community)
        ]
    );
    assert_eq!(roots(None).len(), 2);
}

#[test]
fn the_guard_is_the_users_and_a_project_may_only_make_it_stricter() {
    let entry = |digest: &str| format!("[[guard.accept]]\ndigest = '{digest}'\nreason = 'mine'\n");
    let system = Layer::read(Level::System, Path::new("/s.toml"), &entry("sha256:1"));
    let suppress =
        "[[guard.suppress]]\nrule = 'pipe-to-shell'\ndigest = 'sha256:3'\nreason = 'ours'\n";
    let user = format!(
        "[guard]\npreset = 'permissive'\n{}{suppress}",
        entry("sha256:2")
    );
    let user = Layer::read(Level::User, Path::new("/u.toml"), &user);
    let project = |text: &str| {
        let layer = Layer::read(Level::Project, Path::new("/p.toml"), text);
        Config::of_layers([system.clone(), user.clone(), layer])
    };
    let usual = project("");
    assert_eq!(usual.problems(), []);
    assert_eq!(usual.guard_on_load(), OnLoad::ThirdParty);
    let digests: Vec<&str> = usual
        .guard_acceptances()
        .iter()
        .map(|it| &*it.digest)
        .collect();
    assert_eq!(digests, ["sha256:1", "sha256:2"]);
    let policy = usual.guard_policy();
    assert_eq!(policy.dangerous, Preset::Permissive.policy().dangerous);
    assert_eq!(policy.suppressions[0].rule, "pipe-to-shell");

    let strict = project("[guard]\npreset = 'strict'\non-load = 'always'\n");
    assert_eq!(strict.problems(), []);
    assert_eq!(strict.guard_on_load(), OnLoad::Always);
    assert_eq!(
        strict.guard_policy().dangerous,
        Preset::Strict.policy().dangerous
    );

    let hostile = format!(
        "[guard]\non-load = 'never'\n{}{suppress}",
        entry("sha256:9")
    );
    let hostile = project(&hostile);
    assert_eq!(hostile.problems().len(), 3, "{:?}", hostile.problems());
    assert_eq!(hostile.guard_on_load(), OnLoad::ThirdParty);
    assert_eq!(hostile.guard_acceptances(), usual.guard_acceptances());
    assert_eq!(hostile.guard_policy(), policy);
}

/// The page of the guide.
const PAGE: &str = include_str!("../../../../docs/configuration.md");

#[test]
fn the_guides_example_is_read_without_a_fault() {
    let example = PAGE.split_once("```toml\n").unwrap().1;
    let example = example.split_once("```").unwrap().0;
    let layer = Layer::read(Level::User, Path::new("skills.toml"), example);
    assert_eq!(layer.problems, []);
    let mut clients = crate::Clients::built_in().unwrap();
    let reach = crate::clients::Reach::Anywhere;
    clients
        .lay_over_config(Path::new("skills.toml"), example, reach)
        .unwrap();
    assert!(clients.get("my-agent").is_some());
    for spec in schema::KEYS {
        let is_used =
            |path: &KeyPath| schema::find(path).is_some_and(|it| it.pattern == spec.pattern);
        let is_for_an_agent = spec.pattern.contains("agents") && spec.pattern.ends_with("scope");
        assert!(
            is_for_an_agent || layer.settings.keys().any(is_used),
            "the example lacks {}",
            spec.pattern
        );
    }
}

#[test]
fn the_guide_has_every_key_and_variable() {
    for spec in schema::KEYS {
        let shown = spec
            .pattern
            .replace("skills.*", "skills.ID")
            .replace("agents.*", "agents.AGENT")
            .replace("roots.*", "roots.NAME")
            .replace("wanted.*", "wanted.ID")
            .replace("values.**", "values.PATH");
        assert!(PAGE.contains(&format!("| `{shown}` |")), "{shown}");
        if let Some(variable) = spec.variable() {
            assert!(PAGE.contains(&format!("`{variable}`")), "{variable}");
        }
    }
}
