//! What others may install from here.

use sha2::{Digest, Sha256};
use skillful_server::http::Offered;

use crate::server::Home;

/// The SHA-256 of some bytes, as hexadecimal digits.
struct HexDigest<'a>(&'a [u8]);

impl std::fmt::LowerHex for HexDigest<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Sha256::digest(self.0)
            .iter()
            .try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

const INDEX: &str = "/.well-known/agent-skills/index.json";

#[test]
fn the_users_own_skills_are_offered_as_they_are() {
    let home = Home::with_demo();
    home.skill("single", "Is one file. Use when asked.");
    home.write(
        "home/.claude/skills/broken/SKILL.md",
        "---\nname: broken\n---\nText.\n",
    );
    let server = home.serve();
    let index = server.json(INDEX);
    assert_eq!(
        index["$schema"],
        "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
    );
    let skills = index["skills"].as_array().unwrap();
    let names: Vec<&str> = skills
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["demo", "single"],
        "neither what cannot be used nor what came with the program"
    );
    assert_eq!(
        (&skills[0]["type"], &skills[1]["type"]),
        (&"archive".into(), &"skill-md".into())
    );
    for skill in skills {
        let url = format!(
            "/.well-known/agent-skills/{}",
            skill["url"].as_str().unwrap()
        );
        let artifact = server.get(&url);
        let hex = format!("{:x}", HexDigest(&artifact.body));
        assert_eq!(skill["digest"], format!("sha256:{hex}"));
        assert_eq!(
            server.get(&url).body,
            artifact.body,
            "the same files, the same bytes"
        );
    }
    let old = server.json("/.well-known/skills/index.json");
    assert_eq!(
        old["skills"][0]["files"],
        serde_json::json!(["SKILL.md", "notes/tone.md"])
    );
    let file = server.get("/.well-known/skills/demo/notes/tone.md");
    assert_eq!(file.body, b"Be kind.\n");
    assert_eq!(server.get("/.well-known/skills/demo/other.md").status, 404);

    // What changed since has another address.
    let url = format!(
        "/.well-known/agent-skills/{}",
        skills[1]["url"].as_str().unwrap()
    );
    home.skill("single", "Is another file. Use when asked.");
    crate::server::until(|| (server.get(&url).status == 404).then_some(()));
}

#[test]
fn the_operator_says_what_is_offered() {
    let home = Home::with_demo();
    let count = |offered| {
        let server = home.serve_with(|options| options.offered = offered);
        server.json(INDEX)["skills"].as_array().unwrap().len()
    };
    assert_eq!(count(Offered::Nothing), 0);
    assert_eq!(count(Offered::Own), 1);
    assert_eq!(count(Offered::All), 2);
}
