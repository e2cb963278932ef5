use super::*;

#[test]
fn every_argument_is_described_and_no_other_is_taken() {
    for tool in definitions(true) {
        let name = &tool.name;
        let schema = Value::Object((*tool.input_schema).clone());
        assert_eq!(schema["type"], "object", "{name}");
        assert_eq!(schema["additionalProperties"], false, "{name}");
        let properties = schema["properties"].as_object().unwrap();
        for (argument, about) in properties {
            let description = about["description"].as_str().unwrap_or_default();
            assert!(!description.is_empty(), "{name}.{argument}");
            assert!(about["type"].is_string(), "{name}.{argument}: {about}");
        }
        let text = schema.to_string();
        for word in ["$ref", "anyOf", "oneOf", "\"null\"", "$schema"] {
            assert!(!text.contains(word), "{name}: {word} in {text}");
        }
    }
}

#[test]
fn every_tool_says_what_it_is_and_what_it_does_to_the_world() {
    for tool in definitions(true) {
        let name = &tool.name;
        assert!(name.starts_with("skill_"));
        assert!(tool.title.is_some(), "{name}");
        let description = tool.description.unwrap();
        assert!(
            (100..2048).contains(&description.len()),
            "{name}: {}",
            description.len()
        );
        let hints = tool.annotations.unwrap();
        assert!(
            hints.read_only_hint.is_some() && hints.open_world_hint.is_some(),
            "{name}"
        );
    }
    assert!(
        definitions(false)
            .iter()
            .all(|tool| tool.annotations.as_ref().unwrap().read_only_hint == Some(true))
    );
}

#[test]
fn a_slip_in_the_arguments_is_told_with_the_way_out() {
    let tool = named("skill_read", false).unwrap();
    let arguments = serde_json::json!({"skill": "a"});
    let Value::Object(arguments) = arguments else {
        unreachable!()
    };
    let Err(failure) = tool.parse(arguments) else {
        panic!("it was taken")
    };
    assert!(
        failure.message.contains("unknown field `skill`"),
        "{failure}"
    );
    assert!(failure.hints[0].contains("skill_id"));
}
