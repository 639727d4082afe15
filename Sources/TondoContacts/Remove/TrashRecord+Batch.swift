extension TrashRecord {
    /// Contacts of one file, restored together.
    package struct Batch: Equatable, Sendable {
        /// The file with all of them.
        package let file: [UInt8]
        /// The indices of those that were never removed: a removal was killed before the file was written.
        package let present: Set<Int>

        package init(file: [UInt8], present: Set<Int>) { (self.file, self.present) = (file, present) }
    }

    /// Restores these contacts in the order of `records`: the last removed first makes an unchanged file what it was,
    /// byte for byte. As `restored(into:)` for one, but the file is read twice, however many contacts come back. All or
    /// none: throws if one does not fit; each may fit alone.
    package static func restored(_ records: [TrashRecord], into file: [UInt8]) throws(ContactsError) -> Batch {
        var growing = GrowingFile(file, room: records.reduce(0) { $0 + $1.bytes.count })
        for record in records { try growing.restore(record) }
        let restored = growing.bytes
        if let first = records.first, growing.present.count < records.count {
            try check(restored, growing.places, former: first.formerContacts(of: file), format: first.format)
        }
        return Batch(file: restored, present: growing.present)
    }

    private static func check(
        _ file: [UInt8], _ places: [(offset: Int, record: TrashRecord)], former: [Contact], format: String
    ) throws(ContactsError) {
        guard let (found, known) = try BookFormat.contacts(of: file, word: format) else { throw .notABook }
        var own = places.sorted { $0.offset > $1.offset }
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
        if let lost = BookFormat.firstDifference(former, others, known) {
            throw .refused("\(lost) would be lost or changed")
        }
    }
}

/// A file into which contacts of the trash return.
struct GrowingFile {
    private var file: GapFile
    /// The positions of the restored contacts.
    private(set) var places: [(offset: Int, record: TrashRecord)] = []
    /// See `TrashRecord.Batch`.
    private(set) var present: Set<Int> = []
    private var count = 0
    var work: Int { file.work }
    var bytes: [UInt8] { file.whole }

    init(_ bytes: [UInt8], room: Int) { file = GapFile(bytes, room: room) }

    mutating func restore(_ record: TrashRecord) throws(ContactsError) {
        defer { count += 1 }
        if record.isAsLeft(count: file.count, hash: file.hash) {
            return insert(record, record.bytes, at: record.offset, contact: record.contact.lowerBound)
        }
        // Another program changed the file: now it must be searched for the place.
        let whole = file.whole
        if record.isPresent(in: whole) {
            present.insert(count)
            return
        }
        guard let attempt = try record.attempts(on: whole).first else { throw .contactMoved }
        insert(record, attempt.bytes, at: attempt.offset, contact: attempt.contact.lowerBound - attempt.offset)
    }

    /// `contact`: its position in `bytes`.
    private mutating func insert(_ record: TrashRecord, _ bytes: [UInt8], at offset: Int, contact: Int) {
        file.moveGap(to: offset)
        file.putIn(bytes)
        for index in places.indices where places[index].offset >= offset { places[index].offset += bytes.count }
        places.append((offset + contact, record))
    }
}
