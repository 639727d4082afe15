extension TrashRecord {
    /// Contacts of one file, restored together.
    package struct Batch: Equatable, Sendable {
        /// The file with all of them.
        package let file: [UInt8]
        /// The indices of those that are in the file: a removal was killed before it was written, or they came back.
        package let present: Set<Int>

        package init(file: [UInt8], present: Set<Int>) {
            self.file = file
            self.present = present
        }
    }

    /// Restores these contacts in the order of `records`: the last removed first makes an unchanged file what it was,
    /// byte for byte. As `restored(into:)` for one, but the file is read as a book twice, and searched once, however many
    /// contacts come back. All or none: throws if one does not fit; each may fit alone.
    /// The records are all of removed contacts, or all of changed ones.
    package static func restored(_ records: [TrashRecord], into file: [UInt8]) throws(ContactsError) -> Batch {
        if records.contains(where: \.isChange) { return try reverted(records, in: file) }
        let former = try records.first?.formerContacts(of: file) ?? []
        let places = former.compactMap { contact in contact.place.map { (contact.id, $0.bytes) } }
        var growing = GrowingFile(
            bytes: file, places: Dictionary(places) { first, _ in first }, records: records)
        try growing.restoreAll()
        let restored = growing.bytes
        if let first = records.first, growing.present.count < records.count {
            try check(restored, places: growing.places, former: former, format: first.format)
        }
        return Batch(file: restored, present: growing.present)
    }

    private static func check(
        _ file: [UInt8], places: [(offset: Int, record: TrashRecord)], former: [Contact], format: String
    ) throws(ContactsError) {
        guard let (found, known) = try BookFormat.contacts(of: file, word: format) else { throw .notABook }
        var own = Array(places.reversed())
        var others: [Contact] = []
        for contact in found {
            // The range of a first card includes the byte-order mark.
            if let next = own.last, contact.place?.bytes.contains(next.offset) == true {
                guard next.record.isSame(as: contact) else { throw .refused(Self.unread) }
                own.removeLast()
            } else {
                others.append(contact)
            }
        }
        guard own.isEmpty else { throw .refused(Self.unread) }
        if let lost = BookFormat.firstDifference(of: former, from: others, in: known) {
            throw .refused("\(lost) would be lost or changed")
        }
    }
}
