use std::path::{Path, PathBuf};

use super::*;
use crate::catalog::{Entry, Options, Usage, render};
use crate::mode::Mode;
use crate::roots::Source;

fn entries() -> Vec<Entry> {
    let entry = Entry {
        id: "pdf-forms".to_owned(),
        name: "PDF forms".to_owned(),
        description: "Fills <b>forms</b> & \"tables\"\nof [PDF](http://x).".to_owned(),
        when: Some("somebody says 'form'".to_owned()),
        version: Some("sha256:0123456789abcdef".to_owned()),
        location: PathBuf::from("/home/u/s & t/SKILL.md"),
        source: Source::Global,
        mode: Mode::Auto,
        usage: Usage::default(),
        category: Some("office".to_owned()),
    };
    let plain = Entry {
        id: "plain".to_owned(),
        name: "plain".to_owned(),
        description: "- Does it.".to_owned(),
        when: None,
        version: None,
        location: PathBuf::from("/p/plain/SKILL.md"),
        source: Source::Workspace { distance: 0 },
        category: None,
        ..entry.clone()
    };
    vec![entry, plain]
}

/// The form with room for all, and with room for one skill.
fn printed(form: Form) -> String {
    let mut options = Options {
        form,
        home: Some(Path::new("/home/u")),
        ..Options::default()
    };
    let whole = render(&entries(), &options).text;
    options.budget.entries = Some(1);
    format!("{whole}\n\n~~~\n\n{}", render(&entries(), &options).text)
}

#[test]
fn every_form() {
    for form in Form::ALL {
        insta::assert_snapshot!(form.as_str(), printed(form));
    }
}

#[test]
fn every_name_is_read_back() {
    for form in Form::ALL {
        assert_eq!(form.to_string().parse(), Ok(form));
    }
    let error = "claude".parse::<Form>().unwrap_err().to_string();
    assert!(error.contains("claude-code") && error.contains("aleph"));
}

#[test]
fn the_json_form_is_json() {
    let parsed: serde_json::Value =
        serde_json::from_str(printed(Form::Json).split("~~~").next().unwrap()).unwrap();
    assert_eq!(parsed["skills"][0]["id"], "pdf-forms");
    assert_eq!(parsed["skills"][1].get("when"), None);
    assert_eq!(
        parsed["skills"][0]["description"],
        "Fills <b>forms</b> & \"tables\" of [PDF](http://x)."
    );
}

#[test]
fn a_location_is_printed_where_it_is_asked_for() {
    let options = Options {
        locations: true,
        ..Options::default()
    };
    let text = render(&entries(), &options).text;
    assert!(text.contains("    <location>/home/u/s &amp; t/SKILL.md</location>\n"));
    assert!(
        !render(&entries(), &Options::default())
            .text
            .contains("location")
    );
}

#[test]
fn skills_with_one_name_go_by_their_ids() {
    let mut entries = entries();
    entries[1].name = "PDF forms".to_owned();
    let options = Options {
        form: Form::Goose,
        ..Options::default()
    };
    let text = render(&entries, &options).text;
    assert!(text.starts_with("• pdf-forms - "), "{text}");
    assert!(text.contains("\n• plain - "), "{text}");
}
