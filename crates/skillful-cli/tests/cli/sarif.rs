//! Logs against the schema of the standard: SARIF 2.1.0 (OASIS), as it is published.

use serde_json::Value;

use crate::environment::Environment;

const SCHEMA: &str = include_str!("../data/sarif-2.1.0.json");

/// Fails with every place that the schema does not allow, formats such as that of addresses included.
#[track_caller]
pub(crate) fn assert_valid(log: &Value) {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .unwrap();
    let faults: Vec<String> = validator
        .iter_errors(log)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn the_schema_is_heeded() {
    let faulty = serde_json::json!({"version": "2.1.0", "runs": [{"tool": {}}]});
    let caught = std::panic::catch_unwind(|| assert_valid(&faulty));
    assert!(caught.is_err());
}

#[test]
fn check_gives_a_valid_log() {
    let environment = Environment::new();
    environment.write(
        "a b/SKILL.md",
        "---\nname: A\ndescription: Use when: x\nversion: 1.0\n---\n",
    );
    environment.write("empty/SKILL.md", "");
    environment.write("utf16/SKILL.md", [0xFF, 0xFE, b'-', 0]);
    environment.write("no-end/SKILL.md", "---\nname: \"x\n");
    let log = environment.run(&["check", "--format", "sarif", "."]).json();
    assert!(log["runs"][0]["results"].as_array().unwrap().len() > 5);
    assert_valid(&log);
    let path = environment.project();
    let log = environment.run(&["check", "--format", "sarif", path.to_str().unwrap()]);
    assert_valid(&log.json());
    environment.skill("fine");
    assert_valid(
        &environment
            .run(&["check", "--format", "sarif", "fine"])
            .json(),
    );
}
