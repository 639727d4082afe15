import Testing

@testable import TondoServer

@Suite struct LRUCacheTests {
    @Test func `What was not asked for the longest goes first`() {
        var table = LRUCache<Int, Int>(limit: 16)
        for number in 0..<16 { #expect(table.put(number, for: number).isEmpty) }
        #expect(table.get(0) == 0)
        #expect(table.put(16, for: 16).map(\.key) == [1, 2, 3])
        #expect(table.count == 14 && table.cost == 14 && table.get(0) == 0 && table.get(1) == nil)
    }

    @Test func `What takes too much is not kept, and its old value goes`() {
        var table = LRUCache<String, Int>(limit: 80)
        #expect(table.put(1, for: "a", cost: 10).isEmpty)
        #expect(table.put(2, for: "a", cost: 11).map(\.value) == [2])
        #expect(table.get("a") == nil && table.cost == 0)
    }

    @Test func `A value in the place of another one costs what it costs`() {
        var table = LRUCache<String, Int>(limit: 80)
        for cost in [10, 5, 7] { #expect(table.put(cost, for: "a", cost: cost).isEmpty) }
        #expect(table.cost == 7 && table.get("a") == 7)
        table.removeAll()
        #expect(table.cost == 0 && table.count == 0)
    }
}
