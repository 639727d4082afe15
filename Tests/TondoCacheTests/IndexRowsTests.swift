import Foundation
import Testing
import TondoFiles

@testable import TondoCache

/// Rows that no Tondo wrote.
@Suite struct IndexRowsTests {
    private static func open(_ sql: String) throws -> (TemporaryCache, AvatarCache) {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        for number in 0..<3 { try cache.store(TestImage(number), contacts: ["ada"]) }
        cache.close()
        try folder.tamper(sql)
        return (folder, cache)
    }

    private static let rows = [
        "DROP TRIGGER entry_changed; UPDATE entries SET size = 9223372036854775807",
        "DROP TRIGGER entry_changed; UPDATE entries SET size = -9223372036854775808",
        "UPDATE entries SET size = -1",
        "UPDATE entries SET created = 9223372036854775807, used = 9223372036854775807",
        "UPDATE entries SET created = -9223372036854775808, used = -9223372036854775808",
        "UPDATE entries SET cost = 9e999",
        "UPDATE entries SET cost = -9e999",
        "UPDATE entries SET photo = ''",
        "UPDATE entries SET photo = char(233, 10)",
        "UPDATE entries SET template = 99",
        "UPDATE templates SET text = ''",
        "UPDATE templates SET entries = 0, bytes = 0",
        "UPDATE templates SET entries = -5, bytes = -9223372036854775808",
        "UPDATE templates SET bytes = 9223372036854775807",
        "UPDATE templates SET side = -9223372036854775808",
        "INSERT INTO templates (text, style, side, entries, bytes) VALUES ('a', 'b', 1, 1, 9223372036854775807)",
        "INSERT INTO entries SELECT 99, x'00', photo, crop, template, size, cost, created, used FROM entries LIMIT 1",
        "INSERT INTO entries SELECT 99, x'', photo, crop, template, size, cost, created, used FROM entries LIMIT 1",
        "INSERT INTO entries SELECT 9, zeroblob(32), photo, crop, template, size, cost, created, used FROM entries LIMIT 1",
        "INSERT INTO contacts VALUES ('bo', 99, 0)",
        "UPDATE contacts SET place = 9223372036854775807",
        "INSERT INTO counters VALUES ('hits', 9223372036854775807)",
        "INSERT INTO counters VALUES ('misses', -1)",
        "INSERT INTO departures VALUES (x'00', '', NULL, '', '', 'none', 9223372036854775807)",
        "DELETE FROM templates",
        "DELETE FROM entries",
        "DROP TABLE contacts",
        "DROP TABLE counters",
        "DROP TRIGGER entry_left",
        "DROP INDEX entries_used",
    ]

    @Test(arguments: rows)
    func questionsAreAnsweredAndClearingLeavesNoFile(sql: String) throws {
        let (folder, cache) = try Self.open(sql)
        #expect(throws: Never.self) { try cache.askEverything() }
        _ = cache.lookup(TestImage(1).key)
        try cache.store(TestImage(4), contacts: ["bo"])
        #expect(try cache.entry(TestImage(4).key)?.contacts == ["bo"])
        _ = try cache.clear()
        #expect(try folder.files(below: "objects") == [])
    }

    @Test(arguments: rows)
    func repairLeavesWhatTheFilesTell(sql: String) throws {
        let (folder, cache) = try Self.open(sql)
        _ = try cache.verify(isRepairing: true)
        #expect(try cache.verify(isRepairing: false).isClean)
        let sizes = try (0..<3).map { try folder.state(folder.name(of: TestImage($0).key)).size }
        let statistics = try cache.statistics()
        #expect(statistics.entries == 3 && statistics.bytes == sizes.reduce(0, +))
    }
}
