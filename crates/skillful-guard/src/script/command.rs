//! Commands as programs hand them to a shell: a text, a list of words, something to read.

use super::effects::Given;
use super::tree::{Call, Expression};
use crate::flow::Flow;

/// The words of a command that is given as a list; none for one that is given as a text, whatever options stand behind it.
pub(super) fn words_of(call: &Call) -> Vec<Expression> {
    let mut placed = call.arguments.iter().filter(|it| it.name.is_none());
    match (placed.next(), placed.next()) {
        (Some(first), second) => match (&first.value, second.map(|it| &it.value)) {
            (Expression::List(items), _) => items.clone(),
            // `spawn('sh', ['-c', text])`
            (program, Some(Expression::List(items))) => {
                [std::slice::from_ref(program), items].concat()
            }
            // `create_subprocess_exec('sh', '-c', text)`
            (program, Some(word @ Expression::Text { .. })) => {
                let rest = placed.map(|it| it.value.clone());
                [program.clone(), word.clone()]
                    .into_iter()
                    .chain(rest)
                    .collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// What a command is given to read comes to it through a pipe.
pub(super) fn give_input(given: &Given<'_>, command: &mut Flow) {
    let inputs = given.call.arguments.iter().zip(&given.values);
    let input = inputs
        .filter(|(argument, _)| argument.name.as_deref() == Some("input"))
        .find_map(|(_, value)| value.outline());
    if let (Some(input), Some(text)) = (input, command.text.as_mut()) {
        *text = format!("printf %s {} | {text}", quoted(input));
    }
}

/// A list of words as a command: what a shell would be given, and whether the program itself is known.
pub(super) fn command_of_words(words: &[Flow]) -> Flow {
    let shell = words.first().is_some_and(|word| {
        matches!(
            word.known().rsplit('/').next(),
            Some("sh" | "bash" | "zsh" | "cmd" | "powershell" | "pwsh")
        )
    });
    if shell
        && let Some(code) = words
            .iter()
            .skip(1)
            .find(|word| !word.known().starts_with(['-', '/']) || word.known().contains(' '))
    {
        return code.clone();
    }
    let mut command = words.first().cloned().unwrap_or_default();
    let texts: Option<Vec<String>> = words
        .iter()
        .map(|word| word.text.as_deref().map(quoted))
        .collect();
    command.text = texts.map(|texts| texts.join(" "));
    command
}

fn quoted(word: &str) -> String {
    let is_plain = !word.is_empty()
        && word
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_./:=@+,%~".contains(&byte));
    if is_plain {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
