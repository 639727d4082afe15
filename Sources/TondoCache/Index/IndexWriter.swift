internal import FoundationEssentials
internal import GRDB

/// Writes rows, inside a transaction that its owner has begun.
struct IndexWriter {
    let database: Database
    private var templates: [String: Int64] = [:]
    /// Queried with the first row.
    private var leftover: Leftover?

    /// What a new row may find under its key or id.
    private struct Leftover {
        var hasRemovalRecords: Bool
        /// No row with a larger id has contacts. New rows mostly get larger ids; a damaged index may contain contacts
        /// of removed rows.
        var lastNamed: Int64

        init(hasRemovalRecords: Bool, lastNamed: Int64) {
            (self.hasRemovalRecords, self.lastNamed) = (hasRemovalRecords, lastNamed)
        }

        init(_ database: Database) throws {
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM departures), (SELECT max(entry) FROM contacts)"))
            hasRemovalRecords = try row?.decode(atIndex: 0) ?? true
            lastNamed = try row?.decode(Int64?.self, atIndex: 1) ?? 0
        }
    }

    /// The maximum number of removal records; the oldest are dropped first.
    static let maxRemovalRecords = 10_000

    init(_ database: Database) { self.database = database }

    /// Inserts a row for an entry whose file exists. An older row keeps its last use, unless the new one is later.
    mutating func put(_ entry: Entry) throws {
        let key = Data(entry.key.bytes)
        guard let id = try insert(entry, key) ?? update(entry, key) else { return }
        let leftover = try leftover ?? Leftover(database)
        if leftover.hasRemovalRecords {
            try database.cachedStatement(sql: "DELETE FROM departures WHERE key = ?").execute(arguments: [key])
        }
        if id <= leftover.lastNamed {
            try database.cachedStatement(sql: "DELETE FROM contacts WHERE entry = ?").execute(arguments: [id])
        }
        self.leftover = Leftover(
            hasRemovalRecords: leftover.hasRemovalRecords,
            lastNamed: entry.contacts.isEmpty ? leftover.lastNamed : max(leftover.lastNamed, id))
        for (place, contact) in entry.contacts.enumerated() {
            try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO contacts (contact, entry, place) VALUES (?, ?, ?)"
            ).execute(arguments: [contact, id, place])
        }
    }

    /// Returns the row's id, or nil if there is one already.
    private mutating func insert(_ entry: Entry, _ key: Data) throws -> Int64? {
        try database.cachedStatement(
            sql: """
                INSERT INTO entries (key, photo, crop, template, size, cost, created, used)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING
                """
        ).execute(arguments: [
            key, entry.recipe.photo, entry.recipe["crop"], template(entry.recipe), entry.size, entry.cost,
            entry.created.milliseconds, entry.used.milliseconds,
        ])
        return database.changesCount == 1 ? database.lastInsertedRowID : nil
    }

    private mutating func update(_ entry: Entry, _ key: Data) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    UPDATE entries SET photo = ?, crop = ?, template = ?, size = ?, cost = ?, created = ?,
                        used = max(used, ?)
                    WHERE key = ? RETURNING id
                    """),
            arguments: [
                entry.recipe.photo, entry.recipe["crop"], template(entry.recipe), entry.size, entry.cost,
                entry.created.milliseconds, entry.used.milliseconds, key,
            ])
    }

    /// Removes the row; `reason`: recorded as the reason of the removal, if any.
    mutating func remove(_ key: CacheKey, reason: RemovalRecord.Reason?, date: Date) throws {
        let key = Data(key.bytes)
        if let reason {
            leftover?.hasRemovalRecords = true
            try database.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO departures (key, photo, crop, template, contacts, reason, date)
                    SELECT key, photo, crop, text,
                        (SELECT json_group_array(contact) FROM contacts WHERE entry = entries.id), ?, ?
                    FROM entries JOIN templates ON templates.id = template WHERE key = ?
                    """
            ).execute(arguments: [reason.rawValue, date.milliseconds, key])
        }
        try database.cachedStatement(sql: "DELETE FROM entries WHERE key = ?").execute(arguments: [key])
    }

    func touch(_ key: CacheKey, _ date: Date) throws {
        try database.cachedStatement(sql: "UPDATE entries SET used = max(used, ?) WHERE key = ?")
            .execute(arguments: [date.milliseconds, Data(key.bytes)])
    }

    /// Uses in the future come from a wrong clock: they count as of now.
    func bringBack(to now: Date) throws {
        try database.cachedStatement(sql: "UPDATE entries SET used = ? WHERE used > ?")
            .execute(arguments: [now.milliseconds, now.milliseconds])
    }

    func count(_ name: String, _ more: Int) throws {
        guard more != 0 else { return }
        try database.cachedStatement(
            sql: """
                INSERT INTO counters (name, value) VALUES (?, ?)
                ON CONFLICT (name) DO UPDATE SET value = value + excluded.value
                """
        ).execute(arguments: [name, more])
    }

    /// Drops removal records beyond the newest, and unused templates.
    func tidy() throws {
        try database.execute(
            sql: """
                DELETE FROM departures WHERE date < (
                    SELECT date FROM departures ORDER BY date DESC LIMIT 1 OFFSET ?);
                DELETE FROM templates WHERE entries = 0;
                """,
            arguments: [Self.maxRemovalRecords])
    }

    private mutating func template(_ recipe: Recipe) throws -> Int64 {
        let text = recipe.template
        if let id = templates[text] { return id }
        let found = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM templates WHERE text = ?"), arguments: [text])
        if let found {
            templates[text] = found
            return found
        }
        try database.cachedStatement(sql: "INSERT INTO templates (text, style, side) VALUES (?, ?, ?)")
            .execute(arguments: [text, recipe.style, recipe.side])
        templates[text] = database.lastInsertedRowID
        return database.lastInsertedRowID
    }
}
