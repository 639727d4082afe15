internal import TondoContacts

/// The contacts of one book in its order, in blocks, so that finding, inserting and removing one costs its block and the
/// number of blocks, and the next snapshot shares the others. Pure.
struct ContactRows {
    /// Contacts that follow each other.
    private struct Block {
        /// No other block of the book ever has it.
        let number: Int
        var contacts: [PackedContact] = []
        /// For snapshots; nil if a contact changed since.
        var made: ContactBlock?
    }

    private struct Place {
        let block: Int
        let row: Int
    }

    private var blocks: [Block] = []
    /// The index of each block, by its number.
    private var indices: [Int: Int] = [:]
    /// The number of the block of each contact.
    private var numbers: [String: Int] = [:]
    private var nextNumber = 0
    private var groups = 0

    init() {}

    /// Contacts with an id that came before are left out.
    init(_ contacts: some Sequence<PackedContact>) {
        for contact in contacts where numbers[contact.id] == nil { append(contact) }
    }

    /// With groups.
    var count: Int { numbers.count }

    /// The number of contacts that lists have.
    var people: Int { numbers.count - groups }

    var contacts: some Sequence<PackedContact> { blocks.lazy.flatMap(\.contacts) }

    func contains(_ id: String) -> Bool { numbers[id] != nil }

    subscript(id: String) -> PackedContact? { place(of: id).map { blocks[$0.block].contacts[$0.row] } }

    /// Whether `one` stands before `other`; false if one of them is missing.
    func isBefore(_ one: String, _ other: String) -> Bool {
        guard let one = place(of: one), let other = place(of: other) else { return false }
        return (one.block, one.row) < (other.block, other.row)
    }

    /// The former contact with this id. A new one is appended.
    @discardableResult
    mutating func put(_ contact: PackedContact) -> PackedContact? {
        guard let place = place(of: contact.id) else {
            append(contact)
            return nil
        }
        blocks[place.block].made = nil
        let old = blocks[place.block].contacts[place.row]
        if old.kind == .group { groups -= 1 }
        if contact.kind == .group { groups += 1 }
        blocks[place.block].contacts[place.row] = contact
        return old
    }

    /// A contact with a new id. `index`: the number of contacts before it.
    mutating func insert(_ contact: PackedContact, at index: Int) {
        var (block, row) = (0, max(index, 0))
        while block < blocks.count, row > blocks[block].contacts.count {
            row -= blocks[block].contacts.count
            block += 1
        }
        guard block < blocks.count else { return append(contact) }
        // The search data of a block have one bit for each contact.
        if blocks[block].contacts.count >= ContactIndex.capacity {
            divide(block)
            if row > blocks[block].contacts.count {
                row -= blocks[block].contacts.count
                block += 1
            }
        }
        insert(contact, block: block, row: row)
    }

    @discardableResult
    mutating func remove(_ id: String) -> PackedContact? {
        guard let place = place(of: id) else { return nil }
        numbers[id] = nil
        blocks[place.block].made = nil
        let contact = blocks[place.block].contacts.remove(at: place.row)
        if contact.kind == .group { groups -= 1 }
        if blocks[place.block].contacts.isEmpty {
            indices[blocks.remove(at: place.block).number] = nil
            renumber(from: place.block)
        }
        return contact
    }

    /// For a snapshot. Costs the changes since the last one, and a little for every block.
    mutating func makeBlocks() -> [ContactBlock] {
        for index in blocks.indices where blocks[index].made == nil {
            blocks[index].made = ContactBlock(blocks[index].contacts)
        }
        return blocks.compactMap(\.made)
    }

    private func place(of id: String) -> Place? {
        guard let number = numbers[id], let block = indices[number],
            let row = blocks[block].contacts.firstIndex(where: { $0.id == id })
        else { return nil }
        return Place(block: block, row: row)
    }

    private mutating func append(_ contact: PackedContact) {
        if blocks.last?.contacts.count ?? ContactIndex.capacity >= ContactIndex.capacity {
            blocks.append(newBlock())
            renumber(from: blocks.count - 1)
        }
        insert(contact, block: blocks.count - 1, row: blocks[blocks.count - 1].contacts.count)
    }

    private mutating func insert(_ contact: PackedContact, block: Int, row: Int) {
        blocks[block].made = nil
        blocks[block].contacts.insert(contact, at: row)
        numbers[contact.id] = blocks[block].number
        if contact.kind == .group { groups += 1 }
    }

    /// Moves the second half into a new block.
    private mutating func divide(_ block: Int) {
        let kept = blocks[block].contacts.count / 2
        var second = newBlock()
        second.contacts = Array(blocks[block].contacts[kept...])
        for contact in second.contacts { numbers[contact.id] = second.number }
        blocks[block].made = nil
        blocks[block].contacts.removeSubrange(kept...)
        blocks.insert(second, at: block + 1)
        renumber(from: block + 1)
    }

    private mutating func newBlock() -> Block {
        nextNumber += 1
        return Block(number: nextNumber)
    }

    private mutating func renumber(from first: Int) {
        for index in blocks.indices[first...] { indices[blocks[index].number] = index }
    }
}
