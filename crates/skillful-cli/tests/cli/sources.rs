//! Sources on this machine: every row of the guide, with the command.

use std::fs;

use crate::environment::{Environment, Run, skill_text};

/// The rows of the guide's table: what is written, and what the lock of a project keeps.
fn rows() -> Vec<(&'static str, &'static str)> {
    let guide = include_str!("../../../../docs/sources.md");
    let (_, after) = guide.split_once("\n## This machine\n").unwrap();
    let (section, _) = after.split_once("\n## ").unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.map(|line| {
        let mut code = line.split('`').skip(1).step_by(2);
        (code.next().unwrap(), code.next().unwrap())
    })
    .collect()
}

#[test]
fn the_guide_says_what_a_lock_keeps() {
    let rows = rows();
    assert!(rows.len() >= 5, "{rows:?}");
    for (written, kept) in rows {
        let environment = Environment::new();
        let top = environment.project().parent().unwrap().to_owned();
        let text = skill_text("pdf");
        for path in [
            "deep/work/library/pdf/SKILL.md",
            "srv/skills/pdf/SKILL.md",
            "srv/repo.git/skills/pdf/SKILL.md",
        ] {
            let path = top.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, &text).unwrap();
        }
        environment.write_home("library/pdf/SKILL.md", &text);
        let work = top.join("deep/work");
        fs::create_dir_all(work.join(".git")).unwrap();
        fs::create_dir_all(work.join(".claude")).unwrap();
        for arguments in [
            &["init", "-q", "-b", "main"][..],
            &["add", "-A"],
            &[
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@b",
                "commit",
                "-qm",
                "x",
            ],
        ] {
            let git = std::process::Command::new("git")
                .args(arguments)
                .current_dir(top.join("srv/repo.git"))
                .env("GIT_CONFIG_GLOBAL", "/dev/null")
                .env("GIT_CONFIG_NOSYSTEM", "1")
                .status();
            assert!(git.unwrap().success());
        }
        let run = |arguments: &[&str]| {
            let mut command = environment.command(arguments);
            command.current_dir(&work);
            if let Some(path) = std::env::var_os("PATH") {
                command.env("PATH", path);
            }
            Run::of(&command.output().unwrap(), &top)
        };
        let packed = run(&["pack", "library/pdf", "--output", "../pdf.skill"]);
        assert_eq!(packed.code, 0, "{}", packed.transcript());

        let here = |text: &str| text.replace("/srv/", &format!("{}/srv/", top.display()));
        let added = run(&["add", &here(written), "--yes"]);
        assert_eq!(added.code, 0, "{}", added.transcript());
        let lock = fs::read_to_string(work.join("skills.lock")).unwrap();
        let source = lock.lines().find_map(|line| line.strip_prefix("source = "));
        assert_eq!(source, Some(&*format!("\"{}\"", here(kept))), "{written}");
        // What is kept means the same.
        let outdated = run(&["outdated"]);
        assert_eq!(outdated.code, 0, "{written}: {}", outdated.transcript());
    }
}

#[test]
fn what_the_command_cannot_fetch_says_what_to_name_in_its_place() {
    let environment = Environment::new();
    for (source, code, words) in [
        (
            "hub:pdf",
            1,
            "no hub is known here; name the skill by its repository",
        ),
        ("@owner/pdf", 1, "no hub is known here"),
        (
            "tools@market",
            1,
            "name its repository instead: `PLUGIN@owner/repo`",
        ),
        ("oci://ghcr.io/a/b", 2, "cannot be fetched yet"),
        ("http://example.com/x.zip", 2, "http"),
        ("../none.skill", 1, "has no `none.skill`"),
    ] {
        let run = environment.run(&["add", source, "--yes"]);
        assert_eq!(run.code, code, "{}", run.transcript());
        assert!(run.stderr.contains(words), "{}", run.transcript());
    }
}
