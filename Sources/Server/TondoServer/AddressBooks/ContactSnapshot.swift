internal import Dispatch
internal import Synchronization
package import TondoContacts
internal import TondoJobs

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
    private let joined = Mutex<JoinedPeople?>(nil)
    private let isJoining = Atomic<Bool>(false)
    private let showsPhoto: @Sendable (PackedContact) -> Bool

    /// `names`: what earlier snapshots compared. `showsPhoto`: whether the contact has a photo that gives an avatar, as far
    /// as is known.
    init(
        revision: Int, blocks: [ContactBlock], names: NameOrders = NameOrders(),
        showsPhoto: @escaping @Sendable (PackedContact) -> Bool = { $0.hasPhoto }
    ) {
        self.revision = revision
        self.blocks = blocks
        self.names = names
        self.showsPhoto = showsPhoto
        starts = blocks.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.contacts.count) }
    }

    /// The number of positions, which begin at 0.
    package var count: Int { starts.last ?? 0 }

    /// Clients choose the locale, and there are many.
    private static let mostOrders = 16

    /// The block of a position, and the row in it.
    func slot(_ position: Int) -> (block: ContactBlock, row: Int) {
        var (low, high) = (0, blocks.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if starts[middle] <= position { low = middle } else { high = middle - 1 }
        }
        return (blocks[low], position - starts[low])
    }

    /// `position`: less than `count`. The cost grows with the logarithm of the number of blocks.
    package subscript(position: Int) -> PackedContact {
        let (block, row) = slot(position)
        return block.contacts[row]
    }

    func isFavourite(_ position: Int) -> Bool {
        let (block, row) = slot(position)
        return block.isFavourite(row)
    }

    /// The positions that match the condition, ascending. `isFavourite`: favourites alone. Blocks the thread.
    func positions(_ condition: ContactIndex.Condition, isFavourite: Bool = false) -> [Int32] {
        if condition.isWhole, !isFavourite { return (0..<Int32(count)).map { $0 } }
        var positions: [Int32] = []
        for (index, (found, start)) in zip(rows(condition), starts).enumerated() {
            var rows = isFavourite ? found & blocks[index].favourites : found
            while rows != 0 {
                positions.append(Int32(start + rows.trailingZeroBitCount))
                rows &= rows - 1
            }
        }
        return positions
    }

    /// The rows of each block.
    private func rows(_ condition: ContactIndex.Condition) -> [UInt128] {
        if condition.isWhole { return blocks.map(\.rows) }
        if condition.isSearch { return rowsAtOnce(condition) }
        var folder = SearchFolder()
        return blocks.map { $0.rows(condition, &folder) }
    }

    /// Rows for a search. On all processors, since the first search reads every contact.
    private func rowsAtOnce(_ condition: ContactIndex.Condition) -> [UInt128] {
        // Each part folds the texts that it has in common once.
        let size = max((blocks.count + Processors.ofService - 1) / Processors.ofService, 8)
        let rows = Mutex([UInt128](repeating: 0, count: blocks.count))
        DispatchQueue.concurrentPerform(iterations: (blocks.count + size - 1) / size) { number in
            let own = number * size..<min((number + 1) * size, blocks.count)
            var folder = SearchFolder()
            let found = blocks[own].map { $0.rows(condition, &folder) }
            rows.withLock { $0.replaceSubrange(own, with: found) }
        }
        return rows.withLock { $0 }
    }

    /// Whether `order` needs no work.
    func isOrdered(_ sort: ContactSort) -> Bool { orders.withLock { $0[sort] != nil } }

    /// All positions in the order of their names. Blocks the thread.
    func order(_ sort: ContactSort) -> [Int32] {
        if let order = orders.withLock({ $0[sort] }) { return order }
        let order = names.order(sort, of: blocks)
        orders.withLock { orders in
            if orders.count >= Self.mostOrders { orders = [:] }
            orders[sort] = order
        }
        return order
    }

    /// Blocks the thread.
    var groups: [GroupSummary] {
        if let groups = summaries.withLock({ $0 }) { return groups }
        let groups = GroupTally.summaries(of: blocks.lazy.map(\.groups))
        summaries.withLock { $0 = groups }
        return groups
    }

    /// Which contacts are one person. Blocks the thread: a tenth of a second for a hundred thousand contacts the first time,
    /// and a part of that after a change.
    var people: JoinedPeople {
        if let people = joined.withLock({ $0 }) { return people }
        isJoining.store(true, ordering: .sequentiallyConsistent)
        let made = JoinedPeople(blocks, starts: starts, showsPhoto: showsPhoto)
        joined.withLock { $0 = made }
        return made
    }

    /// Whether `people` needs no work.
    var isJoined: Bool { joined.withLock { $0 != nil } }

    /// Whether other photos of this contact could change who stands for a person in `people`.
    func mayShowOther(_ contact: PackedContact) -> Bool {
        guard isJoining.load(ordering: .sequentiallyConsistent) else { return false }
        return joined.withLock { $0?.hasSeveral(contact) ?? true }
    }

    /// The positions of the other contacts that are the same person, ascending. Blocks the thread, for less than `people`
    /// does.
    func others(of contact: PackedContact) -> [Int32] {
        JoinedPeople.others(of: contact, in: blocks, starts: starts)
    }

    /// The contacts at these positions, as others of a person; no more than responses have.
    func others(at positions: some Collection<Int32>) -> [ContactDocument.Other] {
        positions.prefix(ContactDocument.Other.most).map { position in
            let id = self[Int(position)].id
            return ContactDocument.Other(
                id: id, book: AddressBookService.book(ofServed: id) + 1, isFavourite: isFavourite(Int(position)))
        }
    }

    /// The index letter of each contact, by its position. Blocks the thread.
    func titles(_ variant: ContactList.Variant) -> [String] {
        var headlines = ContactHeadlines(sort: variant.sort, locale: variant.locale)
        return blocks.flatMap { $0.titles(variant, headlines: &headlines) }
    }

    /// Computes what filters and groups need, so that the first list is as fast as the others. The texts of searches wait for
    /// the first search: many services have none.
    func prepare() {
        for block in blocks { _ = block.index }
    }
}

/// Up to 128 contacts that follow each other in one book. It never changes. Usable from any thread.
final class ContactBlock: Sendable {
    /// Unique.
    let number: Int
    let contacts: [PackedContact]
    /// The favourites among them: a bit for each contact, the first contact the lowest.
    let favourites: UInt128
    private let built = Mutex<ContactIndex?>(nil)
    private let texts = Mutex<SearchRows?>(nil)
    private let tally = Mutex<GroupTally?>(nil)
    private let titles = Mutex<[ContactList.Variant: [String]]>([:])
    private let listed = ListedRows()
    private let comparedNames = Mutex<[UInt64]?>(nil)
    /// By row, of those that were asked for.
    private let personMarks = Mutex<[Int: PersonMarks]>([:])

    private static let numbers = Atomic<Int>(0)

    /// `contacts`: the array of a block of `ContactRows`, which both share until that one changes. `favourites`: ids.
    init(_ contacts: [PackedContact], favourites: Set<String> = []) {
        // Groups have requests of their own; a list of contacts shows none.
        self.contacts = contacts.contains { $0.kind == .group } ? contacts.filter { $0.kind != .group } : contacts
        var rows: UInt128 = 0
        if !favourites.isEmpty {
            for (row, contact) in self.contacts.enumerated() where favourites.contains(contact.id) {
                rows |= 1 << UInt128(row)
            }
        }
        self.favourites = rows
        number = Self.numbers.wrappingAdd(1, ordering: .relaxed).newValue
    }

    func isFavourite(_ row: Int) -> Bool { favourites != 0 && favourites >> UInt128(row) & 1 == 1 }

    /// Appends the contact in this row as `ContactDocument.addOpen` does, keeps what it appends, and returns the contact's id.
    /// `most`: bytes of `json` and of a contact whose text is not kept; beyond that it returns nil.
    func addOpen(
        _ row: Int, variant: ContactList.Variant, headlines: inout ContactHeadlines, most: Int, to json: inout [UInt8]
    ) -> String? {
        // First: to read the contact costs more than to copy the text.
        if let id = listed.add(row, variant: variant, to: &json) { return json.count > most ? nil : id }
        let (packed, start) = (contacts[row], json.count)
        if start + packed.size > most { return nil }
        ContactDocument.addOpen(packed, headline: headlines.headline(of: packed), to: &json)
        listed.keep(json[start...], of: packed.id, inRow: row, of: contacts.count, variant: variant)
        return packed.id
    }

    /// A bit for each contact.
    var rows: UInt128 { contacts.isEmpty ? 0 : ~0 >> UInt128(ContactIndex.capacity - contacts.count) }

    /// Computed on first use. Blocks the thread.
    var index: ContactIndex {
        // Built outside the lock: two threads may do so at the same time, with equal results.
        if let index = built.withLock({ $0 }) { return index }
        let index = ContactIndex(contacts.lazy.map(\.contact))
        built.withLock { $0 = index }
        return index
    }

    /// The contacts that match the condition. Folds their texts when they are searched for the first time. Blocks the thread.
    func rows(_ condition: ContactIndex.Condition, _ folder: inout SearchFolder) -> UInt128 {
        index.rows(condition) { searched(&folder) }
    }

    /// Whether its texts are kept for searches.
    var isSearched: Bool { texts.withLock { $0 != nil } }

    private func searched(_ folder: inout SearchFolder) -> SearchRows {
        if let texts = texts.withLock({ $0 }) { return texts }
        let made = SearchRows(contacts.lazy.map(\.contact), &folder)
        texts.withLock { $0 = made }
        return made
    }

    /// Computed on first use. Blocks the thread.
    var groups: GroupTally {
        if let tally = tally.withLock({ $0 }) { return tally }
        let made = GroupTally(contacts.lazy.map(\.contact))
        tally.withLock { $0 = made }
        return made
    }

    /// The hash of each contact's folded name; 0 for one without a name. Computed on first use. Blocks the thread.
    var names: [UInt64] {
        if let names = comparedNames.withLock({ $0 }) { return names }
        var buffer: [UInt8] = []
        let made = contacts.map { $0.comparedName(by: &buffer) ?? 0 }
        comparedNames.withLock { $0 = made }
        return made
    }

    /// Computed on first use.
    func marks(ofRow row: Int) -> PersonMarks {
        if let marks = personMarks.withLock({ $0[row] }) { return marks }
        let contact = contacts[row].contact
        let book = AddressBookService.book(ofServed: contact.id)
        let made = PersonMarks(contact, id: AddressBookService.ownID(contact.id, book))
        personMarks.withLock { $0[row] = made }
        return made
    }

    /// Clients choose the locale, and there are many.
    private static let mostTitles = 4

    /// The index letters of the contacts; those of the last variants are kept.
    func titles(_ variant: ContactList.Variant, headlines: inout ContactHeadlines) -> [String] {
        if let titles = titles.withLock({ $0[variant] }) { return titles }
        let made = contacts.map { headlines.section(of: $0) }
        titles.withLock { titles in
            if titles.count >= Self.mostTitles { titles = [:] }
            titles[variant] = made
        }
        return made
    }
}
