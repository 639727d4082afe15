/// Makes the ids of one book unique, by this one rule:
///
/// 1. A card with an id that no other card of the book has keeps it.
/// 2. Among several cards with one id, the first in the book's order has it unchanged; the others get their fingerprint
///    (see `Contact.fingerprint`) appended: `ID-0123456789ab`. So an id depends on the card's content and its file, and
///    not on the number of cards before it: when one is removed, the others keep theirs.
/// 3. The plain id stays with its card as long as a program knows its owner: the watched book, and the trash for a card
///    that Tondo removed. When that card is removed, no other one gets its id, and when it comes back, it has it again;
///    when another one appears before it, it keeps it.
/// 4. Cards that are equal in all of that are numbered in the book's order: `ID-0123456789ab-2`. They cannot be
///    distinguished. When the card with the plain id is removed, the others keep their ids: `Owner.duplicates` of them come
///    before one that may have the plain id, so that a repeated request to remove it finds nothing.
///
/// If none of several cards got the plain id, rule 3 would be unnecessary, but the id of a card would change when a
/// duplicate of it appears; and a card would have to be read twice, since others may follow. Numbers in the book's
/// order, which the rule replaced, let an id become that of another contact: a repeated request to remove one removed
/// the next.
///
/// Linear in the number of cards.
package struct Identities: Sendable {
    private var taken: Set<String> = []
    /// The number of repetitions of each repeated id.
    private var repeats: [String: Int] = [:]
    private let owners: Owners
    /// Equals of an owner that came so far, see `Owner.duplicates`.
    private var duplicates: [String: Int] = [:]
    /// Own ids that several cards have.
    package private(set) var shared: Set<String> = []

    /// The card to which a plain id belongs.
    package struct Owner: Hashable, Sendable {
        /// Its fingerprint.
        package var card: String
        /// Equal cards that have ids of their own since the owner was taken out.
        package var duplicates: Int

        package init(card: String, duplicates: Int = 0) {
            self.card = card
            self.duplicates = duplicates
        }
    }

    /// By their plain ids.
    package typealias Owners = [String: Owner]

    /// `expecting`: the approximate number of ids.
    package init(expecting count: Int = 0, owners: Owners = [:]) {
        self.owners = owners
        taken.reserveCapacity(count)
    }

    /// `fingerprint`: the card's; only called if it is needed.
    package mutating func unique(_ id: String, fingerprint: () -> String) -> String {
        if let owner = owners[id] {
            let card = fingerprint()
            if card == owner.card {
                if duplicates[id, default: 0] >= owner.duplicates, taken.insert(id).inserted { return id }
                duplicates[id, default: 0] += 1
            }
            shared.insert(id)
            return unique("\(id)-\(card)")
        }
        if taken.insert(id).inserted { return id }
        shared.insert(id)
        return unique("\(id)-\(fingerprint())")
    }

    /// For names without a meaning: the second one gets `-2` appended, and so on.
    package mutating func unique(_ name: String) -> String {
        if taken.insert(name).inserted { return name }
        var number = repeats[name] ?? 1
        while true {
            number += 1
            let candidate = "\(name)-\(number)"
            guard taken.insert(candidate).inserted else { continue }
            repeats[name] = number
            return candidate
        }
    }
}

extension Identities.Owners {
    /// These and those of the trash, `removed`, which alone knows what was taken out.
    package func knowing(_ removed: Self) -> Self {
        mapValues { Identities.Owner(card: $0.card) }.merging(removed) { own, removed in
            own.card == removed.card ? removed : own
        }
    }
}
