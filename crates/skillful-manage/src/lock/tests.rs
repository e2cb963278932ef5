use proptest::prelude::*;

use super::*;

fn locked(id: &str) -> LockedSkill {
    LockedSkill {
        id: id.to_owned(),
        source: "github.com/o/r/skills/x#main".to_owned(),
        resolved: Resolved {
            address: "https://github.com/o/r".to_owned(),
            path: "skills/x".to_owned(),
            commit: Some("0123456789".repeat(4)),
            ..Resolved::default()
        },
        digest: "sha256:00".to_owned(),
        files: vec![
            LockedFile {
                path: "run \"me\".sh".to_owned(),
                size: 7,
                sha256: "ab".to_owned(),
                executable: true,
            },
            LockedFile {
                path: "SKILL.md".to_owned(),
                size: 12,
                sha256: "cd".to_owned(),
                executable: false,
            },
        ],
        targets: vec![LockedTarget {
            path: ".agents/skills/x".to_owned(),
            client: Some("universal".to_owned()),
            method: Method::Copy,
        }],
        license: Some("MIT".to_owned()),
        ..LockedSkill::default()
    }
}

#[test]
fn a_lock_is_sorted_and_has_a_line_for_each_file() {
    let mut lock = Lock::default();
    lock.insert(locked("zeta"));
    lock.insert(locked("alpha"));
    let text = lock.to_text();
    insta::assert_snapshot!(text);
    let again = Lock::parse(&text).unwrap();
    assert_eq!(again.to_text(), text);
    assert_eq!(again.get("zeta").unwrap().files.len(), 2);
    let (owner, _) = again.owner_of(".agents/skills/x").unwrap();
    assert_eq!(owner.id, "alpha");
    assert!(again.owner_of(".agents/skills").is_none());
}

#[test]
fn an_empty_lock_is_read_again() {
    let text = Lock::default().to_text();
    assert!(Lock::parse(&text).unwrap().is_empty());
}

#[test]
fn what_is_not_known_is_kept() {
    let text = "version = 1\ngenerator = \"other\"\n\n[[skill]]\nid = \"a\"\nsource = \"s\"\naddress = \"d\"\n\
        digest = \"sha256:1\"\nsigner = \"ann\"\n\n[skill.note]\nof = 1\n\n[[skill]]\nid = \"b\"\nsource = \"s\"\n\
        address = \"d\"\ndigest = \"sha256:2\"\n\n[policy]\nstrict = true\n";
    let mut lock = Lock::parse(text).unwrap();
    lock.insert(locked("a"));
    let text = lock.to_text();
    for kept in [
        "generator = \"other\"",
        "signer = \"ann\"",
        "of = 1",
        "strict = true",
    ] {
        assert!(text.contains(kept), "{text}");
    }
    let again = Lock::parse(&text).unwrap();
    assert_eq!(again.to_text(), text);
    assert_eq!(again.get("a").unwrap().digest, "sha256:00");
    assert_eq!(again.get("b").unwrap().digest, "sha256:2");
}

#[test]
fn a_lock_that_cannot_be_trusted_is_refused() {
    let entry = |members: &str| format!("version = 1\n[[skill]]\n{members}");
    let whole = "id = \"a\"\nsource = \"s\"\naddress = \"d\"\ndigest = \"x\"\n";
    for (text, says) in [
        (String::new(), "`version` is missing"),
        ("version = 2\n".to_owned(), "use a newer one"),
        ("version = 1\nskill = 3\n".to_owned(), "list of tables"),
        ("version = [".to_owned(), "line 1"),
        ("version = 1\n<<<<<<< ours\n".to_owned(), "line 2: a merge"),
        (entry("source = \"s\"\n"), "an entry: `id` is missing"),
        (entry("id = \"../a\"\n"), "not the id of a skill"),
        (entry("id = \"a\"\n"), "a: `source` is missing"),
        (
            entry(&format!("{whole}license = 3\n")),
            "a: `license` is not a text",
        ),
        (
            entry(&format!("{whole}files = [{{ path = \"x\" }}]\n")),
            "`size`",
        ),
        (
            entry(&format!(
                "{whole}targets = [{{ path = \"x\", method = \"move\" }}]\n"
            )),
            "neither `copy` nor `link`",
        ),
        (
            format!("{}[[skill]]\n{whole}", entry(whole)),
            "`a` is there twice",
        ),
    ] {
        let error = Lock::parse(&text).unwrap_err().to_string();
        assert!(error.contains(says), "{text}\n→ {error}");
    }
}

proptest! {
    #[test]
    fn any_text_survives(source in ".*", path in ".*", license in proptest::option::of(".*"), name in "[a-z]{1,8}") {
        let mut skill = locked(&name);
        skill.source = source.clone();
        skill.license = license.clone();
        skill.files[0].path = path.clone();
        let mut lock = Lock::default();
        lock.insert(skill);
        let text = lock.to_text();
        let again = Lock::parse(&text).unwrap();
        let read = again.get(&name).unwrap();
        prop_assert_eq!(&read.source, &source);
        prop_assert_eq!(&read.license, &license);
        prop_assert!(read.files.iter().any(|file| file.path == path));
        prop_assert_eq!(again.to_text(), text);
    }
}
