internal import DequeModule
internal import TondoContacts

/// The order in which contacts get their avatars: those on the screen first, then the others, each in the book's order.
/// Pure.
struct AvatarBacklog {
    /// A contact whose avatars are to be loaded.
    struct PendingContact: Sendable {
        let contact: Contact
        /// Greater than those of earlier entries of the same contact, which it replaces.
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

        init(_ contact: Contact, number: UInt64 = 0) {
            self.contact = contact
            self.number = number
        }
    }

    /// The contacts on the screen.
    private var ahead = Queue()
    private var others = Queue()
    private var shown: Set<String> = []

    var count: Int { ahead.count + others.count }

    /// True: it took the place of an earlier entry of its contact. So a contact that changes faster than its avatars are drawn
    /// waits once.
    mutating func add(_ pending: PendingContact) -> Bool {
        if ahead.replace(pending) || others.replace(pending) { return true }
        if shown.contains(pending.contact.id) { ahead.append(pending) } else { others.append(pending) }
        return false
    }

    /// Sets the contacts on the screen, including those that are read later.
    mutating func show(_ ids: [String]) {
        shown = Set(ids)
        for id in ids { if let pending = others.remove(id) { ahead.append(pending) } }
    }

    func isShown(_ id: String) -> Bool { shown.contains(id) }

    mutating func take() -> PendingContact? { ahead.popFirst() ?? others.popFirst() }

    /// Returns the number of removed entries.
    mutating func removeAll() -> Int {
        defer { self = AvatarBacklog() }
        return count
    }
}

extension AvatarBacklog {
    /// One entry of each contact, in their order.
    private struct Queue {
        /// Nil: removed.
        private var items = Deque<PendingContact?>()
        /// The number of elements that left the front.
        private var passed = 0
        /// The position of a contact among all elements there ever were.
        private var places: [String: Int] = [:]

        var count: Int { places.count }

        mutating func append(_ pending: PendingContact) {
            places[pending.contact.id] = passed + items.count
            items.append(pending)
        }

        /// False: there is no entry of this contact.
        mutating func replace(_ pending: PendingContact) -> Bool {
            guard let place = places[pending.contact.id] else { return false }
            items[place - passed] = pending
            return true
        }

        mutating func remove(_ id: String) -> PendingContact? {
            guard let place = places.removeValue(forKey: id) else { return nil }
            defer { items[place - passed] = nil }
            return items[place - passed]
        }

        mutating func popFirst() -> PendingContact? {
            while let pending = items.popFirst() {
                passed += 1
                guard let pending else { continue }
                places[pending.contact.id] = nil
                return pending
            }
            return nil
        }
    }
}
