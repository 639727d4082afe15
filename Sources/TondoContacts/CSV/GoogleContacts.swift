internal import SystemPackage
internal import TondoText

/// Reads CSV exports of Google Contacts, Outlook, Thunderbird, LinkedIn, Apple's Contacts and others.
enum GoogleContacts {
    /// A broken row is reported and skipped; the others are read. `name`: the file's, for places and failures.
    static func read(_ file: FileBytes, name: FilePath, into book: inout BookBuilder) throws(ContactsError) {
        let text = SourceText(file)
        guard let table = CSVTable(text) else { throw .notABook }
        var pass = BookPass(text, file: name, book)
        var rows = table.rows
        while let row = rows.next() {
            guard pass.book.hasRoom() else { continue }
            do throws(ContactsError) {
                var contact = try contact(row, of: rows, table.columns, pass.book.limits)
                contact.id = contact.derivedID
                contact.place = pass.places.place(row.range)
                pass.book.add(contact)
            } catch { pass.fail(error, at: row.range.lowerBound) }
            pass.passed(row.range.upperBound)
        }
        book = pass.book
    }

    private static func contact(
        _ row: CSVRows.Row, of rows: CSVRows, _ columns: GoogleColumns, _ limits: BookLimits
    ) throws(ContactsError) -> Contact {
        if row.isBroken { throw .malformed("an unterminated quoted field") }
        try limits.check(.field, row.fields.reduce(0) { max($0, $1.range.count) })
        try limits.check(.card, row.range.count)
        let contact = GoogleRow(columns, row, of: rows).contact
        if contact.isEmpty { throw .nothingInside }
        return contact
    }
}
