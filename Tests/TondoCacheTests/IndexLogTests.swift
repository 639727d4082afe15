import Foundation
import Testing
import TondoFiles

@testable import TondoCache

/// SQLite's write-ahead log takes no more room than is needed.
@Suite struct IndexLogTests {
    @Test func `The log of many rows stays short`() throws {
        let folder = try TemporaryCache(inMemory: true)
        let cache = try folder.open()
        for number in 0..<1500 {
            try cache.note(number)
            if number % 250 == 249 {
                cache.flush()
                #expect(try folder.state("index.sqlite-wal").size <= 512 << 10)
            }
        }
        #expect(try cache.statistics().failures == ["broken": 1500])
    }
}
