//! The Skills extension, rule by rule (SEP-2640).

use std::fs;

use rmcp::model::{
    GetSkillRequestParams, ReadResourceRequestParams, ResourceContents, Skill, SkillResources,
    sha256_digest,
};
use serde_json::json;
use skillful_server::limits;

use crate::world::{Client, World, error};

async fn listed(client: &Client) -> Vec<Skill> {
    client.list_all_skills().await.unwrap()
}

async fn bytes(client: &Client, uri: &str) -> Vec<u8> {
    let result = client
        .read_resource(ReadResourceRequestParams::new(uri))
        .await
        .unwrap();
    match result.contents.into_iter().next().unwrap() {
        ResourceContents::TextResourceContents { text, .. } => text.into_bytes(),
        ResourceContents::BlobResourceContents { blob, .. } => {
            use base64::Engine;
            base64::engine::general_purpose::STANDARD
                .decode(blob)
                .unwrap()
        }
        other => panic!("{other:?}"),
    }
}

/// A host verifies size and digest of every file that it reads.
#[tokio::test]
async fn every_file_of_an_entry_is_what_is_read() {
    let world = World::with_greet();
    world.write("greet/assets/dot.bin", [0, 1, 255]);
    world.write(
        "greet/nested/SKILL.md",
        "---\nname: nested\ndescription: Nested.\n---\n",
    );
    world.write("greet/.hidden", "nobody's business\n");
    let client = world.present().await;
    let skills = listed(&client).await;
    assert_eq!(skills.len(), 1);
    let SkillResources::Files(files) = &skills[0].resources else {
        panic!("dynamic")
    };
    let uris: Vec<&str> = files.iter().map(|file| &*file.uri).collect();
    assert_eq!(
        uris,
        [
            "skill://greet/SKILL.md",
            "skill://greet/assets/dot.bin",
            "skill://greet/nested/SKILL.md",
            "skill://greet/references/words.md",
        ]
    );
    for file in files {
        file.verify(&bytes(&client, &file.uri).await).unwrap();
    }
}

/// Every field that the author wrote, identical in content, and values as any reader of YAML has them.
#[tokio::test]
async fn the_frontmatter_is_whole() {
    let world = World::new();
    world.write(
        "typed/SKILL.md",
        "---\nname: typed\ndescription: |\n  Two\n  lines. Use when asked.\nversion: 1.10\ncount: 7\nflag: true\nnothing: ~\n\
         quoted: \"1.10\"\nlist: [a, 2]\nmetadata:\n  deep: {x: [y]}\nx-unknown: kept\n---\nText.\n",
    );
    let client = world.present().await;
    let skills = listed(&client).await;
    assert_eq!(
        serde_json::to_value(&skills[0].frontmatter).unwrap(),
        json!({
            "name": "typed", "description": "Two\nlines. Use when asked.\n", "version": 1.1, "count": 7, "flag": true,
            "nothing": null, "quoted": "1.10", "list": ["a", 2], "metadata": {"deep": {"x": ["y"]}}, "x-unknown": "kept",
        })
    );
}

/// `skills/get` answers for every skill that is served, and -32602 for what is none.
#[tokio::test]
async fn one_skill_is_got_by_its_address_alone() {
    let world = World::with_greet();
    world.write(
        "greet/nested/SKILL.md",
        "---\nname: nested\ndescription: Nested.\n---\n",
    );
    let client = world.present().await;
    let get = |uri: &str| client.get_skill(GetSkillRequestParams::new(uri));
    let got = get("skill://greet/SKILL.md").await.unwrap();
    assert_eq!(got.skill, listed(&client).await[0]);
    for uri in [
        "skill://nobody/SKILL.md",
        "skill://greet/nested/SKILL.md",
        "skill://greet/references/words.md",
        "skill://greet",
        "https://example.com/SKILL.md",
    ] {
        assert_eq!(error(get(uri).await).code.0, -32602, "{uri}");
    }
}

/// Every result says how long it holds and for whom.
#[tokio::test]
async fn results_say_how_long_they_hold() {
    let world = World::with_greet();
    let client = world.present().await;
    let list = client.list_skills(None).await.unwrap();
    let got = client
        .get_skill(GetSkillRequestParams::new("skill://greet/SKILL.md"))
        .await
        .unwrap();
    assert_eq!(list.ttl_ms, Some(limits::MCP_TTL_MS));
    assert!(list.cache_scope.is_some() && got.ttl_ms.is_some() && got.cache_scope.is_some());
    assert!(list.result_type.is_some() && got.result_type.is_some());
}

/// A host finds out a change by the digest; the entry and the file agree again at once, whether a watcher told or not.
#[tokio::test]
async fn a_change_shows_at_once_in_both() {
    let world = World::with_greet();
    let client = world.present().await;
    let before = listed(&client).await;
    let path = world.root().join("greet/references/words.md");
    fs::write(&path, "Good evening\n").unwrap();
    let get = GetSkillRequestParams::new("skill://greet/SKILL.md");
    let after = client.get_skill(get).await.unwrap().skill;
    assert_ne!(before[0], after);
    let SkillResources::Files(files) = after.resources else {
        panic!("dynamic")
    };
    let words = files
        .iter()
        .find(|file| file.uri.ends_with("words.md"))
        .unwrap();
    assert_eq!(words.digest, sha256_digest(b"Good evening\n"));
    words.verify(&bytes(&client, &words.uri).await).unwrap();
}

/// While somebody writes all the time, an answer is consistent or an error.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_in_motion_gives_no_false_entry() {
    let world = World::with_greet();
    let client = world.present().await;
    let path = world.root().join("greet/SKILL.md");
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let text = |number: usize| {
        format!(
            "---\nname: greet\ndescription: Version {number}. Use when asked.\n---\nText {number}.\n"
        )
    };
    fs::write(&path, text(0)).unwrap();
    let writing = {
        let (path, stop) = (path.clone(), std::sync::Arc::clone(&stop));
        std::thread::spawn(move || {
            let mut number = 0;
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                number += 1;
                let staged = path.with_extension("new");
                fs::write(&staged, text(number)).unwrap();
                fs::rename(&staged, &path).unwrap();
            }
        })
    };
    for _ in 0..50 {
        let get = GetSkillRequestParams::new("skill://greet/SKILL.md");
        let Ok(got) = client.get_skill(get).await else {
            continue;
        };
        let said = &got.skill.frontmatter.description;
        let number: usize = said
            .split(['n', ' ', '.'])
            .find_map(|it| it.parse().ok())
            .unwrap();
        let SkillResources::Files(files) = &got.skill.resources else {
            panic!("dynamic")
        };
        let own = files
            .iter()
            .find(|file| file.uri.ends_with("/SKILL.md"))
            .unwrap();
        assert_eq!(own.digest, sha256_digest(text(number).as_bytes()));
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    writing.join().unwrap();
}

/// Servers should not exceed 512 files and 16 MiB: such a skill is not listed, and still answered for.
#[tokio::test]
async fn a_skill_over_the_limits_is_not_listed_and_can_be_got() {
    let world = World::with_greet();
    world.skill("large");
    for number in 0..limits::MCP_SKILL_FILES {
        world.write(&format!("large/files/{number:03}.txt"), "x");
    }
    let client = world.present().await;
    let skills = listed(&client).await;
    let names: Vec<&str> = skills.iter().map(Skill::name).collect();
    assert_eq!(names, ["greet"]);
    let get = GetSkillRequestParams::new("skill://large/SKILL.md");
    let SkillResources::Files(files) = client.get_skill(get).await.unwrap().skill.resources else {
        panic!("dynamic")
    };
    assert_eq!(files.len(), limits::MCP_SKILL_FILES + 1);
}

/// What hosts could not read, or would read otherwise, has no entry; the reason is told, and the resource is there.
#[tokio::test]
async fn what_hosts_cannot_check_has_no_entry_and_a_reason() {
    let world = World::with_greet();
    for (name, text, reason) in [
        (
            "upper",
            "---\nname: Upper Case\ndescription: Has capitals. Use when asked.\n---\nx\n",
            "name",
        ),
        (
            "toml",
            "+++\nname = \"toml\"\ndescription = \"Is TOML. Use when asked.\"\n+++\nx\n",
            "TOML",
        ),
        (
            "colon",
            "---\nname: colon\ndescription: Use when: asked\n---\nx\n",
            "skillful fix",
        ),
        (
            "bare",
            "---\nname: bare\n---\nIt has no description.\n",
            "description",
        ),
    ] {
        world.write(&format!("{name}/SKILL.md"), text);
        let client = world.present().await;
        let skills = listed(&client).await;
        let names: Vec<&str> = skills.iter().map(Skill::name).collect();
        assert_eq!(names, ["greet"], "{name}");
        let id = if name == "upper" { "upper-case" } else { name };
        let uri = format!("skill://{id}/SKILL.md");
        let refused = error(client.get_skill(GetSkillRequestParams::new(&*uri)).await);
        assert_eq!(refused.code.0, -32602);
        assert!(refused.message.contains(reason), "{}", refused.message);
        assert_eq!(bytes(&client, &uri).await, text.as_bytes(), "{name}");
        fs::remove_dir_all(world.root().join(name)).unwrap();
    }
}

/// Withheld, switched off, for people alone: not in the list that a host may show its model.
#[tokio::test]
async fn what_a_model_may_not_choose_is_not_listed() {
    let world = World::with_greet();
    world.write(
        "deploy/SKILL.md",
        "---\nname: deploy\ndescription: Deploys. Use when asked.\ndisable-model-invocation: true\n---\nGo.\n",
    );
    let client = world.present().await;
    let skills = listed(&client).await;
    assert_eq!(skills.len(), 1);
    // A person may still bring it up by its address.
    let get = GetSkillRequestParams::new("skill://deploy/SKILL.md");
    assert_eq!(client.get_skill(get).await.unwrap().skill.name(), "deploy");
}

/// An entry is never split, and all pages together are the list.
#[tokio::test]
async fn pages_together_are_the_list() {
    let world = World::new();
    let count = limits::MCP_SKILLS_PAGE + 7;
    for number in 0..count {
        world.skill(&format!("skill-{number:03}"));
    }
    let client = world.client().await;
    let first = client.list_skills(None).await.unwrap();
    assert_eq!(first.skills.len(), limits::MCP_SKILLS_PAGE);
    assert!(first.next_cursor.is_some());
    assert_eq!(listed(&client).await.len(), count);
}
