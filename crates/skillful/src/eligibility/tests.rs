use std::path::{Path, PathBuf};
use std::sync::Arc;

use skillful_store::{Choice, Timestamp};

use super::*;
use crate::config::{Layer, Level};
use crate::discover::{Candidate, Form};
use crate::host::Os;
use crate::load::load;
use crate::roots::{Root, Source, Trust};

/// A skill with these lines in its frontmatter.
fn skill(frontmatter: &str) -> Skill {
    let root = Root::new(PathBuf::from("/r"), Source::Global, Trust::Community);
    let candidate = Candidate {
        path: PathBuf::from("/r/it/SKILL.md"),
        form: Form::Directory,
        real_directory: None,
        content: Ok(
            format!("---\nname: it\ndescription: x\n{frontmatter}\n---\nBody\n").into_bytes(),
        ),
        notes: Vec::new(),
    };
    load(candidate, &Arc::new(root))
}

/// A world to judge in.
struct World {
    host: Host,
    programs: Programs,
    config: Config,
    records: Records,
}

impl World {
    fn bare() -> Self {
        Self {
            host: Host::new("/w").with_os(Os::Linux),
            programs: Programs::listed([""; 0]),
            config: Config::default(),
            records: Records::default(),
        }
    }

    fn configured(toml: &str) -> Self {
        let layer = Layer::read(Level::User, Path::new("/u.toml"), toml);
        assert_eq!(layer.problems, [], "{toml}");
        let config = Config::of_layers([layer]);
        Self {
            host: config.furnish(Self::bare().host),
            config,
            ..Self::bare()
        }
    }

    fn conditions(&self) -> Conditions<'_> {
        Conditions {
            host: &self.host,
            programs: &self.programs,
            config: &self.config,
            records: &self.records,
        }
    }

    fn judge(&self, frontmatter: &str) -> Standing {
        evaluate(&skill(frontmatter), &self.conditions(), None)
    }

    /// The state and the kinds of the blockers.
    fn short(&self, frontmatter: &str) -> String {
        let standing = self.judge(frontmatter);
        let kinds: Vec<_> = standing
            .blockers
            .iter()
            .map(|blocker| &*blocker.kind)
            .collect();
        format!("{} {}", standing.state.as_str(), kinds.join(","))
            .trim_end()
            .to_owned()
    }
}

fn bare(frontmatter: &str) -> String {
    World::bare().short(frontmatter)
}

#[test]
fn a_skill_that_asks_for_nothing_is_ready() {
    assert_eq!(bare(""), "ready");
    assert_eq!(
        bare("eligibility:\n  enabled: true\nscope: system"),
        "ready"
    );
}

#[test]
fn off_comes_before_always() {
    assert_eq!(
        bare("eligibility:\n  enabled: false\n  always: true\nscope: disabled"),
        "disabled enabled,scope"
    );
}

#[test]
fn always_skips_all_requirements() {
    assert_eq!(
        bare("eligibility:\n  always: true\n  os: [windows]\n  required-bins: [no-such]"),
        "ready"
    );
    // OpenClaw still asks for the operating system.
    let openclaw = "metadata:\n  openclaw:\n    always: true\n    os: [win32]\n    requires:\n      bins: [no-such]";
    assert_eq!(bare(openclaw), "ineligible os");
    assert_eq!(bare(&openclaw.replace("win32", "linux")), "ready");
}

#[test]
fn every_blocker_is_collected() {
    let all = "platforms: [windows]\nenvironments: [docker]\nrequired_permissions: [run_shell_command, fly]\nrequires:\n  tools: [search]\nmetadata:\n  openclaw:\n    requires:\n      bins: [a, b]\n      anyBins: [c, d]\n      env: [KEY]\n      config: [x.y]\n  hermes:\n    requires_toolsets: [web]\n";
    assert_eq!(
        bare(all),
        "ineligible os,environment,bin,bin,any-bin,env,config,tool,toolset,permission,permission"
    );
    let blockers = World::bare().judge(all).blockers;
    for blocker in &blockers {
        assert!(blocker.help.is_some(), "{blocker:?}");
        assert!(!blocker.detail.ends_with('.'), "{blocker:?}");
        let is_kind = |kind: &BlockerKind| kind.as_str() == blocker.kind;
        assert!(BlockerKind::ALL.iter().any(is_kind), "{blocker:?}");
    }
    let details: Vec<_> = blockers.iter().map(|blocker| &*blocker.detail).collect();
    assert_eq!(
        (details[0], details[4]),
        (
            "it is meant for windows, and this is linux",
            "none of the programs `c` and `d` is on the search path"
        )
    );
    assert!(
        details[10].contains("`fly`, which is not one that is known"),
        "{details:?}"
    );

    let mut world = World::configured(
        "[permissions]\ngrants = ['run_shell_command', 'fly']\n[host]\ntools = ['search']\ntoolsets = ['web']\nenvironments = ['docker']\n[values]\nx.y = true\n",
    );
    world.host = world.host.with_os(Os::Windows).with_variable("KEY", "k");
    world.programs = Programs::listed(["a", "b", "d"]);
    assert_eq!(world.short(all), "ready");
}

#[test]
fn operating_systems() {
    for (list, state) in [
        ("eligibility:\n  os: [macos, win32]", "ineligible os"),
        ("eligibility:\n  os: [osx, linux]", "ready"),
        ("eligibility:\n  os: []", "ineligible os"),
        ("eligibility:\n  os: null", "ready"),
        ("metadata:\n  platforms: [' LINUX ']", "ready"),
    ] {
        assert_eq!(bare(list), state, "{list}");
    }
    let mut world = World::bare();
    world.host = world.host.with_os(Os::Other);
    assert_eq!(
        world.short("platforms: [linux, macos, windows]"),
        "ineligible os"
    );
}

#[test]
fn an_empty_variable_is_missing() {
    let text = "eligibility:\n  required-env: [TOKEN]";
    let mut world = World::bare();
    world.host = world.host.with_variable("TOKEN", "");
    let blockers = world.judge(text).blockers;
    assert!(
        blockers[0].detail.ends_with("`TOKEN` is empty"),
        "{blockers:?}"
    );
    world.host = world.host.with_variable("TOKEN", "t");
    assert_eq!(world.short(text), "ready");
}

#[test]
fn openclaws_entries_hold_variables() {
    let text = "metadata:\n  openclaw:\n    skillKey: mine\n    primaryEnv: API_KEY\n    requires:\n      env: [API_KEY, OTHER]";
    assert_eq!(bare(text), "ineligible env,env");
    let with = |toml: &str| World::configured(toml).short(text);
    assert_eq!(
        with("[values.skills.entries.mine]\napiKey = 'k'\n"),
        "ineligible env"
    );
    assert_eq!(
        with("[values.skills.entries.mine]\napiKey = 'k'\nenv.OTHER = 'o'\n"),
        "ready"
    );
    assert_eq!(
        with("[values.skills.entries.it.env]\nAPI_KEY = 'k'\nOTHER = 'o'\n"),
        "ready"
    );
    assert_eq!(
        with("[values.skills.entries.other]\napiKey = 'k'\n"),
        "ineligible env,env"
    );
}

#[test]
fn a_path_is_never_looked_up_as_a_program() {
    let mut world = World::bare();
    world.programs = Programs::listed(["/bin/sh", "sh"]);
    let blockers = world
        .judge("eligibility:\n  required-bins: [/bin/sh, sh]")
        .blockers;
    assert_eq!(blockers.len(), 1);
    assert!(
        blockers[0].detail.contains("paths are not looked up"),
        "{blockers:?}"
    );
}

#[test]
fn help_names_the_authors_ways_to_install() {
    let text = "eligibility:\n  required-bins: [gh, jq]\ninstall:\n  - {id: a, kind: brew, package: gh-tool, bins: [gh]}\n  - {id: b, kind: scoop, package: gh, bins: [gh], os: [windows]}\n  - {id: c, kind: apt, package: gh-deb, bins: [gh]}";
    let blockers = World::bare().judge(text).blockers;
    let help: Vec<_> = blockers
        .iter()
        .filter_map(|blocker| blocker.help.as_deref())
        .collect();
    assert_eq!(
        help,
        [
            "install it; its author names brew (gh-tool) or apt (gh-deb)",
            "install it, or put its directory on the PATH"
        ]
    );
}

#[test]
fn a_fallback_is_hidden_while_the_real_thing_is_there() {
    let text =
        "metadata:\n  hermes:\n    fallback_for_tools: [search]\n    fallback_for_toolsets: [web]";
    assert_eq!(bare(text), "ready");
    let world = World::configured("[host]\ntools = ['search']\ntoolsets = ['web']\n");
    assert_eq!(world.short(text), "ineligible fallback,fallback");
}

#[test]
fn tools_are_spelt_as_they_are() {
    let world = World::configured("[host]\ntools = ['Search']\n");
    assert_eq!(
        world.short("requires:\n  tools: [search]"),
        "ineligible tool"
    );
}

#[test]
fn the_operator_switches_off_and_on() {
    let world =
        World::configured("[skills.it]\nenabled = false\nmode = 'disabled'\nscope = 'disabled'\n");
    let standing = world.judge("");
    assert_eq!(standing.state, State::Disabled);
    assert_eq!(standing.blockers.len(), 3);
    assert_eq!(
        standing.blockers[0].detail,
        "`skills.it.enabled` is `false` in /u.toml:2 (user)"
    );
    let off = "eligibility:\n  enabled: false\nscope: disabled";
    assert_eq!(
        World::configured("[skills.it]\nenabled = true\n").short(off),
        "disabled scope"
    );
    assert_eq!(
        World::configured("[skills.it]\nenabled = true\nscope = 'system'\n").short(off),
        "ready"
    );
    let missing = "eligibility:\n  enabled: false\n  required-bins: [x]";
    assert_eq!(
        World::configured("[skills.it]\nenabled = true\n").short(missing),
        "ineligible bin"
    );
}

#[test]
fn switches_are_per_agent() {
    let world = World::configured("[skills.it.agents.codex]\nmode = 'disabled'\n");
    let it = skill("");
    let state = |agent| evaluate(&it, &world.conditions(), agent).state;
    assert_eq!(
        (
            state(None),
            state(Some("codex")),
            state(Some("claude-code"))
        ),
        (State::Ready, State::Disabled, State::Ready)
    );
}

#[test]
fn records_come_before_requirements_and_after_switches() {
    let mut world = World::bare();
    let mut choices = Choices::default();
    let archived = Archived {
        at: Timestamp::from_seconds(1),
        reason: Some("of no use".parse().unwrap()),
    };
    choices.apply(&key_of(&skill("")), Choice::Archive(archived));
    world.records = Records::new(choices);
    let blockers = world.judge("").blockers;
    assert_eq!(blockers[0].detail, "it was put away: of no use");
    assert_eq!(
        world.short("eligibility:\n  always: true"),
        "archived archived"
    );
    assert_eq!(world.short("platforms: [windows]"), "archived archived");
    world.records = Records::default();
    assert_eq!(
        world.short("eligibility:\n  enabled: false"),
        "disabled enabled"
    );
}

#[test]
fn a_broken_skill_keeps_its_state() {
    let mut broken = skill("");
    broken.state = State::Broken;
    broken.blockers = vec![Blocker::new("file-empty", "the file is empty")];
    let world = World::configured("[skills.it]\nenabled = false\n");
    // An empty file has a manifest, in which nothing is said; an unreadable one has none.
    for manifest in [broken.manifest.clone(), None] {
        broken.manifest = manifest;
        let standing = evaluate(&broken, &world.conditions(), None);
        assert_eq!(
            (&standing.state, &standing.blockers),
            (&broken.state, &broken.blockers)
        );
    }
}

#[test]
fn who_may_bring_it_up() {
    let may = |world: &World, frontmatter: &str| {
        let it = skill(frontmatter);
        let standing = evaluate(&it, &world.conditions(), None);
        let may = invocability(&it, &standing, &world.conditions(), None);
        (may.model, may.person)
    };
    let bare = World::bare();
    for (frontmatter, expected) in [
        ("", (true, true)),
        ("disable-model-invocation: true", (false, true)),
        ("user-invocable: false", (true, false)),
        ("scope: standalone", (false, true)),
        ("scope: tool\nbound-tool: search", (false, true)),
        ("scope: tool", (false, true)),
        ("platforms: [windows]", (false, false)),
    ] {
        assert_eq!(may(&bare, frontmatter), expected, "{frontmatter}");
    }
    let manual =
        World::configured("[skills.it]\nmode = 'manual-only'\n[host]\ntools = ['search']\n");
    assert_eq!(may(&manual, ""), (false, true));
    let tools = World::configured("[host]\ntools = ['search']\n");
    assert_eq!(may(&tools, "scope: tool\nbound-tool: search"), (true, true));
    let system = World::configured("[skills.it]\nscope = 'system'\n");
    assert_eq!(may(&system, "scope: standalone"), (true, true));
}

#[test]
fn what_is_of_use_is_a_note_and_no_blocker() {
    let text = "required_environment_variables:\n  - {name: HERMES_KEY, prompt: Key please, optional: true}\nrequired_credential_files: [token.json]\nprerequisites:\n  commands: [curl]\nprimary-env: MAIN_KEY\nrepo_scope: packages/x\ndeps: [a printer]";
    let world = World::bare();
    assert_eq!(world.short(text), "ready");
    let found = notes(&skill(text), &world.conditions());
    let kinds: Vec<_> = found.iter().map(|note| &*note.kind).collect();
    assert_eq!(
        kinds,
        [
            "setup-variable",
            "setup-variable",
            "setup-file",
            "advised-bin",
            "repo-scope",
            "dependency"
        ]
    );
    assert!(
        found[0].help.as_ref().unwrap().ends_with("Key please"),
        "{found:?}"
    );
    let mut world = World::bare();
    world.host = world
        .host
        .with_variable("HERMES_KEY", "x")
        .with_variable("MAIN_KEY", "y");
    world.programs = Programs::listed(["curl"]);
    assert_eq!(notes(&skill(text), &world.conditions()).len(), 3);
}

#[test]
fn hostile_claims_are_text_and_nothing_more() {
    let long = "x".repeat(10_000);
    let text = format!(
        "eligibility:\n  required-bins: ['../../bin/sh', '{long}', \"a\\0b\"]\n  required-env: ['A=B', '']\n  required-config: ['a[', '{long}']"
    );
    let world = World {
        programs: Programs::on_path(&Host::new("/").with_variable("PATH", "/bin:/usr/bin")),
        ..World::bare()
    };
    assert_eq!(world.judge(&text).state, State::Ineligible);
}

#[test]
fn no_command_is_made_of_what_a_stranger_wrote() {
    let text = "eligibility:\n  required-config: ['a.b', 'a$(reboot)', 'a b', '`x`']";
    let blockers = World::bare().judge(text).blockers;
    let commands: Vec<_> = blockers
        .iter()
        .filter_map(|blocker| blocker.help.as_deref())
        .filter(|help| help.contains("config set"))
        .collect();
    assert_eq!(commands, ["set it: `skillful config set values.a.b VALUE`"]);
}

#[test]
fn the_guide_has_every_kind() {
    let page = include_str!("../../../../docs/eligibility.md");
    for kind in BlockerKind::ALL {
        let row = format!("| `{}` | {} |", kind.as_str(), kind.meaning());
        assert!(page.contains(&row), "{row}");
    }
}
