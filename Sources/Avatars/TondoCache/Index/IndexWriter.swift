internal import FoundationEssentials
internal import GRDB

/// Writes rows, inside a transaction that its owner has begun.
struct IndexWriter {
    let database: Database
    private var templates: [String: Int64] = [:]
    /// Queried with the first row.
    private var leftover: Leftover?
    private var hasRecordedRemovals = false

    /// What a new row may find under its key or id.
    private struct Leftover {
        var hasRemovalRecords: Bool
        /// No row with a larger id has contacts. New rows mostly get larger ids; a damaged index may contain contacts
        /// of removed rows.
        var lastNamed: Int64

        init(database: Database) throws {
            let row = try database.row("SELECT EXISTS (SELECT 1 FROM departures), (SELECT max(entry) FROM contacts)")
            hasRemovalRecords = try row?.decode(atIndex: 0) ?? true
            lastNamed = try row?.decode(Int64?.self, atIndex: 1) ?? 0
        }
    }

    /// The maximum number of removal records; the oldest are dropped first.
    static let maxRemovalRecords = 10_000

    init(database: Database) { self.database = database }

    /// Inserts a row for an entry whose file exists. An older row keeps its last use, unless the new one is later.
    mutating func put(_ entry: Entry) throws {
        let key = Data(entry.key.bytes)
        guard let id = try insert(entry, key: key) ?? update(entry, key: key) else { return }
        var leftover = try leftover ?? Leftover(database: database)
        if leftover.hasRemovalRecords { try database.run("DELETE FROM departures WHERE key = ?", with: key) }
        if id <= leftover.lastNamed { try database.run("DELETE FROM contacts WHERE entry = ?", with: id) }
        if !entry.contacts.isEmpty { leftover.lastNamed = max(leftover.lastNamed, id) }
        self.leftover = leftover
        for (position, contact) in entry.contacts.enumerated() {
            try database.run(
                "INSERT OR REPLACE INTO contacts (contact, entry, place) VALUES (?, ?, ?)", with: contact, id, position)
        }
    }

    /// Returns the row's id, or nil if there is one already.
    private mutating func insert(_ entry: Entry, key: Data) throws -> Int64? {
        try database.run(
            """
            INSERT INTO entries (key, photo, crop, template, size, cost, created, used)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING
            """, with: key, entry.recipe.photo, entry.recipe["crop"], template(entry.recipe), entry.size, entry.cost,
            entry.created.milliseconds, entry.used.milliseconds)
        return database.changesCount == 1 ? database.lastInsertedRowID : nil
    }

    private mutating func update(_ entry: Entry, key: Data) throws -> Int64? {
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
            hasRecordedRemovals = true
            try database.run(
                """
                INSERT OR REPLACE INTO departures (key, photo, crop, template, contacts, reason, date)
                SELECT key, photo, crop, text,
                    (SELECT json_group_array(contact) FROM contacts WHERE entry = entries.id), ?, ?
                FROM entries JOIN templates ON templates.id = template WHERE key = ?
                """, with: reason.rawValue, date.milliseconds, key)
        }
        try database.run("DELETE FROM entries WHERE key = ?", with: key)
    }

    func touch(_ key: CacheKey, at date: Date) throws {
        try database.run(
            "UPDATE entries SET used = max(used, ?) WHERE key = ?", with: date.milliseconds, Data(key.bytes))
    }

    /// Uses in the future come from a wrong clock: they count as of now.
    func bringBack(to now: Date) throws {
        try database.run("UPDATE entries SET used = ?1 WHERE used > ?1", with: now.milliseconds)
    }

    func count(_ name: String, more: Int) throws {
        guard more != 0 else { return }
        try database.run(
            """
            INSERT INTO counters (name, value) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET value = value + excluded.value
            """, with: name, more)
    }

    /// At the end of every transaction: evictions are not the only removals that are recorded, and may never come.
    func boundRemovalRecords() throws {
        guard hasRecordedRemovals else { return }
        // By row, not by date: the records of one transaction have the same date.
        try database.run(
            """
            DELETE FROM departures WHERE rowid IN (
                SELECT rowid FROM departures ORDER BY date DESC, rowid DESC LIMIT -1 OFFSET ?)
            """, with: Self.maxRemovalRecords)
    }

    func removeUnusedTemplates() throws { try database.run("DELETE FROM templates WHERE entries = 0") }

    private mutating func template(_ recipe: Recipe) throws -> Int64 {
        let text = recipe.template
        if let id = templates[text] { return id }
        let found = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM templates WHERE text = ?"), arguments: [text])
        if found == nil {
            try database.run(
                "INSERT INTO templates (text, style, side) VALUES (?, ?, ?)", with: text, recipe.style, recipe.side)
        }
        let id = found ?? database.lastInsertedRowID
        templates[text] = id
        return id
    }
}

/// Rows of negative entries.
extension IndexWriter {
    /// Inserts a row for a negative entry whose file exists. The sums by code follow from triggers, hence no upsert.
    func put(_ row: FailureRow) throws {
        try removeFailure(row.key)
        try database.run(
            "INSERT INTO failures (key, code, size, since, until) VALUES (?, ?, ?, ?, ?)", with: Data(row.key.bytes),
            row.code, row.size, row.since.milliseconds, row.until?.milliseconds)
    }

    func removeFailure(_ key: CacheKey) throws {
        try database.run("DELETE FROM failures WHERE key = ?", with: Data(key.bytes))
    }
}

extension Database {
    /// Runs a statement, which is compiled once for each connection.
    func run(_ sql: String, with arguments: (any DatabaseValueConvertible)?...) throws {
        try cachedStatement(sql: sql).execute(arguments: StatementArguments(arguments))
    }

    /// A copy of the first row.
    func row(_ sql: String, with arguments: (any DatabaseValueConvertible)?...) throws -> Row? {
        try Row.fetchOne(cachedStatement(sql: sql), arguments: StatementArguments(arguments))
    }

    /// Each row is valid until the next one, and as long as the cursor lives.
    func rows(_ sql: String, with arguments: (any DatabaseValueConvertible)?...) throws -> RowCursor {
        try Row.fetchCursor(cachedStatement(sql: sql), arguments: StatementArguments(arguments))
    }
}
