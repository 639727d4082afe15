internal import Dispatch
internal import Synchronization
internal import TondoContacts
internal import TondoJobs

/// Which contacts of a snapshot are one person, see `SamePeople`. Positions are those of the snapshot.
///
/// Made in time that is linear in the number of contacts: hashes of names, which blocks keep, find those with equal names,
/// and these alone are unpacked.
struct JoinedPeople: Sendable {
    /// By position: the position of the contact that is shown for the person, in most cases the same.
    let shown: [Int32]
    /// The contacts of each person with several, the one that is shown first, the others ascending; by that one's position.
    let members: [Int32: [Int32]]
    /// The hashes of the names that several contacts have.
    private let sharedNames: Set<UInt64>

    /// `starts`: the position of the first contact of each block. `showsPhoto`: the first contact with a usable photo is shown,
    /// else the first one. Blocks the thread, and works on all processors.
    init(_ blocks: [ContactBlock], starts: [Int], showsPhoto: (PackedContact) -> Bool) {
        let groups = Self.equalNames(Self.names(of: blocks))
        let needed = groups.values.joined().sorted()
        let marks = Self.marks(at: needed, in: blocks, starts: starts)
        var shown = (0..<Int32(starts.last ?? 0)).map { $0 }
        var members: [Int32: [Int32]] = [:]
        for positions in groups.values {
            for group in SamePeople.groups(positions.map { marks[Int(Self.index(of: $0, in: needed))] }) {
                let found = group.map { positions[$0] }
                let first = found.first { showsPhoto(Self.contact(at: $0, in: blocks, starts: starts)) } ?? found[0]
                members[first] = [first] + found.filter { $0 != first }
                for position in found { shown[Int(position)] = first }
            }
        }
        self.shown = shown
        self.members = members
        sharedNames = Set(groups.keys)
    }

    /// Whether another contact has the same name.
    func hasSeveral(_ contact: PackedContact) -> Bool {
        var buffer: [UInt8] = []
        return contact.comparedName(by: &buffer).map(sharedNames.contains) ?? false
    }

    /// The positions of the other contacts that are the same person as this one, ascending. Compares names, and unpacks the
    /// contacts with the same one. Blocks the thread.
    static func others(of contact: PackedContact, in blocks: [ContactBlock], starts: [Int]) -> [Int32] {
        var buffer: [UInt8] = []
        guard let name = contact.comparedName(by: &buffer) else { return [] }
        var positions: [Int32] = []
        for (index, names) in names(of: blocks).enumerated() {
            for (row, other) in names.enumerated() where other == name { positions.append(Int32(starts[index] + row)) }
        }
        guard positions.count > 1,
            let own = positions.firstIndex(where: { self.contact(at: $0, in: blocks, starts: starts).id == contact.id })
        else { return [] }
        let groups = SamePeople.groups(marks(at: positions, in: blocks, starts: starts))
        return groups.first { $0.contains(own) }?.filter { $0 != own }.map { positions[$0] } ?? []
    }

    /// The hashes of names of each block.
    private static func names(of blocks: [ContactBlock]) -> [[UInt64]] {
        let made = Mutex([[UInt64]](repeating: [], count: blocks.count))
        inParts(blocks.count) { part in
            let names = part.map { blocks[$0].names }
            made.withLock { made in
                for (index, names) in zip(part, names) { made[index] = names }
            }
        }
        return made.withLock { $0 }
    }

    /// The positions of the contacts with each name that several have, ascending.
    private static func equalNames(_ names: [[UInt64]]) -> [UInt64: [Int32]] {
        var first: [UInt64: Int32] = [:]
        first.reserveCapacity(names.reduce(0) { $0 + $1.count })
        // Most names are of one contact, and need no array.
        var several: [UInt64: [Int32]] = [:]
        var position: Int32 = 0
        for name in names.joined() {
            defer { position += 1 }
            if name == 0 { continue }
            if let other = first.updateValue(position, forKey: name) {
                several[name, default: [other]].append(position)
            }
        }
        return several
    }

    /// In the order of `positions`, which are ascending.
    private static func marks(at positions: [Int32], in blocks: [ContactBlock], starts: [Int]) -> [PersonMarks] {
        let made = Mutex([Int: [PersonMarks]]())
        inParts(positions.count) { part in
            var block = 0
            let marks = part.map { index in
                let position = Int(positions[index])
                while starts[block + 1] <= position { block += 1 }
                return blocks[block].marks(ofRow: position - starts[block])
            }
            made.withLock { $0[part.lowerBound] = marks }
        }
        return made.withLock { made in made.sorted { $0.key < $1.key }.flatMap(\.value) }
    }

    /// Calls `body` with parts of the numbers below `count`, at the same time.
    private static func inParts(_ count: Int, body: @Sendable (Range<Int>) -> Void) {
        // Less is done before another thread has begun.
        let size = max((count + Processors.ofService - 1) / Processors.ofService, 32)
        DispatchQueue.concurrentPerform(iterations: (count + size - 1) / size) { number in
            body(number * size..<min((number + 1) * size, count))
        }
    }

    private static func contact(at position: Int32, in blocks: [ContactBlock], starts: [Int]) -> PackedContact {
        let block = index(of: position, in: starts) { Int32($0) }
        return blocks[block].contacts[Int(position) - starts[block]]
    }

    /// The index of the last element that is not greater.
    private static func index(of position: Int32, in sorted: [Int32]) -> Int { index(of: position, in: sorted) { $0 } }

    private static func index<Element>(of position: Int32, in sorted: [Element], by value: (Element) -> Int32) -> Int {
        var (low, high) = (0, sorted.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if value(sorted[middle]) <= position { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
