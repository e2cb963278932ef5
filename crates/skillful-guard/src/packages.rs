//! Names of packages that are one slip away from a well-known one, in commands and in manifests.

/// Packages that everyone knows, and that are therefore imitated.
const POPULAR: &[&str] = &[
    "requests",
    "numpy",
    "pandas",
    "django",
    "flask",
    "fastapi",
    "pydantic",
    "sqlalchemy",
    "cryptography",
    "boto3",
    "urllib3",
    "setuptools",
    "matplotlib",
    "beautifulsoup4",
    "selenium",
    "tensorflow",
    "pytorch",
    "scikit-learn",
    "pillow",
    "openai",
    "anthropic",
    "langchain",
    "playwright",
    "pytest",
    "aiohttp",
    "httpx",
    "lodash",
    "express",
    "react",
    "axios",
    "webpack",
    "typescript",
    "eslint",
    "prettier",
    "commander",
    "chalk",
    "moment",
    "mongoose",
    "nodemon",
    "puppeteer",
    "electron",
    "next",
    "vite",
    "jquery",
    "underscore",
    "dotenv",
    "cross-env",
    "socket.io",
    "colorama",
    "python-dateutil",
];

/// Well-known packages whose names look like slips of others.
const HONEST: &[&str] = &[
    "request",
    "fastai",
    "preact",
    "nest",
    "nuxt",
    "vitest",
    "lodash-es",
    "requests2",
    "pytest7",
    "text",
    "test",
    "reach",
    "express4",
    "axios2",
    "vue",
    "colorama2",
];

/// Shortest name of which a slip can be told from another word.
const NAME_BYTES: usize = 5;

/// The well-known package of which a name is a slip.
pub(crate) fn imitated(name: &str) -> Option<&'static str> {
    if name.len() < NAME_BYTES || POPULAR.contains(&name) || HONEST.contains(&name) {
        return None;
    }
    POPULAR
        .iter()
        .find(|popular| popular.len() >= NAME_BYTES && strsim::osa_distance(name, popular) == 1)
        .copied()
}

/// The packages that a manifest asks for, with where each stands in the text: `package.json` and `requirements.txt`.
pub(crate) fn asked_for<'t>(path: &str, text: &'t str) -> Vec<(usize, &'t str)> {
    let name = path
        .rsplit(['/', '!'])
        .next()
        .unwrap_or(path)
        .to_ascii_lowercase();
    let is_list = name.starts_with("requirements") && name.rsplit('.').next() == Some("txt");
    let mut found = Vec::new();
    let mut in_dependencies = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let word = line
            .trim()
            .split(['=', '<', '>', '~', '[', ';', ' ', ':'])
            .next()
            .unwrap_or_default();
        if is_list {
            found.push((at, word));
        } else if name == "package.json" {
            in_dependencies = (in_dependencies
                || line.to_ascii_lowercase().contains("dependencies\""))
                && !line.contains('}');
            if in_dependencies && word.starts_with('"') {
                found.push((at, word.trim_matches('"')));
            }
        }
        at += line.len();
    }
    found
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
