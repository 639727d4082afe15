internal import GRDB

/// The tables of the index. They only repeat data of the files, except for counters, last uses, removal
/// records and the digests of photos.
enum Schema {
    /// Stored in `user_version`. An index with another version is rebuilt from the files.
    static let version = 4

    static func create(_ database: Database) throws {
        try database.execute(sql: tables + indexes + triggers + failureTables + photoTable)
        try database.execute(sql: "PRAGMA user_version = \(version)")
    }

    static func isCurrent(_ database: Database) throws -> Bool {
        try Int.fetchOne(database, sql: "PRAGMA user_version") == version
    }

    // Times are milliseconds since 1970, sizes bytes, costs milliseconds. `templates` contains what many avatars share:
    // everything of a recipe except photo and crop.
    private static let tables = """
        CREATE TABLE templates (
            id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, style TEXT NOT NULL, side INTEGER NOT NULL,
            entries INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE entries (
            id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, photo TEXT NOT NULL, crop TEXT,
            template INTEGER NOT NULL REFERENCES templates, size INTEGER NOT NULL, cost REAL NOT NULL,
            created INTEGER NOT NULL, used INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE contacts (
            contact TEXT NOT NULL, entry INTEGER NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (contact, entry)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE departures (
            key BLOB PRIMARY KEY, photo TEXT NOT NULL, crop TEXT, template TEXT NOT NULL, contacts TEXT NOT NULL,
            reason TEXT NOT NULL, date INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE sums (
            id INTEGER PRIMARY KEY CHECK (id = 1), entries INTEGER NOT NULL, bytes INTEGER NOT NULL
        ) STRICT;
        INSERT INTO sums VALUES (1, 0, 0);
        CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;

        """

    // The first index covers all columns that select and order entries: scanning it takes a tenth of a second for a
    // million entries, following it to the rows takes two.
    private static let indexes = """
        CREATE INDEX entries_used ON entries (used, template, size, cost, created);
        CREATE INDEX entries_created ON entries (created);
        CREATE INDEX entries_photo ON entries (photo);
        CREATE INDEX contacts_entry ON contacts (entry);
        CREATE INDEX departures_date ON departures (date);

        """

    // Sums are maintained, so that no query has to scan a million entries for them. Those of all entries are kept apart from
    // those of the templates: each contact with initials has a template of its own.
    private static let triggers = """
        CREATE TRIGGER entry_came AFTER INSERT ON entries BEGIN
            UPDATE templates SET entries = entries + 1, bytes = bytes + new.size WHERE id = new.template;
            UPDATE sums SET entries = entries + 1, bytes = bytes + new.size;
        END;
        CREATE TRIGGER entry_left AFTER DELETE ON entries BEGIN
            UPDATE templates SET entries = entries - 1, bytes = bytes - old.size WHERE id = old.template;
            UPDATE sums SET entries = entries - 1, bytes = bytes - old.size;
            DELETE FROM contacts WHERE entry = old.id;
        END;
        CREATE TRIGGER entry_changed AFTER UPDATE OF size, template ON entries BEGIN
            UPDATE templates SET entries = entries - 1, bytes = bytes - old.size WHERE id = old.template;
            UPDATE templates SET entries = entries + 1, bytes = bytes + new.size WHERE id = new.template;
            UPDATE sums SET bytes = bytes - old.size + new.size;
        END;

        """

    // Negative entries, with their sums by code: a scrape reads as many rows as there are codes.
    private static let failureTables = """
        CREATE TABLE failures (
            id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, code TEXT NOT NULL, size INTEGER NOT NULL,
            since INTEGER NOT NULL, until INTEGER
        ) STRICT;
        CREATE TABLE failure_codes (
            code TEXT PRIMARY KEY, failures INTEGER NOT NULL, bytes INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX failures_since ON failures (since);
        CREATE TRIGGER failure_came AFTER INSERT ON failures BEGIN
            INSERT INTO failure_codes (code, failures, bytes) VALUES (new.code, 1, new.size)
                ON CONFLICT (code) DO UPDATE SET failures = failures + 1, bytes = bytes + excluded.bytes;
        END;
        CREATE TRIGGER failure_left AFTER DELETE ON failures BEGIN
            UPDATE failure_codes SET failures = failures - 1, bytes = bytes - old.size WHERE code = old.code;
            DELETE FROM failure_codes WHERE code = old.code AND failures = 0;
        END;

        """

    // See `PhotoDigests`. Ids are in the order of insertion.
    private static let photoTable = """
        CREATE TABLE photos (id INTEGER PRIMARY KEY, place BLOB NOT NULL UNIQUE, facts BLOB NOT NULL) STRICT;
        """
}
