//! Every row of the grammar, as docs/sources.md has it.

use std::path::PathBuf;

use super::*;

pub(super) fn surroundings() -> Surroundings {
    Surroundings {
        home: Some(PathBuf::from("/home/u")),
        working_directory: PathBuf::from("/work"),
        permission: Permission::Encrypted,
    }
}

const SHA: &str = "0123456789abcdef0123456789abcdef01234567";

/// The text, its canonical form, and what it is.
const ROWS: &[(&str, &str, &str)] = &[
    // Shorthand.
    ("owner/repo", "owner/repo", "git"),
    ("owner/repo.git", "owner/repo", "git"),
    ("owner/repo/", "owner/repo", "git"),
    ("owner/repo/skills/pdf", "owner/repo/skills/pdf", "git"),
    ("owner/repo@pdf", "owner/repo@pdf", "git"),
    ("owner/repo@*", "owner/repo@*", "git"),
    ("owner/repo#main", "owner/repo#main", "git"),
    ("owner/repo#feature/x", "owner/repo#feature/x", "git"),
    ("owner/repo#v1.2.3", "owner/repo#v1.2.3", "git"),
    ("owner/repo#^1.2", "owner/repo#^1.2", "git"),
    ("owner/repo#~1.2.3", "owner/repo#~1.2.3", "git"),
    ("owner/repo/a/b@pdf#v1", "owner/repo/a/b@pdf#v1", "git"),
    (
        "owner/repo#0123456789ABCDEF0123456789abcdef01234567",
        "owner/repo#0123456789abcdef0123456789abcdef01234567",
        "git",
    ),
    ("owner/repo/a%40b", "owner/repo/a%40b", "git"),
    ("owner/repo/a%20b", "owner/repo/a%20b", "git"),
    ("github:owner/repo", "owner/repo", "git"),
    (
        "github:owner/repo/skills/pdf@x#main",
        "owner/repo/skills/pdf@x#main",
        "git",
    ),
    ("gitlab:group/repo", "gitlab:group/repo", "git"),
    (
        "gitlab:group/sub/repo//skills/pdf#main",
        "gitlab:group/sub/repo//skills/pdf#main",
        "git",
    ),
    (
        "gitlab:group/repo/skills/pdf",
        "gitlab:group/repo/skills/pdf",
        "git",
    ),
    (
        "bitbucket:owner/repo@pdf",
        "bitbucket:owner/repo@pdf",
        "git",
    ),
    ("codeberg:owner/repo", "codeberg:owner/repo", "git"),
    ("github.com/owner/repo", "owner/repo", "git"),
    (
        "gitlab.com/group/repo/path",
        "gitlab:group/repo/path",
        "git",
    ),
    (
        "ghe.example.com/team/repo/path@pdf#v1",
        "ghe.example.com/team/repo/path@pdf#v1",
        "git",
    ),
    (
        "ghe.example.com:8443/team/repo",
        "ghe.example.com:8443/team/repo",
        "git",
    ),
    ("skills-sh:owner/repo/pdf", "owner/repo@pdf", "git"),
    ("https://skills.sh/owner/repo/pdf", "owner/repo@pdf", "git"),
    // Pages.
    ("https://github.com/owner/repo", "owner/repo", "git"),
    ("https://github.com/owner/repo.git", "owner/repo", "git"),
    (
        "https://github.com/owner/repo#main",
        "owner/repo#main",
        "git",
    ),
    ("https://github.com/owner/repo@pdf", "owner/repo@pdf", "git"),
    (
        "https://www.example.com@github.com/owner/repo",
        "owner/repo",
        "git",
    ),
    (
        "https://github.com/owner/repo/tree/main",
        "owner/repo#main",
        "git",
    ),
    (
        "https://github.com/owner/repo/tree/main/skills/pdf",
        "https://github.com/owner/repo/tree/main/skills/pdf",
        "git",
    ),
    (
        "https://github.com/owner/repo/tree/0123456789abcdef0123456789abcdef01234567/skills/pdf",
        "owner/repo/skills/pdf#0123456789abcdef0123456789abcdef01234567",
        "git",
    ),
    (
        "https://github.com/owner/repo/blob/main/skills/pdf/SKILL.md",
        "https://github.com/owner/repo/tree/main/skills/pdf/SKILL.md",
        "git",
    ),
    (
        "https://github.com/owner/repo/raw/main/SKILL.md",
        "https://github.com/owner/repo/tree/main/SKILL.md",
        "git",
    ),
    (
        "https://raw.githubusercontent.com/owner/repo/main/SKILL.md",
        "https://github.com/owner/repo/tree/main/SKILL.md",
        "git",
    ),
    (
        "https://raw.githubusercontent.com/owner/repo/refs/heads/main/a/SKILL.md",
        "https://github.com/owner/repo/tree/refs/heads/main/a/SKILL.md",
        "git",
    ),
    (
        "https://github.com/owner/repo/commit/0123456789abcdef0123456789abcdef01234567",
        "owner/repo#0123456789abcdef0123456789abcdef01234567",
        "git",
    ),
    (
        "https://github.com/owner/repo/releases/tag/v1",
        "owner/repo#v1",
        "git",
    ),
    (
        "https://gitlab.com/group/sub/repo",
        "gitlab:group/sub/repo//",
        "git",
    ),
    (
        "https://gitlab.com/group/sub/repo/-/tree/main/skills/pdf?ref_type=heads",
        "https://gitlab.com/group/sub/repo/-/tree/main/skills/pdf",
        "git",
    ),
    (
        "https://gitlab.example.com/a/b/c/-/blob/v1/SKILL.md",
        "https://gitlab.example.com/a/b/c/-/tree/v1/SKILL.md",
        "git",
    ),
    (
        "https://gitlab.com/group/repo/-/tree/main",
        "gitlab:group/repo#main",
        "git",
    ),
    (
        "https://ghe.example.com/team/repo/tree/main/skills",
        "https://ghe.example.com/team/repo/-/tree/main/skills",
        "git",
    ),
    (
        "https://codeberg.org/owner/repo/src/branch/main/skills",
        "https://codeberg.org/owner/repo/-/tree/main/skills",
        "git",
    ),
    (
        "https://bitbucket.org/owner/repo/src/main/skills/pdf",
        "https://bitbucket.org/owner/repo/src/main/skills/pdf",
        "git",
    ),
    (
        "https://dev.azure.com/org/project/_git/repo?path=/skills/pdf&version=GBmain",
        "git+https://dev.azure.com/org/project/_git/repo//skills/pdf#main",
        "git",
    ),
    (
        "https://org@dev.azure.com/org/project/_git/repo",
        "git+https://dev.azure.com/org/project/_git/repo",
        "git",
    ),
    (
        "https://org.visualstudio.com/project/_git/repo?version=GTv1",
        "git+https://org.visualstudio.com/project/_git/repo#v1",
        "git",
    ),
    (
        "https://huggingface.co/spaces/owner/name",
        "git+https://huggingface.co/spaces/owner/name",
        "git",
    ),
    (
        "https://huggingface.co/spaces/owner/name/tree/main/skills",
        "git+https://huggingface.co/spaces/owner/name//skills#main",
        "git",
    ),
    (
        "https://gitlab/team/repo/-/tree/main",
        "git+https://gitlab/team/repo#main",
        "git",
    ),
    (
        "https://gitlab/team/repo/-/tree/main/skills",
        "https://gitlab/team/repo/-/tree/main/skills",
        "git",
    ),
    // Any git host.
    (
        "https://git.example.com/team/repo.git",
        "git+https://git.example.com/team/repo.git",
        "git",
    ),
    (
        "https://git.example.com/team/repo.git//skills/pdf@x#main",
        "git+https://git.example.com/team/repo.git//skills/pdf@x#main",
        "git",
    ),
    (
        "https://git.example.com/team/repo#main",
        "git+https://git.example.com/team/repo#main",
        "git",
    ),
    (
        "https://user@git.example.com/team/repo.git",
        "git+https://git.example.com/team/repo.git",
        "git",
    ),
    (
        "git+https://git.example.com/team/repo",
        "git+https://git.example.com/team/repo",
        "git",
    ),
    (
        "git+https://github.com/owner/repo.git#main",
        "owner/repo#main",
        "git",
    ),
    (
        "git@github.com:owner/repo.git",
        "ssh://git@github.com/owner/repo.git",
        "git",
    ),
    (
        "git@github.com:owner/repo.git#v1",
        "ssh://git@github.com/owner/repo.git#v1",
        "git",
    ),
    (
        "git@work:owner/repo.git",
        "ssh://git@work/owner/repo.git",
        "git",
    ),
    (
        "me@host.example:repos/x.git",
        "ssh://me@host.example/~/repos/x.git",
        "git",
    ),
    (
        "host.example:owner/x.git",
        "ssh://host.example/owner/x.git",
        "git",
    ),
    (
        "me@host.example:/srv/x.git//skills",
        "ssh://me@host.example/srv/x.git//skills",
        "git",
    ),
    (
        "ssh://git@host.example:2222/team/repo.git//skills@pdf#main",
        "ssh://git@host.example:2222/team/repo.git//skills@pdf#main",
        "git",
    ),
    (
        "git+ssh://git@host.example/team/repo.git",
        "ssh://git@host.example/team/repo.git",
        "git",
    ),
    (
        "git://127.0.0.1:9418/repo.git",
        "git://127.0.0.1:9418/repo.git",
        "git",
    ),
    (
        "git+file:///srv/repo.git//skills#main",
        "git+file:///srv/repo.git//skills#main",
        "git",
    ),
    // Archives, files, sites.
    (
        "https://example.com/a/skill.zip",
        "https://example.com/a/skill.zip",
        "archive",
    ),
    (
        "https://example.com/a/pdf.skill@pdf",
        "https://example.com/a/pdf.skill@pdf",
        "archive",
    ),
    (
        "https://example.com/a/skill.tar.gz?x=1",
        "https://example.com/a/skill.tar.gz?x=1",
        "archive",
    ),
    (
        "https://example.com/a.tgz",
        "https://example.com/a.tgz",
        "archive",
    ),
    (
        "https://example.com/a.tar#top",
        "https://example.com/a.tar",
        "archive",
    ),
    (
        "https://github.com/owner/repo/archive/refs/tags/v1.zip",
        "https://github.com/owner/repo/archive/refs/tags/v1.zip",
        "archive",
    ),
    (
        "https://github.com/owner/repo/releases/download/v1/pdf.skill",
        "https://github.com/owner/repo/releases/download/v1/pdf.skill",
        "archive",
    ),
    (
        "https://example.com/docs/SKILL.md",
        "https://example.com/docs/SKILL.md",
        "document",
    ),
    (
        "https://docs.example.com/skill.md",
        "https://docs.example.com/skill.md",
        "document",
    ),
    ("https://example.com", "https://example.com/", "site"),
    (
        "https://example.com/docs@pdf",
        "https://example.com/docs@pdf",
        "site",
    ),
    (
        "https://git.example.com/team/repo",
        "https://git.example.com/team/repo",
        "site",
    ),
    ("http://localhost:8080/x", "http://localhost:8080/x", "site"),
    (
        "https://example.com/.well-known/agent-skills/index.json",
        "well-known:https://example.com/.well-known/agent-skills/index.json",
        "well-known",
    ),
    (
        "https://example.com/docs/.well-known/skills/index.json",
        "well-known:https://example.com/docs/.well-known/skills/index.json",
        "well-known",
    ),
    (
        "well-known:https://example.com/docs@pdf",
        "well-known:https://example.com/docs@pdf",
        "well-known",
    ),
    (
        "well-known:example.com",
        "well-known:https://example.com/",
        "well-known",
    ),
    // Hubs and marketplaces.
    ("hub:pdf", "hub:pdf", "hub"),
    ("hub:pdf@1.2.0", "hub:pdf@1.2.0", "hub"),
    ("hub:@owner/pdf@latest", "hub:@owner/pdf@latest", "hub"),
    ("hub:owner/pdf", "hub:@owner/pdf", "hub"),
    ("clawhub:pdf", "hub:pdf", "hub"),
    ("@owner/pdf", "hub:@owner/pdf", "hub"),
    ("@owner/pdf@1.0.0", "hub:@owner/pdf@1.0.0", "hub"),
    ("tools@market", "tools@market", "plugin"),
    ("tools@owner/repo", "tools@owner/repo", "plugin"),
    (
        "tools@gitlab:owner/repo#v1",
        "tools@gitlab:owner/repo#v1",
        "plugin",
    ),
    (
        "tools@git@github.com:owner/repo.git",
        "tools@ssh://git@github.com/owner/repo.git",
        "plugin",
    ),
    (
        "tools@https://git.example.com/x/market",
        "tools@git+https://git.example.com/x/market",
        "plugin",
    ),
    (
        "tools@https://git.example.com/x/market/",
        "tools@git+https://git.example.com/x/market",
        "plugin",
    ),
];

/// Paths of this machine, which are written differently elsewhere.
#[cfg(unix)]
const LOCAL: &[(&str, &str)] = &[
    ("./skills/pdf", "/work/skills/pdf"),
    (".", "/work"),
    ("..", "/work/.."),
    ("../other/pdf.skill", "/work/../other/pdf.skill"),
    ("/srv/skills/", "/srv/skills"),
    ("/srv/a b/x@y#z.zip", "/srv/a b/x@y#z.zip"),
    ("~", "/home/u"),
    ("~/skills/pdf", "/home/u/skills/pdf"),
    ("~//etc", "/home/u/etc"),
    ("file:///srv/skills", "/srv/skills"),
    ("file:///srv/a%20b", "/srv/a b"),
    ("file:skills/x.tar.gz", "/work/skills/x.tar.gz"),
    ("./node_modules/pkg/skills", "/work/node_modules/pkg/skills"),
];

fn kind(source: &Source) -> &'static str {
    match source {
        Source::Git(_) => "git",
        Source::Local(_) => "local",
        Source::Archive(_) => "archive",
        Source::Document(_) => "document",
        Source::WellKnown(_) => "well-known",
        Source::Site(_) => "site",
        Source::Hub(_) => "hub",
        Source::Plugin(_) => "plugin",
    }
}

#[test]
fn every_row_is_understood_and_its_canonical_form_means_the_same() {
    let here = surroundings();
    for (text, canonical, what) in ROWS {
        let source = Source::parse(text, &here).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(kind(&source), *what, "{text}: {source:?}");
        assert_eq!(source.to_string(), *canonical, "{text}");
        let again = Source::parse(canonical, &here);
        assert_eq!(again.as_ref(), Ok(&source), "{canonical}");
    }
}

#[cfg(unix)]
#[test]
fn paths_of_this_machine_become_absolute() {
    for (text, canonical) in LOCAL {
        let source = Source::parse(text, &surroundings());
        let source = source.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(kind(&source), "local", "{text}");
        assert_eq!(source.to_string(), *canonical, "{text}");
    }
    assert!(matches!(
        Source::parse("C:\\skills", &surroundings())
            .unwrap_err()
            .fault,
        Fault::WindowsPath
    ));
}

#[cfg(unix)]
#[test]
fn the_guide_says_what_happens() {
    let guide = include_str!("../../../../docs/sources.md");
    // Where paths of this machine are kept depends on whose lock it is; the command's tests try them.
    let (before, local) = guide.split_once("\n## This machine\n").unwrap();
    let (_, after) = local.split_once("\n## ").unwrap();
    let mut rows = 0;
    for line in before
        .lines()
        .chain(after.lines())
        .filter(|line| line.starts_with("| `"))
    {
        let mut code = line.split('`').skip(1).step_by(2);
        let (Some(text), Some(canonical)) = (code.next(), code.next()) else {
            panic!("{line}");
        };
        let source = Source::parse(text, &surroundings());
        let source = source.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(source.to_string(), canonical, "{text}");
        rows += 1;
    }
    assert!(rows > 35, "{rows} rows");
}

#[test]
fn a_commit_is_a_commit() {
    let Ok(Source::Git(source)) = Source::parse(&format!("o/r#{SHA}"), &surroundings()) else {
        panic!("no git source");
    };
    let Place::Known { reference, .. } = source.place else {
        panic!("no place");
    };
    assert_eq!(reference, Commit::parse(SHA).map(Reference::Commit));
}

#[test]
fn what_is_no_source_says_why_and_what_is_near() {
    let mut report = String::new();
    for text in [
        "",
        "pdf",
        "pdf@",
        "-rf",
        "--upload-pack=x",
        "owner",
        "owner/",
        "owner/-repo",
        "own er/repo",
        "owner/repo#",
        "owner/repo#-x",
        "owner/repo#a..b",
        "owner/repo#>=1",
        "owner/repo@",
        "owner/repo@a b",
        "owner/repo/../x",
        "owner/repo/a\\b",
        "owner/repo/nul",
        "owner/repo\u{1b}[2J",
        "http://example.com/x.zip",
        "git://example.com/repo.git",
        "https://user:secret@example.com/x.git",
        "ssh://git:secret@example.com/x.git",
        "ssh://-oProxyCommand=x/y",
        "ssh://git@host.example/-x",
        "-oProxyCommand=x:y/z.git",
        "git@-oProxyCommand=x:y/z.git",
        "https://",
        "https:example.com/x",
        "https:///example.com/x",
        "https://github.com/owner",
        "https://github.com/owner/repo/wiki/page",
        "git+https://host.example/x?y=z",
        "git+https://host.example",
        "ftp://example.com/x",
        "htps://example.com/x",
        "ext::sh -c x",
        "ext::sh",
        "githob:owner/repo",
        "oci://ghcr.io/o/r:1",
        "npm:pkg",
        "hub:",
        "hub:a/b/c",
        "@name",
        "tools@",
        "tools@./x",
        "tools@https://host.example/x?y=z",
        "tools@https://host.example/",
        "~root/x",
        "file://server/share",
    ] {
        let error = Source::parse(text, &surroundings()).unwrap_err();
        let line = error.to_string();
        assert!(!line.chars().any(char::is_control), "{line:?}");
        assert!(!line.contains("secret"), "{line}");
        report.push_str(&line);
        report.push('\n');
    }
    insta::assert_snapshot!(report);
}
