extension TrashRecord {
    /// Gives changed contacts the bytes that they had before. Records in the order of undoing: of one contact, the last change
    /// first.
    ///
    /// A contact is found by the bytes that it got, wherever it is in the file by now. Throws `refused` if another program has
    /// changed it since, or if the result could not be read as the same contacts.
    static func reverted(_ records: [TrashRecord], in file: [UInt8]) throws(ContactsError) -> Batch {
        guard let (former, format) = try BookFormat.contacts(of: file, word: BookFormat.vCard.word) else {
            throw .contactMoved
        }
        var cards = ChangedCards(former, file: file, records: records)
        var present: Set<Int> = []
        for (number, record) in records.enumerated() where try cards.revert(record) == .wasThere {
            present.insert(number)
        }
        let reverted = cards.file(from: file)
        let found = try BookFormat.contacts(of: reverted, word: format.word)?.contacts ?? []
        let changed = Set(cards.texts.keys)
        let lost = BookFormat.firstDifference(
            of: former.withoutPhotos(at: changed), from: found.withoutPhotos(at: changed), in: format)
        if let lost { throw .refused("\(lost) would be lost or changed") }
        return Batch(file: reverted, present: present)
    }
}

/// The cards of a file, some of which get other bytes.
private struct ChangedCards {
    enum Outcome { case reverted, wasThere }

    private var places: [Range<Int>] = []
    /// The cards by what they are now: their indices, in the order of the file.
    private var indices: [Cut.Successor: [Int]] = [:]
    /// The new bytes of cards, by their indices.
    private(set) var texts: [Int: [UInt8]] = [:]

    init(_ contacts: [Contact], file: [UInt8], records: [TrashRecord]) {
        let mark = TextLayout(file).markCount
        // Other cards need not be hashed.
        let counts = Set(records.flatMap { [$0.successor?.bytes ?? 0, $0.contact.count] })
        for (index, contact) in contacts.enumerated() {
            let place = contact.place.map { max($0.bytes.lowerBound, mark)..<$0.bytes.upperBound } ?? 0..<0
            places.append(place)
            if counts.contains(place.count) { indices[Cut.Successor(file[place]), default: []].append(index) }
        }
    }

    mutating func revert(_ record: TrashRecord) throws(ContactsError) -> Outcome {
        let before = record.bytes[record.contact]
        guard let successor = record.successor, let found = indices[successor], !found.isEmpty else {
            // A change that was killed before the book was written.
            if indices[Cut.Successor(before)]?.isEmpty == false { return .wasThere }
            throw .refused("the contact was changed or removed since")
        }
        // Of equal cards, rather the one at the old place.
        let index = found.first { places[$0].lowerBound == record.offset } ?? found[0]
        indices[successor]?.removeAll { $0 == index }
        indices[Cut.Successor(before), default: []].append(index)
        texts[index] = Array(before)
        return .reverted
    }

    func file(from file: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var position = 0
        for index in places.indices {
            guard let text = texts[index] else { continue }
            output += file[position..<places[index].lowerBound]
            output += text
            position = places[index].upperBound
        }
        return output + file[position...]
    }
}
