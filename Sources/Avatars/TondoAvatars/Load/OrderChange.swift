/// Which contacts of a book moved among the others, and where each contact must be inserted so that a client that
/// applies the events one by one ends with the book's new order. Pure.
///
/// A client removes the contact from its list, if it has it, and inserts it at the index. The events of removed
/// contacts come first, then the changes in the new order.
struct OrderChange {
    /// Positions in the new order of old contacts that must be moved: as few as possible.
    let moved: Set<Int>
    /// For each position in the new order: the index at which the contact is inserted, or already is, when its turn
    /// comes and all positions before it are in place.
    let indices: [Int]

    /// `old`: the ids before, in their order; `new`: the ids now. Costs `n log n`.
    init(from old: [String], to new: [String]) {
        let oldIndices = Dictionary(zip(old, old.indices), uniquingKeysWith: { first, _ in first })
        let before = new.map { oldIndices[$0] }
        let kept = Self.longestIncreasing(before)
        // A contact that is still to be moved is after the n-th kept one. Inserted contacts go before those that wait
        // in the same gap, so only waiting contacts in earlier gaps count.
        let keptIndices = kept.map { before[$0] ?? 0 }
        var waiting = [Int](repeating: 0, count: kept.count + 1)
        var gaps: [Int: Int] = [:]
        let isKept = Set(kept)
        for (position, oldIndex) in before.enumerated() {
            guard let oldIndex, !isKept.contains(position) else { continue }
            let gap = Self.countBelow(oldIndex, in: keptIndices)
            gaps[position] = gap
            waiting[gap] += 1
        }
        moved = Set(gaps.keys)
        indices = Self.indices(of: before.count, isKept: isKept, gaps: gaps, waiting: waiting)
    }

    private static func indices(
        of count: Int, isKept: Set<Int>, gaps: [Int: Int], waiting: [Int]
    ) -> [Int] {
        var (waiting, gap, ahead) = (waiting, 0, 0)
        return (0..<count).map { position in
            if isKept.contains(position) {
                ahead += waiting[gap]
                gap += 1
            } else if let own = gaps[position] {
                waiting[own] -= 1
                if own < gap { ahead -= 1 }
            }
            return position + ahead
        }
    }

    /// Positions of a longest increasing subsequence of the values that are not nil (patience sorting).
    private static func longestIncreasing(_ values: [Int?]) -> [Int] {
        var tails: [Int] = []
        var previous = [Int](repeating: -1, count: values.count)
        for (position, value) in values.enumerated() {
            guard let value else { continue }
            var (low, high) = (0, tails.count)
            while low < high {
                let middle = (low + high) / 2
                if (values[tails[middle]] ?? 0) < value { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[position] = tails[low - 1] }
            if low < tails.count { tails[low] = position } else { tails.append(position) }
        }
        var result: [Int] = []
        var position = tails.last ?? -1
        while position >= 0 {
            result.append(position)
            position = previous[position]
        }
        return result.reversed()
    }

    /// `values`: ascending.
    private static func countBelow(_ value: Int, in values: [Int]) -> Int {
        var (low, high) = (0, values.count)
        while low < high {
            let middle = (low + high) / 2
            if values[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
