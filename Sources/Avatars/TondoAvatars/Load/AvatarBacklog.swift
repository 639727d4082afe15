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
        /// Failed tries for which the end of the load waits.
        var failures: [PreparedAvatar.Kind: Int] = [:]
        /// Tries after the load. Their first failure was reported: they fail silently.
        private(set) var lateTries = 0
        /// It shows the silhouette, because its initials failed for a transient reason.
        private(set) var lacksInitials = false
        /// Why it does not show its photo; nil: the photo is tried, or it has none.
        private(set) var photoFailure: AvatarFailure?
        /// Why it does not show its initials; nil: they are tried, or it has no letters.
        private(set) var initialsFailure: AvatarFailure?

        init(_ contact: Contact, number: UInt64 = 0) {
            self.contact = contact
            self.number = number
        }

        var isLate: Bool { lateTries > 0 }

        /// Whether a better avatar may follow by itself.
        var canImprove: Bool { [photoFailure, initialsFailure].contains { $0?.retry ?? .never != .never } }

        /// Why this kind is not shown.
        mutating func note(_ failure: AvatarFailure, of kind: PreparedAvatar.Kind) {
            switch kind {
            case .photo: photoFailure = failure
            case .initials: initialsFailure = failure
            case .silhouette: break
            }
        }

        /// What can be shown by now is tried again: the photo, or else the initials.
        var nextTry: PendingContact {
            var next = PendingContact(contact, number: number)
            next.lateTries = lateTries + 1
            next.lacksInitials = initialsFailure?.retry ?? .never != .never
            // So that the failure of a photo that stays as it is, is not reported twice.
            if photoFailure?.retry == .never { next.photoFailure = photoFailure }
            return next
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
        private var positions: [String: Int] = [:]

        var count: Int { positions.count }

        mutating func append(_ pending: PendingContact) {
            positions[pending.contact.id] = passed + items.count
            items.append(pending)
        }

        /// False: there is no entry of this contact.
        mutating func replace(_ pending: PendingContact) -> Bool {
            guard let position = positions[pending.contact.id] else { return false }
            items[position - passed] = pending
            return true
        }

        mutating func remove(_ id: String) -> PendingContact? {
            guard let position = positions.removeValue(forKey: id) else { return nil }
            defer { items[position - passed] = nil }
            return items[position - passed]
        }

        mutating func popFirst() -> PendingContact? {
            while let pending = items.popFirst() {
                passed += 1
                guard let pending else { continue }
                positions[pending.contact.id] = nil
                return pending
            }
            return nil
        }
    }
}
