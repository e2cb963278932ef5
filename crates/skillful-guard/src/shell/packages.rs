//! Commands that install packages: names that are one slip away from a well-known one.

use super::arguments::Call;

/// Packages that everyone knows, and that are therefore imitated.
const POPULAR: &[&str] = &[
    "requests", "numpy", "pandas", "django", "flask", "fastapi", "pydantic", "sqlalchemy", "cryptography", "boto3", "urllib3", "setuptools", "matplotlib",
    "beautifulsoup4", "selenium", "tensorflow", "pytorch", "scikit-learn", "pillow", "openai", "anthropic", "langchain", "playwright", "pytest", "aiohttp", "httpx",
    "lodash", "express", "react", "axios", "webpack", "typescript", "eslint", "prettier", "commander", "chalk", "moment", "mongoose", "nodemon", "puppeteer", "electron",
    "next", "vite", "jquery", "underscore", "dotenv", "cross-env", "socket.io", "colorama", "python-dateutil",
];

/// Well-known packages whose names look like slips of others.
const HONEST: &[&str] = &["request", "preact", "nest", "nuxt", "vitest", "lodash-es", "requests2", "pytest7", "text", "test", "reach", "express4", "axios2", "vue", "colorama2"];

/// Shortest name of which a slip can be told from another word.
const NAME_BYTES: usize = 5;

/// A package of the command that is one slip away from a well-known one, with that one.
pub(super) fn imitation(call: &Call) -> Option<(String, &'static str)> {
    let words: Vec<&str> = call.operands().map(|word| word.text.as_str()).collect();
    let installs = match call.name() {
        "pip" | "pip3" | "npm" | "pnpm" | "uv" | "bun" => words.iter().any(|word| matches!(*word, "install" | "i" | "add")),
        "yarn" => words.first() == Some(&"add"),
        _ => false,
    };
    let named = words.iter().skip(1).filter(|_| installs);
    named.filter_map(|word| {
        let name = word.split(['=', '<', '>', '@', '[', '~']).next().unwrap_or_default().to_ascii_lowercase();
        Some((name.clone(), imitated(&name)?))
    }).next()
}

fn imitated(name: &str) -> Option<&'static str> {
    if name.len() < NAME_BYTES || POPULAR.contains(&name) || HONEST.contains(&name) {
        return None;
    }
    POPULAR.iter().find(|popular| popular.len() >= NAME_BYTES && strsim::osa_distance(name, popular) == 1).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_told_from_other_names() {
        assert_eq!(imitated("reqeusts"), Some("requests"));
        assert_eq!(imitated("crossenv"), Some("cross-env"));
        for honest in ["requests", "request", "lodash-es", "numpydoc", "vue"] {
            assert_eq!(imitated(honest), None, "{honest}");
        }
    }
}
