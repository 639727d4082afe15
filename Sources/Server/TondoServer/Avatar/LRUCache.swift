/// A cache with a cost limit that evicts the least recently used values. Pure.
struct LRUCache<Key: Hashable, Value> {
    private struct Slot {
        var value: Value
        var cost: Int
        var used: UInt64
    }

    private var slots: [Key: Slot] = [:]
    private var clock: UInt64 = 0
    private(set) var cost = 0
    let limit: Int

    init(limit: Int) { self.limit = limit }

    var count: Int { slots.count }

    mutating func get(_ key: Key) -> Value? {
        guard let index = slots.index(forKey: key) else { return nil }
        clock += 1
        slots.values[index].used = clock
        return slots.values[index].value
    }

    /// Returns what is evicted. A value that costs more than an eighth of the limit is evicted itself.
    mutating func put(_ value: Value, for key: Key, cost: Int = 1) -> [(key: Key, value: Value)] {
        remove(key)
        guard cost <= max(limit / 8, 1) else { return [(key, value)] }
        clock += 1
        slots[key] = Slot(value: value, cost: cost, used: clock)
        self.cost += cost
        return self.cost > limit ? shrink() : []
    }

    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard let slot = slots.removeValue(forKey: key) else { return nil }
        cost -= slot.cost
        return slot.value
    }

    mutating func removeAll() {
        slots = [:]
        cost = 0
    }

    /// Evicts an eighth at a time, so that the search for the oldest values is shared by many insertions.
    private mutating func shrink() -> [(key: Key, value: Value)] {
        var gone: [(key: Key, value: Value)] = []
        for (key, _) in slots.map({ ($0.key, $0.value.used) }).sorted(by: { $0.1 < $1.1 }) {
            if cost <= limit - limit / 8 { break }
            if let value = remove(key) { gone.append((key, value)) }
        }
        return gone
    }
}
