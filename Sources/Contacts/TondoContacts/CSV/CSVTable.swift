internal import SystemPackage
internal import TondoText

/// A table whose columns are those of an address book.
struct CSVTable {
    let text: SourceText
    private(set) var columns: GoogleColumns
    /// The number of fields of the header.
    let width: Int
    /// The rows below the header.
    let rows: CSVRows
    /// Each row is one field in quotes, whose text has its fields between these: a spreadsheet had all of them in one column.
    private var innerSeparator: UInt8?

    /// Nil if none of the first rows is such a header. The separator is the one that gives the most known columns.
    init?(_ text: SourceText) {
        let all = Self.separators.compactMap { Self.table(text, separator: $0) }
        guard let best = all.max(by: { $0.columns.known < $1.columns.known }) ?? Self.emails(text) ?? Self.inner(text)
        else { return nil }
        self = best
    }

    /// The table whose header is one of the first rows: LinkedIn writes some remarks before it, and Excel `sep=;`.
    private static func table(_ text: SourceText, separator: UInt8) -> CSVTable? {
        var rows = CSVRows(text: text, separator: separator)
        if hasApostrophes(rows) { rows = CSVRows(text: text, separator: separator, quote: UInt8(ascii: "'")) }
        for _ in 0..<remarks {
            guard let row = rows.next() else { break }
            if row.count > 1, let columns = GoogleColumns(rows.names(of: row)) {
                return CSVTable(text: text, columns: columns, width: row.count, rows: rows)
            }
        }
        return nil
    }

    private static let remarks = 8

    /// Mail addresses alone, one in each of the first lines, below the name of their column or without one.
    private static func emails(_ text: SourceText) -> CSVTable? {
        var rows = CSVRows(text: text, separator: separators[0])
        var body = rows
        guard let first = rows.next(), first.count == 1 else { return nil }
        let named = GoogleColumns([rows.names(of: first)[0], "name"])
        let hasName = if case .email? = named?.columns[0] { true } else { false }
        if hasName { body = rows }
        let lines = body.prefix(remarks).map { $0.count == 1 ? body.string($0.fields[0]).trimmed : "" }
        let isEmail = { (line: String) in line.wholeMatch(of: /[^\s@:\/<>()]+@[^\s@:\/<>()]+\.[^\s@:\/<>()]+/) != nil }
        guard lines.count >= (hasName ? 1 : 2), lines.allSatisfy(isEmail) else { return nil }
        guard let columns = GoogleColumns(["email", "name"]) else { return nil }
        return CSVTable(text: text, columns: columns, width: 1, rows: body)
    }

    /// Whether all names of the header have apostrophes for quotes.
    private static func hasApostrophes(_ rows: CSVRows) -> Bool {
        var rows = rows
        guard let row = rows.next(), row.range.lowerBound == row.fields.first?.range.lowerBound else { return false }
        return row.fields.allSatisfy { field in
            let name = rows.text.bytes[field.range]
            return name.count > 2 && name.first == UInt8(ascii: "'") && name.last == UInt8(ascii: "'")
        }
    }

    private static func inner(_ text: SourceText) -> CSVTable? {
        var rows = CSVRows(text: text, separator: separators[0])
        guard let first = rows.next(), first.count == 1, text.bytes[first.range].first == UInt8(ascii: "\"") else {
            return nil
        }
        let head = SourceText(FileBytes(Array(rows.string(first.fields[0]).utf8)))
        for separator in separators {
            guard let table = table(head, separator: separator) else { continue }
            var outer = CSVTable(text: text, columns: table.columns, width: table.width, rows: rows)
            outer.innerSeparator = separator
            return outer
        }
        return nil
    }

    /// The row inside of the one field of a row, if the table has such rows.
    fileprivate func inner(_ row: CSVRows.Row, of rows: CSVRows) -> (row: CSVRows.Row, rows: CSVRows)? {
        guard let innerSeparator, row.count == 1 else { return nil }
        let text = SourceText(FileBytes(Array(rows.string(row.fields[0]).utf8)))
        var inner = CSVRows(text: text, separator: innerSeparator)
        return inner.next().map { ($0, inner) }
    }

    fileprivate init(text: SourceText, columns: GoogleColumns, width: Int, rows: CSVRows) {
        self.text = text
        self.columns = columns
        self.width = width
        self.rows = rows
    }

    /// The table that begins with a row inside another one, because files were joined. Nil for the row of a person.
    func table(from row: CSVRows.Row, of rows: CSVRows) -> CSVTable? {
        guard row.count > 1, let first = row.fields.first, first.range.count <= GoogleColumns.longestName,
            GoogleColumns.isName(rows.string(first))
        else { return nil }
        let names = rows.names(of: row)
        guard let columns = GoogleColumns(names), columns.known >= max(2, names.count { !$0.isEmpty } / 2) else {
            return nil
        }
        return CSVTable(text: text, columns: columns, width: row.count, rows: rows)
    }

    private static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]

    /// A description of another table; nil if the text is not a table: its first two rows have the same number of
    /// fields, two at least. `head`: the beginning of the text.
    static func description(ofOther head: SourceText) -> String? {
        for separator in separators {
            var rows = CSVRows(text: head, separator: separator)
            guard let first = rows.next(), let second = rows.next(), first.count > 1, first.count == second.count
            else { continue }
            let names = first.fields.prefix(5).map { "\"\(rows.string($0).trimmed.prefix(40))\"" }
            let more = first.count > names.count ? ", ..." : ""
            return """
                a table without the header of an address book: its first row should name two columns or more such as \
                "Name", "First Name", "Email", "Phone", and is \(names.joined(separator: ", "))\(more)
                """
        }
        return nil
    }
}

extension CSVRows {
    /// Whether a vCard or an entry of LDIF begins with it, because files were joined.
    fileprivate func isOtherFormat(from row: Row) -> Bool {
        text.bytes.withUnsafeBufferPointer { bytes in
            let line = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[row.range])
            return VCardMark(ASCII.trimmed(line)) == .begin || LDIFJoints.name(bytes, at: row.range.lowerBound) != nil
        }
    }

    /// The names of columns that a header can have, see `BookLimits.columns`; an empty one for a text that is too long for a
    /// name.
    fileprivate func names(of row: Row) -> [String] {
        row.fields.prefix(BookLimits.standard.columns).map {
            $0.range.count <= GoogleColumns.longestName ? string($0) : ""
        }
    }
}

/// Reads CSV exports of Google Contacts, Outlook, Thunderbird, LinkedIn, Apple's Contacts and others.
enum GoogleContacts {
    /// A broken row is reported and skipped; the others are read. `name`: the file's, for places and failures.
    static func read(_ file: FileBytes, name: FilePath, into book: inout BookBuilder) throws(ContactsError) {
        guard var table = CSVTable(SourceText(file)) else { throw .notABook }
        let limits = book.limits
        try limits.check(.columns, found: table.width)
        table.findOrderOfDates()
        var pass = BookPass(text: table.text, file: name, book: book)
        var rows = table.rows
        while let row = rows.next() {
            if let next = table.table(from: row, of: rows) {
                do throws(ContactsError) { try limits.check(.columns, found: next.width) } catch {
                    // Its rows would be read with the columns of another table.
                    pass.fail(error, at: row.range.lowerBound)
                    break
                }
                table = next
                table.findOrderOfDates()
                continue
            }
            guard pass.book.hasRoom() else { continue }
            if rows.isOtherFormat(from: row) {
                pass.fail(.malformed("another address book behind the table"), at: row.range.lowerBound)
                break
            }
            pass.add(row.range) { _ throws(BookPass.Defect) in
                if row.isBroken { throw .init(reason: "an unterminated quoted field", path: nil) }
                if table.isTwoRows(row, of: rows) {
                    throw .init(
                        reason: "\(row.count) fields, but \(table.width) columns: two rows in one line", path: nil)
                }
                do throws(ContactsError) {
                    try limits.check(.field, found: row.fields.reduce(0) { max($0, $1.range.count) })
                } catch { throw .init(error) }
                // Programs write rows of nothing but separators below a table.
                let (row, rows) = table.inner(row, of: rows) ?? (row, rows)
                return rows.isBlank(row) ? nil : GoogleRow(columns: table.columns, row: row, of: rows).contact
            }
        }
        book = pass.book
    }
}

extension CSVTable {
    /// By the dates of the first rows: one program wrote all of them.
    fileprivate mutating func findOrderOfDates() {
        let places = columns.columns.indices.filter {
            [.birthday, .anniversary, .birthDay].contains(columns.columns[$0])
        }
        if places.isEmpty { return }
        let own = rows.prefix(1_000).prefix { table(from: $0, of: rows) == nil }
        let dates = own.flatMap { row in
            places.filter { row.fields.indices.contains($0) }.map { rows.string(row.fields[$0]) }
        }
        columns.isDayFirst = CalendarDate.isDayFirst(in: dates) ?? columns.isDayFirst
    }

    /// Fewer columns are not enough to know a row by its number of fields.
    private static let narrow = 4

    /// Two rows whose line end is lost have one field less than two rows, since two fields have become one, which belongs to
    /// both people. In a narrow table, a remark behind the last column has as many fields: there the second row must show an
    /// address or a number in its column.
    fileprivate func isTwoRows(_ row: CSVRows.Row, of rows: CSVRows) -> Bool {
        guard row.count >= 2 * width - 1, row.fields.dropFirst(width).contains(where: { !$0.range.isEmpty })
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
