internal import Synchronization
package import TondoContacts

/// The people of all books as they are at one moment, in the books' order, without contacts that are groups. It never
/// changes; the next snapshot shares every block that has no change. What lists need of it is made when it is asked for the
/// first time. Usable from any thread.
package final class ContactSnapshot: Sendable {
    /// Another number after every change.
    package let revision: Int
    let blocks: [ContactBlock]
    /// The position of each block's first contact, and the number of all.
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

    /// The block of a position, and the place in it.
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

    /// The positions for which the condition holds, ascending. Blocks.
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

    /// All positions in the order of their names. Blocks.
    func order(_ sort: ContactSort) -> [Int32] {
        if let order = orders.withLock({ $0[sort] }) { return order }
        let order = names.order(sort, of: blocks.flatMap { $0.contacts.map(\.name) })
        orders.withLock { $0[sort] = order }
        return order
    }

    /// Blocks.
    var groups: [GroupSummary] {
        if let groups = summaries.withLock({ $0 }) { return groups }
        let groups = GroupSummary.all(of: blocks.lazy.flatMap { $0.contacts.lazy.map(\.contact) })
        summaries.withLock { $0 = groups }
        return groups
    }

    /// Makes what searches need, so that the first of them need not. Blocks.
    func prepare() {
        for block in blocks { _ = block.index }
    }

    /// Bytes that searches need, as far as they are made.
    package var indexSize: Int { blocks.reduce(0) { $0 + $1.indexSize } }
}

/// The orders of names that were compared before, for all snapshots of a directory. Usable from any thread.
final class NameOrders: Sendable {
    private let known = Mutex<[ContactSort.Name: CollatedNames]>([:])

    /// Blocks: a second to sort ten thousand names for the first time, a hundredth of it after a change of one.
    func order(_ sort: ContactSort, of names: [ContactName]) -> [Int32] {
        // Outside the lock, since it takes long; one of two that are made at the same time is kept.
        var own = known.withLock { $0[sort.name] } ?? CollatedNames()
        let order = sort.order(of: names, &own).map { Int32($0) }
        known.withLock { $0[sort.name] = own }
        return order
    }
}

/// Up to 128 contacts that follow each other in one book. It never changes. Usable from any thread.
final class ContactBlock: Sendable {
    /// No other block has it.
    let number: Int
    let contacts: [PackedContact]
    private let built = Mutex<ContactIndex?>(nil)

    private static let numbers = Atomic<Int>(0)

    init(_ contacts: some Sequence<PackedContact?>) {
        self.contacts = contacts.compactMap { $0?.kind == .group ? nil : $0 }
        number = Self.numbers.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// Made when it is asked for the first time. Blocks.
    var index: ContactIndex {
        if let index = built.withLock({ $0 }) { return index }
        let index = ContactIndex(contacts.lazy.map(\.contact))
        built.withLock { $0 = index }
        return index
    }

    var indexSize: Int { built.withLock { $0?.size ?? 0 } }
}
