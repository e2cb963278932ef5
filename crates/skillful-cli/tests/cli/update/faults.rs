//! What goes wrong around an update: downloads that break off, disks that are full, directories that cannot be written, a
//! cache that is gone.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use serde_json::json;

use super::world::World;

#[test]
fn a_download_that_breaks_off_changes_nothing() {
    let world = World::with_two();
    let lock = world.lock();
    let old = world.installed("pdf");
    world.skill("repo", "pdf", "\nNewer.\n");
    world.commit("repo");
    world.install_git("case \"$*\" in *' fetch '*) echo 'fatal: early EOF' >&2; exit 128;; esac");
    let updated = world.run(&["update", "--yes"]);
    assert_eq!(updated.code, 1);
    assert!(
        updated.stdout.contains("could not be fetched: early EOF"),
        "{}",
        updated.transcript()
    );
    assert_eq!((world.installed("pdf"), world.lock()), (old, lock));
    let staging = world
        .environment
        .home()
        .join(".local/share/skillful/staging");
    assert_eq!(
        fs::read_dir(staging).unwrap().count(),
        0,
        "nothing is left lying about"
    );
    world.install_git("");
    assert_eq!(world.run(&["update", "--yes"]).code, 0);
    assert!(world.installed("pdf").contains("Newer"));
}

#[test]
fn a_cache_that_vanished_is_no_hindrance() {
    let world = World::with_two();
    world.skill("repo", "pdf", "\nNewer.\n");
    world.commit("repo");
    fs::remove_dir_all(world.environment.home().join(".local")).unwrap();
    let updated = world.run(&["update", "--yes", "--json"]);
    assert_eq!(updated.code, 0, "{}", updated.transcript());
    assert!(world.installed("pdf").contains("Newer"));
    let change = &updated.json()["plan"]["skills"][1]["changes"][0];
    assert_eq!(
        change["content"], "text",
        "the place holds what was installed"
    );
}

#[test]
fn links_of_the_user_follow_the_update_and_survive_a_vanished_cache() {
    let world = World::new();
    fs::create_dir_all(world.environment.home().join(".claude")).unwrap();
    world.skill("repo", "pdf", "");
    world.commit("repo");
    let added = world.run(&["add", &world.url("repo"), "--global", "--yes"]);
    assert_eq!(added.code, 0, "{}", added.transcript());
    world.skill("repo", "pdf", "\nNewer.\n");
    world.commit("repo");
    fs::remove_dir_all(
        world
            .environment
            .home()
            .join(".local/share/skillful/objects"),
    )
    .unwrap();
    let updated = world.run(&["update", "--global", "--yes"]);
    assert_eq!(updated.code, 0, "{}", updated.transcript());
    let place = world.environment.home().join(".claude/skills/pdf");
    assert!(fs::symlink_metadata(&place).unwrap().is_symlink());
    assert!(
        fs::read_to_string(place.join("SKILL.md"))
            .unwrap()
            .contains("Newer")
    );
    assert_eq!(world.run(&["verify", "--global"]).code, 0);
}

/// Runs the command as a user whom permissions stop.
fn run_as_nobody(world: &World, arguments: &[&str]) -> Option<std::process::Output> {
    use std::os::unix::fs::MetadataExt;
    use std::os::unix::process::CommandExt;

    let mut command = world.environment.command(arguments);
    command.env("PATH", world.path_variable());
    if fs::metadata(world.project(".")).unwrap().uid() == 0 {
        let top = world.at("");
        let chown = Command::new("chown")
            .args(["-R", "65534:65534"])
            .arg(&top)
            .status();
        if !chown.is_ok_and(|status| status.success()) {
            return None;
        }
        command.uid(65_534).gid(65_534);
    }
    command.output().ok()
}

#[test]
fn a_directory_that_cannot_be_written_changes_nothing() {
    let world = World::with_two();
    let lock = world.lock();
    world.skill("repo", "pdf", "\nNewer.\n");
    world.commit("repo");
    let skills = world.project(".agents/skills");
    fs::set_permissions(&skills, fs::Permissions::from_mode(0o555)).unwrap();
    let output = run_as_nobody(&world, &["update", "--yes"]);
    fs::set_permissions(&skills, fs::Permissions::from_mode(0o755)).unwrap();
    let Some(output) = output else {
        return;
    };
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(errors.contains("Permission denied"), "{errors}");
    assert!(!world.installed("pdf").contains("Newer"));
    assert_eq!(world.lock(), lock);
}

#[test]
fn a_full_disk_changes_nothing() {
    let world = World::with_two();
    let lock = world.lock();
    world.skill("repo", "pdf", "\nNewer.\n");
    world.write(
        "repo/skills/pdf/data.txt",
        "0123456789abcde\n".repeat(64 * 1024),
    );
    world.commit("repo");
    // No file may become larger than half a mebibyte: what a quota says, and a disk that fills up.
    let limited = format!(
        "trap '' XFSZ; ulimit -f 1024; exec '{}' update pdf --yes",
        env!("CARGO_BIN_EXE_skillful")
    );
    let output = Command::new("sh")
        .args(["-c", &limited])
        .env_clear()
        .env("PATH", world.path_variable())
        .env("HOME", world.environment.home())
        .env("SKILLFUL_HOME", world.environment.home())
        .current_dir(world.environment.project())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        said.contains("too large") || said.contains("too big"),
        "{said}"
    );
    assert!(!world.installed("pdf").contains("Newer"));
    assert_eq!(world.lock(), lock);
    let staging = world
        .environment
        .home()
        .join(".local/share/skillful/staging");
    assert_eq!(
        fs::read_dir(staging).unwrap().count(),
        0,
        "nothing is left lying about"
    );
    assert_eq!(world.run(&["update", "--yes"]).code, 0);
    assert_eq!(world.verify().code, 0);
}

/// Whoever only asks needs no place that can be written.
#[test]
fn a_home_that_cannot_be_written_is_asked_all_the_same() {
    let world = World::with_two();
    world.skill("repo", "pdf", "\nNewer.\n");
    world.commit("repo");
    let staging = world.at("home/.local/share/skillful/staging");
    fs::remove_dir_all(&staging).unwrap();
    fs::write(&staging, "no directory").unwrap();
    assert_eq!(
        world.kinds(),
        [json!(["notes", "current"]), json!(["pdf", "update"])]
    );
    assert_eq!(world.run(&["history"]).code, 0);
    assert_eq!(world.run(&["update", "--yes"]).code, 1);
}
