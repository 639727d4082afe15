import SystemPackage

@testable import TondoContacts

/// What came out of a book.
struct Reading {
    var contacts: [Contact] = []
    var failures: [ContactFailure] = []
    /// What the count said before anything was read.
    var counted = 0

    /// Reads a book as a loader would: counts, reads the groups, then all contacts.
    init(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { bytes in
            let text = try VCardText(bytes)
            let parser = VCardParser(text: text, file: "book.vcf")
            let scan = text.scan()
            counted = scan.people
            var merger = ContactMerger(expecting: scan.people)
            for card in scan.groups { merger.add(group: try parser.contact(in: card)) }
            for card in text.cards where !card.isGroup && !text.isBlank(card) {
                do throws(ContactsError) {
                    contacts.append(merger.add(try parser.contact(in: card)))
                } catch {
                    failures.append(ContactFailure(file: "book.vcf", line: card.line, error: error))
                }
            }
        }
    }

    init(_ text: String) throws { try self.init(Array(text.utf8)) }
}

extension Contact {
    /// The only contact of a card with these lines.
    init(lines: String..., version: String = "3.0") throws { try self.init(ofLines: lines, version: version) }

    init(ofLines lines: [String], version: String = "3.0") throws {
        let card = ["BEGIN:VCARD", "VERSION:\(version)"] + lines + ["END:VCARD", ""]
        self = try Reading(card.joined(separator: "\r\n")).contacts[0]
    }
}
