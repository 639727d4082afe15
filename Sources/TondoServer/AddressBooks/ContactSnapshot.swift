internal import Synchronization
package import TondoContacts

/// The contacts of all books at one moment, in the order of the books, without groups. It is immutable; the next
/// snapshot shares every unchanged block. Data for lists is computed on first use. Usable from any thread.
package final class ContactSnapshot: Sendable {
    /// Another number after every change.
    package let revision: Int
    let blocks: [ContactBlock]
    /// The position of the first contact of each block, and the number of all contacts.
    private let starts: [Int]
    private let orders = Mutex<[ContactSort: [Int32]]>([:])
    private let names: NameOrders
    private let summaries = Mutex<[GroupSummary]?>(nil)

    /// `names`: what earlier snapshots compared.
    init(revision: Int, _ blocks: [ContactBlock], names: NameOrders = NameOrders()) {
        (self.revision, self.blocks, self.names) = (revision, blocks, names)
        starts = blocks.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.contacts.count) }
    }

    package var count: Int { starts.last ?? 0 }

    /// Clients choose the locale, and there are many.
    private static let mostOrders = 16

    /// The block of a position, and the row in it.
    func place(_ position: Int) -> (block: ContactBlock, row: Int) {
        var (low, high) = (0, blocks.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if starts[middle] <= position { low = middle } else { high = middle - 1 }
        }
        return (blocks[low], position - starts[low])
    }

    package subscript(position: Int) -> PackedContact {
        let (block, row) = place(position)
        return block.contacts[row]
    }

    /// The positions that match the condition, ascending. Blocks the thread.
    func positions(_ condition: ContactIndex.Condition) -> [Int32] {
        var positions: [Int32] = []
        for (block, start) in zip(blocks, starts) {
            var rows = block.index.rows(condition)
            while rows != 0 {
                positions.append(Int32(start + rows.trailingZeroBitCount))
                rows &= rows - 1
            }
        }
        return positions
    }

    /// Whether `order` needs no work.
    func isOrdered(_ sort: ContactSort) -> Bool { orders.withLock { $0[sort] != nil } }

    /// All positions in the order of their names. Blocks the thread.
    func order(_ sort: ContactSort) -> [Int32] {
        if let order = orders.withLock({ $0[sort] }) { return order }
        let contacts = blocks.flatMap(\.contacts)
        let order = names.order(sort, of: contacts.map(\.name), ids: contacts.map(\.id))
        orders.withLock { orders in
            if orders.count >= Self.mostOrders { orders = [:] }
            orders[sort] = order
        }
        return order
    }

    /// Blocks the thread.
    var groups: [GroupSummary] {
        if let groups = summaries.withLock({ $0 }) { return groups }
        let groups = GroupSummary.all(of: blocks.lazy.flatMap { $0.contacts.lazy.map(\.contact) })
        summaries.withLock { $0 = groups }
        return groups
    }

    /// Computes what searches need, so that the first search is as fast as the others.
    func prepare() {
        for block in blocks { _ = block.index }
    }
}

/// The orders of names that were compared before, for all snapshots of a directory. Usable from any thread.
final class NameOrders: Sendable {
    private struct Rules: Hashable {
        let name: ContactSort.Name
        let locale: String
    }

    private let known = Mutex(LRUCache<Rules, CollatedNames>(limit: 4))

    /// Blocks: half a second to sort a hundred thousand names for the first time.
    func order(_ sort: ContactSort, of names: [ContactName], ids: [String]) -> [Int32] {
        // Outside the lock, since it takes long; one of two that are made at the same time is kept.
        let rules = Rules(name: sort.name, locale: sort.locale)
        var own = known.withLock { $0.get(rules) } ?? CollatedNames()
        let order = sort.order(of: names, ids: ids, &own).map { Int32($0) }
        known.withLock { _ = $0.put(own, for: rules) }
        return order
    }
}

/// Up to 128 contacts that follow each other in one book. It never changes. Usable from any thread.
final class ContactBlock: Sendable {
    /// Unique.
    let number: Int
    let contacts: [PackedContact]
    private let built = Mutex<ContactIndex?>(nil)

    private static let numbers = Atomic<Int>(0)

    init(_ contacts: some Sequence<PackedContact?>) {
        self.contacts = contacts.compactMap { $0?.kind == .group ? nil : $0 }
        number = Self.numbers.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// Computed on first use. Blocks the thread.
    var index: ContactIndex {
        if let index = built.withLock({ $0 }) { return index }
        let index = ContactIndex(contacts.lazy.map(\.contact))
        built.withLock { $0 = index }
        return index
    }
}
