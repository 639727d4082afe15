internal import SystemPackage
internal import TondoText

/// Reads address books in JSON, of any `JSONShape`.
enum JSONBook {
    /// A contact with a value of the wrong type is reported and skipped, the others are read; if the text is truncated,
    /// those before are read. `name`: the file's, for places and failures.
    static func read(_ file: FileBytes, name: FilePath, into book: inout BookBuilder) throws(ContactsError) {
        let text = SourceText(file)
        let tape = try JSONTape(text, limits: book.limits)
        guard let root = tape.root, let shape = JSONShape(root) else {
            if let failure = tape.failure { throw .malformed(failure.reason) }
            throw .notABook
        }
        var pass = BookPass(text: text, file: name, book: book)
        try pass.read(root, as: shape)
        if let failure = tape.failure { pass.fail(.malformed(failure.reason), at: failure.offset) }
        book = pass.book
    }
}

extension JSONTape {
    init(_ text: SourceText, limits: BookLimits = .standard) throws(ContactsError) {
        do throws(Excess) {
            try self.init(text.bytes, most: limits.values) { text.string($0) }
        } catch {
            throw .overLimit(error.subject == .bytes ? .file : .values, found: error.found, limit: error.limit)
        }
    }
}

extension BookPass {
    fileprivate mutating func read(_ root: JSONValue, as shape: JSONShape) throws(ContactsError) {
        switch shape {
        case .people:
            each(root, path: "") { record, _ throws(JSONMismatch) in try Contact(person: record) }
        case .messengerContacts:
            each(root["contacts"], path: "/contacts") { record, _ throws(JSONMismatch) in
                try Contact(messengerContact: record)
            }
        case .tondo:
            try TondoSchema.check(version: root["tondo"])
            readGroups(root)
            each(root["contacts"], path: "/contacts") { record, places throws(JSONMismatch) in
                try TondoSchema.contact(record, places: &places)
            }
        }
    }

    private mutating func each(
        _ array: JSONValue?, path: String,
        contact: (JSONRecord, inout ContactLocator) throws(JSONMismatch) -> Contact
    ) {
        guard let array else { return }
        for (index, element) in array.elements.enumerated() {
            // A truncated text is reported once, for the whole file.
            if element.isCut { continue }
            guard book.hasRoom() else { continue }
            let path = "\(path)/\(index)"
            add(element.range, path: path) { places throws(Defect) in
                do throws(JSONMismatch) {
                    let record = try JSONRecord(value: element, path: path)
                    // Two objects whose boundary is lost are one object with the keys of both. Keys that only the first
                    // one had, such as its photo, would be the second one's.
                    if let key = record.repeated.first {
                        throw record.mismatch(element, key: key, reason: "given more than once")
                    }
                    return try contact(record, &places)
                } catch { throw Defect(reason: error.reason, offset: error.offset, path: error.path) }
            }
        }
    }

    private mutating func readGroups(_ root: JSONValue) {
        do throws(JSONMismatch) {
            guard !root.isCut else { return }
            book.add(try TondoSchema.groups(JSONRecord(value: root, path: "")))
        } catch {
            note(error)
        }
    }

    private mutating func note(_ mismatch: JSONMismatch) {
        fail(.malformed(mismatch.reason), at: mismatch.offset, path: mismatch.path)
    }
}
