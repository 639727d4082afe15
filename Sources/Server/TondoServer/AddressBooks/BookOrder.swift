/// The order of the contacts of one book. Finding, inserting and removing one of `n` costs about the square root of `n`: a
/// book that is rewritten in reverse moves each of its contacts. Pure.
struct BookOrder {
    /// Where a contact is: its block, and its index in that block.
    struct Slot: Equatable {
        fileprivate var block: Int
        fileprivate var index: Int
    }

    /// Contacts that follow each other.
    private struct Block {
        /// No other block of the book ever has it.
        let number: Int
        var contacts: [(id: String, isGroup: Bool)] = []
        /// The contacts that are no groups.
        var listed = 0
    }

    private var blocks: [Block] = []
    /// The number of the block of each contact.
    private var numbers: [String: Int] = [:]
    private var nextNumber = 0
    /// The number of contacts.
    private(set) var count = 0

    /// A full block is divided.
    private static let mostInBlock = 512

    /// The number of contacts that are no groups.
    var listed: Int { blocks.reduce(0) { $0 + $1.listed } }

    /// Nil if the book has no such contact.
    func slot(of id: String) -> Slot? {
        guard let number = numbers[id], let block = blocks.firstIndex(where: { $0.number == number }),
            let index = blocks[block].contacts.firstIndex(where: { $0.id == id })
        else { return nil }
        return Slot(block: block, index: index)
    }

    /// The number of contacts before this slot that are no groups.
    func position(of slot: Slot) -> Int {
        blocks[..<slot.block].reduce(0) { $0 + $1.listed }
            + blocks[slot.block].contacts[..<slot.index].count { !$0.isGroup }
    }

    /// `row`: the number of contacts before it.
    mutating func insert(_ id: String, isGroup: Bool, at row: Int) -> Slot {
        if blocks.isEmpty { blocks.append(newBlock()) }
        var (block, index) = (0, row)
        while index > blocks[block].contacts.count, block + 1 < blocks.count {
            index -= blocks[block].contacts.count
            block += 1
        }
        if blocks[block].contacts.count == Self.mostInBlock {
            // A book that is read fills its blocks; others are halved.
            let isEnd = block == blocks.count - 1 && index == Self.mostInBlock
            let kept = isEnd ? index : Self.mostInBlock / 2
            divide(block, keeping: kept)
            if isEnd || index > kept {
                block = block + 1
                index = index - kept
            }
        }
        blocks[block].contacts.insert((id, isGroup), at: index)
        if !isGroup { blocks[block].listed += 1 }
        numbers[id] = blocks[block].number
        count += 1
        return Slot(block: block, index: index)
    }

    mutating func remove(at slot: Slot) {
        let (id, isGroup) = blocks[slot.block].contacts.remove(at: slot.index)
        if !isGroup { blocks[slot.block].listed -= 1 }
        if blocks[slot.block].contacts.isEmpty { blocks.remove(at: slot.block) }
        numbers[id] = nil
        count -= 1
    }

    /// Moves all contacts but the first `kept` into a new block.
    private mutating func divide(_ block: Int, keeping kept: Int) {
        var second = newBlock()
        second.contacts = Array(blocks[block].contacts[kept...])
        second.listed = second.contacts.count { !$0.isGroup }
        for contact in second.contacts { numbers[contact.id] = second.number }
        blocks[block].contacts.removeSubrange(kept...)
        blocks[block].listed -= second.listed
        blocks.insert(second, at: block + 1)
    }

    private mutating func newBlock() -> Block {
        nextNumber += 1
        return Block(number: nextNumber)
    }
}
