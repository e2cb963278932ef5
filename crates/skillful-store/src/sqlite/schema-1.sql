-- One row for each skill of which anything was recorded.
CREATE TABLE skill (
    number INTEGER PRIMARY KEY,
    id     TEXT NOT NULL,
    origin TEXT NOT NULL,
    first  INTEGER NOT NULL CHECK (first >= 0),
    UNIQUE (id, origin)
) STRICT;

-- How often each thing happened to it, and when last (seconds since 1970, UTC).
CREATE TABLE tally (
    skill    INTEGER NOT NULL REFERENCES skill (number),
    activity TEXT NOT NULL,
    count    INTEGER NOT NULL CHECK (count > 0),
    last     INTEGER NOT NULL CHECK (last >= 0),
    PRIMARY KEY (skill, activity)
) STRICT, WITHOUT ROWID;

-- The same by day (days since 1970, UTC).
CREATE TABLE day (
    skill    INTEGER NOT NULL REFERENCES skill (number),
    day      INTEGER NOT NULL CHECK (day >= 0),
    activity TEXT NOT NULL,
    count    INTEGER NOT NULL CHECK (count > 0),
    PRIMARY KEY (skill, day, activity)
) STRICT, WITHOUT ROWID;

-- A copy of the file of choices, for the day when that is damaged.
CREATE TABLE choices (
    only     INTEGER PRIMARY KEY CHECK (only = 1),
    document TEXT NOT NULL
) STRICT;
