internal import SystemPackage
internal import TondoText

/// A table whose columns are those of an address book.
struct CSVTable {
    let columns: GoogleColumns
    /// The rows below the header.
    let rows: CSVRows

    /// Rows that may come before the header: LinkedIn writes some remarks there.
    private static let remarks = 8

    /// Nil if none of the first rows is such a header. The separator is the one that gives the most known columns.
    init?(_ text: SourceText) {
        var best: (columns: GoogleColumns, rows: CSVRows)?
        for separator in Self.separators {
            var rows = CSVRows(text, separator: separator)
            var tries = 0
            while tries < Self.remarks, let row = rows.next() {
                tries += 1
                guard row.fields.count > 1, let columns = GoogleColumns(row.fields.map(rows.string)) else { continue }
                if columns.known > best?.columns.known ?? 0 { best = (columns, rows) }
                break
            }
        }
        guard let best else { return nil }
        (columns, rows) = best
    }

    private static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

    /// A description of another table; nil if the text is not a table: its first two rows have the same number of
    /// fields, two at least. `head`: the beginning of the text.
    static func description(ofOther head: SourceText) -> String? {
        for separator in separators {
            var rows = CSVRows(head, separator: separator)
            guard let first = rows.next(), let second = rows.next(), first.fields.count > 1,
                first.fields.count == second.fields.count
            else { continue }
            let names = first.fields.prefix(5).map { "\"\(rows.string($0).trimmed.prefix(40))\"" }
            let more = first.fields.count > names.count ? ", ..." : ""
            return """
                a table without the header of an address book: its first row should name two columns or more such as \
                "Name", "First Name", "Email", "Phone", and is \(names.joined(separator: ", "))\(more)
                """
        }
        return nil
    }
}

/// Reads CSV exports of Google Contacts, Outlook, Thunderbird, LinkedIn, Apple's Contacts and others.
enum GoogleContacts {
    /// A broken row is reported and skipped; the others are read. `name`: the file's, for places and failures.
    static func read(_ file: FileBytes, name: FilePath, into book: inout BookBuilder) throws(ContactsError) {
        let text = SourceText(file)
        guard let table = CSVTable(text) else { throw .notABook }
        var pass = BookPass(text, file: name, book)
        let limits = book.limits
        var rows = table.rows
        while let row = rows.next() {
            guard pass.book.hasRoom() else { continue }
            pass.add(row.range) { _ throws(BookPass.Defect) in
                if row.isBroken { throw .init("an unterminated quoted field", path: nil) }
                do throws(ContactsError) {
                    try limits.check(.field, row.fields.reduce(0) { max($0, $1.range.count) })
                } catch { throw .init(error) }
                return GoogleRow(table.columns, row, of: rows).contact
            }
        }
        book = pass.book
    }
}
