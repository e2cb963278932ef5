//! Commands run on Unix only.
#![cfg(unix)]

use std::time::Duration;

use super::*;
use crate::bundle::tests::Place;

fn execution(allow: Option<bool>, shell: Option<&str>) -> Execution {
    Execution {
        allow_inline_shell: allow,
        shell: shell.map(str::to_owned),
        ..Execution::default()
    }
}

/// All conditions met but for what the test changes.
fn reason(
    skill: &Skill,
    execution: &Execution,
    permissions: &Permissions,
    directory: Option<&Path>,
) -> Option<NotRun> {
    let arguments = Arguments::default();
    let values = Values {
        directory: "",
        session: "",
        variables: &BTreeMap::new(),
        arguments: &arguments,
    };
    setting(skill, execution, directory, permissions, &values).err()
}

#[test]
fn three_sides_must_agree() {
    let place = Place::new();
    let mut skill = place.skill("x/SKILL.md");
    let directory = Some(Path::new("/"));
    let all = Permissions {
        inline_shell: true,
        trusted: true,
        ..Permissions::default()
    };
    let asks = execution(Some(true), None);
    assert_eq!(reason(&skill, &asks, &all, directory), None);

    let not_allowed = Permissions {
        inline_shell: false,
        ..all.clone()
    };
    assert_eq!(
        reason(&skill, &asks, &not_allowed, directory),
        Some(NotRun::NotAllowed)
    );
    let not_trusted = Permissions {
        trusted: false,
        ..all.clone()
    };
    assert_eq!(
        reason(&skill, &asks, &not_trusted, directory),
        Some(NotRun::NotTrusted)
    );
    assert_eq!(reason(&skill, &asks, &all, None), Some(NotRun::NoDirectory));

    let silent = execution(None, None);
    let refuses = execution(Some(false), Some("bash"));
    for execution in [&silent, &refuses] {
        let found = reason(&skill, execution, &all, directory);
        assert_eq!(found, Some(NotRun::NotAsked));
    }
    let claude = execution(None, Some("bash"));
    assert_eq!(reason(&skill, &claude, &all, directory), None);
    let powershell = execution(Some(true), Some("powershell"));
    assert_eq!(
        reason(&skill, &powershell, &all, directory),
        Some(NotRun::Shell("powershell".to_owned()))
    );

    let root = std::sync::Arc::make_mut(&mut skill.root);
    root.client = Some(CLAUDE.into());
    root.trust = Trust::Trusted;
    assert_eq!(
        reason(&skill, &silent, &not_trusted, directory),
        None,
        "Claude Code runs commands unasked, and an administrator is trusted"
    );
}

mod running {
    use super::*;

    fn run_for(command: &str, words: &[&str], time: Duration) -> Ran {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let path = std::env::var("PATH").unwrap_or_default();
        let all = words.join(" ");
        let setting = Setting {
            shell: Shell::Sh,
            directory: std::env::temp_dir(),
            environment: BTreeMap::from([("PATH", &*path), ("ARGUMENTS", &*all)]),
            words: &words,
        };
        unix::run(&setting, command, time)
    }

    fn shown(command: &str, words: &[&str]) -> String {
        run_for(command, words, limits::INLINE_TIME).shown()
    }

    #[test]
    fn output_takes_the_commands_place() {
        assert_eq!(shown("printf 'a\\nb\\n\\n'", &[]), "a\nb");
        assert_eq!(shown("echo lost >&2; true", &[]), "");
        assert_eq!(
            shown("cat; pwd >/dev/null", &[]),
            "",
            "there is nothing to read"
        );
        assert_eq!(
            shown("echo a; exit 3", &[]),
            "a\n[the command failed with exit code 3]"
        );
        assert_eq!(shown("printf '\\377'", &[]), "\u{FFFD}");
    }

    #[test]
    fn arguments_are_parameters_and_never_code() {
        let hostile = ["; echo broken", "$(echo broken)", "`echo broken`"];
        assert_eq!(
            shown("printf '%s|' \"$0\" \"${1}\" \"$2\" \"$3\"", &hostile),
            "; echo broken|$(echo broken)|`echo broken`||"
        );
        assert_eq!(shown("echo \"$ARGUMENTS\"", &["a;b"]), "a;b");
        assert_eq!(shown("echo \"[$0]\"", &[]), "[]");
    }

    #[test]
    fn nothing_of_the_environment_comes_through() {
        assert_eq!(shown("echo \"$CARGO_MANIFEST_DIR$HOME\"", &[]), "");
    }

    #[test]
    fn a_slow_command_is_killed_with_its_children() {
        let mark = tempfile::tempdir().unwrap();
        let file = mark.path().join("alive");
        let started = Instant::now();
        let command = "(sleep 1; echo x > \"$0\") & sleep 30";
        let ran = run_for(
            command,
            &[&file.to_string_lossy()],
            Duration::from_millis(200),
        );
        assert_eq!(ran.outcome, Outcome::TimedOut);
        assert_eq!(ran.shown(), "[the command was stopped after 10 seconds]");
        assert!(started.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(1_500));
        assert!(!file.exists(), "the child was killed as well");
    }

    #[test]
    fn a_child_that_stays_behind_is_killed() {
        let ran = run_for("sleep 30 >/dev/null & echo $!", &[], limits::INLINE_TIME);
        assert_eq!(ran.outcome, Outcome::Done);
        let pid: i32 = ran.shown().parse().unwrap();
        let pid = rustix::process::Pid::from_raw(pid).unwrap();
        let is_gone = || {
            let status = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
            match status {
                Ok(status) => status.contains(") Z "),
                Err(_) => rustix::process::test_kill_process(pid).is_err(),
            }
        };
        let deadline = Instant::now() + Duration::from_secs(5);
        while !is_gone() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(is_gone());
    }

    #[test]
    fn endless_output_is_cut_off() {
        let started = Instant::now();
        let ran = run_for("yes", &[], limits::INLINE_TIME);
        assert!(ran.truncated);
        assert!(ran.shown().ends_with("[cut off after 4000 characters]"));
        assert_eq!(ran.output.chars().count(), limits::INLINE_OUTPUT_CHARS);
        assert!(
            started.elapsed() < Duration::from_secs(8),
            "nobody waits for it"
        );
    }

    #[test]
    fn what_cannot_be_started_says_so() {
        let setting = Setting {
            shell: Shell::Sh,
            directory: "/no/such/directory".into(),
            environment: BTreeMap::new(),
            words: &[],
        };
        let ran = unix::run(&setting, "true", limits::INLINE_TIME);
        assert!(ran.shown().starts_with("[the command could not be run: "));
    }

    #[test]
    fn there_is_a_last_command() {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut commands = Commands::new(Ok(Setting {
            shell: Shell::Sh,
            directory: std::env::temp_dir(),
            environment: BTreeMap::from([("PATH", &*path)]),
            words: &[],
        }));
        for _ in 0..limits::INLINE_COMMANDS {
            assert_eq!(commands.run("echo a").as_deref(), Some("a"));
        }
        for _ in 0..3 {
            assert_eq!(commands.run("echo a"), None);
        }
        let last = commands.reports.last().unwrap();
        assert_eq!(last.outcome, Outcome::NotRun(NotRun::TooMany));
        assert_eq!(commands.reports.len(), limits::INLINE_COMMANDS + 1);
    }
}
