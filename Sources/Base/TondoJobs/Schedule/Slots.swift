/// Elements in reusable slots, and chains that link them. Every operation is O(1).
///
/// An element belongs to at most one chain at a time.
struct Slots<Element: Sendable>: Sendable {
    /// Identifies one element for ever: a reused slot has another generation.
    struct ID: Hashable, Sendable {
        let index: Int32
        fileprivate let generation: UInt32

        /// The index, for arrays beside this one.
        var slot: Int { Int(index) }
    }

    /// First in, first out, unless an element is removed from the middle.
    struct Chain: Sendable {
        fileprivate var first: Int32 = -1
        fileprivate var last: Int32 = -1
        fileprivate(set) var count = 0

        var isEmpty: Bool { count == 0 }
    }

    private struct Slot: Sendable {
        var element: Element?
        var generation: UInt32 = 0
        var previous: Int32 = -1
        /// The next one in the chain, or among the free slots.
        var next: Int32 = -1
    }

    private var slots = ContiguousArray<Slot>()
    private var free: Int32 = -1
    private(set) var count = 0

    mutating func insert(_ element: Element) -> ID {
        count += 1
        guard free >= 0 else {
            slots.append(Slot(element: element))
            return ID(index: Int32(slots.count - 1), generation: 0)
        }
        let index = free
        free = slots[Int(index)].next
        slots[Int(index)].element = element
        slots[Int(index)].next = -1
        return ID(index: index, generation: slots[Int(index)].generation)
    }

    /// The element must be in no chain.
    @discardableResult
    mutating func remove(_ id: ID) -> Element {
        let element = self[id]
        slots[id.slot].element = nil
        slots[id.slot].generation &+= 1
        slots[id.slot].next = free
        free = id.index
        count -= 1
        return element
    }

    func contains(_ id: ID) -> Bool { slots[id.slot].generation == id.generation && slots[id.slot].element != nil }

    subscript(id: ID) -> Element {
        get {
            guard contains(id), let element = slots[id.slot].element else { preconditionFailure("a name of the past") }
            return element
        }
        set {
            precondition(contains(id), "a name of the past")
            slots[id.slot].element = newValue
        }
    }
}

extension Slots {
    func first(of chain: Chain) -> ID? { chain.first < 0 ? nil : id(chain.first) }

    mutating func append(_ id: ID, to chain: inout Chain) {
        slots[id.slot].previous = chain.last
        slots[id.slot].next = -1
        if chain.last >= 0 { slots[Int(chain.last)].next = id.index } else { chain.first = id.index }
        chain.last = id.index
        chain.count += 1
    }

    /// Removes an element from its chain.
    mutating func unlink(_ id: ID, from chain: inout Chain) {
        let (previous, next) = (slots[id.slot].previous, slots[id.slot].next)
        if previous >= 0 { slots[Int(previous)].next = next } else { chain.first = next }
        if next >= 0 { slots[Int(next)].previous = previous } else { chain.last = previous }
        slots[id.slot].previous = -1
        slots[id.slot].next = -1
        chain.count -= 1
    }

    /// All of a chain, first to last.
    func ids(of chain: Chain) -> [ID] {
        var ids: [ID] = []
        ids.reserveCapacity(chain.count)
        var index = chain.first
        while index >= 0 {
            ids.append(id(index))
            index = slots[Int(index)].next
        }
        return ids
    }

    /// Every element, by its index.
    var all: [ID] { slots.indices.filter { slots[$0].element != nil }.map { id(Int32($0)) } }

    private func id(_ index: Int32) -> ID { ID(index: index, generation: slots[Int(index)].generation) }
}
