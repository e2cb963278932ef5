-- One row for each change. Numbers are never used twice, even when entries were pruned.
CREATE TABLE entry (
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
    id          TEXT NOT NULL UNIQUE,
    transaction_id TEXT NOT NULL,
    operation   TEXT NOT NULL,
    actor       TEXT NOT NULL,
    at          INTEGER NOT NULL CHECK (at >= 0), -- seconds since 1970, UTC
    message     TEXT NOT NULL,
    bytes       INTEGER NOT NULL CHECK (bytes >= 0),
    made        TEXT NOT NULL, -- JSON: paths of directories
    vacated     TEXT NOT NULL, -- JSON: paths of directories
    undoes      TEXT NOT NULL, -- JSON: numbers of entries
    undone_by   INTEGER
) STRICT;

CREATE INDEX entry_transaction ON entry (transaction_id);

-- Which skills it is about, in the order in which it names them.
CREATE TABLE entry_skill (
    skill    TEXT NOT NULL,
    seq      INTEGER NOT NULL REFERENCES entry (seq) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    PRIMARY KEY (skill, seq, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX entry_skill_seq ON entry_skill (seq);

-- Which paths it changed. States are JSON.
CREATE TABLE swap (
    seq      INTEGER NOT NULL REFERENCES entry (seq) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    path     TEXT NOT NULL,
    before   TEXT NOT NULL,
    after    TEXT NOT NULL,
    PRIMARY KEY (seq, position)
) STRICT, WITHOUT ROWID;

-- What the last change of each path left there, unless that is nothing.
CREATE TABLE place (
    path  TEXT PRIMARY KEY,
    state TEXT NOT NULL
) STRICT, WITHOUT ROWID;
