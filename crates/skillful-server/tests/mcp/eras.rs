//! Both eras of the protocol give the same.

use rmcp::model::{ProtocolVersion, ReadResourceRequestParams};
use serde_json::json;
use skillful_server::mcp::McpOptions;

use crate::world::{Silent, World, call, connect, error, text};

#[tokio::test]
async fn both_eras_give_the_same_tools_and_answers() {
    let world = World::with_greet();
    let (old, new) = (world.client().await, world.present().await);
    let tools = old.list_all_tools().await.unwrap();
    assert_eq!(tools, new.list_all_tools().await.unwrap());
    let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(
        names,
        [
            "skill_search",
            "skill_list",
            "skill_read",
            "skill_status",
            "skill_match"
        ]
    );
    let asked = json!({"skill_id": "greet", "arguments": "Ann"});
    let answers = [
        call(&old, "skill_read", asked.clone()).await,
        call(&new, "skill_read", asked).await,
    ];
    assert!(text(&answers[0]).contains("Say hello to Ann."));
    assert_eq!(text(&answers[0]), text(&answers[1]));
}

#[tokio::test]
async fn an_older_client_learns_all_about_the_server_from_its_first_answer() {
    let world = World::with_greet();
    let client = world.client().await;
    let info = client.peer_info().unwrap();
    assert!(info.protocol_version < ProtocolVersion::V_2026_07_28);
    let capabilities = serde_json::to_value(&info.capabilities).unwrap();
    assert_eq!(
        capabilities["extensions"]["io.modelcontextprotocol/skills"],
        json!({"directoryRead": true})
    );
    assert_eq!(
        capabilities["resources"],
        json!({"subscribe": true, "listChanged": true})
    );
    assert_eq!(capabilities["prompts"], json!({"listChanged": true}));
    assert_eq!(capabilities["tools"], json!({}), "tools never change");
    let instructions = info.instructions.clone().unwrap();
    assert!(instructions.contains("skill_search") && !instructions.contains("greet"));
}

#[tokio::test]
async fn what_is_not_there_has_the_code_of_its_era() {
    let world = World::with_greet();
    let params = || ReadResourceRequestParams::new("skill://nobody/SKILL.md");
    let old = error(world.client().await.read_resource(params()).await);
    assert_eq!(old.code.0, -32002);
    let new = error(world.present().await.read_resource(params()).await);
    assert_eq!(new.code.0, -32602);
    assert!(new.message.contains("no skill `nobody`"));
}

#[tokio::test]
async fn instructions_carry_the_catalog_where_that_is_wanted() {
    let world = World::with_greet();
    let options = McpOptions {
        instructions: true,
        ..McpOptions::default()
    };
    let client = connect(world.server(options), Silent).await;
    let instructions = client.peer_info().unwrap().instructions.clone().unwrap();
    assert!(instructions.contains("greet") && instructions.contains("Greets people."));
    assert!(instructions.contains("skill_read"));
}

#[tokio::test]
async fn a_catalog_of_very_many_skills_stays_within_its_room() {
    let world = World::new();
    for number in 0..400 {
        world.skill(&format!("skill-{number}"));
    }
    let options = McpOptions {
        instructions: true,
        ..McpOptions::default()
    };
    let client = connect(world.server(options), Silent).await;
    let instructions = client.peer_info().unwrap().instructions.clone().unwrap();
    let room = skillful_server::limits::MCP_CATALOG_CHARACTERS;
    assert!(instructions.chars().count() < room + 1_000);
}
