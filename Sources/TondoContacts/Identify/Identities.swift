/// Keeps the ids of one book apart: the second contact with an id gets `-2` behind it, and so on in the book's order.
package struct Identities: Sendable {
    private var taken: Set<String> = []
    /// How often each id that came twice has come.
    private var repeats: [String: Int] = [:]

    /// `expecting`: about how many will come.
    package init(expecting count: Int = 0) { taken.reserveCapacity(count) }

    package mutating func unique(_ id: String) -> String {
        if taken.insert(id).inserted { return id }
        var number = repeats[id] ?? 1
        while true {
            number += 1
            let candidate = "\(id)-\(number)"
            guard taken.insert(candidate).inserted else { continue }
            repeats[id] = number
            return candidate
        }
    }
}
