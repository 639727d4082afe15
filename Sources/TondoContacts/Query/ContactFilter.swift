/// Selects contacts that can be reached in all of the given ways. Without ways, it selects all.
package struct ContactFilter: Hashable, Sendable {
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

        package static let allCases = Messenger.allCases.map { Channel.messenger($0) } + [.phone, .email]
    }

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
