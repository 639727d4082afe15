internal import TondoContacts

/// The order in which contacts get their avatars: those on the screen first, then the others, each in the book's order.
/// Pure.
struct FaceLine {
    /// A contact whose avatars are to be loaded.
    struct Want: Sendable {
        let contact: Contact
        /// Greater than those of earlier wants of the same contact, which it replaces.
        let number: UInt64
        /// Failed tries.
        var failures = 0
        /// Failed tries of the placeholder.
        var placeholderFailures = 0
        /// It failed before, and that was reported: this retry has no waiter, and fails silently.
        var isLate = false

        init(_ contact: Contact, number: UInt64 = 0) { (self.contact, self.number) = (contact, number) }
    }

    /// The contacts on the screen, and the index of the first one that was not taken yet.
    private var ahead: [Want] = []
    private var aheadStart = 0
    private var others: [Want?] = []
    private var othersStart = 0
    /// The position of a contact in `others`.
    private var places: [String: Int] = [:]
    private var shown: Set<String> = []

    private(set) var count = 0

    mutating func add(_ want: Want) {
        count += 1
        if shown.contains(want.contact.id) {
            ahead.append(want)
        } else {
            places[want.contact.id] = others.count
            others.append(want)
        }
    }

    /// Sets the contacts on the screen, including those that are read later.
    mutating func show(_ ids: [String]) {
        shown = Set(ids)
        for id in ids {
            guard let place = places.removeValue(forKey: id), let want = others[place] else { continue }
            others[place] = nil
            ahead.append(want)
        }
    }

    func isShown(_ id: String) -> Bool { shown.contains(id) }

    mutating func take() -> Want? {
        if aheadStart < ahead.count {
            defer { aheadStart += 1 }
            count -= 1
            return ahead[aheadStart]
        }
        (ahead, aheadStart) = ([], 0)
        while othersStart < others.count {
            defer { othersStart += 1 }
            guard let want = others[othersStart] else { continue }
            others[othersStart] = nil
            places[want.contact.id] = nil
            count -= 1
            return want
        }
        (others, othersStart) = ([], 0)
        places = [:]
        return nil
    }

    /// Returns the number of removed wants.
    mutating func removeAll() -> Int {
        defer { self = FaceLine() }
        return count
    }
}
