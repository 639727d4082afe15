internal import SystemPackage
internal import TondoContacts

/// What is known of a book that is watched: every file's contacts as they were read, and what they make together. Pure.
struct BookSnapshot {
    /// What one file holds.
    struct Part: Sendable {
        var people: [Contact] = []
        var groups: [Contact] = []
        var failures: [ContactFailure] = []
    }

    /// What became different.
    struct Difference {
        /// Ids, in the old order.
        var removed: [String] = []
        /// New ones and changed ones, in the book's order; and whether their photo is another one.
        var changed: [(contact: Contact, hasNewPhoto: Bool)] = []
        /// Those that were not known before.
        var failures: [ContactFailure] = []
    }

    private var parts: [FilePath: Part] = [:]
    private(set) var contacts: [Contact] = []
    private var failures: [ContactFailure] = []

    /// `order`: the book's files; `read`: the new contents of some of them. Files that are not in `order` are gone.
    mutating func update(_ read: [FilePath: Part], order: [FilePath], listing: [ContactFailure]) -> Difference {
        let known = Set(order)
        parts = parts.filter { known.contains($0.key) }
        parts.merge(read) { $1 }
        let (oldContacts, oldFailures) = (contacts, failures)
        contacts = joined(order)
        failures = listing + order.flatMap { parts[$0]?.failures ?? [] }
        return difference(from: oldContacts, oldFailures)
    }

    func isKnown(_ file: FilePath) -> Bool { parts[file] != nil }

    private func joined(_ order: [FilePath]) -> [Contact] {
        var register = BookRegister(expecting: contacts.count)
        for group in order.flatMap({ parts[$0]?.groups ?? [] }) { register.add(group: group) }
        return order.flatMap { file in (parts[file]?.people ?? []).map { register.admit($0) } }
    }

    private func difference(from oldContacts: [Contact], _ oldFailures: [ContactFailure]) -> Difference {
        let old = Dictionary(oldContacts.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let ids = Set(contacts.map(\.id))
        var difference = Difference()
        difference.removed = oldContacts.map(\.id).filter { !ids.contains($0) }
        difference.changed = contacts.compactMap { contact in
            let before = old[contact.id]
            return before == contact ? nil : (contact, before == nil || before?.photo != contact.photo)
        }
        difference.failures = failures.filter { !oldFailures.contains($0) }
        return difference
    }
}
