//! The requests that a lesson is meant for, as rows beside its skill: `skillful test` says whether it is found by them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use skillful::Skill;
use skillful::retrieval::Rows;

use super::Lesson;
use super::lesson::{one_line, shortened};
use crate::limits;

/// The file of the rows in a skill.
pub(super) const ROWS: &str = "tests/retrieval.md";

const HEAD: &str = "| prompt | must be offered | must not be offered |\n|---|---|---|\n";

/// The file of a new skill; nothing when the lesson says no request.
pub(super) fn of_lesson(lesson: &Lesson) -> Option<Vec<u8>> {
    let requests = requests(lesson);
    if requests.is_empty() {
        return None;
    }
    let rows: String = requests.iter().map(|request| row(request)).collect();
    Some(format!("{HEAD}{rows}").into_bytes())
}

/// The file of a skill with the requests of a lesson that it does not have yet; nothing when there is nothing to add, or
/// when the file is of a form that somebody chose and that these rows would not fit into.
pub(super) fn with_lesson(skill: &Skill, lesson: &Lesson) -> Option<Vec<u8>> {
    let Some(old) = Rows::beside(skill) else {
        return of_lesson(lesson);
    };
    if !old.path.ends_with(ROWS) {
        return None;
    }
    let mut text = std::fs::read_to_string(&old.path).ok()?;
    let known: BTreeSet<&str> = old.rows.iter().map(|row| row.prompt.as_str()).collect();
    let new: Vec<String> = requests(lesson)
        .into_iter()
        .filter(|request| !known.contains(request.as_str()))
        .collect();
    if new.is_empty() || old.rows.len() + new.len() > skillful::limits::RETRIEVAL_ROWS {
        return None;
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.extend(new.iter().map(|request| row(request)));
    let read = Rows::of_text(PathBuf::new(), &text, &skill.id);
    let fits =
        read.problems.len() == old.problems.len() && read.rows.len() == old.rows.len() + new.len();
    fits.then(|| text.into_bytes())
}

/// Each once, in their order, as one line.
fn requests(lesson: &Lesson) -> Vec<String> {
    let mut requests: Vec<String> = Vec::new();
    for request in &lesson.requests {
        let request = shortened(&one_line(request), limits::LESSON_REQUEST);
        if !request.is_empty()
            && !requests.contains(&request)
            && requests.len() < limits::LESSON_REQUESTS
        {
            requests.push(request);
        }
    }
    requests
}

/// A row that promises a request of the skill beside the file.
fn row(request: &str) -> String {
    format!("| {} | | |\n", request.replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_become_rows_that_are_read_as_they_were_said() {
        let lesson = Lesson {
            requests: [
                "How do I reset it?",
                " two\nlines ",
                "a | b\tc",
                "How do I reset it?",
                "",
                "prompt",
                "|---|---|---|",
            ]
            .map(str::to_owned)
            .to_vec(),
            ..Lesson::default()
        };
        let text = String::from_utf8(of_lesson(&lesson).unwrap()).unwrap();
        let rows = Rows::of_text(PathBuf::new(), &text, "own");
        assert_eq!(rows.problems, []);
        let prompts: Vec<&str> = rows.rows.iter().map(|row| row.prompt.as_str()).collect();
        for said in ["How do I reset it?", "two lines", "a | b c"] {
            assert!(prompts.contains(&said), "{said}: {prompts:?}\n{text}");
        }
        assert!(rows.rows.iter().all(|row| row.offered == ["own"]));
        assert_eq!(of_lesson(&Lesson::default()), None);
    }
}
