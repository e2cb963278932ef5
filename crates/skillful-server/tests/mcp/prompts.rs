//! Prompts: skills that people bring up by name.

use rmcp::model::{ArgumentInfo, CompleteRequestParams, GetPromptRequestParams, Reference};
use serde_json::{Value, json};

use crate::world::{Client, World, error};

async fn said(client: &Client, name: &str, arguments: Value) -> String {
    let Value::Object(arguments) = arguments else {
        panic!("arguments are an object")
    };
    let params = GetPromptRequestParams::new(name).with_arguments(arguments);
    let result = client.get_prompt(params).await.unwrap();
    result.messages[0].content.as_text().unwrap().text.clone()
}

#[tokio::test]
async fn a_prompt_is_the_skill_with_its_arguments() {
    let world = World::with_greet();
    world.write(
        "move/SKILL.md",
        "---\nname: move\ndescription: Moves a file. Use when asked.\narguments: [from, to]\n---\nMove $from to $to.\n",
    );
    world.write(
        "inner/SKILL.md",
        "---\nname: inner\ndescription: For models. Use when asked.\nuser-invocable: false\n---\nHush.\n",
    );
    let client = world.client().await;
    let prompts = client.list_all_prompts().await.unwrap();
    let names: Vec<&str> = prompts.iter().map(|prompt| &*prompt.name).collect();
    assert_eq!(names, ["greet", "move"]);
    let arguments = prompts[1].arguments.as_ref().unwrap();
    let arguments: Vec<&str> = arguments.iter().map(|argument| &*argument.name).collect();
    assert_eq!(arguments, ["from", "to"]);
    let greeting = said(&client, "greet", json!({"arguments": "Ann and Bob"})).await;
    assert!(greeting.contains("Say hello to Ann and Bob."));
    let moved = said(&client, "move", json!({"from": "a file", "to": "b"})).await;
    assert!(moved.contains("Move a file to b."), "{moved}");
    let half = said(&client, "move", json!({"to": "b"})).await;
    assert!(half.contains("Move  to b."), "{half}");
    for (name, arguments) in [
        ("inner", json!({})),
        ("none", json!({})),
        ("move", json!({"x": "y"})),
    ] {
        let params = GetPromptRequestParams::new(name)
            .with_arguments(arguments.as_object().unwrap().clone());
        assert_eq!(
            error(client.get_prompt(params).await).code.0,
            -32602,
            "{name}"
        );
    }
}

#[tokio::test]
async fn words_of_an_argument_are_completed_from_its_hint() {
    let world = World::with_greet();
    let client = world.client().await;
    let asked = CompleteRequestParams::new(
        Reference::for_prompt("greet"),
        ArgumentInfo::new("arguments", "f"),
    );
    assert_eq!(
        client.complete(asked).await.unwrap().completion.values,
        ["formal"]
    );
}
