package import SystemPackage

/// Reads address books in JSON, of any `JSONShape`.
package enum JSONBook {
    /// A contact with a value of the wrong type is reported and skipped, the others are read; if the text is truncated,
    /// those before are read. `name`: the file's, for places and failures.
    package static func read(_ file: [UInt8], name: FilePath) throws(ContactsError) -> BookContents {
        var book = BookBuilder(name, .standard)
        try read(FileBytes(file), name: name, into: &book)
        return book.finished()
    }

    static func read(_ file: FileBytes, name: FilePath, into book: inout BookBuilder) throws(ContactsError) {
        let tape = try JSONTape(SourceText(file), limits: book.limits)
        guard let root = tape.root, let shape = JSONShape(root) else {
            if let failure = tape.failure { throw .malformed(failure.reason) }
            throw .notABook
        }
        var reading = Reading(tape: tape, places: ContactLocator(tape.text, file: name), book: book)
        try reading.read(root, shape)
        book = reading.book
    }
}

/// One pass over a book.
private struct Reading {
    let tape: JSONTape
    var places: ContactLocator
    var book: BookBuilder
    private var passed: ReadBytes

    init(tape: JSONTape, places: ContactLocator, book: BookBuilder) {
        (self.tape, self.places, self.book) = (tape, places, book)
        passed = ReadBytes(tape.text.bytes)
    }

    mutating func read(_ root: JSONValue, _ shape: JSONShape) throws(ContactsError) {
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
        guard let failure = tape.failure else { return }
        book.add(places.failure(at: failure.offset, .malformed(failure.reason)))
    }

    private mutating func each(
        _ array: JSONValue?, path: String,
        _ contact: (JSONRecord, inout ContactLocator) throws(JSONMismatch) -> Contact
    ) {
        guard let array else { return }
        for (index, element) in array.elements.enumerated() {
            // A truncated text is reported once, for the whole file.
            if element.isCut { continue }
            guard book.hasRoom() else { continue }
            defer { passed.passed(element.range.upperBound) }
            let path = "\(path)/\(index)"
            do throws(ContactsError) {
                try book.limits.check(.card, element.range.count)
            } catch {
                book.add(places.failure(at: element.range.lowerBound, path: path, error))
                continue
            }
            do throws(JSONMismatch) {
                let record = try JSONRecord(element, path: path)
                try append(contact(record, &places), record)
            } catch {
                note(error)
            }
        }
    }

    private mutating func append(_ contact: Contact, _ record: JSONRecord) throws(JSONMismatch) {
        var contact = contact
        contact.place = places.place(record.value.range)
        // Tondo's own file may contain a contact with nothing but an id.
        guard !contact.isEmpty || !contact.id.isEmpty else {
            book.add(places.failure(at: record.value.range.lowerBound, path: record.path, .nothingInside))
            return
        }
        do throws(ContactsError) {
            try book.limits.check(fieldsOf: contact, card: record.value.range)
        } catch {
            book.add(places.failure(at: record.value.range.lowerBound, path: record.path, error))
            return
        }
        if contact.id.isEmpty { contact.id = contact.derivedID }
        book.add(contact)
        for key in record.repeated {
            note(record.mismatch(record.value, key, "given more than once, the last one counts"))
        }
    }

    private mutating func readGroups(_ root: JSONValue) {
        do throws(JSONMismatch) {
            guard !root.isCut else { return }
            book.add(try TondoSchema.groups(JSONRecord(root, path: "")))
        } catch {
            note(error)
        }
    }

    private mutating func note(_ mismatch: JSONMismatch) {
        book.add(places.failure(at: mismatch.offset, path: mismatch.path, .malformed(mismatch.reason)))
    }
}
