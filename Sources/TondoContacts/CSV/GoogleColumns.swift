/// What the columns of a Google Contacts export mean, by their names, in any order. The names changed in 2024: both kinds
/// are known.
struct GoogleColumns {
    enum Column: Hashable {
        case formatted, given, additional, family, prefix, suffix, nickname
        case organisation, department, title, notes, photo, groups, occupation
        case email(Int)
        case emailType(Int)
        case phone(Int)
        case phoneType(Int)
        case messenger(Int)
        case messengerService(Int)
        case website(Int)
    }

    /// In the file's order; nil for columns without a meaning here.
    let columns: [Column?]

    /// Nil when the header is of something else. `names`: of the columns, as the file has them.
    init?(_ names: [String]) {
        columns = names.map { Self.column($0.lowercased().trimmed) }
        let known = Set(columns.compactMap { $0 })
        let isTelling = known.contains { column in
            switch column {
            case .email, .phone, .given, .family, .groups, .formatted: true
            default: false
            }
        }
        guard isTelling, known.count >= 2 else { return nil }
    }

    /// The separator that makes most sense of a header, and its columns. `head`: the text's first line.
    static func find(in text: SourceText) -> (columns: GoogleColumns, separator: UInt8)? {
        let found = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")].compactMap { separator in
            var rows = CSVRows(text, separator: separator)
            return rows.next().flatMap { GoogleColumns($0.fields.map(rows.string)) }.map { ($0, separator) }
        }
        return found.max { $0.0.known < $1.0.known }
    }

    private var known: Int { columns.count { $0 != nil } }

    private static func column(_ name: String) -> Column? { plain[name] ?? numbered(name) }

    private static let plain: [String: Column] = [
        "name": .formatted, "file as": .formatted, "given name": .given, "first name": .given,
        "additional name": .additional, "middle name": .additional, "family name": .family, "last name": .family,
        "name prefix": .prefix, "name suffix": .suffix, "nickname": .nickname, "organization name": .organisation,
        "organization department": .department, "organization title": .title, "notes": .notes, "photo": .photo,
        "labels": .groups, "group membership": .groups, "occupation": .occupation,
    ]

    /// `E-mail 1 - Value` and its like.
    private static func numbered(_ name: String) -> Column? {
        let words = name.split(separator: " ")
        guard words.count >= 4, let number = Int(words[1]), words[2] == "-" else { return nil }
        switch (words[0], words[3...].joined(separator: " ")) {
        case ("e-mail", "value"): return .email(number)
        case ("e-mail", "type"), ("e-mail", "label"): return .emailType(number)
        case ("phone", "value"): return .phone(number)
        case ("phone", "type"), ("phone", "label"): return .phoneType(number)
        case ("im", "value"): return .messenger(number)
        case ("im", "service"), ("im", "label"): return .messengerService(number)
        case ("website", "value"): return .website(number)
        // The first of several.
        case ("organization", "name") where number == 1: return .organisation
        case ("organization", "title") where number == 1: return .title
        case ("organization", "department") where number == 1: return .department
        default: return nil
        }
    }
}
