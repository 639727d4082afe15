import TondoContacts

/// Parts of a contact, formatted for humans.
enum ContactText {
    /// One letter per messenger: T(elegram), W(hatsApp), V(iber), S(ignal), 3 (Threema).
    static func initials(_ contact: Contact) -> String {
        Messenger.allCases.filter { contact.messengers[$0] != nil }.map(initial).joined()
    }

    private static func initial(_ messenger: Messenger) -> String {
        switch messenger {
        case .telegram: "T"
        case .whatsapp: "W"
        case .viber: "V"
        case .signal: "S"
        case .threema: "3"
        }
    }

    static func title(_ messenger: Messenger) -> String {
        switch messenger {
        case .telegram: "Telegram"
        case .whatsapp: "WhatsApp"
        case .viber: "Viber"
        case .signal: "Signal"
        case .threema: "Threema"
        }
    }

    /// `inline`, `file`, `remote`, `none`.
    static func photoKind(_ photo: ContactPhoto?) -> String {
        switch photo {
        case .inline: "inline"
        case .file: "file"
        case .remote: "remote"
        case nil: "none"
        }
    }

    /// The value with its type and label in the book: `+49 30 1234 (home, Summer house)`.
    static func point(_ point: ContactPoint) -> String {
        let words = point.types + [point.label].compactMap { $0 }
        let value = PhoneMask.masked(point.value)
        return words.isEmpty ? value : "\(value) (\(words.joined(separator: ", ")))"
    }

    static func crop(_ crop: PhotoCrop) -> String {
        "\(crop.width) x \(crop.height) at \(crop.x),\(crop.y) from the bottom left"
    }
}

extension ContactFailure {
    /// `book.vcf:12`, and the path inside the entry.
    var place: String {
        [line.map { "\(file):\($0)" } ?? "\(file)", path].compactMap(\.self).joined(separator: ": ")
    }
}
