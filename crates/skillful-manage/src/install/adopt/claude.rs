//! Plugins of Claude Code, `~/.claude/plugins/installed_plugins.json`. Claude Code updates them itself: they are told of,
//! and not adopted.

use serde_json::Value;

use super::Tool;
use super::ground::Ground;
use super::record::{Mention, Told};
use super::values::text;

pub(super) fn read(ground: &Ground, told: &mut Told) {
    if !ground.is_user {
        return;
    }
    let path = ground.top.join(".claude/plugins/installed_plugins.json");
    let Some(value) = told.json(&path) else {
        return;
    };
    let plugins = value.get("plugins").and_then(Value::as_object);
    for (name, entry) in plugins.into_iter().flatten() {
        // One entry, or one for each scope.
        let entry = entry.get(0).unwrap_or(entry);
        told.mentions.push(Mention {
            tool: Tool::ClaudePlugins,
            name: name.clone(),
            version: text(entry, "version").map(str::to_owned),
        });
    }
}
