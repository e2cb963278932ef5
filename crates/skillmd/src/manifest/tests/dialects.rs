//! Every client's own keys and notations.

use super::*;
use crate::install::InstallKind;
use crate::trigger::Trigger;

#[test]
fn older_names_of_openclaws_block_count_only_without_it() {
    let bins = |yaml: &str| clean(yaml).requirements.bins.clone();
    assert_eq!(
        bins("metadata:\n  clawdbot: {requires: {bins: [a]}}\n  openclaw: {requires: {bins: [b]}}"),
        ["b"]
    );
    for name in ["clawdbot", "clawdis", "moltbot"] {
        let yaml = format!("metadata:\n  {name}: {{requires: {{bins: [a]}}}}");
        assert_eq!(bins(&yaml), ["a"], "{name}");
    }
}

#[test]
fn json_in_metadata_is_read() {
    for metadata in [
        r#"metadata: '{"openclaw": {"requires": {"bins": ["gh"]}, "emoji": "🦞"}}'"#,
        r#"metadata: {"openclaw": {"requires": {"bins": ["gh"]}, "emoji": "🦞"}}"#,
        "metadata:\n  openclaw: '{requires: {bins: [gh],}, emoji: \"🦞\"}'",
        "metadata:\n  openclaw: |\n    {\n      \"requires\": {\"bins\": [\"gh\"]},\n      \"emoji\": \"🦞\"\n    }",
    ] {
        let manifest = clean(metadata);
        assert_eq!(manifest.requirements.bins, ["gh"], "{metadata}");
        assert_eq!(manifest.display.emoji.as_deref(), Some("🦞"), "{metadata}");
        assert!(manifest.metadata("openclaw").is_some());
    }
    let manifest = clean("metadata:\n  tags: '[\"a\", \"b\"]'\n  argument-hint: \"[file]\"");
    assert_eq!(manifest.display.tags, ["a", "b"]);
    assert_eq!(manifest.invocation.argument_hint.as_deref(), Some("[file]"));
}

#[test]
fn a_key_inside_a_json_text_has_no_fix() {
    let (_, diagnostics) = read("metadata:\n  openclaw: '{\"primary_env\": \"KEY\"}'");
    let diagnostic = only(&diagnostics);
    assert_eq!(diagnostic.code, Code::KeySpelling);
    assert_eq!(diagnostic.fix, None);
}

#[test]
fn an_unknown_scope_is_none() {
    assert_eq!(clean("scope: Tool\nbound-tool: x").scope(), Scope::Tool);
    let (manifest, diagnostics) = read("scope: everywhere");
    assert_eq!(manifest.invocation.scope, None);
    assert_eq!(only(&diagnostics).code, Code::InvalidValue);
}

#[test]
fn denkeepers_toml() {
    let (manifest, diagnostics) = read_toml(
        "name = \"greet\"\ndescription = \"Says hello\"\nversion = \"1.0\"\ntriggers = [\"command:Hello\", \"bogus\", \"schedule:0 9 * * 1,3\"]\nmax_tool_rounds = 5\n\n[requires]\ntools = [\"web_search\"]",
    );
    assert_eq!(manifest.name.as_deref(), Some("greet"));
    assert_eq!(
        manifest.invocation.triggers,
        [
            Trigger::Command("hello".to_owned()),
            Trigger::Schedule("0 9 * * 1,3".to_owned())
        ]
    );
    assert_eq!(manifest.invocation.max_tool_rounds, Some(5));
    assert_eq!(manifest.requirements.tools, ["web_search"]);
    let diagnostic = only(&diagnostics);
    assert_eq!(diagnostic.code, Code::InvalidValue);
    assert_eq!(diagnostic.position.line, 5);
}

#[test]
fn rounds_are_a_count() {
    let rounds = |value: &str| {
        let (manifest, diagnostics) = read_toml(&format!("max_tool_rounds = {value}"));
        (manifest.invocation.max_tool_rounds, codes(&diagnostics))
    };
    assert_eq!(rounds("0"), (None, vec![]));
    assert_eq!(rounds("1_000"), (Some(1000), vec![]));
    assert_eq!(rounds("-1"), (None, vec![Code::WrongType]));
    assert_eq!(rounds("1.5"), (None, vec![Code::WrongType]));
    assert_eq!(rounds("\"many\""), (None, vec![Code::WrongType]));
}

#[test]
fn a_blank_after_a_triggers_type_is_forgiven() {
    let (manifest, diagnostics) =
        read("triggers:\n  - command: Greet\n  - pattern: x\n  - {keyword: a, command: b}");
    assert_eq!(
        manifest.invocation.triggers,
        [Trigger::Command("greet".to_owned())]
    );
    assert_eq!(codes(&diagnostics), [Code::WrongType; 2]);
}

#[test]
fn bare_phrases_in_yaml_are_keywords() {
    let manifest = clean("triggers:\n  - review my code\n  - command:Review\n  - \"!draft\"");
    assert_eq!(
        manifest.invocation.triggers,
        [
            Trigger::Keyword("review my code".to_owned()),
            Trigger::Command("review".to_owned()),
            Trigger::NotKeyword("draft".to_owned())
        ]
    );
}

#[test]
fn alephs_keys() {
    let manifest = clean(
        "scope: tool\nbound-tool: shell\nprimary-env: KEY\nemoji: x\nallow-inline-shell: yes\neligibility:\n  required-bins: git\n  any-bins: [a, b]\n  required-env: [HOME]\n  required-config: [a.b]\n  always: true\n  enabled: false\ninstall:\n  - {id: g, kind: Brew, package: git, bins: [git], os: [MACOS]}\nautomation:\n  schedule: daily\n  prompt: Go\nmetadata:\n  requires: {bins: [jq]}\n  aleph:\n    security: {sandbox: docker}\n    docker: {image: x}\n    input_hints: {q: {type: text}}",
    );
    let requirements = &manifest.requirements;
    assert_eq!(requirements.bins, ["git"]);
    assert_eq!(requirements.any_bins, ["a", "b"]);
    assert_eq!(requirements.env, ["HOME"]);
    assert_eq!(requirements.config, ["a.b"]);
    assert_eq!(requirements.advised_bins, ["jq"]);
    assert_eq!(requirements.primary_env.as_deref(), Some("KEY"));
    assert_eq!(
        (requirements.always, requirements.enabled),
        (Some(true), Some(false))
    );
    assert_eq!(manifest.install[0].kind, InstallKind::Brew);
    assert_eq!(manifest.install[0].os, Some(vec![Os::MacOs]));
    assert_eq!(
        manifest
            .invocation
            .automation
            .clone()
            .unwrap()
            .prompt
            .as_deref(),
        Some("Go")
    );
    assert_eq!(manifest.execution.allow_inline_shell, Some(true));
    assert!(manifest.execution.security.is_some() && manifest.execution.docker.is_some());
    assert!(manifest.execution.input_hints.is_some());
}

#[test]
fn alephs_older_requirements() {
    let manifest = clean(
        "cli-wrapper: true\nrequirements:\n  binaries: [gh]\n  platforms: [win]\n  install: [{manager: cargo, package: x}]",
    );
    assert_eq!(manifest.requirements.bins, ["gh"]);
    assert_eq!(manifest.requirements.os, Some(vec![Os::Windows]));
    assert_eq!(manifest.install[0].kind, InstallKind::Cargo);
    assert_eq!(manifest.execution.cli_wrapper, Some(true));
}

#[test]
fn openclaws_install_specs() {
    let manifest = clean(
        "metadata:\n  openclaw:\n    skillKey: k\n    envVars: [{name: A, required: false, description: d}, B]\n    install:\n      - {kind: brew, formula: gh, label: L}\n      - {kind: brew, cask: docker}\n      - {kind: node, package: x}\n      - {kind: download, url: \"https://x.example\", sha256: ab, extract: yes, stripComponents: 1, targetDir: t}",
    );
    let kinds: Vec<_> = manifest.install.iter().map(|spec| spec.kind).collect();
    assert_eq!(
        kinds,
        [
            InstallKind::Brew,
            InstallKind::Brew,
            InstallKind::Npm,
            InstallKind::Download
        ]
    );
    assert!(!manifest.install[0].cask && manifest.install[1].cask);
    assert_eq!(manifest.install[1].package.as_deref(), Some("docker"));
    let download = &manifest.install[3];
    assert_eq!(download.strip_components, Some(1));
    assert_eq!(download.extract, Some(true));
    assert_eq!(download.target_dir.as_deref(), Some("t"));
    let variables = &manifest.requirements.variables;
    assert!(variables[0].optional && !variables[1].optional);
    assert_eq!(variables[1].name, "B");
    assert_eq!(manifest.display.config_key.as_deref(), Some("k"));
}

#[test]
fn a_bad_install_spec_costs_itself() {
    let (manifest, diagnostics) = read(
        "install:\n  - {kind: brewx, package: a}\n  - {kind: brew}\n  - {package: a}\n  - text\n  - {kind: download}\n  - {kind: uv, package: a}",
    );
    assert_eq!(manifest.install.len(), 1);
    let lines: Vec<_> = diagnostics.iter().map(|d| d.position.line).collect();
    assert_eq!(lines, [3, 4, 5, 6, 7]);
}

#[test]
fn an_automation_is_read_whole_or_not_at_all() {
    for value in [
        "{schedule: \" \"}",
        "{schedule: daily, when: now}",
        "{prompt: x}",
        "[a]",
    ] {
        let (manifest, diagnostics) = read(&format!("name: a\nautomation: {value}"));
        assert_eq!(manifest.invocation.automation, None, "{value}");
        assert_eq!(diagnostics.len(), 1, "{value}");
        assert_eq!(manifest.name.as_deref(), Some("a"));
    }
}

#[test]
fn hermes_keys() {
    let manifest = clean(
        "platforms: [macos]
environments: [docker]
required_environment_variables:
  - {name: KEY, prompt: p, help: h, required_for: all, optional: true}
required_credential_files: [a.json, {path: b.json, description: d}]
prerequisites: {commands: [jq]}
metadata:
  hermes:
    requires_tools: [t]
    requires_toolsets: [ts]
    fallback_for_tools: [f]
    fallback_for_toolsets: [fs]
    config: [{key: k, default: 5}]
    blueprint: {schedule: s, no_agent: true}",
    );
    let requirements = &manifest.requirements;
    assert_eq!(requirements.os, Some(vec![Os::MacOs]));
    assert_eq!(requirements.environments, ["docker"]);
    let variable = &requirements.variables[0];
    assert_eq!(variable.name, "KEY");
    assert_eq!(variable.required_for.as_deref(), Some("all"));
    assert!(variable.optional);
    let files = &requirements.credential_files;
    assert_eq!(
        (files[0].path.as_str(), files[1].path.as_str()),
        ("a.json", "b.json")
    );
    assert_eq!(requirements.advised_bins, ["jq"]);
    assert_eq!(requirements.tools, ["t"]);
    assert_eq!(requirements.toolsets, ["ts"]);
    assert_eq!(requirements.fallback_for_tools, ["f"]);
    assert_eq!(requirements.fallback_for_toolsets, ["fs"]);
    assert_eq!(requirements.settings[0].default.as_deref(), Some("5"));
    let automation = manifest.invocation.automation.clone().unwrap();
    assert_eq!(
        (automation.schedule.as_str(), automation.no_agent),
        ("s", Some(true))
    );
    let manifest = clean("prerequisites: {env_vars: [OTHER]}");
    assert_eq!(manifest.requirements.variables[0].name, "OTHER");
}

#[test]
fn kesokus_flynns_and_others_keys() {
    let manifest = clean(
        "required_permissions: [run_shell_command]\nrepo_scope: src\nalways: true\nmetadata:\n  related_skills: [b]\n  internal: true\n  flynnhq.com/check: make test\n  flynnhq.com/tags: '[\"x y\"]'\n  flynnhq.com/title: T\n  short-description: s\n  arguments: [a, b]",
    );
    assert_eq!(manifest.requirements.permissions, ["run_shell_command"]);
    assert_eq!(manifest.requirements.repo_scope.as_deref(), Some("src"));
    assert_eq!(manifest.invocation.pinned, Some(true));
    assert_eq!(manifest.display.related_skills, ["b"]);
    assert_eq!(manifest.display.internal, Some(true));
    assert_eq!(manifest.execution.check.as_deref(), Some("make test"));
    assert_eq!(manifest.display.tags, ["x y"]);
    assert_eq!(manifest.display.title.as_deref(), Some("T"));
    assert_eq!(manifest.display.short_description.as_deref(), Some("s"));
    assert_eq!(manifest.invocation.arguments, ["a", "b"]);
}

#[test]
fn the_newer_prefix_of_flynn_counts() {
    let (manifest, diagnostics) =
        read("metadata:\n  ionagent.io/check: old\n  flynnhq.com/check: new");
    assert_eq!(manifest.execution.check.as_deref(), Some("new"));
    assert_eq!(only(&diagnostics).code, Code::KeyConflict);
}

#[test]
fn the_sidecar_fills_what_the_frontmatter_leaves_open() {
    let sidecar = || {
        Sidecar::read("interface: {display_name: T, brand_color: red}\npolicy: {allow_implicit_invocation: false}").0
    };
    let mut manifest = clean("name: a");
    manifest.merge_sidecar(sidecar());
    assert_eq!(manifest.display.title.as_deref(), Some("T"));
    assert_eq!(manifest.display.color.as_deref(), Some("red"));
    assert!(!manifest.is_model_invocable());
    assert_eq!(manifest.values().last().unwrap().0, "codex");

    let mut manifest = clean("title: Own\ndisable-model-invocation: false");
    manifest.merge_sidecar(sidecar());
    assert_eq!(manifest.display.title.as_deref(), Some("Own"));
    assert!(manifest.is_model_invocable());
}
