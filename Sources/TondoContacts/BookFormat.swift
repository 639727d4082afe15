package import SystemPackage

/// What kinds of files hold address books.
package enum BookFormat: Hashable, Sendable {
    case vCard
    case json(JSONShape)
    /// XML property lists of friend groups.
    case propertyList
    /// Google Contacts CSV.
    case csv
    case ldif

    /// For scripts and files; the same for ever.
    package var word: String {
        switch self {
        case .vCard: "vcard"
        case .json: "json"
        case .propertyList: "plist"
        case .csv: "csv"
        case .ldif: "ldif"
        }
    }
}

extension BookFormat {
    /// Reads a whole file. Large vCard files are better read card by card, see `VCardParser`.
    package func read(_ file: [UInt8], name: FilePath) throws(ContactsError) -> BookContents {
        switch self {
        case .vCard:
            try file.withUnsafeBytes { bytes in
                Result { () throws(ContactsError) in try Self.readCards(bytes, name) }
            }.get()
        case .json: try JSONBook.read(file, name: name)
        case .propertyList: try FriendGroups.read(file, name: name)
        case .csv: try GoogleContacts.read(file, name: name)
        case .ldif: try LDIFBook.read(file, name: name)
        }
    }

    private static func readCards(
        _ file: UnsafeRawBufferPointer, _ name: FilePath
    ) throws(ContactsError) -> BookContents {
        let text = try VCardText(file)
        let parser = VCardParser(text, file: name)
        var contents = BookContents()
        for card in text.cards {
            do throws(ContactsError) {
                contents.contacts.append(try parser.contact(in: card))
            } catch {
                contents.failures.append(ContactFailure(file: name, line: card.line, error: error))
            }
        }
        return contents
    }
}
