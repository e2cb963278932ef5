use std::path::{Path, PathBuf};
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::{Clients, Host, Library, Options};

fn read(text: &str) -> Rows {
    Rows::of_text(PathBuf::from("retrieval.md"), text, "own")
}

fn row(line: usize, prompt: &str, offered: &[&str], not_offered: &[&str]) -> Row {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    Row {
        line,
        prompt: prompt.to_owned(),
        offered: owned(offered),
        not_offered: owned(not_offered),
    }
}

#[test]
fn a_markdown_table_with_prose_around_it() {
    let rows = read(
        "# How it is found\n\nThese hold.\n\n| prompt | must be offered | must not |\n|:--|---|--:|\n\
         | fill a form | `pdf` | csv, xml |\n| a \\| b | | |\n",
    );
    assert_eq!(
        rows.rows,
        [
            row(7, "fill a form", &["pdf"], &["csv", "xml"]),
            row(8, "a | b", &["own"], &[])
        ]
    );
    assert!(rows.problems.is_empty());
}

#[test]
fn plain_lines_with_bars_or_tabs() {
    let rows =
        read("# comment\nfill a form | pdf docs | csv\nfill it\tpdf\nalone\nnot me | - | own\n");
    assert_eq!(
        rows.rows,
        [
            row(2, "fill a form", &["pdf", "docs"], &["csv"]),
            row(3, "fill it", &["pdf"], &[]),
            row(4, "alone", &["own"], &[]),
            row(5, "not me", &[], &["own"]),
        ]
    );
}

#[test]
fn lines_that_are_no_rows_are_named() {
    let rows = read("a | b | c | d\n | b\nok | x | x\nfine | y\n");
    let lines: Vec<usize> = rows.problems.iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [1, 2, 3]);
    assert!(
        rows.problems[2]
            .message
            .contains("`x` both must and must not")
    );
    assert_eq!(rows.rows.len(), 1, "the others still count");
    assert_eq!(read("").problems[0].line, 1);
}

fn library(skills: &[(&str, &str)]) -> (tempfile::TempDir, Library) {
    let directory = tempfile::tempdir().unwrap();
    for (name, description) in skills {
        let place = directory.path().join(name);
        std::fs::create_dir_all(&place).unwrap();
        let text = format!("---\nname: {name}\ndescription: {description}\n---\n");
        std::fs::write(place.join("SKILL.md"), text).unwrap();
    }
    let options = Options {
        roots: vec![directory.path().to_owned()],
        ..Options::default()
    };
    let library = Library::scan(
        &Host::new(directory.path()),
        &Clients::built_in().unwrap(),
        &options,
    );
    (directory, library)
}

#[test]
fn promises_are_kept_or_broken_with_the_reason() {
    let (_directory, library) = library(&[
        ("charts", "Draws charts and plots from tables."),
        ("tables", "Reads tables of all kinds."),
        ("letters", "Writes letters."),
    ]);
    let shelf = Shelf::new(library.registry.skills());
    let kept = shelf.judge(&row(1, "draw a chart", &["charts"], &["letters"]), FIRST);
    assert!(kept.is_kept(), "{kept:?}");
    assert_eq!(kept.found[0].rank, Some(1));
    assert!(kept.rivals.is_empty());

    let broken = shelf.judge(&row(1, "read tables", &["charts"], &["tables"]), 1);
    assert!(!broken.is_kept());
    assert_eq!(
        (broken.found[0].rank, broken.found[0].is_kept),
        (Some(2), false)
    );
    assert_eq!(broken.rivals[0].id, "tables");
    assert!(
        broken.rivals[0]
            .reasons
            .iter()
            .any(|reason| reason.word == "tables")
    );
    assert_eq!(
        (broken.found[1].rank, broken.found[1].is_kept),
        (Some(1), false)
    );

    let unknown = shelf.judge(&row(1, "read tables", &["nobody"], &["no-one"]), FIRST);
    assert_eq!(
        (unknown.found[0].id, unknown.found[0].is_kept),
        (None, false)
    );
    assert!(unknown.found[1].is_kept, "what is not there is not offered");
}

#[test]
fn a_command_is_an_offer() {
    let (_directory, library) = library(&[("zz", "Does something."), ("other", "Goes to prod.")]);
    let shelf = Shelf::new(library.registry.skills());
    let verdict = shelf.judge(&row(1, "/zz prod", &["zz"], &[]), 0);
    assert!(verdict.is_kept());
    assert!(verdict.found[0].matched.is_some());
}

#[test]
fn rows_lie_beside_the_skill() {
    let (directory, library) = library(&[("a", "Does a."), ("b", "Does b.")]);
    let skill = |id: &str| Arc::clone(library.registry.get(id).unwrap());
    assert_eq!(Rows::beside(&skill("a")), None);
    write(&directory.path().join("a/tests/retrieval.tsv"), "x\ta\n");
    assert_eq!(
        Rows::beside(&skill("a")).unwrap().rows,
        [row(1, "x", &["a"], &[])]
    );
    write(
        &directory.path().join("b/tests/retrieval.md"),
        [0xFF_u8, 0xFF],
    );
    assert!(
        Rows::beside(&skill("b")).unwrap().problems[0]
            .message
            .contains("UTF-8")
    );
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let (directory, library) = library(&[("a", "Does a."), ("b", "Does b.")]);
    let outside = tempfile::tempdir().unwrap();
    write(&outside.path().join("retrieval.md"), "secret\n");
    std::os::unix::fs::symlink(outside.path(), directory.path().join("a/tests")).unwrap();
    std::fs::create_dir(directory.path().join("b/tests")).unwrap();
    std::os::unix::fs::symlink(
        outside.path().join("retrieval.md"),
        directory.path().join("b/tests/retrieval.md"),
    )
    .unwrap();
    for id in ["a", "b"] {
        let rows = Rows::beside(library.registry.get(id).unwrap()).unwrap();
        assert!(rows.rows.is_empty() && rows.problems.len() == 1, "{rows:?}");
    }
}

fn write(path: &Path, content: impl AsRef<[u8]>) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

proptest! {
    #[test]
    fn any_text_is_read(text in "([a-z|\\\\ \\t#,`-]{0,20}\\n?){0,8}") {
        let rows = read(&text);
        prop_assert!(!rows.rows.is_empty() || !rows.problems.is_empty());
        for row in &rows.rows {
            prop_assert!(!(row.prompt.is_empty() || row.offered.is_empty() && row.not_offered.is_empty()));
        }
    }
}
