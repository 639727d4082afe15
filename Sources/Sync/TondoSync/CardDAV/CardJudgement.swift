internal import SystemPackage
internal import TondoContacts

/// Whether the service will read a card: by its own reader, so that a mirror never counts a contact that is not shown.
enum CardJudgement: Equatable {
    case readable
    case unreadable(String)

    init(_ card: [UInt8]) {
        do throws(ContactsError) {
            let contents = try BookFormat.vCard.read(card, name: "card")
            if contents.contacts.isEmpty {
                self = .unreadable(contents.failures.first.map { "\($0.error)" } ?? "not a vCard")
            } else {
                self = .readable
            }
        } catch {
            self = .unreadable("\(error)")
        }
    }
}
