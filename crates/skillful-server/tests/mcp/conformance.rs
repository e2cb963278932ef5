//! The protocol's own conformance suite, where it is installed: every scenario that asks nothing of a server but the
//! protocol is passed, and the documentation says of every other one why it cannot be asked.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use crate::http::serve;
use crate::world::World;

/// The scenarios that apply.
const PASSED: [&str; 6] = [
    "dns-rebinding-protection",
    "ping",
    "prompts-list",
    "resources-list",
    "server-initialize",
    "tools-list",
];

/// The program of the suite. `SKILLFUL_NODE_MODULES` names the directory that it is installed in.
#[expect(clippy::print_stderr, reason = "a test that is skipped says why")]
fn suite() -> Option<PathBuf> {
    let modules = std::env::var_os("SKILLFUL_NODE_MODULES").map(PathBuf::from);
    let program =
        modules.map(|modules| modules.join("@modelcontextprotocol/conformance/dist/index.js"));
    let found = program.filter(|program| program.exists());
    if found.is_none() {
        eprintln!("skipped: @modelcontextprotocol/conformance is not installed");
    }
    found
}

fn run(program: &PathBuf, arguments: &[&str]) -> (bool, String) {
    let output = Command::new("node")
        .arg(program)
        .args(arguments)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.success(),
        String::from_utf8_lossy(&text).into_owned(),
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn every_scenario_that_applies_is_passed() {
    let Some(program) = suite() else {
        return;
    };
    let world = World::with_greet();
    let address = serve(&world).await;
    let url = format!("http://{address}/mcp");
    for scenario in PASSED {
        let (passed, told) = run(&program, &["server", "--url", &url, "--scenario", scenario]);
        assert!(passed, "{scenario}: {told}");
    }
}

/// The list in the documentation is that of the suite.
#[test]
fn every_other_scenario_is_listed_with_its_reason() {
    let page = include_str!("../../../../docs/mcp.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let listed: BTreeSet<&str> = rows
        .filter_map(|row| row.split_once('`'))
        .map(|(name, _)| name)
        .collect();
    for scenario in PASSED {
        assert!(
            listed.contains(scenario),
            "{scenario} is not in docs/mcp.md"
        );
    }
    let Some(program) = suite() else {
        return;
    };
    let (_, told) = run(&program, &["list"]);
    let servers = told.split("Client scenarios").next().unwrap();
    let scenarios = servers
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- "));
    for scenario in scenarios {
        assert!(
            listed.contains(scenario),
            "{scenario} is not in docs/mcp.md"
        );
    }
}
