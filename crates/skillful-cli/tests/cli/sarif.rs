//! Logs against the schema of the standard: SARIF 2.1.0 (OASIS), as it is published.

use serde_json::Value;

use crate::environment::Environment;
use crate::python::run_with_module;

const SCHEMA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/sarif-2.1.0.json");

/// Prints a line for each place that the schema does not allow. Formats count, such as that of addresses.
const SCRIPT: &str = r#"
import json, sys
import jsonschema, rfc3986_validator
schema, log = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
checker = jsonschema.Draft7Validator.FORMAT_CHECKER
for error in jsonschema.Draft7Validator(schema, format_checker=checker).iter_errors(log):
    print(error.json_path, error.message[:300].replace("\n", " "))
"#;

/// Fails with every place that the schema does not allow, where the Python package for that is installed.
#[track_caller]
pub(crate) fn assert_valid(log: &Value) {
    let faults = faults(log).unwrap_or_default();
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Nothing where the Python package is not installed.
fn faults(log: &Value) -> Option<Vec<String>> {
    let file = tempfile::NamedTempFile::new().unwrap();
    serde_json::to_writer(&file, log).unwrap();
    let path = file.path().to_str().unwrap();
    let printed = run_with_module("jsonschema, rfc3986_validator", SCRIPT, &[SCHEMA, path])?;
    Some(printed.lines().map(str::to_owned).collect())
}

#[test]
fn the_schema_is_heeded() {
    let faulty = serde_json::json!({"version": "2.1.0", "runs": [{"tool": {}}]});
    let Some(found) = faults(&faulty) else {
        return;
    };
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("driver"), "{found:?}");
    let uri = serde_json::json!({
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "x"}},
            "artifacts": [{"location": {"uri": "a b"}}],
        }],
    });
    assert_eq!(faults(&uri).map(|found| found.len()), Some(1));
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
    // What changes how a file is written, not its text, has no replacement, and the standard asks for one at least.
    let results = log["runs"][0]["results"].as_array().unwrap().iter();
    for fix in results.filter_map(|result| result.get("fixes")) {
        let replacements = &fix[0]["artifactChanges"][0]["replacements"];
        assert!(!replacements.as_array().unwrap().is_empty(), "{fix}");
    }
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
