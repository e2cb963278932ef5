use super::*;
use crate::roots::Trust;

fn loaded_from(source: Source, path: &str, content: &[u8]) -> Skill {
    let root = Root::new(PathBuf::from("/r"), source, Trust::Community);
    let candidate = Candidate {
        path: PathBuf::from(path),
        form: Form::Directory,
        real_directory: None,
        content: Ok(content.to_vec()),
        notes: Vec::new(),
    };
    load(candidate, &Arc::new(root))
}

fn loaded(content: &str) -> Skill {
    loaded_from(Source::Global, "/r/place/SKILL.md", content.as_bytes())
}

fn codes(skill: &Skill) -> Vec<Code> {
    skill
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.code)
        .collect()
}

#[test]
fn a_sound_skill() {
    let skill = loaded("---\nname: Deploy It\ndescription: Deploys. Use when asked.\n---\nBody\n");
    assert_eq!(
        (
            &*skill.id,
            &*skill.name,
            &*skill.description,
            &*skill.place_name
        ),
        (
            "deploy-it",
            "Deploy It",
            "Deploys. Use when asked.",
            "place"
        )
    );
    assert_eq!((skill.state, skill.blockers.len()), (State::Ready, 0));
    assert_eq!(codes(&skill), []);
    assert_eq!(skill.directory(), Some(Path::new("/r/place")));
}

#[test]
fn without_a_name_the_directory_names_it() {
    let skill = loaded("---\ndescription: x\nname: ''\n---\n");
    assert_eq!((&*skill.id, &*skill.name), ("place", "place"));
    let skill = loaded("---\ndescription: x\nname: '!!'\n---\n");
    assert_eq!((&*skill.id, &*skill.name), ("place", "!!"));
    let skill = loaded_from(Source::Global, "/r/!/SKILL.md", b"x");
    assert_eq!((&*skill.id, &*skill.name), (NAMELESS, "!"));
}

#[test]
fn a_plugin_stands_before_the_name() {
    let source = Source::Plugin {
        name: "My Tools".into(),
    };
    let skill = loaded_from(
        source,
        "/r/x/SKILL.md",
        b"---\nname: deploy\ndescription: x\n---\n",
    );
    assert_eq!((&*skill.id, &*skill.name), ("my-tools:deploy", "deploy"));
}

#[test]
fn without_a_description_the_first_paragraph_describes_it() {
    let skill = loaded("---\nname: x\n---\n# Title\n\nFirst line\nand second.\n\nMore.\n");
    assert_eq!(skill.description, "First line and second.");
    assert_eq!(skill.state, State::Ready, "degraded is not broken");
    assert_eq!(codes(&skill), [Code::DescriptionMissing]);
    assert_eq!(skill.diagnostics[0].position.line, 1);
}

#[test]
fn without_a_frontmatter_it_is_degraded() {
    let skill = loaded("# Title\n\nText.\n");
    assert_eq!((&*skill.id, &*skill.description), ("place", "Text."));
    assert_eq!(skill.state, State::Ready);
    assert!(
        codes(&skill).contains(&Code::FrontmatterMissing),
        "{:?}",
        codes(&skill)
    );
}

#[test]
fn faults_of_single_fields_are_reported_and_cost_nothing_else() {
    let skill = loaded("---\nname: x\ndescription: x\neligibility:\n  enabled: perhaps\n---\n");
    assert_eq!(skill.state, State::Ready);
    assert_eq!(skill.diagnostics.len(), 1, "{:?}", skill.diagnostics);
    assert_eq!(skill.diagnostics[0].position.line, 5);
}

#[test]
fn what_has_no_text_is_broken_and_says_why() {
    for (content, code) in [
        (&b""[..], Code::FileEmpty),
        (b"---\nname: \xFF\n---\n", Code::NotUtf8),
    ] {
        let skill = loaded_from(Source::Global, "/r/place/SKILL.md", content);
        assert_eq!((skill.state, &*skill.id), (State::Broken, "place"));
        assert_eq!(skill.blockers[0].kind, code.as_str());
    }
}

#[test]
fn a_candidate_without_bytes_is_broken() {
    let root = Arc::new(Root::new(
        PathBuf::from("/r"),
        Source::Global,
        Trust::Community,
    ));
    let candidate = Candidate {
        path: PathBuf::from("/r/place/SKILL.md"),
        form: Form::Directory,
        real_directory: None,
        content: Err(Box::new(Diagnostic::about_file(Code::LinkBroken, "gone"))),
        notes: Vec::new(),
    };
    let skill = load(candidate, &root);
    assert_eq!(skill.state, State::Broken);
    assert_eq!(skill.blockers, [Blocker::new("link-broken", "gone")]);
}

#[test]
fn the_real_place_is_below_the_real_root() {
    let mut root = Root::new(PathBuf::from("/r"), Source::Global, Trust::Community);
    root.real = PathBuf::from("/real");
    let candidate = Candidate {
        path: PathBuf::from("/r/x.md"),
        form: Form::File,
        real_directory: None,
        content: Ok(b"x".to_vec()),
        notes: Vec::new(),
    };
    let skill = load(candidate, &Arc::new(root));
    assert_eq!(skill.real_place(), Path::new("/real/x.md"));
    assert_eq!(skill.directory(), None);
}
