//! Looking up keys: the table as a tree of names, with spellings folded.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{KEYS, OPENCLAW_NAMES};
use crate::spelling::fold;

/// The names below one place in the tree of keys.
#[derive(Debug, Default)]
pub(crate) struct Branch {
    children: Vec<Child>,
    /// Children by canonical name and by other spellings that the table gives.
    exact: HashMap<&'static str, usize>,
    /// Children by the kebab case of their names; of two that fold alike, the first.
    folded: HashMap<String, usize>,
}

/// One name in the tree.
#[derive(Debug)]
pub(crate) struct Child {
    /// Its canonical spelling.
    pub(crate) name: &'static str,
    /// The row of [`KEYS`] that ends here; the smaller, the more it counts.
    pub(crate) row: Option<usize>,
    /// What stands below it.
    pub(crate) branch: Branch,
}

impl Branch {
    /// The child that `key` names, however it is spelt. Kebab case costs no allocation, nor does a canonical spelling.
    pub(crate) fn child(&self, key: &str) -> Option<&Child> {
        let index = self
            .exact
            .get(key)
            .or_else(|| self.folded.get(fold(key).as_ref()))?;
        self.children.get(*index)
    }

    /// Whether nothing stands below.
    pub(crate) fn is_empty(&self) -> bool {
        self.children.is_empty()
    }

    fn place(&mut self, name: &'static str) -> &mut Child {
        let next = self.children.len();
        let index = *self.exact.entry(name).or_insert(next);
        if index == next {
            self.children.push(Child {
                name,
                row: None,
                branch: Self::default(),
            });
        }
        &mut self.children[index]
    }

    /// Files the children under their other spellings.
    fn fold_names(&mut self) {
        if let Some(&openclaw) = self.exact.get(OPENCLAW_NAMES[0]) {
            for name in OPENCLAW_NAMES {
                self.exact.entry(name).or_insert(openclaw);
            }
        }
        for (index, child) in self.children.iter_mut().enumerate() {
            let folded = fold(child.name).into_owned();
            self.folded.entry(folded).or_insert(index);
            for also in child.row.iter().flat_map(|&row| KEYS[row].also) {
                self.exact.entry(also).or_insert(index);
                self.folded.entry(fold(also).into_owned()).or_insert(index);
            }
            child.branch.fold_names();
        }
    }
}

/// The top level of all keys.
pub(crate) fn root() -> &'static Branch {
    static ROOT: LazyLock<Branch> = LazyLock::new(|| {
        let mut root = Branch::default();
        for (row, key) in KEYS.iter().enumerate() {
            let mut names = key.names();
            let Some(first) = names.next() else { continue };
            let child = names.fold(root.place(first), |child, name| child.branch.place(name));
            child.row.get_or_insert(row);
        }
        root.fold_names();
        root
    });
    &ROOT
}

/// The names of a path in TOML's dotted notation.
pub(super) fn names(path: &'static str) -> impl Iterator<Item = &'static str> {
    let mut rest = Some(path);
    std::iter::from_fn(move || {
        let path = rest?;
        let (name, after) = match path.strip_prefix('"').and_then(|open| open.split_once('"')) {
            Some((quoted, after)) => (quoted, after.strip_prefix('.')),
            None => match path.split_once('.') {
                Some((name, after)) => (name, Some(after)),
                None => (path, None),
            },
        };
        rest = after;
        Some(name)
    })
}
