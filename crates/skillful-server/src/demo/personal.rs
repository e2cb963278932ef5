//! The skills of the made-up person, by path below the home.

#[rustfmt::skip] // Text is written as it is.
pub(super) const FILES: &[(&str, &str)] = &[
    (".config/skillful/skills.toml", "\
# Written by the owner of the made-up machine.
[skills.translate-docs]
enabled = false

[skills.api-style]
mode = \"pinned\"
"),
    (".claude/skills/release-notes/SKILL.md", "\
---
name: release-notes
description: Writes release notes from merged changes, in the voice of the project. Use when a version is about to be tagged or somebody asks what is new.
license: MIT
allowed-tools: Read Bash(git log:*)
metadata:
  author: docs-team
  version: \"2.3\"
---

# Release notes

Turn what was merged since the last tag into notes that a user of the product understands.

## Steps

1. List the changes since the last tag with `scripts/collect.sh`.
2. Sort each into **New**, **Better**, **Fixed**. Leave out what no user can notice.
3. Write one sentence for each: what one can do now, not how it was done.
4. Check the wording against [the style guide](references/style.md).

| Section | Tense | Longest line |
|---|---|---|
| New | present | 90 characters |
| Better | present | 90 characters |
| Fixed | past | 70 characters |

> Never promise a date in release notes.

- [x] Names of people are left out
- [ ] The link to the upgrade guide is there

More about the idea: [Keep a Changelog](https://keepachangelog.com).
"),
    (".claude/skills/release-notes/references/style.md", "# Style\n\nShort sentences. The reader is busy. No exclamation marks.\n\nSay \"you\", not \"the user\".\n"),
    (".claude/skills/release-notes/scripts/collect.sh", "#!/bin/sh\n# Lists merged changes since the last tag, the oldest first.\nset -eu\ntag=$(git describe --tags --abbrev=0)\ngit log --reverse --merges --format='%s' \"$tag..HEAD\"\n"),
    (".claude/skills/commit-helper/SKILL.md", "\
---
name: commit-helper
description: Suggests a commit message for what is staged. Use before committing.
---

# Commit helper

Read the staged changes and suggest one line of at most 72 characters, then a body that says why.
"),
    (".claude/skills/pdf-forms/SKILL.md", "\
---
name: pdf-forms
description: Fills in PDF forms from a table and flattens them. Use when many forms with the same fields have to be filled in.
metadata:
  openclaw:
    requires:
      bins: [qpdf, pdftk]
    install:
      - kind: brew
        formula: qpdf
        bins: [qpdf]
---

# PDF forms

1. List the fields with `pdftk form.pdf dump_data_fields`.
2. Match them with the columns of the table; ask when one matches none.
3. Fill in one form, show it, and go on with the others only then.
"),
    (".claude/skills/sql-review/SKILL.md", "\
---
name: SQL Review
description: Reviews SQL
tags: sql, database
colour: blue
---

# SQL review

Look for missing indexes, scans of whole tables, and transactions that stay open while the program waits for a person.
See [the checklist](references/checklist.md).
"),
    (".claude/skills/unit-tests/SKILL.md", "\
---
name: unit-tests
description: Writes unit tests that fail for one reason each. Use when code without tests is about to be changed, or a bug was found.
---

# Unit tests

- One behaviour per test, named after it.
- Arrange, act, assert; nothing else between them.
- Begin with the case that found the bug, and see it fail.

```rust
#[test]
fn an_empty_basket_costs_nothing() {
    assert_eq!(Basket::default().total(), Money::ZERO);
}
```
"),
    // Empty: it cannot be read as a skill at all.
    (".claude/skills/standup-notes/SKILL.md", ""),
    (".claude/skills/quarterly-report/SKILL.md", "\
---
name: quarterly-report
description: Drafts the report of a quarter: revenue, risks, outlook. Use when a quarter has ended.
version: 1.0
tags: [finance, writing
---

# Quarterly report

Begin with what changed since the last quarter. Numbers come from the sheet that is named in the request, never from memory.
"),
    (".agents/skills/incident-review/SKILL.md", "\
---
name: incident-review
description: Leads through the review of an incident without looking for somebody to blame. Use after an outage is over.
---

# Incident review

Ask these questions in this order and write the answers down:

1. What did users notice, from when to when?
2. What did we believe at each moment, and why did it make sense?
3. What would have made it shorter?

The form is in [references/form.md](references/form.md).
"),
    (".agents/skills/incident-review/references/form.md", "# Form\n\n- Begin and end\n- What users noticed\n- Timeline\n- What helped\n- What to change, each with a person and a date\n"),
    (".agents/skills/kubernetes-debug/SKILL.md", "\
---
name: kubernetes-debug
description: Finds out why a workload does not become ready. Use when pods restart, wait or are evicted.
metadata:
  openclaw:
    requires:
      bins: [kubectl]
      env: [KUBECONFIG]
---

# Debugging workloads

Look at events first, then at the previous container's log, then at limits. Change nothing before the cause is named.
"),
    (".agents/skills/data-cleaning/SKILL.md", "\
---
name: data-cleaning
description: Cleans tables step by step and keeps a log of every change. Use when a data set has duplicates, gaps or mixed units.
---

# Data cleaning

Never change the original. Write each step as a line of the log: what, how many rows, why.
"),
    (".agents/skills/translate-docs/SKILL.md", "\
---
name: translate-docs
description: Translates documentation and keeps code, links and terms as they are. Use when a page is wanted in another language.
---

# Translating documentation

Terms come from the glossary of the project. What stands in code is not translated.
"),
    (".agents/skills/chat-digest/SKILL.md", "\
---
name: chat-digest
description: Sums up what was decided in a channel since yesterday. Use in the morning or when somebody was away.
metadata:
  openclaw:
    primaryEnv: CHAT_TOKEN
    requires:
      env: [CHAT_TOKEN]
---

# Digest of a channel

Decisions first, then open questions, each with a link. Leave small talk out.
"),
    (".agents/skills/old-changelog/SKILL.md", "\
---
name: old-changelog
description: Writes entries of the changelog in the format that was used until last year. Use for branches that are still maintained.
---

# The old format

One line per change, the newest on top.
"),
];
