//! `fmt`, `fix` and `convert`: what is written, and what is left alone.

use std::fs;

use insta::assert_snapshot;

use crate::environment::{Environment, skill_text};

const MIXED: &str = "---\n# who it is for\nversion: 1.0\ndescription: 'Fills forms.'   # short\nmetadata: {b: 1, a: x}\nname: forms\n---\n\nBody  \n";

#[test]
fn fmt_brings_the_canonical_form_and_is_idempotent() {
    let environment = Environment::new();
    let path = environment.write("forms/SKILL.md", MIXED);
    let before = environment.run(&["fmt", "--check", "forms"]);
    assert_snapshot!(before.transcript());
    assert_eq!(fs::read_to_string(&path).unwrap(), MIXED);
    assert_eq!(environment.run(&["fmt", "forms"]).code, 0);
    let formatted = fs::read_to_string(&path).unwrap();
    assert_snapshot!(formatted);
    assert_eq!(environment.run(&["fmt", "--check", "forms"]).code, 0);
    let through_a_pipe = environment.run_with_input(&["fmt", "--stdin"], MIXED.as_bytes());
    assert_eq!(through_a_pipe.stdout, formatted);
}

#[test]
fn fmt_skips_what_it_cannot_read_and_goes_on() {
    let environment = Environment::new();
    environment.write("bytes/SKILL.md", b"---\nname: \xFF\n---\n");
    let path = environment.write("forms/SKILL.md", MIXED);
    let run = environment.run(&["fmt", "."]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("skipped"), "{}", run.stdout);
    assert_ne!(fs::read_to_string(path).unwrap(), MIXED);
}

const FAULTY: &str = "\u{FEFF}---\r\nname: forms\r\ndescription: Use when: a form is given\r\nlicense: @me\r\n---\r\n\r\nBody\r\n";

#[test]
fn fix_shows_a_diff_and_touches_nothing_else() {
    let environment = Environment::new();
    let path = environment.write("forms/SKILL.md", FAULTY);
    let dry = environment.run(&["fix", "--dry-run", "forms"]);
    assert_snapshot!(dry.transcript().replace('\r', "<CR>"));
    assert_eq!(fs::read_to_string(&path).unwrap(), FAULTY);
    let run = environment.run(&["fix", "forms"]);
    assert_snapshot!(run.transcript());
    let fixed = fs::read_to_string(&path).unwrap();
    assert_eq!(
        fixed,
        "---\r\nname: forms\r\ndescription: \"Use when: a form is given\"\r\nlicense: \"@me\"\r\n---\r\n\r\nBody\r\n"
    );
    let again = environment.run(&["fix", "--json", "forms"]).json();
    assert_eq!(again["files"][0]["applied"], serde_json::json!([]));
}

#[test]
fn fix_can_be_narrowed_to_one_code() {
    let environment = Environment::new();
    let path = environment.write("forms/SKILL.md", FAULTY);
    environment.run(&["fix", "--code", "yaml-unquoted-colon", "forms"]);
    let fixed = fs::read_to_string(path).unwrap();
    assert!(fixed.starts_with('\u{FEFF}'), "the mark has another code");
    assert!(fixed.contains("\"Use when: a form is given\""));
    assert!(fixed.contains("license: @me"));
    assert_eq!(environment.run(&["fix", "--code", "odd", "forms"]).code, 2);
}

#[test]
fn what_is_mended_reads_as_before() {
    let environment = Environment::new();
    environment.write("forms/SKILL.md", FAULTY);
    let value = |key: &str| {
        let show = environment
            .run(&["show", "forms", "--root", ".", "--json"])
            .json();
        show["frontmatter"][key].clone()
    };
    let before = (value("name"), value("description"), value("license"));
    environment.run(&["fix", "forms"]);
    assert_eq!(
        (value("name"), value("description"), value("license")),
        before
    );
    assert_eq!(before.1, "Use when: a form is given");
}

#[cfg(unix)]
#[test]
fn one_file_that_cannot_be_written_keeps_no_other_from_it() {
    use std::os::unix::fs::symlink;
    let environment = Environment::new();
    let real = environment.write("skills/real.txt", MIXED);
    fs::create_dir_all(environment.project().join("skills/a")).unwrap();
    symlink(&real, environment.project().join("skills/a/SKILL.md")).unwrap();
    let other = environment.write("skills/b/SKILL.md", MIXED);
    let run = environment.run(&["fmt", "skills", "--json"]);
    assert_eq!(run.code, 1);
    let report = run.json();
    assert_eq!(report["skipped"][0]["path"], "skills/a/SKILL.md");
    assert_eq!(report["changed"], serde_json::json!(["skills/b/SKILL.md"]));
    assert_ne!(fs::read_to_string(other).unwrap(), MIXED);
    assert_eq!(fs::read_to_string(real).unwrap(), MIXED);
}

#[test]
fn standard_input_is_mended_to_standard_output() {
    let environment = Environment::new();
    let text = "---\nname: a\ndescription: Use when: x\n---\nBody\n";
    let run = environment.run_with_input(&["fix", "-"], text.as_bytes());
    assert_eq!(run.stdout, text.replace("Use when: x", "\"Use when: x\""));
    let formatted = environment.run_with_input(&["fmt", "-"], text.as_bytes());
    assert_eq!(formatted.stdout, run.stdout);
    assert_eq!(environment.run(&["fix", "-", "other"]).code, 2);
}

#[cfg(unix)]
#[test]
fn links_are_not_written_through_and_modes_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let environment = Environment::new();
    let real = environment.write("real.md", MIXED);
    fs::create_dir_all(environment.project().join("forms")).unwrap();
    symlink(&real, environment.project().join("forms/SKILL.md")).unwrap();
    let run = environment.run(&["fmt", "forms"]);
    assert_eq!(run.code, 1);
    assert_eq!(fs::read_to_string(&real).unwrap(), MIXED);
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(environment.run(&["fmt", "real.md"]).code, 0);
    let mode = fs::metadata(&real).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn yaml_and_toml_convert_into_each_other() {
    let environment = Environment::new();
    let greet = environment.write(
        "greet.md",
        "+++\nname = \"greet\"\ndescription = \"Says hello. Use when greeted.\"\ntriggers = [\"command:hello\"]\nmax_tool_rounds = 3\n\n[requires]\ntools = [\"speak\"]\n+++\n\nSay hello.\n",
    );
    let yaml = environment.run(&["convert", "--to", "yaml", "greet.md"]);
    assert_snapshot!(yaml.transcript());
    fs::write(environment.project().join("as-yaml.md"), &yaml.stdout).unwrap();
    let back = environment.run(&["convert", "--to", "toml", "as-yaml.md"]);
    assert_eq!(back.stdout, fs::read_to_string(greet).unwrap());
}

#[test]
fn publishing_leaves_six_keys() {
    let environment = Environment::new();
    environment.write(
        "forms/SKILL.md",
        "---\nname: forms\ndescription: Fills forms. Use when one is given.\nversion: 1.10\ntags: [a, b]\nargument-hint: FILE\n---\n\nDo it.\n",
    );
    assert_snapshot!(
        environment
            .run(&["convert", "--to", "publish", "forms"])
            .transcript()
    );
    assert_eq!(
        environment
            .run(&["convert", "--to", "publish", "--write", "forms"])
            .code,
        0
    );
    let check = environment.run(&["check", "forms"]);
    assert_eq!(check.code, 0, "{}", check.transcript());
}

#[test]
fn convert_overwrites_nothing() {
    let environment = Environment::new();
    environment.write("forms/SKILL.md", skill_text("forms"));
    environment.write("there.md", "precious");
    let run = environment.run(&["convert", "--to", "toml", "forms", "--output", "there.md"]);
    assert_eq!(run.code, 1);
    let there = environment.project().join("there.md");
    assert_eq!(fs::read_to_string(there).unwrap(), "precious");
    let stray = environment.write("stray/SKILL.md", "---\n**name**: a\n---\n");
    let run = environment.run(&["convert", "--to", "toml", &stray.to_string_lossy()]);
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (1, ""),
        "nothing was converted"
    );
    let none = environment.write("none/SKILL.md", "# No frontmatter\n");
    let run = environment.run(&["convert", "--to", "toml", &none.to_string_lossy()]);
    assert_eq!(run.code, 1);
}

#[test]
fn a_diff_of_an_absolute_path_has_one_slash_behind_its_prefix() {
    let environment = Environment::new();
    let path = environment.write("forms/SKILL.md", FAULTY);
    let run = environment.run(&["fix", "--dry-run", path.to_str().unwrap()]);
    // The root is a path with a slash in front.
    let header = "--- a[ROOT]/project/forms/SKILL.md\n+++ b[ROOT]/project/forms/SKILL.md\n";
    assert!(run.stdout.starts_with(header), "{}", run.stdout);
}

#[test]
fn a_converted_file_has_one_kind_of_line_end() {
    let environment = Environment::new();
    let path = environment.write(
        "forms/SKILL.md",
        "---\r\nname: forms\r\n---\r\n\r\nBody\r\n",
    );
    for (to, expected) in [
        ("toml", "+++\nname = \"forms\"\n+++\n\nBody\n"),
        ("yaml", "---\nname: forms\n---\n\nBody\n"),
        ("publish", "---\nname: forms\n---\n\nBody\n"),
    ] {
        environment.run(&["convert", "--to", to, "--write", "forms"]);
        assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    }
}

#[test]
fn files_that_were_written_and_left_alone_are_told_as_json() {
    let environment = Environment::new();
    environment.write("bytes/SKILL.md", b"---\nname: \xFF\n---\n");
    environment.write("forms/SKILL.md", FAULTY);
    for (verb, expected) in [
        (
            "fix",
            serde_json::json!({"version": 1, "files": [
                {"path": "./bytes/SKILL.md", "skipped": "the file is not UTF-8: byte 10 cannot be read"},
                {"path": "./forms/SKILL.md", "applied": [
                    {"code": "byte-order-mark", "title": "write the file without the mark"},
                    {"code": "yaml-unquoted-colon", "title": "put the value in quotes"},
                    {"code": "yaml-reserved-character", "title": "put the value in quotes"},
                ], "remaining": []},
            ], "written": true}),
        ),
        (
            "fmt",
            serde_json::json!({"version": 1, "files": 2, "changed": ["./forms/SKILL.md"], "skipped": [
                {"path": "./bytes/SKILL.md", "reason": "the file is not UTF-8: byte 10 cannot be read"},
            ], "written": true}),
        ),
    ] {
        assert_eq!(environment.run(&[verb, "--json", "."]).json(), expected);
    }
}
