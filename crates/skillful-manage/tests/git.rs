//! Git repositories, fetched by the real git from this disk and from a server of the test's own.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is the report")]

use std::collections::BTreeMap;
use std::fs;

use skillful_manage::find::PickError;
use skillful_manage::progress::{Progress, Silent, Step};
use skillful_manage::source::Source;
use skillful_manage::source::fetch::git::Now;
use skillful_manage::source::fetch::{FetchError, Fetcher};
use std::sync::Mutex;
use std::time::Duration;

mod common;
use common::*;

/// Two skills, a large file beside them, and the directories of a client.
fn library(ground: &Ground) -> Repository {
    let repository = Repository::new(&ground.path().join("repos/library.git"));
    repository.skill("skills/pdf");
    repository.write("skills/pdf/scripts/run.sh", "#!/bin/sh\n");
    repository.write("skills/pdf/data.bin", [0, 159, 146, 150, 13, 10]);
    repository.write("skills/pdf/crlf.txt", "a\r\nb\r\n");
    repository.write(".gitattributes", "*.txt text eol=crlf\n*.bin ident\n");
    repository.skill(".claude/skills/notes");
    repository.write("large/file.bin", vec![7; 300_000]);
    repository.write("README.md", "# Library\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let script = repository.directory.join("skills/pdf/scripts/run.sh");
        fs::set_permissions(script, fs::Permissions::from_mode(0o755)).unwrap();
    }
    repository
}

fn fetch_check(
    ground: &Ground,
    text: &str,
    commit: &str,
    trees: &BTreeMap<String, String>,
) -> skillful_manage::source::fetch::git::Check {
    let Source::Git(source) = ground.source(text) else {
        panic!("no git source");
    };
    Fetcher::new(ground.settings.clone())
        .check(&source, commit, trees, &ground.staging(), &Silent)
        .unwrap()
}

#[test]
fn only_skills_arrive_with_their_bytes_and_bits() {
    let ground = Ground::new();
    let repository = library(&ground);
    let commit = repository.commit();
    let fetched = ground.fetch(&repository.url()).unwrap();
    assert_eq!(
        ids(&fetched),
        ["pdf:skills/pdf", "notes:.claude/skills/notes"]
    );
    assert_eq!(
        files_below(&fetched.directory),
        [
            ".claude/skills/notes/SKILL.md",
            "skills/pdf/SKILL.md",
            "skills/pdf/crlf.txt",
            "skills/pdf/data.bin",
            "skills/pdf/scripts/run.sh",
        ]
    );
    let stored = repository.git(&["cat-file", "-s", "HEAD:skills/pdf/crlf.txt"]);
    let written = fs::read(fetched.directory.join("skills/pdf/crlf.txt")).unwrap();
    assert_eq!(written.len().to_string(), stored, "attributes have no say");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &str| {
            let metadata = fs::metadata(fetched.directory.join(path)).unwrap();
            metadata.permissions().mode() & 0o777
        };
        assert_eq!(mode("skills/pdf/scripts/run.sh"), 0o755);
        assert_eq!(mode("skills/pdf/SKILL.md"), 0o644);
    }
    assert_eq!(fetched.resolution.commit, Some(commit));
    let tree = repository.git(&["rev-parse", "HEAD:skills/pdf"]);
    assert_eq!(fetched.resolution.trees.get("skills/pdf"), Some(&tree));
}

#[test]
fn a_skill_by_name_brings_only_its_own_files() {
    let ground = Ground::new();
    let repository = library(&ground);
    repository.commit();
    let server = Server::of_repositories(&ground.path().join("repos"), |_| true);
    let url = format!("git+{}", server.url("/library.git/.git"));
    let fetched = ground.fetch(&format!("{url}@notes")).unwrap();
    assert_eq!(
        files_below(&fetched.directory),
        [".claude/skills/notes/SKILL.md"]
    );
    assert_eq!(fetched.chosen().unwrap().len(), 1);
    // Neither the large file nor those of the other skill were sent.
    let packs = fetched
        .directory
        .ancestors()
        .nth(2)
        .unwrap()
        .join("repository/objects");
    let bytes: u64 = files_below(&packs)
        .iter()
        .map(|file| fs::metadata(packs.join(file)).unwrap().len())
        .sum();
    assert!(bytes < 20_000, "{bytes} bytes were fetched");

    let error = ground.fails(&format!("{url}@note"));
    assert_eq!(
        error.to_string(),
        "no skill is called `note`; did you mean `notes`?"
    );
    assert!(ground.fetch(&format!("{url}@*")).is_ok());
}

#[test]
fn branches_tags_ranges_and_commits() {
    let ground = Ground::new();
    let repository = library(&ground);
    let first = repository.commit();
    repository.git(&["tag", "v1.0.0"]);
    repository.git(&["checkout", "-q", "-b", "feature/x"]);
    repository.skill("skills/extra");
    let second = repository.commit();
    repository.git(&["tag", "-a", "v1.1.0", "-m", "x"]);
    repository.git(&["checkout", "-q", "main"]);
    let server = Server::of_repositories(&ground.path().join("repos"), |_| true);
    for url in [
        repository.url(),
        format!("git+{}", server.url("/library.git/.git")),
    ] {
        let commit = |reference: &str| {
            let fetched = ground.fetch(&format!("{url}#{reference}")).unwrap();
            fetched.resolution.commit.unwrap()
        };
        assert_eq!(commit("main"), first);
        assert_eq!(commit("feature/x"), second);
        assert_eq!(commit("v1.0.0"), first);
        assert_eq!(commit("v1.1.0"), second, "an annotated tag");
        assert_eq!(commit("^1"), second);
        assert_eq!(commit("~1.0"), first);
        assert_eq!(commit(&first), first);
        let error = ground.fails(&format!("{url}#v1.0"));
        assert!(matches!(error, FetchError::ReferenceNotFound { .. }));
        assert!(
            error.to_string().contains("did you mean `v1.0.0`"),
            "{error}"
        );
        let error = ground.fails(&format!("{url}#{}", "0".repeat(40)));
        assert!(
            matches!(error, FetchError::CommitNotFound { .. }),
            "{error}"
        );
    }
}

#[test]
fn a_commit_that_the_server_does_not_give_out_by_hash_is_found_among_branches() {
    let ground = Ground::new();
    let repository = library(&ground);
    let first = repository.commit();
    repository.write("README.md", "changed");
    repository.commit();
    repository.git(&["config", "uploadpack.allowAnySHA1InWant", "false"]);
    repository.git(&["config", "uploadpack.allowReachableSHA1InWant", "false"]);
    repository.git(&["config", "uploadpack.allowFilter", "false"]);
    // Protocol 0 is the one that refuses; newer servers speak it too.
    let server = Server::of_repositories(&ground.path().join("repos"), |_| true);
    let url = format!("git+{}", server.url("/library.git/.git"));
    let fetched = ground.fetch(&format!("{url}#{first}")).unwrap();
    assert_eq!(fetched.resolution.commit, Some(first));
    assert_eq!(
        ids(&fetched).len(),
        2,
        "without the filter all files arrive"
    );
}

#[test]
fn a_path_a_page_and_what_is_not_there() {
    let ground = Ground::new();
    let repository = library(&ground);
    repository.commit();
    let url = repository.url();
    let fetched = ground.fetch(&format!("{url}//skills/pdf")).unwrap();
    assert_eq!(ids(&fetched), ["pdf:skills/pdf"]);
    let fetched = ground
        .fetch(&format!("{url}//skills/pdf/SKILL.md"))
        .unwrap();
    assert_eq!(ids(&fetched), ["pdf:skills/pdf"]);
    assert_eq!(
        fetched.resolution.path.as_deref(),
        Some("skills/pdf/SKILL.md")
    );
    let fetched = ground.fetch(&format!("{url}//skills")).unwrap();
    assert_eq!(ids(&fetched), ["pdf:skills/pdf"]);
    let error = ground.fails(&format!("{url}//skill/pdf"));
    assert!(matches!(error, FetchError::PathNotFound { .. }), "{error}");
    assert!(
        error.to_string().contains("did you mean `skills/pdf`"),
        "{error}"
    );
    let error = ground.fails(&format!("{url}//large"));
    assert!(
        matches!(error, FetchError::Pick(PickError::None)),
        "{error}"
    );
}

#[test]
fn the_update_check_tells_same_changed_moved_and_gone() {
    let ground = Ground::new();
    let repository = library(&ground);
    for name in ["moved", "gone", "same", "renamed"] {
        repository.skill(&format!("skills/{name}"));
    }
    repository.commit();
    let server = Server::of_repositories(&ground.path().join("repos"), |_| true);
    let url = format!("git+{}", server.url("/library.git/.git"));
    let fetched = ground.fetch(&url).unwrap();
    let commit = fetched.resolution.commit.clone().unwrap();
    let trees = fetched.resolution.trees.clone();

    server.asked.lock().unwrap().clear();
    let check = fetch_check(&ground, &url, &commit, &trees);
    assert!(check.skills.values().all(|now| *now == Now::Same));
    let asked = server.asked.lock().unwrap().len();
    assert!(
        asked <= 2,
        "one question for {} skills took {asked} requests",
        trees.len()
    );

    repository.write("skills/pdf/SKILL.md", skill_text("pdf") + "more\n");
    repository.git(&["mv", "skills/moved", "skills/elsewhere"]);
    repository.git(&["mv", "skills/renamed", "other-renamed"]);
    fs::create_dir_all(repository.directory.join("tools")).unwrap();
    repository.git(&["mv", "other-renamed", "tools/renamed"]);
    repository.write("tools/renamed/SKILL.md", skill_text("renamed") + "more\n");
    repository.git(&["rm", "-rq", "skills/gone"]);
    let next = repository.commit();
    let check = fetch_check(&ground, &url, &commit, &trees);
    assert_eq!(check.commit, next);
    let now = |path: &str| check.skills[path].clone();
    assert_eq!(now("skills/same"), Now::Same);
    assert!(matches!(now("skills/pdf"), Now::Changed { .. }));
    assert!(matches!(now("skills/moved"), Now::Moved { to, .. } if to == "skills/elsewhere"));
    assert!(matches!(now("skills/renamed"), Now::Moved { to, .. } if to == "tools/renamed"));
    assert_eq!(now("skills/gone"), Now::Gone);
}

#[test]
fn a_moved_tag_and_a_rewritten_history_are_seen() {
    let ground = Ground::new();
    let repository = library(&ground);
    let first = repository.commit();
    repository.git(&["tag", "v1"]);
    let fetched = ground.fetch(&format!("{}#v1", repository.url())).unwrap();
    repository.write("skills/pdf/SKILL.md", skill_text("pdf") + "other\n");
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-q", "--amend", "-m", "rewritten"]);
    repository.git(&["tag", "-f", "v1"]);
    let check = fetch_check(
        &ground,
        &format!("{}#v1", repository.url()),
        &first,
        &fetched.resolution.trees,
    );
    assert_ne!(check.commit, first);
    assert!(matches!(check.skills["skills/pdf"], Now::Changed { .. }));
    repository.git(&["reflog", "expire", "--expire=now", "--all"]);
    repository.git(&["gc", "-q", "--prune=now"]);
    let error = ground.fails(&format!("{}#{first}", repository.url()));
    assert!(
        error
            .to_string()
            .contains("history may have been rewritten"),
        "{error}"
    );
}

#[test]
fn private_missing_and_unreachable_are_told_apart() {
    let ground = Ground::new();
    library(&ground).commit();
    let server = Server::of_repositories(&ground.path().join("repos"), |_| false);
    let error = ground.fails(&format!("git+{}", server.url("/library.git")));
    assert!(
        matches!(error, FetchError::NotFoundOrPrivate { .. }),
        "{error}"
    );
    let open = Server::of_repositories(&ground.path().join("repos"), |_| true);
    let error = ground.fails(&format!("git+{}", open.url("/none.git")));
    assert!(
        matches!(error, FetchError::NotFoundOrPrivate { .. }),
        "{error}"
    );
    let error = ground.fails("git+http://127.0.0.1:1/none.git");
    assert!(matches!(error, FetchError::Network { .. }), "{error}");
    let error = ground.fails(&format!("git+file://{}/none", ground.path().display()));
    assert!(
        matches!(error, FetchError::NotFoundOrPrivate { .. }),
        "{error}"
    );
    let empty = Repository::new(&ground.path().join("repos/empty.git"));
    let error = ground.fails(&empty.url());
    assert!(matches!(error, FetchError::EmptyRepository(_)), "{error}");
}

#[cfg(unix)]
#[test]
fn a_credential_helper_answers_and_nobody_is_asked() {
    use std::os::unix::fs::PermissionsExt;
    let mut ground = Ground::new();
    library(&ground).commit();
    let server = Server::of_repositories(&ground.path().join("repos"), |request| {
        let mut headers = request.headers().iter();
        headers.any(|header| header.field.equiv("Authorization"))
    });
    let helper = "!f() { echo username=u; echo password=secret; }; f";
    let script = format!(
        "#!/bin/sh\nHOME=/nonexistent GIT_CONFIG_GLOBAL=/dev/null exec git -c credential.helper='{helper}' \"$@\"\n"
    );
    let program = ground.path().join("git-with-helper");
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    ground.settings.git = program;
    let fetched = ground
        .fetch(&format!("git+{}", server.url("/library.git/.git")))
        .unwrap();
    assert_eq!(ids(&fetched).len(), 2);
    assert!(!format!("{fetched:?}").contains("secret"));
}

#[test]
fn without_git_the_error_says_so() {
    let mut ground = Ground::new();
    ground.settings.git = ground.path().join("no-such-git");
    let error = ground.fails("owner/repo");
    assert!(matches!(error, FetchError::GitMissing(_)));
}

/// Cancels with the first line that git writes, or at once.
struct Cancel(Mutex<Vec<String>>);

impl Progress for Cancel {
    fn step(&self, step: Step<'_>) {
        if let Step::Begin(text) = step {
            self.0.lock().unwrap().push(text.to_owned());
        }
    }

    fn is_cancelled(&self) -> bool {
        true
    }
}

#[cfg(unix)]
#[test]
fn a_git_that_hangs_is_ended_with_all_that_it_started() {
    use std::os::unix::fs::PermissionsExt;
    let mut ground = Ground::new();
    let script = ground.path().join("hanging");
    // The inner process keeps the pipes open; only ending the group closes them.
    fs::write(&script, "#!/bin/sh\nsleep 600 &\nsleep 600\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    ground.settings.git = script;
    ground.settings.git_time = Duration::ZERO;
    let error = ground.fails("owner/repo");
    assert!(matches!(error, FetchError::Timeout { .. }), "{error}");

    ground.settings.git_time = Duration::from_secs(600);
    let cancel = Cancel(Mutex::default());
    let source = ground.source("owner/repo");
    let error = Fetcher::new(ground.settings.clone())
        .fetch(&source, &ground.staging(), &cancel)
        .unwrap_err();
    assert!(matches!(error, FetchError::Cancelled));
    let begun = cancel.0.lock().unwrap().clone();
    assert_eq!(begun, ["fetching https://github.com/owner/repo"]);
}

#[cfg(unix)]
#[test]
fn what_a_repository_brings_along_is_not_run_and_not_followed() {
    let ground = Ground::new();
    let repository = library(&ground);
    let canary = ground.path().join("canary");
    let run = format!("#!/bin/sh\ntouch {}\n", canary.display());
    for hook in [
        "post-checkout",
        "reference-transaction",
        "post-index-change",
    ] {
        repository.write(&format!("skills/pdf/hooks/{hook}"), &run);
    }
    repository.write(".gitattributes", "* filter=evil\n");
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";
    repository.write("skills/pdf/model.bin", pointer);
    repository.write("skills/pdf/.lfsconfig", "[lfs]\nurl = http://127.0.0.1:1\n");
    std::os::unix::fs::symlink(
        "/etc/passwd",
        repository.directory.join("skills/pdf/passwd"),
    )
    .unwrap();
    std::os::unix::fs::symlink("..", repository.directory.join("skills/pdf/up")).unwrap();
    let other = Repository::new(&ground.path().join("repos/other.git"));
    let inner = other.commit();
    repository.git(&["add", "-A"]);
    repository.git(&[
        "update-index",
        "--add",
        "--cacheinfo",
        &format!("160000,{inner},skills/pdf/sub"),
    ]);
    repository.git(&["commit", "-q", "-m", "x"]);
    let fetched = ground.fetch(&repository.url()).unwrap();
    assert!(!canary.exists());
    assert!(fs::symlink_metadata(fetched.directory.join("skills/pdf/passwd")).is_err());
    let notes = fetched.notes.join("\n");
    assert!(
        notes.contains("links are not followed") && notes.contains("skills/pdf/passwd"),
        "{notes}"
    );
    assert!(notes.contains("submodules were left out"), "{notes}");
    assert!(notes.contains("1 files are kept in Git LFS"), "{notes}");
}

#[cfg(unix)]
#[test]
fn names_that_mean_two_files_elsewhere_are_refused() {
    let ground = Ground::new();
    let repository = library(&ground);
    repository.write("skills/pdf/readme.md", "a");
    repository.write("skills/pdf/README.md", "b");
    repository.commit();
    let error = ground.fails(&repository.url());
    assert!(
        error.to_string().contains("only in upper and lower case"),
        "{error}"
    );
}

#[test]
fn a_repository_that_is_too_large_is_given_up() {
    let mut ground = Ground::new();
    let repository = library(&ground);
    // What does not compress: a chain of digests.
    let mut noise = Vec::new();
    let mut link = sha256(b"x");
    while noise.len() < 300_000 {
        link = sha256(link.as_bytes());
        noise.extend(link.as_bytes());
    }
    repository.write("noise.txt", noise);
    repository.commit();
    repository.git(&["config", "uploadpack.allowFilter", "false"]);
    ground.settings.repository_bytes = 100_000;
    let error = ground.fails(&repository.url());
    assert!(
        matches!(error, FetchError::TooLarge { limit: 100_000, .. }),
        "{error}"
    );
    repository.git(&["config", "uploadpack.allowFilter", "true"]);
    assert!(
        ground.fetch(&repository.url()).is_ok(),
        "the noise belongs to no skill"
    );
}

#[test]
fn a_skill_at_the_top_says_what_else_there_is() {
    let ground = Ground::new();
    let repository = library(&ground);
    repository.write("SKILL.md", skill_text("library"));
    repository.commit();
    let fetched = ground.fetch(&repository.url()).unwrap();
    let whole = fetched.skills.whole.unwrap();
    assert_eq!(whole.others, 2);
    assert!(whole.bytes > 300_000 && whole.files == 9, "{whole:?}");
    assert!(
        fetched.notes[0].contains("makes all of it one skill"),
        "{:?}",
        fetched.notes
    );
    assert_eq!(fetched.chosen().unwrap()[0].id, "library");
    let fetched = ground.fetch(&format!("{}@pdf", repository.url())).unwrap();
    assert_eq!(fetched.chosen().unwrap()[0].path, "skills/pdf");
    assert!(!fetched.directory.join("large").exists());
}

#[test]
fn plugins_of_a_marketplace() {
    let mut ground = Ground::new();
    let repository = library(&ground);
    let elsewhere = Repository::new(&ground.path().join("repos/elsewhere.git"));
    elsewhere.skill("plugins/away/skills/away");
    let sha = elsewhere.commit();
    repository.skill("plugins/tools/skills/hammer");
    let server = Server::of_repositories(&ground.path().join("repos"), |_| true);
    let away = server.url("/elsewhere.git/.git");
    let plugins = format!(
        r#"{{"name":"m","owner":{{}},"metadata":{{"pluginRoot":"./plugins"}},"plugins":[
            {{"name":"tools","source":"tools"}},
            {{"name":"dotted","source":"./skills"}},
            {{"name":"away","source":{{"source":"git-subdir","url":"git+{away}","path":"plugins/away","sha":"{sha}"}}}},
            {{"name":"pkg","source":{{"source":"npm","package":"x"}}}},
            {{"name":"up","source":"../../x"}},
            {{"name":"disk","source":{{"source":"url","url":"git+file:///etc"}}}},
            7]}}"#
    );
    repository.write(".claude-plugin/marketplace.json", plugins);
    repository.commit();
    let market = format!("git+{}", server.url("/library.git/.git"));
    let plugin = |name: &str| ground.fetch(&format!("{name}@{market}"));
    assert_eq!(
        ids(&plugin("tools").unwrap()),
        ["hammer:plugins/tools/skills/hammer"]
    );
    assert_eq!(ids(&plugin("dotted").unwrap()), ["pdf:skills/pdf"]);
    let away = plugin("away").unwrap();
    assert_eq!(ids(&away), ["away:plugins/away/skills/away"]);
    assert_eq!(away.resolution.commit, Some(sha));
    for (name, reason) in [
        ("pkg", "package of npm"),
        ("up", "leads out by `..`"),
        ("disk", "is no repository on the web"),
        ("tool", "did you mean `tools`"),
    ] {
        let error = plugin(name).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    let Source::Git(source) = ground.source(&market) else {
        panic!("no git source");
    };
    ground.settings.marketplaces.insert("m".to_owned(), source);
    assert_eq!(ids(&ground.fetch("tools@m").unwrap()).len(), 1);
    let error = ground.fails("tools@mm");
    assert!(error.to_string().contains("did you mean `m`"), "{error}");
}

#[test]
fn by_the_protocol_of_git_itself() {
    use std::process::{Command, Stdio};
    let ground = Ground::new();
    let repository = library(&ground);
    let commit = repository.commit();
    // A port that was free a moment ago; another program may take it, and then there is nothing to test.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let daemon = Command::new("git")
        .args([
            "daemon",
            "--listen=127.0.0.1",
            "--export-all",
            "--reuseaddr",
        ])
        .arg(format!("--port={port}"))
        .arg(format!(
            "--base-path={}",
            ground.path().join("repos").display()
        ))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut daemon) = daemon else { return };
    let up = (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        std::net::TcpStream::connect(("127.0.0.1", port)).is_ok()
    });
    if up {
        let fetched = ground.fetch(&format!("git://127.0.0.1:{port}/library.git"));
        let _killed = daemon.kill();
        let _status = daemon.wait();
        assert_eq!(fetched.unwrap().resolution.commit, Some(commit));
    } else {
        let _killed = daemon.kill();
        let _status = daemon.wait();
    }
}
