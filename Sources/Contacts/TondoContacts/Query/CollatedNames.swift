internal import Glibc

/// Names in the order of a locale, each with its sort key, however many contacts bear it. A few new names are put into the order
/// that is known.
///
/// Names have numbers, so that a hundred thousand of them are compared and ranked without touching their texts.
package struct CollatedNames: Sendable {
    private var locale: String?
    private var numbers: [String: Int32] = [:]
    /// By the names' numbers.
    private var texts: [String] = []
    /// The sort keys, one after the other in the order of the numbers, and where each one begins.
    private var keys: [UInt8] = []
    private var starts = [0]
    /// The numbers in the names' order. Unequal names may be equal by the rules; then their characters decide, so that the
    /// order is always the same.
    private var order: [Int32] = []
    /// By the names' numbers.
    private var ranks: [Int32] = []

    /// The number of the empty name, which has no rank.
    static let none: Int32 = -1

    /// Without a locale: the first order sets it.
    package init() {}

    /// The names that are remembered.
    var count: Int { texts.count }

    /// To be called before the names of `count` contacts are ranked.
    mutating func begin(_ locale: String, contacts count: Int) {
        // Names that are gone do no harm, until they are most of all. A contact has three at most.
        if self.locale == locale, texts.count <= 64 + 6 * count { return }
        self = CollatedNames()
        self.locale = locale
    }

    /// The numbers of names; `none` for empty ones. Names that are new have no rank before `rank` is called.
    mutating func numbers(of names: some Sequence<String>) -> [Int32] {
        var rules: Collation?
        return names.map { text in
            if text.isEmpty { return Self.none }
            if let known = numbers[text] { return known }
            // Opened by the first new name, since most calls have none.
            let collation = rules ?? Collation(locale ?? "")
            rules = collation
            let number = Int32(texts.count)
            numbers[text] = number
            texts.append(text)
            keys += collation.key(text)
            starts.append(keys.count)
            return number
        }
    }

    /// Ascending by the order of the names, equal for names that are equal by the rules; nil for `none`.
    func rank(of number: Int32) -> Int32? { number == Self.none ? nil : ranks[Int(number)] }

    /// Puts the new names into the order, and ranks all.
    mutating func rank() {
        if order.count == texts.count { return }
        keys.withUnsafeBytes { bytes in
            let isBefore = { [starts, texts] (one: Int32, other: Int32) in
                let order = Self.compare(one, with: other, starts: starts, keys: bytes)
                return order == 0 ? texts[Int(one)] < texts[Int(other)] : order < 0
            }
            let new = (Int32(order.count)..<Int32(texts.count)).sorted(by: isBefore)
            order = Self.merged(order, with: new, by: isBefore)
            ranks = [Int32](repeating: 0, count: order.count)
            var rank: Int32 = 0
            for (index, number) in order.enumerated() {
                if index == 0 || Self.compare(order[index - 1], with: number, starts: starts, keys: bytes) != 0 {
                    rank += 1
                }
                ranks[Int(number)] = rank
            }
        }
    }

    private static func merged(_ known: [Int32], with new: [Int32], by isBefore: (Int32, Int32) -> Bool) -> [Int32] {
        if known.isEmpty { return new }
        var merged: [Int32] = []
        merged.reserveCapacity(known.count + new.count)
        var rest = new[...]
        for number in known {
            while let first = rest.first, isBefore(first, number) { merged.append(rest.removeFirst()) }
            merged.append(number)
        }
        return merged + rest
    }

    /// Negative, zero or positive, as `memcmp`. No key is a prefix of another.
    private static func compare(_ one: Int32, with other: Int32, starts: [Int], keys: UnsafeRawBufferPointer) -> Int32 {
        let (first, second) = (starts[Int(one)]..<starts[Int(one) + 1], starts[Int(other)]..<starts[Int(other) + 1])
        guard let base = keys.baseAddress else { return 0 }
        return memcmp(base + first.lowerBound, base + second.lowerBound, min(first.count, second.count))
    }
}
