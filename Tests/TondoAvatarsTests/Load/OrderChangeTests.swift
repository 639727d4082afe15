import Testing
import TondoTestSupport

@testable import TondoAvatars

@Suite struct OrderChangeTests {
    /// What a client makes of the events: `old` without those that are gone, then the changes.
    private func applied(_ old: [String], _ new: [String], _ change: OrderChange, alsoChanged: Set<String>) -> [String]
    {
        var list = old.filter(Set(new).contains)
        for (position, id) in new.enumerated()
        where change.moved.contains(position) || !old.contains(id) || alsoChanged.contains(id) {
            list.removeAll { $0 == id }
            list.insert(id, at: change.indices[position])
        }
        return list
    }

    @Test func `One contact that goes to the end is one move`() {
        let change = OrderChange(from: ["a", "b", "c", "d"], to: ["b", "c", "d", "a"])
        #expect(change.moved == [3] && change.indices == [1, 2, 3, 3])
    }

    @Test func `New contacts are put where they stand`() {
        let change = OrderChange(from: ["b", "d"], to: ["a", "b", "c", "d"])
        #expect(change.moved.isEmpty && change.indices == [0, 1, 2, 3])
    }

    @Test func `Applying the changes gives the new order`() {
        var numbers = SplitMix64(7)
        for _ in 0..<2_000 {
            let all = (0..<Int.random(in: 0...12, using: &numbers)).map(String.init)
            let old = all.filter { _ in Bool.random(using: &numbers) }.shuffled(using: &numbers)
            let new = all.filter { _ in Int.random(in: 0..<4, using: &numbers) > 0 }.shuffled(using: &numbers)
            let changed = Set(new.filter { _ in Int.random(in: 0..<3, using: &numbers) == 0 })
            #expect(applied(old, new, OrderChange(from: old, to: new), alsoChanged: changed) == new, "\(old) to \(new)")
        }
    }
}
