internal import SystemPackage
internal import TondoText

/// One pass over a book's text: each contact is added or reported with its place, and bytes behind it are released.
struct BookPass {
    let text: SourceText
    var places: ContactLocator
    var book: BookBuilder
    private var passed: ReadBytes

    /// Why a contact is refused, where that is not its beginning or its own path.
    struct Defect: Error {
        let error: ContactsError
        var offset: Int?
        var path: String?

        /// In a format where a value can have the wrong type.
        init(reason: String, offset: Int? = nil, path: String?) {
            error = .malformed(reason)
            self.offset = offset
            self.path = path
        }

        init(_ error: ContactsError, path: String? = nil) {
            self.error = error
            self.path = path
        }
    }

    /// `file`: its name, for places and failures.
    init(text: SourceText, file: FilePath, book: BookBuilder) {
        self.text = text
        self.book = book
        places = ContactLocator(text: text, file: file)
        passed = ReadBytes(text.bytes)
    }

    /// Adds the contact that `read` finds in this range, with a derived id if it has none. Its error is reported at the
    /// beginning of the range. Call it if the book has room. `path`: in the file's structure. False: nothing was added.
    @discardableResult
    mutating func add(
        _ range: Range<Int>, path: String? = nil, read: (inout ContactLocator) throws(Defect) -> Contact?
    ) -> Bool {
        defer { passed.passed(range.upperBound) }
        do throws(Defect) {
            try check { () throws(ContactsError) in try book.limits.check(.card, found: range.count) }
            guard var contact = try read(&places) else { return false }
            try check { () throws(ContactsError) in
                // Tondo's own file may contain a contact with nothing but an id.
                if contact.isEmpty, contact.id.isEmpty { throw .nothingInside }
                try book.limits.check(fieldsOf: contact, card: range)
            }
            if contact.id.isEmpty { contact.id = contact.derivedID }
            contact.place = places.place(range)
            book.add(contact)
            return true
        } catch {
            fail(error.error, at: error.offset ?? range.lowerBound, path: error.path ?? path)
            return false
        }
    }

    private func check(_ body: () throws(ContactsError) -> Void) throws(Defect) {
        do throws(ContactsError) { try body() } catch { throw Defect(error) }
    }

    mutating func fail(_ error: ContactsError, at offset: Int, path: String? = nil) {
        book.add(places.failure(at: offset, path: path, error))
    }
}
