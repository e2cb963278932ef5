use proptest::prelude::*;

use super::*;
use crate::config::{Kind, Layer, Level};

fn key(text: &str) -> KeyPath {
    text.parse().unwrap()
}

fn put(text: &str, path: &str, value: &str) -> String {
    let path = key(path);
    let kind = crate::config::schema::find(&path).map_or(Kind::Any, |spec| spec.kind);
    set(text, &path, &Value::from_text(kind, value).unwrap()).unwrap()
}

fn without(text: &str, path: &str) -> Option<String> {
    unset(text, &key(path)).unwrap()
}

const FILE: &str = "# mine\n\n[skills.b]  # the best\nmode   =  'pinned'   # always\n\n# limits\n[catalog]\nmax-skills = 20\n";

#[test]
fn a_value_is_replaced_and_all_else_stays() {
    assert_eq!(
        put(FILE, "skills.b.mode", "auto"),
        FILE.replace("'pinned'", "\"auto\"")
    );
    assert_eq!(
        put(FILE, "catalog.max-skills", "7"),
        FILE.replace("20", "7")
    );
}

#[test]
fn a_new_key_comes_into_its_table() {
    assert_eq!(
        put(FILE, "skills.b.enabled", "false"),
        FILE.replace("# always\n", "# always\nenabled = false\n")
    );
    assert_eq!(
        put(FILE, "catalog.max-tokens", "900"),
        format!("{FILE}max-tokens = 900\n")
    );
}

#[test]
fn a_new_table_comes_beside_its_kin_or_at_the_end() {
    assert_eq!(
        put("", "skills.pdf-forms.enabled", "false"),
        "[skills.pdf-forms]\nenabled = false\n"
    );
    assert_eq!(
        put(FILE, "permissions.grants", "a,b"),
        format!("{FILE}\n[permissions]\ngrants = [\"a\", \"b\"]\n")
    );
    assert_eq!(
        put(
            "[catalog]\nmax-skills = 1\n",
            "skills.\"p:x\".agents.codex.mode",
            "pinned"
        ),
        "[catalog]\nmax-skills = 1\n\n[skills.\"p:x\".agents.codex]\nmode = \"pinned\"\n"
    );
}

#[test]
fn another_spelling_of_the_id_is_the_same_skill() {
    let text = "[skills.PDF_Forms]\nenabled = true\n";
    let changed = put(text, "skills.pdf-forms.enabled", "false");
    assert_eq!(changed, "[skills.PDF_Forms]\nenabled = false\n");
    assert_eq!(without(&changed, "skills.pdf-forms.enabled").unwrap(), "");
    assert_eq!(
        given(text, &key("skills.pdf-forms.enabled")).as_deref(),
        Some("true")
    );
}

#[test]
fn inline_and_dotted_tables_stay_what_they_are() {
    assert_eq!(
        put(
            "skills = { a = { mode = 'auto' } }\n",
            "skills.b.enabled",
            "false"
        ),
        "skills = { a = { mode = 'auto' } , b = { enabled = false } }\n"
    );
    assert_eq!(
        put("catalog.max-skills = 1 # few\n", "catalog.max-skills", "2"),
        "catalog.max-skills = 2 # few\n"
    );
    assert_eq!(
        without(
            "skills = { a = { mode = 'auto' }, b = { enabled = false } }\n",
            "skills.b.enabled"
        )
        .unwrap(),
        "skills = { a = { mode = 'auto' }}\n"
    );
    assert_eq!(
        without("# x\ncatalog.max-skills = 1 # few\n", "catalog.max-skills").unwrap(),
        "# x\n"
    );
}

#[test]
fn taking_out_leaves_comments_and_other_entries() {
    assert_eq!(
        without(FILE, "catalog.max-skills").unwrap(),
        FILE.replace("[catalog]\nmax-skills = 20\n", "")
    );
    let text =
        "[skills.a]\n# because\nenabled = false\n[skills.b]\nenabled = false\nmode = 'auto'\n";
    assert_eq!(
        without(text, "skills.a.enabled").unwrap(),
        text.replacen("enabled = false\n", "", 1)
    );
    assert_eq!(without(text, "skills.c.enabled"), None);
    assert_eq!(without(text, "skills.a.enabled.x"), None);
    assert_eq!(
        without(text, "skills.b").unwrap(),
        "[skills.a]\n# because\nenabled = false\n"
    );
    assert_eq!(without(text, "skills").unwrap(), "# because\n");
    let lists = "[catalog]\nmax-skills = 1\n[permissions]\ngrants = [\n  'a', # one\n  'b',\n]\n";
    assert_eq!(
        without(lists, "permissions.grants").unwrap(),
        "[catalog]\nmax-skills = 1\n"
    );
}

#[test]
fn line_ends_stay() {
    let text = FILE.replace('\n', "\r\n");
    let changed = put(&text, "skills.x.mode", "pinned");
    assert_eq!(
        changed,
        text.replace(
            "# always\r\n",
            "# always\r\n\r\n[skills.x]\r\nmode = \"pinned\"\r\n"
        )
    );
    assert_eq!(
        changed.matches('\n').count(),
        changed.matches("\r\n").count()
    );
    assert_eq!(
        without(&changed, "skills.b.mode").unwrap(),
        changed.replace(
            "[skills.b]  # the best\r\nmode   =  'pinned'   # always\r\n",
            ""
        )
    );
}

#[test]
fn what_cannot_be_changed_is_told() {
    let set_mode = |text| set(text, &key("skills.a.mode"), &Value::Flag(true)).unwrap_err();
    assert!(
        set_mode("[skills\n").to_string().starts_with("1:8: "),
        "{}",
        set_mode("[skills\n")
    );
    assert_eq!(
        set_mode("skills = 1\n").to_string(),
        "`skills` is not a table in the file"
    );
    assert_eq!(
        set_mode("[skills]\na = []\n").to_string(),
        "`skills.a` is not a table in the file"
    );
    assert!(matches!(
        set_mode("[skills.a.mode]\nx = 1\n"),
        EditError::IsTable { .. }
    ));
    assert!(unset("[skills\n", &key("skills")).is_err());
    assert_eq!(given("[skills\n", &key("skills.a.mode")), None);
    assert_eq!(given("[skills.a]\n", &key("skills.a")), None);
}

/// Files of every form of table, with comments.
fn files() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("# a comment\n".to_owned()),
        Just("\n".to_owned()),
        (0..3_usize).prop_map(|id| format!("[skills.s{id}]  # head\n")),
        (0..3_usize).prop_map(|id| format!("[skills.s{id}.agents.x]\n")),
        Just("enabled = false # why\n".to_owned()),
        Just("mode = 'pinned'\n".to_owned()),
        Just("[catalog]\nmax-skills = 3\n".to_owned()),
        Just("skills.dotted.mode = 'auto'\n".to_owned()),
        Just("[values.deep]\nlist = [\n 1, # one\n]\n".to_owned()),
    ];
    prop::collection::vec(line, 0..12)
        .prop_map(|lines| lines.concat())
        .prop_filter("TOML", |text| Document::parse(text.as_str()).is_ok())
}

fn said(text: &str) -> Vec<(KeyPath, Value)> {
    let layer = Layer::read(Level::User, std::path::Path::new("f"), text);
    layer
        .settings
        .into_iter()
        .map(|(path, setting)| (path, setting.value))
        .collect()
}

fn comments(text: &str) -> Vec<&str> {
    let mut lines: Vec<_> = text.lines().filter(|line| line.starts_with('#')).collect();
    lines.sort_unstable();
    lines
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn setting_sets_that_key_alone(text in files(), id in 0..4_usize, flag: bool) {
        let path = key(&format!("skills.s{id}.enabled"));
        let value = Value::Flag(flag);
        let Ok(changed) = set(&text, &path, &value) else {
            return Ok(());
        };
        let mut expected: std::collections::BTreeMap<_, _> = said(&text).into_iter().collect();
        expected.insert(path.clone(), value.clone());
        prop_assert_eq!(said(&changed), expected.into_iter().collect::<Vec<_>>(), "{}", changed);
        prop_assert_eq!(comments(&changed), comments(&text));
        prop_assert_eq!(set(&changed, &path, &value).unwrap(), changed, "twice is once");
    }

    #[test]
    fn taking_out_takes_that_key_alone(text in files(), id in 0..3_usize, whole: bool) {
        let path = key(&if whole { format!("skills.s{id}") } else { format!("skills.s{id}.enabled") });
        let before = said(&text);
        let expected: Vec<_> = before.into_iter().filter(|(key, _)| !key.is_within(&path)).collect();
        let changed = unset(&text, &path).unwrap().unwrap_or_else(|| text.clone());
        prop_assert_eq!(said(&changed), expected, "{}", changed);
        prop_assert_eq!(comments(&changed), comments(&text));
    }

    #[test]
    fn no_text_makes_it_panic(text in "[\\[\\]a-c.='\"\\n\\r# {}]{0,40}") {
        let path = key("a.b");
        let _ = set(&text, &path, &Value::Count(1));
        let _ = unset(&text, &path);
        let _ = given(&text, &path);
        let _ = Layer::read(Level::Project, std::path::Path::new("f"), &text);
    }
}
