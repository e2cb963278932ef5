//! What `fmt` writes must be read by other YAML readers to the same strings.

use crate::environment::Environment;
use crate::python;

/// Descriptions that YAML 1.1 and 1.2 readers, or careless writers, get wrong.
const TEXTS: &[&str] = &[
    "plain words",
    "Use when: a colon",
    "ends with colon:",
    "hash #1 and # two",
    "yes",
    "No",
    "on",
    "null",
    "~",
    "true",
    "1.10",
    "0o14",
    "014",
    "1_000",
    "12:30:45",
    "2026-01-01",
    "1e3",
    ".inf",
    "=",
    "<<",
    "@reserved",
    "`tick`",
    "%percent",
    "*star*",
    "&and",
    "!bang",
    "- dash",
    "? mark",
    "[list]",
    "{map}",
    "'single'",
    "\"double\"",
    "back\\slash",
    "  leading",
    "trailing  ",
    "line\nbreak",
    "para\n\ngraph\n",
    "tab\there",
    "nel\u{85}x",
    "nbsp\u{a0}",
    "ls\u{2028}x",
    "bom\u{feff}x",
    "中文：说明",
    "emoji 😀",
    "---",
    "a --- b",
];

/// Prints the description that `PyYAML` reads from each file, as a JSON string on a line.
const READ: &str = r"
import json, sys, yaml
for path in sys.argv[1:]:
    text = open(path, encoding='utf-8', newline='').read()
    block = text[4:text.index('\n---\n', 3) + 1]
    print(json.dumps(yaml.safe_load(block)['description']))
";

#[test]
fn pyyaml_reads_what_fmt_writes() {
    let environment = Environment::new();
    let mut paths = Vec::new();
    for (index, text) in TEXTS.iter().enumerate() {
        let quoted = serde_json::to_string(text).unwrap();
        let source = format!("---\nversion: 1\ndescription: {quoted}\nname: n{index}\n---\nBody\n");
        let path = environment.write(&format!("n{index}/SKILL.md"), source);
        paths.push(path.to_string_lossy().into_owned());
    }
    let run = environment.run(&["fmt", "."]);
    assert_eq!(run.code, 0, "{}", run.transcript());
    for path in &paths {
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.starts_with("---\nname: "), "{text}");
    }
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let Some(output) = python::run_with_module("yaml", READ, &paths) else {
        return;
    };
    assert_eq!(output.lines().count(), TEXTS.len());
    for (text, line) in TEXTS.iter().zip(output.lines()) {
        assert_eq!(
            serde_json::from_str::<String>(line).ok().as_deref(),
            Some(*text)
        );
    }
}
