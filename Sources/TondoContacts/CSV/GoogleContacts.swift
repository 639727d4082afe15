package import SystemPackage

/// Reads what Google Contacts exports as CSV.
package enum GoogleContacts {
    /// A row that is broken is reported and left out, the others are there. `name`: the file's, for places and failures.
    package static func read(_ file: [UInt8], name: FilePath) throws(ContactsError) -> BookContents {
        let text = SourceText(file)
        guard let (columns, separator) = GoogleColumns.find(in: text) else { throw .notABook }
        var places = PlaceFinder(text, file: name)
        var contents = BookContents()
        var rows = CSVRows(text, separator: separator)
        _ = rows.next()
        while let row = rows.next() {
            guard !row.isBroken else {
                contents.failures.append(
                    places.failure(at: row.range.lowerBound, .malformed("quotes without end")))
                continue
            }
            var contact = GoogleRow(columns, row, of: rows).contact
            guard !contact.isEmpty else {
                contents.failures.append(places.failure(at: row.range.lowerBound, .nothingInside))
                continue
            }
            contact.id = contact.derivedID
            contact.place = places.place(row.range)
            contents.contacts.append(contact)
        }
        return contents
    }
}
