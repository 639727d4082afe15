import TondoTestSupport

@testable import TondoContacts

extension MarkedBook.Writer {
    var format: BookFormat {
        switch self {
        case .vCard: .vCard
        case .ldif, .ldifWithoutEmptyLines: .ldif
        case .googleCSV, .quotedCSV: .csv
        case .tondoJSON: .json(.tondo)
        case .messengerJSON: .json(.messengerContacts)
        case .friendGroups: .propertyList
        }
    }

    /// Those that may happen to its books.
    var damages: [MarkedBook.Damage] {
        switch self {
        // A second root is the end of what these formats can be.
        case .tondoJSON, .messengerJSON, .friendGroups:
            MarkedBook.Damage.allCases.filter { ![.joined, .cutAndJoined].contains($0) }
        default: MarkedBook.Damage.allCases
        }
    }

    /// Whether another file may be joined behind this many bytes, see `MarkedBook.Damage`.
    func canCut(_ bytes: [UInt8], at length: Int) -> Bool {
        guard format == .ldif else { return length > 0 }
        let line = bytes[..<length].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let isInValue = bytes[line..<length].contains(UInt8(ascii: ":"))
        return isInValue && bytes[length - 1] > UInt8(ascii: " ") && bytes[length - 1] != UInt8(ascii: ":")
    }
}

extension MarkedBook {
    mutating func write(_ numbers: inout SplitMix64) {
        switch writer {
        case .vCard: records = marks.map { card($0, &numbers) }
        case .ldif: records = marks.map { entry($0, &numbers) + [""] }
        case .ldifWithoutEmptyLines: records = marks.map { entry($0, &numbers) }
        case .googleCSV, .quotedCSV:
            head = [Self.columns.map { quoted($0) }.joined(separator: ",")]
            records = marks.map { [row($0)] }
        case .tondoJSON:
            head = [#"{"tondo":\#(TondoSchema.version),"contacts":["#]
            records = elements(marks.map { person($0) })
            tail = ["]}"]
        case .messengerJSON:
            head = [#"{"contacts":["#]
            records = elements(marks.map { messengerContact($0) })
            tail = ["]}"]
        case .friendGroups:
            head = [
                #"<plist version="1.0"><array><dict><key>name</key><string>Friends</string><key>friends</key><array>"#
            ]
            records = marks.map { friend($0) }
            tail = ["</array></dict></array></plist>"]
        }
    }

    private func value(_ word: String, _ mark: Character) -> String { "\(word) \(Self.mark(mark))" }

    /// Some of the lines, in any order: records differ in what they have.
    private func some(_ lines: [[String]], _ numbers: inout SplitMix64) -> [String] {
        lines.shuffled(using: &numbers).prefix(Int.random(in: 2...lines.count, using: &numbers)).flatMap { $0 }
    }

    private func card(_ mark: Character, _ numbers: inout SplitMix64) -> [String] {
        let photo = Self.photo(mark)
        let half = photo.index(photo.startIndex, offsetBy: 24)
        let lines = [
            ["TEL;TYPE=CELL:\(value("1", mark))"], ["EMAIL:\(Self.mark(mark))@example.org"],
            ["ADR:;;\(value("Street", mark));Town;;;"], ["NOTE:\(value("Note", mark))"],
            ["ORG:\(value("Firm", mark))"], ["URL:https://\(Self.mark(mark)).example.org"],
            ["PHOTO;ENCODING=b;TYPE=JPEG:\(photo[..<half])", " \(photo[half...])"],
        ]
        return ["BEGIN:VCARD", "VERSION:3.0", "FN:\(value("Name", mark))"] + some(lines, &numbers) + ["END:VCARD"]
    }

    private func entry(_ mark: Character, _ numbers: inout SplitMix64) -> [String] {
        let photo = Self.photo(mark)
        let half = photo.index(photo.startIndex, offsetBy: 24)
        let lines = [
            ["telephoneNumber: \(value("1", mark))"], ["mail: \(Self.mark(mark))@example.org"],
            ["street: \(value("Street", mark))"], ["description: \(value("Note", mark))"],
            ["postalAddress: \(value("Street", mark))$Town"], ["o:: \(Self.base64(Array(value("Firm", mark).utf8)))"],
            ["jpegPhoto:: \(photo[..<half])", " \(photo[half...])"],
        ]
        return [
            "dn: cn=\(Self.mark(mark)),dc=example", "objectClass: person", "objectClass: inetOrgPerson",
            "cn: \(value("Name", mark))",
        ] + some(lines, &numbers)
    }

    private static let columns = [
        "Name", "Given Name", "Notes", "E-mail 1 - Value", "Phone 1 - Value", "Address 1 - Street", "Photo",
    ]

    private func quoted(_ text: String) -> String { writer == .quotedCSV ? "\"\(text)\"" : text }

    private func row(_ mark: Character) -> String {
        let texts = ["Name", "Given", "Note", "mail", "1", "Street", "photo"].map { value($0, mark) }
        return texts.map { quoted($0) }.joined(separator: ",")
    }

    private func elements(_ records: [[String]]) -> [[String]] {
        records.enumerated().map { index, lines in
            index + 1 < records.count ? lines.dropLast() + [(lines.last ?? "") + ","] : lines
        }
    }

    private func person(_ mark: Character) -> [String] {
        [
            "{", #""id":"\#(Self.mark(mark))","#, #""name":{"formatted":"\#(value("Name", mark))"},"#,
            #""introduction":"\#(value("Note", mark))","#, #""phones":[{"value":"\#(value("1", mark))"}],"#,
            #""addresses":[{"value":"\#(value("Street", mark))"}],"#, #""photo":{"data":"\#(Self.photo(mark))"}"#, "}",
        ]
    }

    private func messengerContact(_ mark: Character) -> [String] {
        [
            "{", #""firstname":"\#(value("Given", mark))","#, #""lastname":"\#(value("Family", mark))","#,
            #""phone_number":"\#(value("1", mark))","#, #""photo_url":"\#(value("photo", mark))""#, "}",
        ]
    }

    private func friend(_ mark: Character) -> [String] {
        [
            "<dict>", "<key>name</key>", "<string>\(value("Name", mark))</string>", "<key>intro</key>",
            "<string>\(value("Note", mark))</string>", "<key>icon</key>", "<string>\(value("photo", mark))</string>",
            "<key>vip</key>", "<true/>", "</dict>",
        ]
    }
}
