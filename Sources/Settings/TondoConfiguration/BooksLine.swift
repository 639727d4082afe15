internal import TOMLKit

/// The setting `books` of a configuration file, as a program adds it to the text that a user wrote.
package enum BooksLine {
    /// The line of the setting.
    package static func text(_ books: [String]) -> String { "books = \(SettingValue.list(books))" }

    /// TOML text with the setting above all else: behind a table's name it would be that table's. Nil if the text has the setting
    /// already, or is no TOML: both are left as they are.
    package static func adding(_ books: [String], to text: String) -> String? {
        guard let table = try? TOMLTable(string: text), table["books"] == nil else { return nil }
        let mark = text.hasPrefix("\u{FEFF}") ? "\u{FEFF}" : ""
        let rest = String(text.unicodeScalars.dropFirst(mark.unicodeScalars.count))
        return mark + Self.text(books) + "\n" + (rest.isEmpty ? "" : "\n" + rest)
    }
}
