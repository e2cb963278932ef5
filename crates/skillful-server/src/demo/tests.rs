use std::collections::BTreeMap;

use super::*;
use crate::Engine;
use crate::operations::ListQuery;

#[test]
fn there_is_a_skill_in_every_state_and_it_goes_when_dropped() {
    let demo = Demo::make().unwrap();
    let home = demo.home().to_owned();
    let engine = Engine::start(Settings {
        watch: false,
        ..demo.settings()
    });
    let list = engine.list(&ListQuery::default()).unwrap().value;
    let mut states: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for skill in list["skills"].as_array().unwrap() {
        let (state, id) = (
            skill["state"].as_str().unwrap(),
            skill["id"].as_str().unwrap(),
        );
        states.entry(state).or_default().push(id);
    }
    let expected = [
        "archived",
        "broken",
        "disabled",
        "ineligible",
        "ready",
        "shadowed",
        "withheld",
    ];
    assert_eq!(
        states.keys().copied().collect::<Vec<_>>(),
        expected,
        "{states:#?}"
    );
    assert!(states["withheld"].contains(&"fast-answers"), "{states:#?}");
    let verdicts = |word| {
        list["skills"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|it| it["verdict"] == word)
            .count()
    };
    assert!(verdicts("caution") + verdicts("dangerous") >= 2, "{list:#}");

    let history = engine.history(None, 10, None).unwrap().value;
    assert_eq!(history["entries"].as_array().unwrap().len(), 3);
    let usage = engine.usage("unit-tests", 30).unwrap().value;
    assert!(usage["days"].as_array().unwrap().len() > 10);

    drop(engine);
    drop(demo);
    assert!(!home.exists());
}
