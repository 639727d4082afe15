import Dispatch
import Foundation
import Synchronization
import Testing

@testable import TondoCache

@Suite struct ClearTests {
    @Test func everythingGoesListedOrNot() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        for number in 0..<5 { try cache.store(TestImage(number)) }
        try folder.write(TestImage(6).entryFile(), to: folder.name(of: TestImage(6).key))
        #expect(try cache.clear().entries == 6)
        #expect(try folder.files(below: "objects") == [])
        #expect(try cache.statistics().entries == 0)
        #expect(try cache.verify(isRepairing: false).problems == [])
    }

    @Test func failuresStay() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.note(failureOf: "photo=1", stage: "decode", code: "broken", reason: "cut off")
        _ = try cache.clear()
        #expect(try cache.failures().count == 1)
    }

    @Test func itEndsWhileOthersStore() throws {
        let folder = try TemporaryCache()
        let (first, second) = (try folder.open(), try folder.open())
        for number in 0..<20 { try first.store(TestImage(number)) }
        let isOver = Atomic(false)
        DispatchQueue.concurrentPerform(iterations: 2) { turn in
            if turn == 0 {
                _ = try? first.clear()
                isOver.store(true, ordering: .releasing)
            } else {
                while !isOver.load(ordering: .acquiring) {
                    for number in 0..<20 { try? second.store(TestImage(number)) }
                    second.flush()
                }
            }
        }
        #expect(try first.verify(isRepairing: false).problems == [])
        #expect(try first.clear().entriesLeft == 0)
    }
}
