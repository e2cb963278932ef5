//! Whatever is done with the verbs ends where a plain model says, and undoing all of it gives the first bytes back.

use proptest::prelude::*;
use skillful_manage::author::Outcome;

use crate::world::World;

/// A skill in the form in which it began.
#[derive(Clone, Copy, Debug)]
enum Form {
    Directory,
    Flat,
    Toml,
}

#[derive(Clone, Debug)]
enum Step {
    Patch(String),
    Edit(String),
    Write(&'static str, String),
    Remove(&'static str),
    Rename(&'static str),
    Undo,
}

/// What a skill is, told without files.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Model {
    name: String,
    /// The last line of its body.
    word: String,
    files: std::collections::BTreeMap<&'static str, String>,
    is_flat: bool,
}

const FILES: [&str; 3] = ["a.md", "references/b.md", "references/deep/c.md"];

fn steps() -> impl Strategy<Value = Step> {
    let word = || "[a-z]{1,6}";
    let file = || prop::sample::select(FILES.to_vec());
    prop_oneof![
        3 => word().prop_map(Step::Patch),
        2 => word().prop_map(Step::Edit),
        3 => (file(), word()).prop_map(|(file, word)| Step::Write(file, word)),
        2 => file().prop_map(Step::Remove),
        2 => prop::sample::select(vec!["one", "two", "three"]).prop_map(Step::Rename),
        2 => Just(Step::Undo),
    ]
}

fn text(form: Form, name: &str, word: &str) -> String {
    match form {
        Form::Directory => {
            format!("---\nname: {name} # mine\ndescription: 'Does x.'\n---\r\n\nWord: {word}.\n")
        }
        Form::Flat => {
            format!("\u{feff}---\nname: {name}\ndescription: Does x.\n---\nWord: {word}.")
        }
        Form::Toml => {
            format!(
                "+++\n# mine\nname = \"{name}\"\ndescription = \"Does x.\"\n+++\n\nWord: {word}.\n"
            )
        }
    }
}

fn own_path(form: Form, model: &Model) -> String {
    let root = match form {
        Form::Directory => ".agents/skills",
        Form::Flat | Form::Toml => ".denkeeper/skills",
    };
    if model.is_flat {
        format!("{root}/{}.md", model.name)
    } else {
        format!("{root}/{}/SKILL.md", model.name)
    }
}

/// Takes one step on disk and in the model. Gives whether it changed anything.
fn take(home: &World, form: Form, model: &mut Model, step: &Step) -> bool {
    let author = home.person();
    let target = model.name.as_str().into();
    let done = match step {
        Step::Patch(word) => {
            let (find, replace) = (format!("Word: {}.", model.word), format!("Word: {word}."));
            let done = author.patch(&target, None, &find, &replace).unwrap();
            model.word.clone_from(word);
            done
        }
        Step::Edit(word) => {
            let new = text(form, &model.name, word);
            let done = author.edit(&target, new.as_bytes()).unwrap();
            model.word.clone_from(word);
            done
        }
        Step::Write(file, word) => {
            let done = author
                .write_file(&target, file, word.as_bytes(), None)
                .unwrap();
            model.files.insert(file, word.clone());
            model.is_flat = false;
            done
        }
        Step::Remove(file) => {
            if model.files.remove(file).is_none() {
                let error = author.remove_file(&target, file).unwrap_err();
                assert_eq!(error.code(), "no-file");
                return false;
            }
            author.remove_file(&target, file).unwrap()
        }
        Step::Rename(name) => {
            let done = author.rename(&target, name).unwrap();
            (*name).clone_into(&mut model.name);
            done
        }
        Step::Undo => return false,
    };
    done.outcome != Outcome::Unchanged
}

fn agrees(home: &World, form: Form, model: &Model) -> Result<(), TestCaseError> {
    let own = own_path(form, model);
    prop_assert_eq!(home.read(&own), text(form, &model.name, &model.word));
    if model.is_flat {
        return Ok(());
    }
    let directory = own.trim_end_matches("/SKILL.md");
    for file in FILES {
        let path = format!("{directory}/{file}");
        match model.files.get(file) {
            Some(word) => prop_assert_eq!(&home.read(&path), word),
            None => prop_assert!(!home.exists(&path)),
        }
    }
    let has_deep = model.files.contains_key(FILES[2]);
    let deep = format!("{directory}/references/deep");
    prop_assert_eq!(home.exists(&deep), has_deep, "no empty directory stays");
    Ok(())
}

proptest! {
    // Every case makes a home, and every step looks for all skills and waits for the disk.
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_way_ends_where_the_model_says(
        form in prop::sample::select(vec![Form::Directory, Form::Flat, Form::Toml]),
        steps in prop::collection::vec(steps(), 1..12),
    ) {
        let home = World::new();
        let mut model = Model {
            name: "one".to_owned(),
            word: "first".to_owned(),
            files: std::collections::BTreeMap::new(),
            is_flat: !matches!(form, Form::Directory),
        };
        home.write(&own_path(form, &model), text(form, "one", "first"));
        let begin = (home.snapshot(".agents"), home.snapshot(".denkeeper"));
        let mut past = Vec::new();
        for step in steps {
            if let Step::Undo = step {
                match past.pop() {
                    Some(before) => {
                        home.person().undo_last(None).unwrap();
                        model = before;
                    }
                    None => prop_assert!(home.person().undo_last(None).is_err()),
                }
            } else {
                let before = model.clone();
                if take(&home, form, &mut model, &step) {
                    past.push(before);
                }
            }
            agrees(&home, form, &model)?;
        }
        for _ in past {
            home.person().undo_last(None).unwrap();
        }
        let end = (home.snapshot(".agents"), home.snapshot(".denkeeper"));
        prop_assert_eq!(end, begin);
    }
}
