internal import Synchronization
internal import TondoContacts

/// The orders of names that were compared before, for all snapshots of a directory: the next order of nearly the same contacts
/// compares the new ones alone. Usable from any thread.
final class NameOrders: Sendable {
    private struct Rules: Hashable {
        let name: ContactSort.Name
        let locale: String
    }

    /// The last order by one sort.
    private struct Ordered {
        let blocks: [ContactBlock]
        let order: [Int32]
    }

    private let known = Mutex(LRUCache<Rules, CollatedNames>(limit: 4))
    private let orders = Mutex(LRUCache<ContactSort, Ordered>(limit: 4))
    /// The names that were sorted with all others, for tests.
    private let sorted = Atomic<Int>(0)

    var sortedNames: Int { sorted.load(ordering: .relaxed) }

    /// The positions of the contacts in the order of their names. Blocks: half a second to sort a hundred thousand names for
    /// the first time.
    func order(_ sort: ContactSort, of blocks: [ContactBlock]) -> [Int32] {
        // Outside the lock, since it takes long; one of two that are made at the same time is kept.
        let last = orders.withLock { $0.get(sort) }
        let order = last.flatMap { Self.order(sort, of: blocks, after: $0) } ?? order(sort, ofAll: blocks)
        orders.withLock { _ = $0.put(Ordered(blocks: blocks, order: order), for: sort) }
        return order
    }

    private func order(_ sort: ContactSort, ofAll blocks: [ContactBlock]) -> [Int32] {
        let contacts = blocks.flatMap(\.contacts)
        sorted.add(contacts.count, ordering: .relaxed)
        let rules = Rules(name: sort.name, locale: sort.locale)
        var own = known.withLock { $0.get(rules) } ?? CollatedNames()
        let order = sort.order(of: contacts.map(\.listedName), ids: contacts.map(\.id), &own).map { Int32($0) }
        known.withLock { _ = $0.put(own, for: rules) }
        return order
    }

    /// Beyond this part of the blocks, all names are sorted.
    private static let mostChanged = 8

    /// Nil if much has changed.
    private static func order(_ sort: ContactSort, of blocks: [ContactBlock], after last: Ordered) -> [Int32]? {
        let starts = Self.starts(of: blocks)
        let (kept, isKept) = positions(in: last.blocks, after: blocks, starts)
        guard let kept, let count = starts.last else { return nil }
        let comparison = NameComparison(sort: sort)
        let key = { (position: Int32) in
            let packed = Self.contact(at: Int(position), of: blocks, starts)
            return comparison.key(of: packed.listedName, id: packed.id)
        }
        let rest = last.order.compactMap { kept[Int($0)] >= 0 ? kept[Int($0)] : nil }
        let new = (0..<Int32(count)).filter { !isKept[Int($0)] }.map { (position: $0, key: key($0)) }
            .sorted { comparison.isBefore($0.key, $1.key) }
        var (order, start) = ([Int32](), 0)
        order.reserveCapacity(count)
        for (position, own) in new {
            // Keys of old contacts are made for these few comparisons alone: all of them would cost as much as sorting.
            var (low, high) = (start, rest.count)
            while low < high {
                let middle = (low + high) / 2
                if comparison.isBefore(key(rest[middle]), own) { low = middle + 1 } else { high = middle }
            }
            order += rest[start..<low]
            order.append(position)
            start = low
        }
        return order + rest[start...]
    }

    /// The new position of each old contact whose name is the same, -1 for the others; and which new contacts these are. Nil
    /// if more than some blocks differ.
    private static func positions(
        in old: [ContactBlock], after new: [ContactBlock], _ starts: [Int]
    ) -> (kept: [Int32]?, isKept: [Bool]) {
        let indices = Dictionary(uniqueKeysWithValues: new.enumerated().map { ($1.number, $0) })
        let gone = old.filter { indices[$0.number] == nil }
        let known = Set(old.lazy.map(\.number))
        let added = new.indices.filter { !known.contains(new[$0].number) }
        guard max(gone.count, added.count) <= 2 + new.count / mostChanged else { return (nil, []) }
        var isKept = [Bool](repeating: false, count: starts.last ?? 0)
        var names: [String: (name: ContactName, position: Int)] = [:]
        for block in added {
            for (row, contact) in new[block].contacts.enumerated() {
                names[contact.id] = (contact.listedName, starts[block] + row)
            }
        }
        var kept: [Int32] = []
        kept.reserveCapacity(isKept.count)
        for block in old {
            guard let index = indices[block.number] else {
                for contact in block.contacts {
                    let now = names[contact.id].flatMap { $0.name == contact.listedName ? $0.position : nil }
                    kept.append(Int32(now ?? -1))
                    if let now { isKept[now] = true }
                }
                continue
            }
            for position in starts[index]..<starts[index + 1] {
                kept.append(Int32(position))
                isKept[position] = true
            }
        }
        return (kept, isKept)
    }

    /// The position of the first contact of each block, and the number of all contacts.
    private static func starts(of blocks: [ContactBlock]) -> [Int] {
        blocks.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.contacts.count) }
    }

    private static func contact(at position: Int, of blocks: [ContactBlock], _ starts: [Int]) -> PackedContact {
        var (low, high) = (0, blocks.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if starts[middle] <= position { low = middle } else { high = middle - 1 }
        }
        return blocks[low].contacts[position - starts[low]]
    }
}
