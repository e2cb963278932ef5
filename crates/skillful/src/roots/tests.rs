use std::fs;

use tempfile::TempDir;

use super::*;

fn resolve_with(host: &Host, options: &Options) -> Roots {
    resolve(host, &Clients::built_in().unwrap(), options)
}

/// A machine in a temporary directory: `home` and `work`.
struct Machine {
    base: TempDir,
}

impl Machine {
    fn new() -> Self {
        let machine = Self {
            base: tempfile::tempdir().unwrap(),
        };
        machine.directories(&["home", "work"]);
        machine
    }

    fn path(&self, path: &str) -> PathBuf {
        self.base.path().join(path)
    }

    fn directories(&self, paths: &[&str]) {
        for path in paths {
            fs::create_dir_all(self.path(path)).unwrap();
        }
    }

    fn file(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn host(&self, working_directory: &str) -> Host {
        Host::new(self.path(working_directory)).with_home(self.path("home"))
    }

    fn resolve(&self, working_directory: &str) -> Roots {
        resolve_with(&self.host(working_directory), &Options::default())
    }

    /// The roots below the machine, each with its source and client, in order.
    fn summary(&self, roots: &Roots) -> Vec<String> {
        roots
            .roots
            .iter()
            .filter_map(|root| {
                let path = root.path.strip_prefix(self.base.path()).ok()?;
                let path = path.to_string_lossy().replace('\\', "/");
                let source = match &root.source {
                    Source::Plugin { name } => format!("plugin {name}"),
                    Source::Workspace { distance } => format!("workspace {distance}"),
                    other => other.as_str().to_owned(),
                };
                let client = root.client.as_deref().unwrap_or("-");
                Some(format!("{path} {source} {client}"))
            })
            .collect()
    }
}

#[test]
fn the_walk_ends_at_the_repository_root() {
    let machine = Machine::new();
    machine.directories(&[
        ".agents/skills",
        "work/.git",
        "work/.agents/skills",
        "work/a/.claude/skills",
        "work/a/b/.claude/skills",
        "work/a/b/c",
    ]);
    let roots = machine.resolve("work/a/b/c");
    assert_eq!(
        machine.summary(&roots),
        [
            "work/a/b/.claude/skills workspace 1 claude-code",
            "work/a/.claude/skills workspace 2 claude-code",
            "work/.agents/skills workspace 3 universal",
        ]
    );
}

#[test]
fn outside_a_repository_only_the_working_directory_counts() {
    let machine = Machine::new();
    machine.directories(&["work/.claude/skills", "work/a/.claude/skills"]);
    let roots = machine.resolve("work/a");
    assert_eq!(
        machine.summary(&roots),
        ["work/a/.claude/skills workspace 0 claude-code"]
    );
}

#[test]
fn a_shared_directory_is_one_root_of_several_clients() {
    let machine = Machine::new();
    machine.directories(&[
        "work/.agents/skills",
        "work/.claude/skills",
        "work/.qoder/skills",
    ]);
    let roots = machine.resolve("work");
    assert_eq!(
        machine.summary(&roots),
        [
            "work/.agents/skills workspace 0 universal",
            "work/.claude/skills workspace 0 claude-code",
            "work/.qoder/skills workspace 0 qoder",
        ]
    );
    let clients =
        |index: usize| -> Vec<&str> { roots.roots[index].clients.iter().map(|id| &**id).collect() };
    assert!(clients(0).contains(&"codex") && clients(0).contains(&"universal"));
    assert!(clients(1).contains(&"claude-code") && clients(1).contains(&"opencode"));
    assert_eq!(clients(2), ["qoder", "qoder-cn"]);
}

#[test]
fn only_a_client_of_its_own_brings_its_way_of_reading() {
    let machine = Machine::new();
    machine.directories(&[
        "home/.denkeeper/skills",
        "work/.aleph/skills",
        "work/.claude/skills",
    ]);
    let roots = machine.resolve("work").roots;
    let ways: Vec<_> = roots.iter().map(|root| (root.flat, root.depth)).collect();
    assert_eq!(
        ways,
        [
            (Flat::SkillMd, limits::DEPTH),
            (Flat::None, limits::DEPTH),
            (Flat::Markdown, 1)
        ]
    );
}

#[test]
fn working_at_home_does_not_make_the_users_directories_a_projects() {
    let machine = Machine::new();
    machine.directories(&["home/.claude/skills", "home/.git"]);
    let roots = machine.resolve("home");
    assert_eq!(
        machine.summary(&roots),
        ["home/.claude/skills global claude-code"]
    );
}

#[test]
fn variables_move_the_users_directories_unless_a_home_is_named() {
    let machine = Machine::new();
    machine.directories(&["home/.config/goose/skills", "moved/goose/skills"]);
    let host = machine
        .host("work")
        .with_variable("XDG_CONFIG_HOME", machine.path("moved").to_string_lossy());
    let roots = resolve_with(&host, &Options::default());
    assert_eq!(machine.summary(&roots), ["moved/goose/skills global goose"]);
    let options = Options {
        home: Some(machine.path("home")),
        ..Options::default()
    };
    let roots = resolve_with(&host, &options);
    assert_eq!(
        machine.summary(&roots),
        ["home/.config/goose/skills global goose"]
    );
    assert_eq!(roots.roots.len(), 1, "no directory of the machine");
}

#[test]
fn a_named_project_replaces_the_walk() {
    let machine = Machine::new();
    machine.directories(&[
        "work/.claude/skills",
        "repo/.git",
        "repo/.claude/skills",
        "repo/a/.claude/skills",
    ]);
    let options = Options {
        project: Some(machine.path("repo/a")),
        ..Options::default()
    };
    let roots = resolve_with(&machine.host("work"), &options);
    assert_eq!(
        machine.summary(&roots),
        ["repo/a/.claude/skills workspace 0 claude-code"]
    );
    let options = Options {
        project: Some(machine.path("nowhere")),
        ..Options::default()
    };
    let roots = resolve_with(&machine.host("work"), &options);
    assert_eq!(
        roots.problems,
        [Problem::RootMissing(machine.path("nowhere"))]
    );
}

#[test]
fn named_roots_replace_all_others_in_their_order() {
    let machine = Machine::new();
    machine.directories(&["work/.claude/skills", "z", "a"]);
    machine.file("file", "");
    let options = Options {
        roots: ["z", "a", "missing", "file"]
            .map(|path| machine.path(path))
            .into(),
        ..Options::default()
    };
    let roots = resolve_with(&machine.host("work"), &options);
    assert_eq!(
        machine.summary(&roots),
        ["z workspace 0 -", "a workspace 0 -"]
    );
    assert_eq!(
        roots.problems,
        [
            Problem::RootMissing(machine.path("missing")),
            Problem::RootNotDirectory(machine.path("file")),
        ]
    );
}

#[test]
fn the_newest_cached_version_of_a_plugin_comes_first() {
    let machine = Machine::new();
    let cache = "home/.claude/plugins/cache/market/tools";
    machine.directories(&[
        &format!("{cache}/1.9.0/skills"),
        &format!("{cache}/1.10.0/skills"),
        "home/.claude/plugins/marketplaces/other/plugins/more/skills",
    ]);
    machine.file(
        "home/.claude/plugins/marketplaces/other/plugins/more/.claude-plugin/plugin.json",
        r#"{"name": "much-more"}"#,
    );
    let roots = machine.resolve("work");
    assert_eq!(
        machine.summary(&roots),
        [
            format!("{cache}/1.10.0/skills plugin tools claude-code"),
            format!("{cache}/1.9.0/skills plugin tools claude-code"),
            "home/.claude/plugins/marketplaces/other/plugins/more/skills plugin much-more claude-code"
                .to_owned(),
        ]
    );
}

#[test]
fn the_list_of_installed_plugins_decides_where_there_is_one() {
    let machine = Machine::new();
    let cache = "home/.claude/plugins/cache/market";
    machine.directories(&[
        &format!("{cache}/kept/1/skills"),
        &format!("{cache}/gone/1/skills"),
        &format!("{cache}/theirs/1/skills"),
    ]);
    let install = |plugin: &str| machine.path(&format!("{cache}/{plugin}/1"));
    machine.file(
        "home/.claude/plugins/installed_plugins.json",
        &serde_json::json!({"version": 2, "plugins": {
            "kept@market": [{"scope": "user", "installPath": install("kept")}],
            "theirs@market": [{"scope": "project", "projectPath": "/other", "installPath": install("theirs")}],
        }})
        .to_string(),
    );
    let roots = machine.resolve("work");
    assert_eq!(
        machine.summary(&roots),
        [format!("{cache}/kept/1/skills plugin kept claude-code")]
    );
}

#[test]
fn a_project_that_is_a_plugin_declares_its_skills() {
    let machine = Machine::new();
    machine.directories(&["work/skills", "work/more/one"]);
    machine.file(
        "work/.claude-plugin/plugin.json",
        r#"{"name": "mine", "skills": ["./more/one", "../outside", "/etc"]}"#,
    );
    let roots = machine.resolve("work");
    assert_eq!(
        machine.summary(&roots),
        [
            "work/skills plugin mine kesoku",
            "work/more/one plugin mine -"
        ]
    );
    assert!(roots.roots[1].single && !roots.roots[0].single);
    assert_eq!(roots.problems.len(), 2, "{:?}", roots.problems);
}

#[test]
fn a_marketplace_lists_plugins_and_their_skills() {
    let machine = Machine::new();
    let market = "home/.claude/plugins/marketplaces/market";
    machine.directories(&[
        &format!("{market}/skills/one"),
        &format!("{market}/skills/two"),
        &format!("{market}/inner/skills"),
    ]);
    machine.file(
        &format!("{market}/.claude-plugin/marketplace.json"),
        r#"{"plugins": [
            {"name": "listed", "source": "./", "skills": ["./skills/one"]},
            {"name": "whole", "source": "./inner"},
            {"name": "far", "source": {"source": "github", "repo": "a/b"}}
        ]}"#,
    );
    let roots = machine.resolve("work");
    assert_eq!(
        machine.summary(&roots),
        [
            format!("{market}/skills/one plugin listed claude-code"),
            format!("{market}/inner/skills plugin whole claude-code"),
        ]
    );
}

#[test]
fn a_plugin_manifest_that_cannot_be_read_is_a_problem() {
    let machine = Machine::new();
    machine.directories(&["work/skills"]);
    machine.file("work/.claude-plugin/plugin.json", "{");
    let roots = machine.resolve("work");
    assert_eq!(machine.summary(&roots), ["work/skills plugin work kesoku"]);
    assert!(matches!(
        &roots.problems[..],
        [Problem::PluginManifest { .. }]
    ));
}

#[test]
fn what_would_change_the_roots_is_known() {
    let machine = Machine::new();
    machine.file(
        "home/.claude/plugins/installed_plugins.json",
        r#"{"plugins": {}}"#,
    );
    machine.directories(&["home/.claude/skills"]);
    let depends_on = machine.resolve("work").depends_on;
    let has = |paths: &[PathBuf], path: &str| paths.contains(&machine.path(path));
    assert!(has(&depends_on.absent, "home/.agents/skills"));
    assert!(has(&depends_on.absent, "work/.claude/skills"));
    assert!(!has(&depends_on.absent, "home/.claude/skills"));
    for file in [
        "home/.claude/plugins/installed_plugins.json",
        "work/.claude-plugin/plugin.json",
        "work/.claude-plugin/marketplace.json",
    ] {
        assert!(has(&depends_on.files, file), "{file}");
    }

    fs::remove_file(machine.path("home/.claude/plugins/installed_plugins.json")).unwrap();
    machine.directories(&["home/.claude/plugins/cache/market"]);
    let listings = machine.resolve("work").depends_on.listings;
    assert!(has(&listings, "home/.claude/plugins/cache"));
    assert!(has(&listings, "home/.claude/plugins/cache/market"));

    let options = Options {
        roots: vec!["none".into()],
        ..Options::default()
    };
    let roots = resolve_with(&machine.host("work"), &options);
    assert_eq!(roots.depends_on.absent, [machine.path("work/none")]);
}
