internal import TondoContacts

/// The order in which contacts get their avatars: those on the screen first, then the others, each in the book's order.
/// Pure.
struct AvatarBacklog {
    /// A contact whose avatars are to be loaded.
    struct Item: Sendable {
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
    private var ahead: [Item] = []
    private var aheadStart = 0
    private var others: [Item?] = []
    private var othersStart = 0
    /// The position of a contact in `others`.
    private var places: [String: Int] = [:]
    private var shown: Set<String> = []

    private(set) var count = 0

    mutating func add(_ item: Item) {
        count += 1
        if shown.contains(item.contact.id) {
            ahead.append(item)
        } else {
            places[item.contact.id] = others.count
            others.append(item)
        }
    }

    /// Sets the contacts on the screen, including those that are read later.
    mutating func show(_ ids: [String]) {
        shown = Set(ids)
        for id in ids {
            guard let place = places.removeValue(forKey: id), let item = others[place] else { continue }
            others[place] = nil
            ahead.append(item)
        }
    }

    func isShown(_ id: String) -> Bool { shown.contains(id) }

    mutating func take() -> Item? {
        if aheadStart < ahead.count {
            defer { aheadStart += 1 }
            count -= 1
            return ahead[aheadStart]
        }
        (ahead, aheadStart) = ([], 0)
        while othersStart < others.count {
            defer { othersStart += 1 }
            guard let item = others[othersStart] else { continue }
            others[othersStart] = nil
            places[item.contact.id] = nil
            count -= 1
            return item
        }
        (others, othersStart) = ([], 0)
        places = [:]
        return nil
    }

    /// Returns the number of removed wants.
    mutating func removeAll() -> Int {
        defer { self = AvatarBacklog() }
        return count
    }
}
