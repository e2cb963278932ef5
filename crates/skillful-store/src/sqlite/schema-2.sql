-- What a scan of content with this digest came to under these rules. What the bytes mean is not known here.
CREATE TABLE verdict (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,
    digest  TEXT NOT NULL,
    rules   TEXT NOT NULL,
    outcome BLOB NOT NULL,
    UNIQUE (digest, rules)
) STRICT;

-- Where such content was seen, and what it is recognised by there.
CREATE TABLE sighting (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,
    place   TEXT NOT NULL UNIQUE,
    stamp   BLOB NOT NULL,
    verdict INTEGER NOT NULL REFERENCES verdict (number) ON DELETE CASCADE
) STRICT;

CREATE INDEX sighting_of_verdict ON sighting (verdict);
