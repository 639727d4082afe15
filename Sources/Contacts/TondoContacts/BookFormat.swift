package import SystemPackage
package import TondoText

/// The file formats of address books.
package enum BookFormat: Hashable, Sendable {
    case vCard
    case json(JSONShape)
    /// XML property lists of friend groups.
    case propertyList
    /// Google Contacts CSV.
    case csv
    case ldif

    /// Stable names for scripts and files.
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
    /// For bytes in memory; mapped ones can be released while they are read, see `FileBytes`.
    package func read(
        _ file: [UInt8], name: FilePath, limits: BookLimits = .standard
    ) throws(ContactsError) -> BookContents {
        try read(FileBytes(file), name: name, limits: limits)
    }

    /// Reads a whole file, in linear time. Large vCard files are better read card by card, see `VCardParser`. Throws
    /// `overLimit` for a file that is too large; a contact that is too large is one of the failures.
    package func read(
        _ file: FileBytes, name: FilePath, limits: BookLimits = .standard
    ) throws(ContactsError) -> BookContents {
        try limits.check(.file, found: file.count)
        if self != .vCard, SourceText.isWide(file) { try limits.check(.wideFile, found: file.count) }
        var book = BookBuilder(file: name, limits: limits)
        switch self {
        case .vCard: try Self.readCards(file, named: name, into: &book)
        case .json: try JSONBook.read(file, name: name, into: &book)
        case .propertyList: try FriendGroups.read(file, name: name, into: &book)
        case .csv: try GoogleContacts.read(file, name: name, into: &book)
        case .ldif: try LDIFBook.read(file, name: name, into: &book)
        }
        return book.finished()
    }

    private static func readCards(
        _ file: FileBytes, named name: FilePath, into book: inout BookBuilder
    ) throws(ContactsError) {
        try file.withUnsafeBytes { bytes throws(ContactsError) in
            let text = try VCardText(bytes, limits: book.limits) { file.release($0) }
            let parser = VCardParser(text: text, file: name)
            for card in text.cards where !text.isBlank(card) && book.hasRoom() {
                do throws(ContactsError) {
                    book.add(try parser.contact(in: card))
                } catch {
                    book.add(ContactFailure(file: name, line: card.line, error: error))
                }
            }
        }
    }
}
