//! What a project's file may do with what the operator said: take away, never give.

use std::cmp::Reverse;

use skillful_guard::Preset;
use skillmd::invocation::Scope;

use super::value::Value;
use crate::guard::OnLoad;
use crate::mode::Mode;

/// How a new value stands to the one that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tightening {
    /// It allows less.
    Tighter,
    /// It allows the same.
    Same,
    /// It allows more.
    Looser,
    /// A part of it is tighter: this value. The rest, which is named, would allow more.
    Partly(Value, Vec<String>),
}

/// Compares `new` to what holds; where nobody said anything, numbers have no limit, modes are `auto`, scopes `system`,
/// the guard's preset is `balanced`, what is scanned `third-party`, and lists are empty.
pub fn tighten(current: Option<&Value>, new: &Value) -> Tightening {
    match (new, current) {
        (Value::Flag(new), current) => {
            let current = matches!(current, Some(Value::Flag(true)));
            by_order(&u8::from(!new), &u8::from(!current))
        }
        (Value::Mode(new), current) => {
            let current = match current {
                Some(Value::Mode(mode)) => *mode,
                _ => Mode::Auto,
            };
            by_order(&narrowness(*new), &narrowness(current))
        }
        (Value::Scope(new), current) => {
            let current = match current {
                Some(Value::Scope(scope)) => *scope,
                _ => Scope::System,
            };
            by_order(&scope_rank(*new), &scope_rank(current))
        }
        (Value::Count(new), Some(Value::Count(current))) => by_order(current, new),
        (Value::Count(_), _) => Tightening::Tighter,
        (Value::List(new), Some(Value::List(current))) => sublist(current, new),
        (Value::List(new), _) => sublist(&[], new),
        (Value::Preset(new), current) => {
            let current = match current {
                Some(Value::Preset(preset)) => *preset,
                _ => Preset::Balanced,
            };
            by_order(&Reverse(*new), &Reverse(current))
        }
        (Value::OnLoad(new), current) => {
            let current = match current {
                Some(Value::OnLoad(on_load)) => *on_load,
                _ => OnLoad::default(),
            };
            by_order(new, &current)
        }
        (
            Value::Trust(_)
            | Value::Text(_)
            | Value::Any(_)
            | Value::Suppressions(_)
            | Value::Acceptances(_),
            _,
        ) => Tightening::Looser,
    }
}

/// The tighter of two modes.
pub(super) fn narrower(a: Mode, b: Mode) -> Mode {
    if narrowness(b) > narrowness(a) { b } else { a }
}

/// The tighter of two scopes.
pub(super) fn narrower_scope(a: Scope, b: Scope) -> Scope {
    if scope_rank(b) > scope_rank(a) { b } else { a }
}

fn by_order<T: Ord>(new: &T, current: &T) -> Tightening {
    match new.cmp(current) {
        std::cmp::Ordering::Greater => Tightening::Tighter,
        std::cmp::Ordering::Equal => Tightening::Same,
        std::cmp::Ordering::Less => Tightening::Looser,
    }
}

/// Greater for what shows a model less of the skill.
const fn narrowness(mode: Mode) -> u8 {
    match mode {
        Mode::Required => 0,
        Mode::Pinned => 1,
        Mode::Auto => 2,
        Mode::NameOnly => 3,
        Mode::ManualOnly => 4,
        Mode::Disabled => 5,
    }
}

const fn scope_rank(scope: Scope) -> u8 {
    match scope {
        Scope::System => 0,
        Scope::Tool => 1,
        Scope::Standalone => 2,
        Scope::Disabled => 3,
    }
}

fn sublist(current: &[String], new: &[String]) -> Tightening {
    let (kept, more): (Vec<_>, Vec<_>) =
        new.iter().cloned().partition(|item| current.contains(item));
    if !more.is_empty() {
        Tightening::Partly(Value::List(kept), more)
    } else if kept.len() < current.len() {
        Tightening::Tighter
    } else {
        Tightening::Same
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Tightening::{Looser, Same, Tighter};

    fn list(items: &[&str]) -> Value {
        Value::List(items.iter().map(|&item| item.to_owned()).collect())
    }

    #[test]
    fn less_is_tighter() {
        let on = Value::Flag(true);
        for (current, new, outcome) in [
            (Some(Value::Flag(true)), Value::Flag(false), Tighter),
            (Some(Value::Flag(false)), Value::Flag(true), Looser),
            (None, Value::Flag(true), Looser),
            (None, Value::Flag(false), Same),
            (Some(on.clone()), on, Same),
            (None, Value::Mode(Mode::Pinned), Looser),
            (None, Value::Mode(Mode::NameOnly), Tighter),
            (
                Some(Value::Mode(Mode::Disabled)),
                Value::Mode(Mode::ManualOnly),
                Looser,
            ),
            (
                Some(Value::Mode(Mode::Required)),
                Value::Mode(Mode::Pinned),
                Tighter,
            ),
            (None, Value::Scope(Scope::Standalone), Tighter),
            (
                Some(Value::Scope(Scope::Disabled)),
                Value::Scope(Scope::System),
                Looser,
            ),
            (None, Value::Count(1), Tighter),
            (Some(Value::Count(5)), Value::Count(4), Tighter),
            (Some(Value::Count(5)), Value::Count(6), Looser),
            (Some(Value::Count(5)), Value::Count(5), Same),
            (Some(list(&["a", "b"])), list(&["b"]), Tighter),
            (Some(list(&["a"])), list(&["a"]), Same),
            (None, Value::Preset(Preset::Strict), Tighter),
            (None, Value::Preset(Preset::Permissive), Looser),
            (
                Some(Value::Preset(Preset::Permissive)),
                Value::Preset(Preset::Balanced),
                Tighter,
            ),
            (None, Value::OnLoad(OnLoad::Always), Tighter),
            (None, Value::OnLoad(OnLoad::ThirdParty), Same),
            (None, Value::OnLoad(OnLoad::Never), Looser),
            (
                Some(Value::OnLoad(OnLoad::Always)),
                Value::OnLoad(OnLoad::ThirdParty),
                Looser,
            ),
            (None, list(&[]), Same),
            (None, Value::Text("x".to_owned()), Looser),
        ] {
            assert_eq!(
                tighten(current.as_ref(), &new),
                outcome,
                "{current:?} {new:?}"
            );
        }
    }

    #[test]
    fn of_a_list_only_what_was_there_stays() {
        assert_eq!(
            tighten(Some(&list(&["a", "b"])), &list(&["b", "c"])),
            Tightening::Partly(list(&["b"]), vec!["c".to_owned()])
        );
        assert_eq!(
            tighten(None, &list(&["c"])),
            Tightening::Partly(list(&[]), vec!["c".to_owned()])
        );
    }
}
