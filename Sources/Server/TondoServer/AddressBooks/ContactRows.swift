internal import TondoContacts

/// The contacts of one book in its order, in blocks, so that finding, inserting and removing one costs its block and the
/// number of blocks, and the next snapshot shares the others. Pure.
struct ContactRows {
    /// Contacts that follow each other.
    private struct Block {
        /// No other block of the book ever has it.
        let number: Int
        var contacts: [PackedContact] = []
        var groups = 0
        /// For snapshots; nil if a contact changed since.
        var made: ContactBlock?
    }

    private struct Place: Equatable {
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

    /// With groups.
    var count: Int { numbers.count }

    /// The number of contacts that lists have.
    var people: Int { numbers.count - groups }

    var last: PackedContact? { blocks.last?.contacts.last }

    var contacts: some Sequence<PackedContact> { blocks.lazy.flatMap(\.contacts) }

    func contains(_ id: String) -> Bool { numbers[id] != nil }

    subscript(id: String) -> PackedContact? { place(of: id).map { blocks[$0.block].contacts[$0.row] } }

    /// Whether `one` stands before `other`; false if one of them is missing.
    func isBefore(_ one: String, _ other: String) -> Bool {
        guard let one = place(of: one), let other = place(of: other) else { return false }
        return (one.block, one.row) < (other.block, other.row)
    }

    /// Takes out the contact with this id, if there is one, and inserts the new one with `index` others before it. Returns the
    /// former one, and the number of contacts in lists before the new one.
    @discardableResult
    mutating func put(_ contact: PackedContact, at index: Int) -> (old: PackedContact?, position: Int) {
        var old: PackedContact?
        if let place = place(of: contact.id) {
            // One that stays where it is must not divide a full block.
            if self.index(of: place) == min(max(index, 0), count - 1) {
                let old = replace(contact, at: place)
                return (old, position(of: place))
            }
            old = remove(at: place)
        }
        let place = insert(contact, at: index)
        return (old, position(of: place))
    }

    /// Replaces the contact with this id, and returns it; nil if there is none.
    mutating func replace(_ contact: PackedContact) -> PackedContact? {
        place(of: contact.id).map { replace(contact, at: $0) }
    }

    /// Returns the contact, and the number of contacts in lists that were before it; nil if there is none with this id.
    @discardableResult
    mutating func remove(_ id: String) -> (old: PackedContact, position: Int)? {
        guard let place = place(of: id) else { return nil }
        let position = position(of: place)
        let old = remove(at: place)
        return (old, position)
    }

    /// The next snapshot shows the contact again, which itself is as it was. Returns it with the number of contacts before it,
    /// with groups (`index`) and in lists (`position`); nil if there is none with this id.
    mutating func renew(_ id: String) -> (contact: PackedContact, index: Int, position: Int)? {
        guard let place = place(of: id) else { return nil }
        blocks[place.block].made = nil
        return (blocks[place.block].contacts[place.row], index(of: place), position(of: place))
    }

    /// For a snapshot. Costs the changes since the last one, and a little for every block. `favourites`: ids; call `renew` for
    /// those that came or went since.
    mutating func makeBlocks(favourites: Set<String> = []) -> [ContactBlock] {
        for index in blocks.indices where blocks[index].made == nil {
            blocks[index].made = ContactBlock(blocks[index].contacts, favourites: favourites)
        }
        return blocks.compactMap(\.made)
    }
}

extension ContactRows {
    private func place(of id: String) -> Place? {
        guard let number = numbers[id], let block = indices[number],
            let row = blocks[block].contacts.firstIndex(where: { $0.id == id })
        else { return nil }
        return Place(block: block, row: row)
    }

    /// The number of contacts before it.
    private func index(of place: Place) -> Int {
        (0..<place.block).reduce(place.row) { $0 + blocks[$1].contacts.count }
    }

    /// The number of contacts in lists before it.
    private func position(of place: Place) -> Int {
        let block = blocks[place.block]
        // While a book is read, each contact is the last one.
        if place.block == blocks.count - 1, place.row == block.contacts.count - 1 {
            return people - (block.contacts[place.row].kind == .group ? 0 : 1)
        }
        if groups == 0 { return index(of: place) }
        let before = block.groups == 0 ? 0 : block.contacts[..<place.row].count { $0.kind == .group }
        return (0..<place.block).reduce(index(of: place) - before) { $0 - blocks[$1].groups }
    }

    private mutating func replace(_ contact: PackedContact, at place: Place) -> PackedContact {
        let old = blocks[place.block].contacts[place.row]
        countGroup(old, in: place.block, by: -1)
        countGroup(contact, in: place.block, by: 1)
        blocks[place.block].made = nil
        blocks[place.block].contacts[place.row] = contact
        return old
    }

    private mutating func remove(at place: Place) -> PackedContact {
        // First: it shares the array, which would be copied.
        blocks[place.block].made = nil
        let old = blocks[place.block].contacts.remove(at: place.row)
        countGroup(old, in: place.block, by: -1)
        numbers[old.id] = nil
        if blocks[place.block].contacts.isEmpty {
            indices[blocks.remove(at: place.block).number] = nil
            renumber(from: place.block)
        }
        return old
    }

    /// A contact with a new id.
    private mutating func insert(_ contact: PackedContact, at index: Int) -> Place {
        let place = makeRoom(at: index)
        blocks[place.block].made = nil
        blocks[place.block].contacts.insert(contact, at: place.row)
        countGroup(contact, in: place.block, by: 1)
        numbers[contact.id] = blocks[place.block].number
        return place
    }

    /// A place in a block that is not full: the search data of a block have one bit for each contact.
    private mutating func makeRoom(at index: Int) -> Place {
        var (block, row) = (0, max(index, 0))
        if index >= count {
            block = max(blocks.count - 1, 0)
            row = blocks.last?.contacts.count ?? 0
        }
        while block < blocks.count, row > blocks[block].contacts.count {
            row -= blocks[block].contacts.count
            block += 1
        }
        guard block == blocks.count || blocks[block].contacts.count >= ContactIndex.capacity else {
            return Place(block: block, row: row)
        }
        if row < ContactIndex.capacity, block < blocks.count {
            let kept = divide(block)
            return row > kept ? Place(block: block + 1, row: row - kept) : Place(block: block, row: row)
        }
        // Behind a full block: contacts that come one after the other fill the next one.
        let next = min(block + 1, blocks.count)
        if next == blocks.count || blocks[next].contacts.count >= ContactIndex.capacity {
            blocks.insert(newBlock(), at: next)
            renumber(from: next)
        }
        return Place(block: next, row: 0)
    }

    /// Moves the second half into a new block. Returns the number of contacts that stay.
    private mutating func divide(_ block: Int) -> Int {
        let kept = blocks[block].contacts.count / 2
        var second = newBlock()
        second.contacts = Array(blocks[block].contacts[kept...])
        second.groups = second.contacts.count { $0.kind == .group }
        for contact in second.contacts { numbers[contact.id] = second.number }
        blocks[block].made = nil
        blocks[block].contacts.removeSubrange(kept...)
        blocks[block].groups -= second.groups
        blocks.insert(second, at: block + 1)
        renumber(from: block + 1)
        return kept
    }

    private mutating func countGroup(_ contact: PackedContact, in block: Int, by number: Int) {
        guard contact.kind == .group else { return }
        blocks[block].groups += number
        groups += number
    }

    private mutating func newBlock() -> Block {
        nextNumber += 1
        return Block(number: nextNumber)
    }

    private mutating func renumber(from first: Int) {
        for index in blocks.indices[first...] { indices[blocks[index].number] = index }
    }
}
