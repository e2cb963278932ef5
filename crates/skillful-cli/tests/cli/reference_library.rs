//! `skillful check` beside the reference library of the Agent Skills standard (`skills-ref`).
//!
//! Each case states our verdict. Where the library is installed, its verdict must be the same, but for the cases that
//! are marked with the reason why it is wrong; `docs/compatibility.md` tells users the same.

use std::collections::BTreeMap;

use crate::environment::Environment;
use crate::python;

#[derive(Clone)]
struct Case {
    directory: &'static str,
    file: &'static str,
    text: String,
    valid: bool,
    /// Why the reference library says the opposite.
    differs: Option<&'static str>,
}

fn case(directory: &'static str, valid: bool, text: impl Into<String>) -> Case {
    Case {
        directory,
        file: "SKILL.md",
        text: text.into(),
        valid,
        differs: None,
    }
}

impl Case {
    fn named(mut self, file: &'static str) -> Self {
        self.file = file;
        self
    }

    fn differs(mut self, reason: &'static str) -> Self {
        self.differs = Some(reason);
        self
    }
}

fn with(lines: &str) -> String {
    format!("---\n{lines}\n---\n\nBody.\n")
}

fn named(name: &str) -> String {
    with(&format!("name: {name}\ndescription: Does it."))
}

const FLOW: &str = "it refuses flow style, which is YAML";
const FENCE: &str = "it looks for `---` anywhere, clients for a line";
const TAB: &str = "it refuses tabs that YAML allows";
const NULL: &str = "it reads the word where YAML has nothing";
const ANCHOR: &str = "it refuses anchors and tags, which are YAML";

fn cases() -> Vec<Case> {
    [
        files_and_fences(),
        yaml(),
        more_yaml(),
        names(),
        descriptions(),
        optional_fields(),
    ]
    .concat()
}

fn files_and_fences() -> Vec<Case> {
    vec![
        case("plain", true, named("plain")),
        case("lower-file", true, named("lower-file")).named("skill.md"),
        case("mixed-file", false, named("mixed-file")).named("Skill.md"),
        case("upper-ending", false, named("upper-ending")).named("SKILL.MD"),
        case("crlf", true, named("crlf").replace('\n', "\r\n")),
        case("mark", false, format!("\u{FEFF}{}", named("mark"))),
        case("blank-first", false, format!("\n{}", named("blank-first"))),
        case("space-first", false, format!(" {}", named("space-first"))),
        case(
            "comment-first",
            false,
            format!("<!-- x -->\n{}", named("comment-first")),
        ),
        case(
            "no-newline",
            true,
            "---\nname: no-newline\ndescription: d\n---",
        ),
        case("no-body", true, "---\nname: no-body\ndescription: d\n---\n"),
        case("unclosed", false, "---\nname: unclosed\ndescription: d\n"),
        case("dots", false, "---\nname: dots\ndescription: d\n...\n"),
        case("four", false, "----\nname: four\ndescription: d\n----\n"),
        case("none", false, "# Title\n\nText\n"),
        case("empty-file", false, ""),
        case("empty-front", false, "---\n---\nBody\n"),
        case("comment-only", false, "---\n# c\n---\nBody\n"),
        case("scalar-front", false, "---\njust text\n---\nBody\n"),
        case("list-front", false, "---\n- a\n---\nBody\n"),
        case(
            "toml",
            false,
            "+++\nname = \"toml\"\ndescription = \"d\"\n+++\n",
        ),
        case(
            "dashes-inside",
            true,
            with("name: dashes-inside\ndescription: a --- b"),
        ),
        case(
            "rule-in-body",
            true,
            named("rule-in-body") + "\n---\n\nMore.\n",
        ),
    ]
}

fn yaml() -> Vec<Case> {
    vec![
        case(
            "duplicate",
            false,
            with("name: duplicate\nname: duplicate\ndescription: d"),
        ),
        case(
            "colon",
            false,
            with("name: colon\ndescription: Use this: when"),
        ),
        case("reserved", false, with("name: reserved\ndescription: @x")),
        case("star", false, with("name: star\ndescription: **x** y")),
        case(
            "tabs",
            false,
            with("name: tabs\ndescription: d\nmetadata:\n\ta: b"),
        ),
        case(
            "quote-open",
            false,
            with("name: quote-open\ndescription: \"d"),
        ),
        case(
            "after-quote",
            false,
            with("name: after-quote\ndescription: \"d\" e"),
        ),
        case(
            "stray",
            false,
            with("name: stray\ndescription: d\nmore text here"),
        ),
        case(
            "comments",
            true,
            with("# c\nname: comments # x\ndescription: d"),
        ),
        case("block", true, with("name: block\ndescription: |\n  a\n  b")),
        case(
            "folded",
            true,
            with("name: folded\ndescription: >-\n  a\n  b"),
        ),
        case(
            "quoted",
            true,
            with("name: 'quoted'\ndescription: \"a: b\""),
        ),
        case(
            "flow-list",
            true,
            with("name: flow-list\ndescription: d\nallowed-tools: [Read]"),
        )
        .differs(FLOW),
        case(
            "flow-map",
            true,
            with("name: flow-map\ndescription: d\nmetadata: {a: b}"),
        )
        .differs(FLOW),
        case(
            "json",
            true,
            with("name: json\ndescription: d\nmetadata: {\"x\":{\"y\":[1]}}"),
        )
        .differs(FLOW),
        case(
            "anchor",
            true,
            with("name: anchor\ndescription: d\nmetadata:\n  a: &x v\n  b: *x"),
        )
        .differs(ANCHOR),
        case("tag", true, with("name: tag\ndescription: !!str d")).differs(ANCHOR),
    ]
}

fn more_yaml() -> Vec<Case> {
    vec![
        case("cr", true, named("cr").replace('\n', "\r")),
        case(
            "opener-comment",
            false,
            named("opener-comment").replacen("---\n", "--- # c\n", 1),
        )
        .differs(FENCE),
        case(
            "opener-glued",
            false,
            named("opener-glued").replacen("---\n", "---", 1),
        )
        .differs(FENCE),
        case(
            "closer-indented",
            false,
            named("closer-indented").replace("\n---\n", "\n    ---\n"),
        )
        .differs(FENCE),
        case(
            "merge",
            true,
            with("name: merge\ndescription: d\nmetadata:\n  <<: x"),
        )
        .differs(ANCHOR),
        case(
            "tab-between",
            true,
            with("name:\ttab-between\ndescription: d"),
        )
        .differs(TAB),
        case(
            "null-text",
            false,
            with("name: null-text\ndescription: null"),
        )
        .differs(NULL),
        case("tilde", false, with("name: tilde\ndescription: ~")).differs(NULL),
    ]
}

fn names() -> Vec<Case> {
    let long_name: &'static str =
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    let too_long: &'static str =
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    vec![
        case(long_name, true, named(long_name)),
        case(too_long, false, named(too_long)),
        case("other", false, named("another")),
        case("Upper", false, named("Upper")),
        case("under_score", false, named("under_score")),
        case("a.b", false, named("a.b")),
        case("-edge", false, named("-edge")),
        case("edge-", false, named("edge-")),
        case("a--b", false, named("a--b")),
        case("a b", false, named("a b")),
        case("1", true, named("1")),
        case("true", true, named("true")),
        case("技能", true, named("技能")),
        case("мой-навык", true, named("мой-навык")),
        case("НАВЫК", false, named("НАВЫК")),
        case("straße", true, named("straße")),
        case("हिन्दी", false, named("हिन्दी")),
        case("x²", true, named("x²")),
        case("٣", true, named("٣")),
        case("ⅳ", true, named("ⅳ")),
        case("e\u{301}", true, named("\u{e9}")),
        case("a–b", false, named("a–b")),
        case("😀", false, named("😀")),
        case("missing-name", false, with("description: d")),
        case("null-name", false, with("name:\ndescription: d")),
        case("list-name", false, with("name:\n  - a\ndescription: d")),
        case("spaced", true, with("name: \" spaced \"\ndescription: d")),
    ]
}

fn descriptions() -> Vec<Case> {
    vec![
        case("no-description", false, with("name: no-description")),
        case(
            "blank-description",
            false,
            with("name: blank-description\ndescription: \"  \""),
        ),
        case(
            "null-description",
            false,
            with("name: null-description\ndescription:"),
        ),
        case(
            "list-description",
            false,
            with("name: list-description\ndescription:\n  - a"),
        ),
        case(
            "d-1024",
            true,
            with(&format!("name: d-1024\ndescription: {}", "é".repeat(1024))),
        ),
        case(
            "d-1025",
            false,
            with(&format!("name: d-1025\ndescription: {}", "é".repeat(1025))),
        ),
        case(
            "d-blank",
            false,
            with(&format!(
                "name: d-blank\ndescription: \"{} \"",
                "d".repeat(1024)
            )),
        ),
    ]
}

fn optional_fields() -> Vec<Case> {
    vec![
        case(
            "c-500",
            true,
            with(&format!(
                "name: c-500\ndescription: d\ncompatibility: {}",
                "c".repeat(500)
            )),
        ),
        case(
            "c-501",
            false,
            with(&format!(
                "name: c-501\ndescription: d\ncompatibility: {}",
                "c".repeat(501)
            )),
        ),
        case(
            "c-empty",
            true,
            with("name: c-empty\ndescription: d\ncompatibility: \"\""),
        ),
        case(
            "c-map",
            false,
            with("name: c-map\ndescription: d\ncompatibility:\n  a: b"),
        ),
        case(
            "all-six",
            true,
            with(
                "name: all-six\ndescription: d\nlicense: MIT\ncompatibility: c\nallowed-tools: Read\nmetadata:\n  a: b",
            ),
        ),
        case(
            "unknown",
            false,
            with("name: unknown\ndescription: d\nversion: 1.0"),
        ),
        case(
            "snake",
            false,
            with("name: snake\ndescription: d\nallowed_tools: Read"),
        ),
        case("capital", false, with("Name: capital\ndescription: d")),
        case(
            "tools-list",
            true,
            with("name: tools-list\ndescription: d\nallowed-tools:\n  - Read"),
        ),
        case(
            "metadata-text",
            true,
            with("name: metadata-text\ndescription: d\nmetadata: x"),
        ),
        case(
            "metadata-list",
            true,
            with("name: metadata-list\ndescription: d\nmetadata:\n  - x"),
        ),
        case(
            "metadata-nested",
            true,
            with("name: metadata-nested\ndescription: d\nmetadata:\n  a:\n    b: c"),
        ),
        case(
            "license-list",
            true,
            with("name: license-list\ndescription: d\nlicense:\n  - MIT"),
        ),
    ]
}

/// Prints a line `directory TAB True|False` for each skill, as the library judges it; `crash` where it raises.
const VALIDATE: &str = r"
import pathlib, sys
from skills_ref import validate
for directory in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    try:
        verdict = str(not validate(directory))
    except Exception:
        verdict = 'crash'
    print(directory.name, verdict, sep='\t')
";

#[test]
fn verdicts_are_those_of_the_reference_library() {
    let environment = Environment::new();
    let cases = cases();
    for case in &cases {
        environment.write(
            &format!("cases/{}/{}", case.directory, case.file),
            &case.text,
        );
    }
    let mut ours = BTreeMap::new();
    for case in &cases {
        let path = format!("cases/{}", case.directory);
        let run = environment.run(&["check", "--format", "json", &path]);
        let report = run.json();
        let skill = &report["skills"][0];
        assert_eq!(skill["valid"], case.valid, "{}: {skill:#}", case.directory);
        assert_eq!(run.code, i32::from(!case.valid), "{}", case.directory);
        ours.insert(case.directory, case.valid);
    }
    let root = environment.project().join("cases");
    let Some(output) = python::run_with_module("skills_ref", VALIDATE, &[&root.to_string_lossy()])
    else {
        return;
    };
    let theirs: BTreeMap<&str, &str> = output
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .collect();
    assert_eq!(theirs.len(), cases.len());
    for case in &cases {
        let agrees = theirs[case.directory] == if case.valid { "True" } else { "False" };
        assert_eq!(
            agrees,
            case.differs.is_none(),
            "{}: the library says {}; ours is {}",
            case.directory,
            theirs[case.directory],
            case.valid
        );
    }
}

#[test]
fn bytes_that_crash_the_reference_library_are_an_error() {
    let environment = Environment::new();
    environment.write(
        "bytes/SKILL.md",
        b"---\nname: bytes\ndescription: \xFF\n---\n",
    );
    environment.write(
        "bell/SKILL.md",
        "---\nname: bell\ndescription: a\u{7}b\n---\n",
    );
    for (directory, code) in [("bytes", "not-utf8"), ("bell", "yaml-control-character")] {
        let run = environment.run(&["check", "--format", "json", directory]);
        let report = run.json();
        assert_eq!(run.code, 1);
        assert_eq!(report["skills"][0]["diagnostics"][0]["code"], code);
    }
}

const TO_PROMPT: &str = r"
import pathlib, sys
from skills_ref import to_prompt
print(to_prompt([pathlib.Path(path) for path in sys.argv[1:]]))
";

#[test]
fn the_catalog_is_that_of_the_reference_library() {
    let environment = Environment::new();
    environment.skill("skills/plain");
    environment.write(
        "skills/escapes/SKILL.md",
        "---\nname: escapes\ndescription: \"<b> & 'x' \\\"y\\\" > z\"\n---\n",
    );
    environment.write(
        "skills/block/SKILL.md",
        "---\nname: block\ndescription: |\n  One & two.\n\n  Three.\nlicense: MIT\n---\n",
    );
    environment.write(
        "skills/folded/SKILL.md",
        "---\nname: \" folded \"\ndescription: >\n  One\n  two.\n---\nBody --- here\n",
    );
    environment.write(
        "skills/lower/skill.md",
        "---\nname: n\u{e4}me\ndescription: 1.0\n---\n",
    );
    let paths = ["plain", "escapes", "block", "folded", "lower"]
        .map(|name| environment.project().join("skills").join(name))
        .map(|path| path.to_string_lossy().into_owned());
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();

    for count in [0, 1, paths.len()] {
        let mut arguments = vec!["prompt", "--as", "agentskills"];
        if count == 0 {
            arguments.extend(["--root", "empty"]);
            std::fs::create_dir_all(environment.project().join("empty")).unwrap();
        }
        arguments.extend(&paths[..count]);
        let ours = environment.command(&arguments).output().unwrap();
        let ours = String::from_utf8(ours.stdout).unwrap();
        assert!(ours.starts_with("<available_skills>\n"), "{ours}");
        assert_eq!(ours.matches("<skill>").count(), count);
        if let Some(theirs) = python::run_with_module("skills_ref", TO_PROMPT, &paths[..count]) {
            assert_eq!(ours, theirs);
        }
    }
}
