//! The indexes of Agent Skills discovery, read so that what others wrote into them stays as it is.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use super::PublishError;

/// What the 0.2.0 index calls itself.
pub(super) const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// `.well-known/skills/index.json`, files one by one.
    V01,
    /// `.well-known/agent-skills/index.json`, an artifact with its digest.
    V02,
}

/// An index.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Index {
    path: PathBuf,
    version: Version,
    top: Map<String, Value>,
    skills: Vec<Value>,
}

impl Index {
    /// An index without skills that lies nowhere.
    pub(super) fn empty(version: Version) -> Self {
        Self {
            path: PathBuf::new(),
            version,
            top: Map::new(),
            skills: Vec::new(),
        }
    }

    /// Adds an entry, unless there is one of that name.
    pub(super) fn add(&mut self, name: &str, entry: Map<String, Value>) {
        if self.place(name).is_none() {
            self.skills.push(Value::Object(entry));
        }
    }

    /// Reads an index; one that is not there is empty.
    pub(super) fn read(
        version: Version,
        path: PathBuf,
        bytes: Option<&[u8]>,
    ) -> Result<Self, PublishError> {
        let broken = |reason: &str| PublishError::Index {
            path: path.clone(),
            reason: reason.to_owned(),
        };
        let mut top = match bytes {
            None => Map::new(),
            Some(bytes) => match serde_json::from_slice(bytes) {
                Ok(Value::Object(top)) => top,
                Ok(_) => return Err(broken("it is not a JSON object")),
                Err(error) => return Err(broken(&error.to_string())),
            },
        };
        let schema = top.get("$schema").and_then(Value::as_str);
        let is_known = match (version, schema) {
            (Version::V02, Some(schema)) => schema == SCHEMA,
            (Version::V02, None) => bytes.is_none(),
            (Version::V01, schema) => schema.is_none(),
        };
        if !is_known {
            let schema = schema.map_or("missing".to_owned(), |schema| format!("`{schema}`"));
            return Err(broken(&format!("its `$schema` is {schema}")));
        }
        let skills = match top.remove("skills") {
            None => Vec::new(),
            Some(Value::Array(skills)) => skills,
            Some(_) => return Err(broken("its `skills` is not a list")),
        };
        Ok(Self {
            path,
            version,
            top,
            skills,
        })
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.skills
            .iter()
            .position(|entry| name_of(entry) == Some(name))
    }

    /// The entry of this name.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.skills.get(self.place(name)?)
    }

    /// Puts an entry in; one of the same name must be ours. What it says beyond the format stays.
    pub(super) fn put(
        &mut self,
        name: &str,
        entry: Map<String, Value>,
        is_ours: bool,
    ) -> Result<(), PublishError> {
        match self.place(name) {
            Some(_) if !is_ours => Err(PublishError::Foreign {
                path: self.path.clone(),
                name: name.to_owned(),
            }),
            Some(place) => {
                if let Some(Value::Object(old)) = self.skills.get_mut(place) {
                    old.extend(entry);
                }
                Ok(())
            }
            None => {
                self.skills.push(Value::Object(entry));
                Ok(())
            }
        }
    }

    /// Takes an entry out.
    pub(super) fn take(&mut self, name: &str) {
        self.skills.retain(|entry| name_of(entry) != Some(name));
    }

    /// The bytes: entries sorted by name, those without a name last.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut skills = self.skills.clone();
        skills.sort_by(|a, b| {
            let key = |entry: &Value| (name_of(entry).is_none(), name_of(entry).map(str::to_owned));
            key(a).cmp(&key(b))
        });
        let mut top = Map::new();
        if self.version == Version::V02 {
            top.insert("$schema".to_owned(), json!(SCHEMA));
        }
        top.extend(self.top.clone());
        top.insert("skills".to_owned(), Value::Array(skills));
        let mut bytes = serde_json::to_vec_pretty(&Value::Object(top)).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }
}

fn name_of(entry: &Value) -> Option<&str> {
    entry.get("name")?.as_str()
}
