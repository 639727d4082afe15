internal import SystemPackage
internal import TondoText

/// A table whose columns are those of an address book.
struct CSVTable {
    let text: SourceText
    let columns: GoogleColumns
    /// The number of fields of the header.
    let width: Int
    /// The rows below the header.
    let rows: CSVRows

    /// Rows that may come before the header: LinkedIn writes some remarks there, and Excel `sep=;`.
    private static let remarks = 8

    /// Nil if none of the first rows is such a header. The separator is the one that gives the most known columns. So is
    /// the character set, if the guessed one is not Unicode: the words of a language are known in the right one only.
    init?(_ text: SourceText) {
        var best = Self(guessed: text)
        for other in text.otherReadings {
            guard let table = Self(guessed: other), table.columns.known > best?.columns.known ?? 0 else { continue }
            best = table
        }
        guard let best else { return nil }
        self = best
    }

    private init?(guessed text: SourceText) {
        var best: (columns: GoogleColumns, width: Int, rows: CSVRows)?
        for separator in Self.separators {
            var rows = CSVRows(text, separator: separator)
            var tries = 0
            while tries < Self.remarks, let row = rows.next() {
                tries += 1
                guard row.fields.count > 1, let columns = GoogleColumns(row.fields.map(rows.string)) else { continue }
                if columns.known > best?.columns.known ?? 0 { best = (columns, row.fields.count, rows) }
                break
            }
        }
        guard let best else { return nil }
        self.text = text
        (columns, width, rows) = best
    }

    private init(_ text: SourceText, _ columns: GoogleColumns, width: Int, rows: CSVRows) {
        (self.text, self.columns, self.width, self.rows) = (text, columns, width, rows)
    }

    /// The table that begins with a row inside another one, because files were joined. Nil for the row of a person.
    func table(from row: CSVRows.Row, of rows: CSVRows) -> CSVTable? {
        guard row.fields.count > 1, let first = row.fields.first, first.range.count <= Self.longestName,
            GoogleColumns.isName(rows.string(first))
        else { return nil }
        let names = row.fields.map(rows.string)
        guard let columns = GoogleColumns(names), columns.known >= max(2, names.count { !$0.isEmpty } / 2) else {
            return nil
        }
        return CSVTable(text, columns, width: row.fields.count, rows: rows)
    }

    private static let longestName = 100

    private static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]

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
        guard var table = CSVTable(SourceText(file)) else { throw .notABook }
        var pass = BookPass(table.text, file: name, book)
        let limits = book.limits
        var rows = table.rows
        while let row = rows.next() {
            if let next = table.table(from: row, of: rows) {
                table = next
                continue
            }
            guard pass.book.hasRoom() else { continue }
            pass.add(row.range) { _ throws(BookPass.Defect) in
                if row.isBroken { throw .init("an unterminated quoted field", path: nil) }
                if table.isTwoRows(row, of: rows) {
                    throw .init(
                        "\(row.fields.count) fields, but \(table.width) columns: two rows in one line", path: nil)
                }
                do throws(ContactsError) {
                    try limits.check(.field, row.fields.reduce(0) { max($0, $1.range.count) })
                } catch { throw .init(error) }
                return GoogleRow(table.columns, row, of: rows).contact
            }
        }
        book = pass.book
    }
}

extension CSVTable {
    /// Fewer columns are not enough to know a row by its number of fields.
    private static let narrow = 4

    /// Two rows whose line end is lost have one field less than two rows, since two fields have become one, which belongs to
    /// both people. In a narrow table, a remark behind the last column has as many fields: there the second row must show an
    /// address or a number in its column.
    fileprivate func isTwoRows(_ row: CSVRows.Row, of rows: CSVRows) -> Bool {
        guard row.fields.count >= 2 * width - 1, row.fields.dropFirst(width).contains(where: { !$0.range.isEmpty })
        else { return false }
        if width >= Self.narrow { return true }
        return zip(columns.columns, row.fields.dropFirst(width - 1)).dropFirst().contains { column, field in
            switch column {
            case .email?: rows.string(field).contains("@")
            case .phone?: Self.isNumber(rows.string(field))
            default: false
            }
        }
    }

    private static func isNumber(_ text: String) -> Bool {
        let digits = text.utf8.count { 0x30...0x39 ~= $0 }
        return digits >= 3 && text.allSatisfy { $0.isNumber || $0.isWhitespace || "+-/().*#".contains($0) }
    }
}
