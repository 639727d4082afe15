internal import DequeModule
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
        /// It shows the silhouette, because its initials failed for a transient reason.
        var lacksInitials = false
        /// Why its photo is not tried again with its initials.
        var photoFailure: AvatarFailure?

        init(_ contact: Contact, number: UInt64 = 0) { (self.contact, self.number) = (contact, number) }
    }

    /// The contacts on the screen.
    private var ahead = Deque<Item>()
    /// Nil: shown since, and moved to `ahead`.
    private var others = Deque<Item?>()
    /// The number of elements that left `others`.
    private var passed = 0
    /// The position of a contact among all that were ever in `others`.
    private var places: [String: Int] = [:]
    private var shown: Set<String> = []

    private(set) var count = 0

    mutating func add(_ item: Item) {
        count += 1
        if shown.contains(item.contact.id) {
            ahead.append(item)
        } else {
            places[item.contact.id] = passed + others.count
            others.append(item)
        }
    }

    /// Sets the contacts on the screen, including those that are read later.
    mutating func show(_ ids: [String]) {
        shown = Set(ids)
        for id in ids {
            guard let place = places.removeValue(forKey: id), let item = others[place - passed] else { continue }
            others[place - passed] = nil
            ahead.append(item)
        }
    }

    func isShown(_ id: String) -> Bool { shown.contains(id) }

    mutating func take() -> Item? {
        var taken = ahead.popFirst()
        while taken == nil, let item = others.popFirst() {
            passed += 1
            if let item { places[item.contact.id] = nil }
            taken = item
        }
        if taken != nil { count -= 1 }
        return taken
    }

    /// Returns the number of removed wants.
    mutating func removeAll() -> Int {
        defer { self = AvatarBacklog() }
        return count
    }
}
