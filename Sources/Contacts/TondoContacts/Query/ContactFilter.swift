/// Selects contacts that can be reached in all of the given ways. Without ways, it selects all.
package struct ContactFilter: Hashable, Sendable {
    /// A way to reach a contact.
    package enum Channel: Hashable, Sendable, CaseIterable {
        case messenger(Messenger)
        case phone, email

        /// `telegram`, `whatsapp`, `viber`, `signal`, `threema`, `phone`, `email`.
        package var word: String {
            switch self {
            case .messenger(let messenger): messenger.rawValue
            case .phone: "phone"
            case .email: "email"
            }
        }

        /// Messengers first, in their own order.
        package static let allCases = Messenger.allCases.map { Channel.messenger($0) } + [.phone, .email]
    }

    /// All of them are needed; empty: none is.
    package var channels: Set<Channel>

    package init(_ channels: Set<Channel> = []) { self.channels = channels }

    /// Reads words separated by commas, such as `telegram,email`; nil if one is unknown.
    package init?(_ text: String) {
        var channels: Set<Channel> = []
        for word in text.split(separator: ",").map({ String($0).trimmed.lowercased() }) where !word.isEmpty {
            guard let channel = Channel.allCases.first(where: { $0.word == word }) else { return nil }
            channels.insert(channel)
        }
        self.channels = channels
    }

    /// A messenger without a handle counts, since the book says that there is one; an empty number does not.
    package func passes(_ contact: Contact) -> Bool {
        channels.allSatisfy { channel in
            switch channel {
            case .messenger(let messenger): contact.messengers[messenger] != nil
            case .phone: contact.phones.contains { !$0.value.isEmpty }
            case .email: contact.emails.contains { !$0.value.isEmpty }
            }
        }
    }
}

/// The selection and order of contacts. All conditions must hold.
package struct ContactSelection: Sendable {
    /// Selects all by default.
    package var filter = ContactFilter()
    /// Selects all by default.
    package var search = ContactSearch("")
    /// The id of a group, or its name in any letter case; nil selects all.
    package var group: String?
    /// Nil keeps the book's order.
    package var sort: ContactSort?

    package init() {}

    /// The contacts that meet all conditions, in the order of `sort`.
    package func chosen(from contacts: [Contact]) -> [Contact] {
        var folder = SearchFolder()
        let isAll = filter.channels.isEmpty && group == nil && search.isEmpty
        let chosen =
            isAll
            ? contacts
            : contacts.filter { filter.passes($0) && isInGroup($0) && search.finds($0, &folder) }
        return sort?.sorted(chosen) ?? chosen
    }

    private func isInGroup(_ contact: Contact) -> Bool {
        guard let group else { return true }
        return contact.groups.contains { Self.names(group, id: $0.id, name: $0.name) }
    }

    /// Whether `word` means the group with this id and name.
    package static func names(_ word: String, id: String, name: String) -> Bool {
        word == id || comparedName(of: word) == comparedName(of: name)
    }

    /// Equal for names of one group.
    static func comparedName(of name: String) -> String { ContactSearch.folded(name.trimmed) }
}
