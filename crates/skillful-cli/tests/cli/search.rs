//! `search`, `match` and `test`: what a request finds and what a message brings up.

use insta::assert_snapshot;

use crate::environment::{Environment, skill_text};

fn library() -> Environment {
    let environment = Environment::new();
    let skills = [
        (
            "pdf-forms",
            "description: Fills in PDF forms. Use when a form is to be completed.\ntriggers: [fill this form]\n",
        ),
        (
            "charts",
            "description: Draws charts from tables of numbers.\nmax_tool_rounds: 8\n",
        ),
        (
            "nightly-report",
            "description: Writes the report of the night.\ntriggers: [\"schedule:nightly\"]\n",
        ),
        (
            "rust-style",
            "description: House rules for Rust.\npaths: [\"src/**/*.rs\"]\n",
        ),
        (
            "hidden",
            "description: Draws charts, too.\nscope: disabled\n",
        ),
    ];
    for (name, rest) in skills {
        let text = format!("---\nname: {name}\n{rest}---\n\n# {name}\n\nDo it.\n");
        environment.write(&format!(".claude/skills/{name}/SKILL.md"), text);
    }
    environment
}

fn ids(document: &serde_json::Value, list: &str) -> Vec<String> {
    let entries = document[list].as_array().unwrap();
    entries
        .iter()
        .map(|entry| entry["id"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn search_ranks_and_explains() {
    let environment = library();
    assert_snapshot!(
        environment
            .run(&["search", "draw", "a", "plot"])
            .transcript()
    );
    let found = environment
        .run(&["search", "fill in a from", "--json"])
        .json();
    assert_eq!(found["version"], 1);
    assert_eq!(ids(&found, "results")[0], "pdf-forms");
    for field in ["score", "name", "description"] {
        assert!(!found["results"][0][field].is_null(), "{field}");
    }
    let run = environment.run(&["search", "numbrs in a diagram", "--explain", "--limit", "1"]);
    assert!(run.stdout.contains("number (for numbrs)"), "{}", run.stdout);
}

#[test]
fn search_finds_only_what_is_ready() {
    let environment = library();
    let found = environment.run(&["search", "hidden", "--json"]).json();
    assert!(
        !ids(&found, "results").contains(&"hidden".to_owned()),
        "{found}"
    );
    assert!(
        ids(
            &environment.run(&["search", "qqqqqq", "--json"]).json(),
            "results"
        )
        .is_empty()
    );
}

#[test]
fn queries_may_begin_with_a_hyphen() {
    let run = library().run(&["search", "-rf charts", "--json"]);
    assert_eq!(ids(&run.json(), "results"), ["charts"]);
}

#[test]
fn match_tells_what_comes_up_and_why() {
    let environment = library();
    assert_snapshot!(
        environment
            .run(&[
                "match",
                "/charts, then fill this form",
                "--path",
                "src/a/b.rs"
            ])
            .transcript()
    );
    assert_snapshot!(
        environment
            .run(&[
                "match",
                "/charts now, and fill this form",
                "--path",
                "src/a/b.rs"
            ])
            .transcript()
    );
    let found = environment.run(&["match", "/charts now", "--json"]).json();
    assert_eq!(found["max_tool_rounds"], 8);
    assert_eq!(found["matches"][0]["kind"], "command");
    let named = environment
        .run(&["match", "", "--skill", "hidden", "--json"])
        .json();
    assert!(
        ids(&named, "matches").is_empty(),
        "a skill that is off is not brought up"
    );
    let fired = environment
        .run(&["match", "go", "--schedule", "nightly", "--json"])
        .json();
    assert_eq!(ids(&fired, "matches"), ["nightly-report"]);
    assert!(fired["max_tool_rounds"].is_null());
    let limited = environment
        .run(&["match", "/charts", "--rounds", "5", "--json"])
        .json();
    assert!(limited["max_tool_rounds"].is_null());
    let ambient = environment
        .run(&["match", "hello", "--ambient", "--json"])
        .json();
    assert_eq!(
        ids(&ambient, "matches"),
        ["charts", "rust-style", "writing-skills"]
    );
}

#[test]
fn nothing_comes_up_unasked() {
    assert_snapshot!(library().run(&["match", "hello there"]).transcript());
}

#[test]
fn rows_are_kept_or_broken() {
    let environment = library();
    environment.write(
        ".claude/skills/charts/tests/retrieval.md",
        "| prompt | must be offered | must not be offered |\n|---|---|---|\n\
         | draw a chart | charts | pdf-forms |\n\
         | fill in a form | charts | pdf-forms |\n\
         | something | nobody | |\n\
         | a | b | c | d |\n",
    );
    let run = environment.run(&["test"]);
    assert_eq!(run.code, 1);
    assert_snapshot!(run.transcript());
    let tested = environment
        .run(&["test", ".claude/skills/charts", "--json"])
        .json();
    assert_eq!(tested["summary"]["failed"], 2);
    assert_eq!(tested["summary"]["problems"], 1);
    assert_eq!(tested["files"][0]["rows"][0]["passed"], true);
    assert_eq!(tested["files"][0]["rows"][1]["line"], 4);
    assert_eq!(
        tested["files"][0]["rows"][1]["outranked_by"][0]["id"],
        "pdf-forms"
    );
}

#[test]
fn a_skill_that_is_named_takes_the_place_of_the_installed_one() {
    let environment = library();
    environment.write(
        "draft/charts/SKILL.md",
        skill_text("charts").replace("Does charts", "Paints histograms"),
    );
    environment.write("draft/charts/tests/retrieval.txt", "paint a histogram\n");
    let run = environment.run(&["test", "draft/charts"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert_eq!(environment.run(&["test", "no-such"]).code, 2);
    let none = environment.run(&["test", ".claude/skills/charts"]);
    assert_eq!(none.code, 1);
    assert!(
        none.stderr.contains("tests/retrieval.md"),
        "{}",
        none.stderr
    );
}

#[test]
fn the_bundled_skill_keeps_its_own_promises() {
    let skill = concat!(env!("CARGO_MANIFEST_DIR"), "/../../skills/writing-skills");
    let run = Environment::new().run(&["test", skill]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
}
