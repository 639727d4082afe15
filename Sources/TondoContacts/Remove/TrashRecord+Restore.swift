extension TrashRecord {
    /// The file with the contact in it again. `file`: what it holds now, nothing where it is gone.
    ///
    /// A file nobody changed since becomes what it was before, byte for byte. In one that changed, the contact returns
    /// between its old neighbours; where these are gone, to the end of the book, and in a property list, which has no one
    /// end, `contactMoved` is thrown.
    package func restored(into file: [UInt8]) throws(ContactsError) -> [UInt8] {
        if file.count == remainingCount, Self.fingerprint(file) == remainingFingerprint, offset <= file.count {
            return inserting(bytes, into: file, at: offset)
        }
        if let place = place(in: file) { return inserting(bytes, into: file, at: place) }
        return try appended(to: file)
    }

    /// The contact never went: between the bytes that stood around it there are its own.
    package func isPresent(in file: [UInt8]) -> Bool {
        if file.count == remainingCount, Self.fingerprint(file) == remainingFingerprint { return false }
        let all = before + bytes + after
        return all.count >= 16 && Self.find(all, in: file, from: 0) != nil
    }

    private func inserting(_ bytes: some Sequence<UInt8>, into file: [UInt8], at offset: Int) -> [UInt8] {
        Array(file[..<offset]) + bytes + file[offset...]
    }

    /// Where both neighbours still stand side by side, and nowhere else.
    private func place(in file: [UInt8]) -> Int? {
        let neighbours = before + after
        guard neighbours.count >= 16, let first = Self.find(neighbours, in: file, from: 0),
            Self.find(neighbours, in: file, from: first + 1) == nil
        else { return nil }
        return first + before.count
    }

    private static func find(_ piece: [UInt8], in file: [UInt8], from start: Int) -> Int? {
        guard start <= file.count else { return nil }
        return file[start...].firstRange(of: piece)?.lowerBound
    }

    private func appended(to file: [UInt8]) throws(ContactsError) -> [UInt8] {
        let own = Array(bytes[contact])
        let isWide = file.starts(with: [0xFE, 0xFF]) || file.starts(with: [0xFF, 0xFE])
        switch format {
        // Line ends of UTF-16 are left to the file: only whole lines were removed.
        case "vcard" where isWide, "csv" where isWide: return file + own
        case "vcard", "csv": return Self.endingLine(file) + own
        case "ldif": return Self.endingLine(file) + (file.isEmpty ? [] : [0x0A]) + own
        case "json": return try appendedToArray(own, file)
        default: throw .contactMoved
        }
    }

    private static func endingLine(_ file: [UInt8]) -> [UInt8] {
        file.isEmpty || file.last == 0x0A ? file : file + [0x0A]
    }

    private func appendedToArray(_ own: [UInt8], _ file: [UInt8]) throws(ContactsError) -> [UInt8] {
        let tape = try JSONTape(SourceText(file))
        guard tape.failure == nil, let root = tape.root, let array = root.isArray ? root : root["contacts"],
            array.kind == .array, tape.text.characterWidth == 1
        else { throw .contactMoved }
        let elements = Array(array.elements)
        guard let last = elements.last else {
            return inserting(own, into: file, at: tape.text.skipped + array.range.lowerBound + 1)
        }
        return inserting([UInt8(ascii: ","), 0x0A] + own, into: file, at: tape.text.skipped + last.range.upperBound)
    }
}
