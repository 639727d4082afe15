internal import TondoContacts

/// Who is waiting for a face, in which order: those that are looked at first, then the others, each in the book's order.
/// Pure.
struct FaceLine {
    /// A contact whose avatars are to be made.
    struct Want: Sendable {
        let contact: Contact
        /// Greater than those of earlier wants of the same contact, which it replaces.
        let number: UInt64
        /// Tries that failed.
        var failures = 0
        /// Of those, the ones of the placeholder.
        var placeholderFailures = 0
        /// It failed before, and that was reported: nobody waits for this try, and it fails silently.
        var isLate = false

        init(_ contact: Contact, number: UInt64 = 0) { (self.contact, self.number) = (contact, number) }
    }

    /// Those ahead, and from where on they have not been taken.
    private var ahead: [Want] = []
    private var aheadStart = 0
    private var others: [Want?] = []
    private var othersStart = 0
    /// Where in `others` a contact waits.
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

    /// These contacts are looked at now, and no others; those that come later too.
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

    /// Gives the number of those that wait no more.
    mutating func removeAll() -> Int {
        defer { self = FaceLine() }
        return count
    }
}
