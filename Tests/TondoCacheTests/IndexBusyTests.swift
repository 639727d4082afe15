import Foundation
import GRDB
import Synchronization
import Testing

@testable import TondoCache

/// Another program keeps a transaction on the index open for long.
@Suite struct IndexBusyTests {
    /// A connection that holds the index until it is asked to let go.
    private static func hold(_ folder: TemporaryCache) throws -> DatabaseQueue {
        let queue = try folder.database()
        try queue.inDatabase { try $0.execute(sql: "BEGIN EXCLUSIVE") }
        return queue
    }

    @Test func storingFindingAndReadingGoOnAndTheRowsComeLater() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open(busyTimeout: 0)
        try cache.store(TestImage(1))
        cache.flush()
        let holder = try Self.hold(folder)
        try cache.store(TestImage(2), contacts: ["ada"])
        cache.flush()
        #expect(try cache.find(TestImage(2).key) == TestImage(2).png)
        #expect(try cache.find(TestImage(1).key) == TestImage(1).png)
        #expect(folder.notices.map(\.description.isEmpty) == [false])
        try holder.inDatabase { try $0.execute(sql: "ROLLBACK") }
        #expect(try cache.entry(TestImage(2).key)?.contacts == ["ada"])
        #expect(try cache.statistics().hits == 2)
    }

    @Test func aRowThatIsStillWaitingWhenTheCacheGoesIsListedByTheNext() throws {
        let folder = try TemporaryCache()
        let holder: DatabaseQueue
        do {
            let cache = try folder.open(busyTimeout: 0)
            _ = try cache.statistics()
            holder = try Self.hold(folder)
            try cache.store(TestImage(1))
        }
        try holder.inDatabase { try $0.execute(sql: "ROLLBACK") }
        #expect(try folder.files(below: "tmp").count == 1)
        #expect(try folder.open().entry(TestImage(1).key) != nil)
        #expect(try folder.files(below: "tmp") == [])
    }

    @Test func rowsThatCouldNotBeWrittenAreTriedAgainWithoutBeingAsked() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open(busyTimeout: 0)
        _ = try cache.statistics()
        let holder = try Self.hold(folder)
        try cache.store(TestImage(1))
        cache.flush()
        #expect(cache.storage.rows.isFlushPlanned)
        try holder.inDatabase { try $0.execute(sql: "ROLLBACK") }
    }
}
