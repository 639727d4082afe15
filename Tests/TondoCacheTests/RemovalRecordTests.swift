import Foundation
import GRDB
import Testing

@testable import TondoCache

/// Why entries are no longer there.
@Suite struct RemovalRecordTests {
    private static func fill(_ folder: TemporaryCache) throws {
        // All at the present time, as if one transaction had written them.
        try folder.tamper(
            """
            WITH RECURSIVE numbers (number) AS (
                SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < \(IndexWriter.maxRemovalRecords))
            INSERT INTO departures
            SELECT randomblob(32), 'photo', NULL, 'text', '[]', 'size', \(folder.now.milliseconds) FROM numbers
            """)
    }

    @Test func `Records of removals on request stay within their bound without an eviction`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open(maxSize: nil)
        let images = [TestImage(0), TestImage(1)]
        for image in images { try cache.store(image) }
        cache.flush()
        try Self.fill(folder)
        for image in images { #expect(try cache.remove(image.key)) }
        cache.flush()
        let count = try folder.database().inDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM departures") }
        #expect(count == IndexWriter.maxRemovalRecords)
        #expect(try images.map { try cache.removalRecord(of: $0.key)?.reason } == [.removed, .removed])
    }
}
