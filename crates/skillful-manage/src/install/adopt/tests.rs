use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::*;
use crate::install::Installer;
use crate::install::testing::World;

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";
const TREE: &str = "89abcdef0123456789abcdef0123456789abcdef";

impl World {
    /// Writes a skill with these lines in its frontmatter.
    fn skill(&self, path: &str, lines: &str) -> &Self {
        let name = path.rsplit('/').next().unwrap();
        let text =
            format!("---\nname: {name}\ndescription: Does it. Use for it.\n{lines}---\n\nDo it.\n");
        self.write(&format!("{path}/SKILL.md"), &text)
    }
}

/// All that is below a directory, with what it holds and when it was changed.
fn snapshot(directory: &Path) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let metadata = fs::symlink_metadata(&path).unwrap();
        let bytes = if metadata.is_dir() {
            found.extend(snapshot(&path));
            Vec::new()
        } else if metadata.is_symlink() {
            let target = fs::read_link(&path).unwrap();
            target.to_string_lossy().into_owned().into_bytes()
        } else {
            fs::read(&path).unwrap()
        };
        found.insert(path, (bytes, metadata.modified().unwrap()));
    }
    found
}

/// Adopts all that a tool tells of; gives each skill with its source, and checks that nothing was touched and all is as
/// the lock says.
fn adopt(installer: &Installer<'_>, tool: Tool, below: &Path) -> Vec<(String, LockedSkill)> {
    let mut before = snapshot(below);
    let wish = Wish {
        tool: Some(tool),
        ..Wish::default()
    };
    let adoption = installer.plan_adoption(&wish).unwrap();
    assert_eq!(adoption.faults, [], "{adoption:?}");
    assert_eq!(snapshot(below), before, "planning writes nothing");
    installer.adopt(&adoption).unwrap();
    let mut after = snapshot(below);
    let files = installer.files();
    // What is ours, and the directories that it was made in.
    for ours in [&files.lock, &files.wanted] {
        for path in ours.ancestors() {
            after.remove(path);
            before.remove(path);
        }
    }
    let data = installer.data.path();
    for path in data.ancestors() {
        after.remove(path);
        before.remove(path);
    }
    after.retain(|path, _| !path.starts_with(data));
    assert_eq!(after, before, "no skill was touched");
    assert_eq!(installer.verify().unwrap(), []);
    let lock = installer.lock().unwrap();
    let entry = |skill: &LockedSkill| (skill.id.clone(), skill.clone());
    lock.skills().map(entry).collect()
}

fn refusals(installer: &Installer<'_>, tool: Tool) -> Vec<(String, String)> {
    let wish = Wish {
        tool: Some(tool),
        ..Wish::default()
    };
    let adoption = installer.plan_adoption(&wish).unwrap();
    assert!(adoption.skills.is_empty(), "{adoption:?}");
    let shown = |it: NotAdopted| (it.name, it.reason.to_string());
    adoption.refused.into_iter().map(shown).collect()
}

fn only(skills: Vec<(String, LockedSkill)>) -> LockedSkill {
    assert_eq!(skills.len(), 1, "{skills:?}");
    skills.into_iter().next().unwrap().1
}

#[test]
fn npx_skills_of_the_user() {
    let world = World::new();
    world.skill("home/.agents/skills/pdf", "");
    fs::create_dir_all(world.at("home/.claude/skills")).unwrap();
    std::os::unix::fs::symlink(
        "../../.agents/skills/pdf",
        world.at("home/.claude/skills/pdf"),
    )
    .unwrap();
    let lock = format!(
        r#"{{"version":3,"skills":{{"PDF":{{"source":"acme/skills","sourceType":"github",
        "sourceUrl":"https://github.com/acme/skills.git","skillPath":"skills/pdf/SKILL.md","skillFolderHash":"{TREE}",
        "installedAt":"x","future":{{"a":1}}}}}},"dismissed":{{}}}}"#
    );
    world.write("home/.agents/.skill-lock.json", &lock);
    let pdf = only(adopt(&world.user(), Tool::Skills, &world.at("home")));
    assert_eq!(pdf.source, "acme/skills@PDF");
    assert_eq!(pdf.resolved.path, "skills/pdf");
    assert_eq!(pdf.resolved.tree.as_deref(), Some(TREE));
    let targets: Vec<(&str, &str)> = pdf
        .targets
        .iter()
        .map(|it| (it.path.as_str(), it.method.as_str()))
        .collect();
    assert_eq!(
        targets,
        [
            ("~/.agents/skills/pdf", "copy"),
            ("~/.claude/skills/pdf", "link")
        ]
    );
}

#[test]
fn npx_skills_of_other_hosts_and_directories() {
    let world = World::new();
    for name in ["a", "b", "c"] {
        world.skill(&format!("project/.agents/skills/{name}"), "");
    }
    world.write(
        "project/skills-lock.json",
        r#"{"version":1,"skills":{
        "a":{"source":"https://git.example.com/team/skills.git","sourceType":"git","sourceUrl":"https://git.example.com/team/skills.git","skillPath":"a/SKILL.md"},
        "b":{"source":"../shared/b","sourceType":"local"},
        "c":{"source":"https://docs.example.com","sourceType":"well-known","sourceUrl":"https://docs.example.com"}}}"#,
    );
    let skills = adopt(&world.project(), Tool::Skills, &world.at("project"));
    let sources: Vec<&str> = skills.iter().map(|(_, it)| it.source.as_str()).collect();
    assert!(
        sources[0].contains("git.example.com/team/skills"),
        "{sources:?}"
    );
    assert!(sources[0].ends_with("@a"), "{sources:?}");
    assert!(sources[1].ends_with("/shared/b"), "{sources:?}");
    assert_eq!(sources[2], "well-known:https://docs.example.com/@c");
}

#[test]
fn gh_skill() {
    let world = World::new();
    let metadata = format!(
        "metadata:\n  github-repo: https://github.com/acme/skills\n  github-ref: refs/tags/v2\n  github-path: skills/pdf\n  \
         github-tree-sha: {TREE}\n  github-pinned: true\n"
    );
    world.skill("project/.claude/skills/pdf", &metadata);
    world.skill("project/.claude/skills/mine", "");
    let pdf = only(adopt(&world.project(), Tool::Gh, &world.at("project")));
    assert_eq!(pdf.source, "acme/skills@pdf#v2");
    assert_eq!(pdf.resolved.tree.as_deref(), Some(TREE));
    assert_eq!(pdf.targets[0].path, ".claude/skills/pdf");
}

#[test]
fn copies_of_one_skill_are_one() {
    let world = World::new();
    let metadata = "metadata:\n  github-repo: https://github.com/acme/skills\n  github-path: pdf\n";
    world.skill("project/.claude/skills/pdf", metadata);
    world.skill("project/.agents/skills/pdf", metadata);
    let pdf = only(adopt(&world.project(), Tool::Gh, &world.at("project")));
    assert_eq!(pdf.targets.len(), 2);
    assert!(
        fs::read_to_string(world.at("project/skills.toml"))
            .unwrap()
            .contains("copy = true")
    );
}

#[test]
fn openskills_and_skillport() {
    let world = World::new();
    world.skill("project/.claude/skills/pdf", "");
    world.write(
        "project/.claude/skills/pdf/.openskills.json",
        r#"{"source":"acme/skills","sourceType":"git","repoUrl":"https://github.com/acme/skills","subpath":"skills/pdf"}"#,
    );
    let pdf = only(adopt(
        &world.project(),
        Tool::OpenSkills,
        &world.at("project"),
    ));
    assert_eq!(pdf.source, "acme/skills@pdf");

    let world = World::new();
    world.skill("home/.skillport/skills/pdf", "");
    let origins = format!(
        r#"{{"pdf":{{"source":"https://github.com/acme/skills","kind":"github","ref":"main","path":"skills/pdf",
        "commit_sha":"{COMMIT}","content_hash":"x","update_history":[]}}}}"#
    );
    world.write("home/.skillport/origins.json", &origins);
    let pdf = only(adopt(&world.user(), Tool::SkillPort, &world.at("home")));
    assert_eq!(pdf.source, "acme/skills@pdf#main");
    assert_eq!(pdf.resolved.commit.as_deref(), Some(COMMIT));
}

#[test]
fn clawhub() {
    let world = World::new();
    world.skill("project/skills/pdf", "");
    world.skill("project/.claude/skills/notes", "");
    world.write(
        "project/.clawhub/lock.json",
        r#"{"version":1,"skills":{"pdf":{"version":"1.2.0","installedAt":1,"ownerHandle":"acme"}}}"#,
    );
    world.write(
        "project/.claude/skills/notes/.clawhub/origin.json",
        r#"{"version":1,"registry":"https://clawhub.example.com","slug":"notes","installedVersion":"0.3.0"}"#,
    );
    let skills = adopt(&world.project(), Tool::ClawHub, &world.at("project"));
    assert_eq!(skills[0].1.source, "hub:notes");
    assert_eq!(skills[0].1.resolved.version.as_deref(), Some("0.3.0"));
    assert_eq!(skills[1].1.source, "hub:@acme/pdf");
    assert_eq!(skills[1].1.targets[0].path, "skills/pdf");
}

#[test]
fn dotagents() {
    let world = World::new();
    world.skill("project/.agents/skills/find-bugs", "");
    world.skill("project/.agents/skills/review", "");
    world.write(
        "project/agents.toml",
        "version = 1\n[[skills]]\nname = \"find-bugs\"\nsource = \"acme/skills@v1.0.0\"\n[[skills]]\nname = \"review\"\n\
         source = \"acme/skills\"\n",
    );
    let lock = format!(
        "version = 1\n[skills.find-bugs]\nsource = \"acme/skills\"\nresolved_url = \"https://github.com/acme/skills.git\"\n\
         resolved_path = \"skills/find-bugs\"\nresolved_ref = \"v1.0.0\"\nresolved_commit = \"{COMMIT}\"\nintegrity = \"x\"\n\
         [skills.review]\nsource = \"acme/skills\"\nresolved_url = \"https://github.com/acme/skills.git\"\n\
         resolved_path = \"skills/review\"\nresolved_ref = \"main\"\n"
    );
    world.write("project/agents.lock", &lock);
    let skills = adopt(&world.project(), Tool::DotAgents, &world.at("project"));
    assert_eq!(skills[0].1.source, "acme/skills@find-bugs#v1.0.0");
    assert_eq!(skills[0].1.resolved.commit.as_deref(), Some(COMMIT));
    assert_eq!(
        skills[1].1.source, "acme/skills@review",
        "no branch was asked for"
    );
}

#[test]
fn hermes() {
    let world = World::new();
    world.skill("home/.hermes/skills/office/pdf", "");
    let lock = format!(
        r#"{{"version":1,"installed":{{"pdf":{{"source":"github","identifier":"acme/skills/skills/pdf",
        "install_path":"office/pdf","files":["SKILL.md"],"metadata":{{"source_revision":"{COMMIT}"}}}}}}}}"#
    );
    world.write("home/.hermes/skills/.hub/lock.json", &lock);
    let pdf = only(adopt(&world.user(), Tool::Hermes, &world.at("home")));
    assert_eq!(pdf.source, "acme/skills@pdf");
    assert_eq!(pdf.resolved.commit.as_deref(), Some(COMMIT));
    assert_eq!(pdf.targets[0].path, "~/.hermes/skills/office/pdf");
}

#[test]
fn apm() {
    let world = World::new();
    world.skill("project/.github/skills/pdf", "");
    world.skill("project/.claude/skills/pdf", "");
    let lock = format!(
        "lockfile_version: '1'\ndependencies:\n- repo_url: acme/skills\n  host: github.com\n  resolved_ref: main\n  \
         resolved_commit: {COMMIT}\n  virtual_path: skills/pdf\n  version: 1.0.0\n  deployed_files:\n  \
         - .github/skills/pdf/SKILL.md\n  - .claude/skills/pdf\n  - .github/prompts/x.prompt.md\n"
    );
    world.write("project/apm.lock.yaml", &lock);
    let pdf = only(adopt(&world.project(), Tool::Apm, &world.at("project")));
    assert_eq!(pdf.source, "acme/skills@pdf#main");
    assert_eq!(pdf.resolved.version.as_deref(), Some("1.0.0"));
    assert_eq!(pdf.targets.len(), 2);
}

#[test]
fn skills_oci() {
    let world = World::new();
    world.skill("project/.agents/skills/pdf", "");
    world.write(
        "project/skills.lock.json",
        r#"{"version":1,"skills":[{"name":"pdf","path":".agents/skills/pdf",
        "source":{"registry":"ghcr.io","repository":"acme/pdf","tag":"1.0.0","digest":"sha256:00"}}]}"#,
    );
    let pdf = only(adopt(
        &world.project(),
        Tool::SkillsOci,
        &world.at("project"),
    ));
    assert_eq!(pdf.source, "oci://ghcr.io/acme/pdf:1.0.0");
    assert_eq!(pdf.resolved.artifact.as_deref(), Some("sha256:00"));
}

#[test]
fn what_a_foreign_lock_says_leads_nowhere_else() {
    let world = World::new();
    world.skill("home/.claude/skills/victim", "");
    world.skill("project/.agents/skills/pdf", "");
    let victim = world.at("home/.claude/skills/victim").display().to_string();
    fs::create_dir_all(world.at("project/links")).unwrap();
    std::os::unix::fs::symlink(&victim, world.at("project/links/out")).unwrap();
    let places = [
        "../home/.claude/skills/victim",
        &victim,
        "links/out",
        "a\\..\\b",
        ".",
        "C:/x",
    ];
    for place in places {
        let place = serde_json::to_string(place).unwrap();
        let lock = format!(
            r#"{{"skills":[{{"name":"pdf","path":{place},"source":{{"registry":"r.example","repository":"a/b"}}}}]}}"#
        );
        world.write("project/skills.lock.json", &lock);
        let refused = refusals(&world.project(), Tool::SkillsOci);
        assert!(refused[0].1.contains("leads out"), "{place}: {refused:?}");
    }
    world.write(
        "project/skills-lock.json",
        r#"{"version":1,"skills":{"../../home/.claude/skills/victim":{"source":"a/b"},"..":{"source":"a/b"},
        "pdf":{"source":"--upload-pack=evil","sourceType":"git"}}}"#,
    );
    let refused = refusals(&world.project(), Tool::Skills);
    let reasons: Vec<&str> = refused.iter().map(|(_, reason)| reason.as_str()).collect();
    assert!(
        reasons.iter().filter(|it| it.contains("leads out")).count() == 2,
        "{refused:?}"
    );
    assert!(
        reasons
            .iter()
            .any(|it| it.contains("source cannot be used")),
        "{refused:?}"
    );
}

#[test]
fn what_differs_between_clients_is_not_merged() {
    let world = World::new();
    let metadata = "metadata:\n  github-repo: https://github.com/acme/skills\n  github-path: pdf\n";
    world.skill("project/.agents/skills/pdf", metadata);
    world.skill(
        "project/.claude/skills/pdf",
        &format!("{metadata}  other: yes\n"),
    );
    let adoption = world.project().plan_adoption(&Wish::default()).unwrap();
    assert_eq!(adoption.skills.len(), 1);
    assert!(matches!(
        adoption.refused[0].reason,
        NotAdoptedReason::Ambiguous(_)
    ));
}

#[test]
fn broken_files_of_tools_are_faults_and_stop_nothing() {
    let world = World::new();
    world.skill("project/.agents/skills/pdf", "");
    world.write("project/skills-lock.json", "[[[");
    world.write("project/agents.lock", "= no toml");
    world.write("project/apm.lock.yaml", "dependencies: 1\n");
    world.write(
        "project/.clawhub/lock.json",
        r#"{"skills":{"pdf":{"version":1}}}"#,
    );
    let adoption = world.project().plan_adoption(&Wish::default()).unwrap();
    assert_eq!(adoption.faults.len(), 3, "{adoption:?}");
    let deep = "[".repeat(100_000);
    world.write("project/skills-lock.json", &deep);
    assert_eq!(
        world
            .project()
            .plan_adoption(&Wish::default())
            .unwrap()
            .faults
            .len(),
        3
    );
}

#[test]
fn an_adoption_can_be_undone() {
    let world = World::new();
    world.skill("project/.agents/skills/pdf", "");
    world.write(
        "project/skills-lock.json",
        r#"{"skills":{"pdf":{"source":"acme/skills"}}}"#,
    );
    let installer = world.project();
    let adoption = installer.plan_adoption(&Wish::default()).unwrap();
    let adopted = installer.adopt(&adoption).unwrap();
    let mut writer = crate::Writer::open(&installer.data).unwrap();
    writer
        .undo(adopted.entry.unwrap().seq, crate::Actor::USER)
        .unwrap();
    assert!(installer.lock().unwrap().is_empty());
    assert!(world.at("project/.agents/skills/pdf/SKILL.md").is_file());
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    /// Whatever a foreign file says, what is adopted lies in the project, and reading it ends well.
    #[test]
    fn no_foreign_text_leads_out(
        parts in proptest::collection::vec(
            proptest::sample::select(vec!["..", ".", "", "/", "a", "pdf", ".agents/skills", "~", "C:", "\\", "out", "\u{0}", "@", "#", "://"]),
            0..6,
        ),
        joined in proptest::bool::ANY,
    ) {
        let text = parts.join(if joined { "/" } else { "" });
        let world = World::new();
        world.skill("project/.agents/skills/pdf", "");
        world.skill("home/secret/pdf", "");
        std::os::unix::fs::symlink(world.at("home/secret"), world.at("project/out")).unwrap();
        let quoted = serde_json::to_string(&text).unwrap();
        world.write(
            "project/skills-lock.json",
            &format!(r#"{{"skills":{{{quoted}:{{"source":{quoted},"skillPath":{quoted},"ref":{quoted}}},"pdf":{{"source":{quoted}}}}}}}"#),
        );
        world.write(
            "project/skills.lock.json",
            &format!(r#"{{"skills":[{{"name":"x","path":{quoted},"registry":"r.example","repository":"a"}}]}}"#),
        );
        world.write(
            "project/.clawhub/lock.json",
            &format!(r#"{{"skills":{{{quoted}:{{"ownerHandle":{quoted}}}}}}}"#),
        );
        let project = world.at("project");
        let adoption = world.project().plan_adoption(&Wish::default()).unwrap();
        for skill in &adoption.skills {
            let real = crate::targets::real(&skill.directory);
            proptest::prop_assert!(real.starts_with(&project), "{:?}", skill.directory);
        }
    }
}
