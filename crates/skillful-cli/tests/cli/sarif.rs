//! Logs against the schema of the standard: SARIF 2.1.0 (OASIS), as it is published.

use serde_json::Value;

use crate::environment::Environment;

const SCHEMA: &str = include_str!("../data/sarif-2.1.0.json");

/// Fails with every place that the schema does not allow, formats such as that of addresses included.
#[track_caller]
pub(crate) fn assert_valid(log: &Value) {
    let faults = faults(log);
    assert!(faults.is_empty(), "{faults:#?}");
}

fn faults(log: &Value) -> Vec<String> {
    let mut schema: Value = serde_json::from_str(SCHEMA).unwrap();
    // The published pattern for languages has a bracket too many, which a strict reader refuses.
    for place in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][place]["properties"]["language"];
        if let Some(language) = language.as_object_mut() {
            language.remove("pattern");
        }
    }
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .unwrap();
    validator
        .iter_errors(log)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

#[test]
fn the_schema_is_heeded() {
    let faulty = serde_json::json!({"version": "2.1.0", "runs": [{"tool": {}}]});
    let found = faults(&faulty);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("driver"), "{found:?}");
    let uri = serde_json::json!({
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "x"}},
            "artifacts": [{"location": {"uri": "a b"}}],
        }],
    });
    assert_eq!(faults(&uri).len(), 1);
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
    let run = environment.run(&["check", "--format", "sarif", path.to_str().unwrap()]);
    let log = serde_json::from_str(&run.stdout.replace("[ROOT]", "/r")).unwrap();
    assert_valid(&log);
    environment.skill("fine");
    assert_valid(
        &environment
            .run(&["check", "--format", "sarif", "fine"])
            .json(),
    );
}
