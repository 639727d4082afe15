import Foundation
import SystemPackage
import Testing

@testable import TondoContacts

/// One book of `Tests/Fixtures/contacts` that is no vCard, and beside it, what must come out of it.
struct RecordedBook: Sendable, CustomTestStringConvertible {
    let file: URL

    var testDescription: String { "\(file.deletingLastPathComponent().lastPathComponent)/\(file.lastPathComponent)" }
    var name: FilePath { FilePath(file.lastPathComponent) }
    var bytes: [UInt8] { get throws { [UInt8](try Data(contentsOf: file)) } }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/contacts")
    private static let formats = ["json-", "plist-", "csv-", "ldif-", "no-book"]

    static let all: [RecordedBook] = {
        let manager = FileManager.default
        let folders = (try? manager.contentsOfDirectory(atPath: root.path)) ?? []
        return folders.sorted().filter { folder in formats.contains { folder.hasPrefix($0) } }.flatMap { folder in
            let directory = root.appendingPathComponent(folder)
            let names = (try? manager.contentsOfDirectory(atPath: directory.path)) ?? []
            return names.sorted().filter { !$0.hasSuffix(".expected") }.map {
                RecordedBook(file: directory.appendingPathComponent($0))
            }
        }
    }()

    /// Where the expected text lies.
    private var expectedFile: URL { file.appendingPathExtension("expected") }

    /// With `TONDO_RECORD=1` in the environment, what came out becomes what is expected: look at the difference in git.
    func compare(_ outcome: String) throws {
        if ProcessInfo.processInfo.environment["TONDO_RECORD"] == "1" {
            try Data(outcome.utf8).write(to: expectedFile)
        }
        let expected = String(decoding: try Data(contentsOf: expectedFile), as: UTF8.self)
        #expect(outcome == expected)
    }
}

/// A book as text: its format, groups, contacts in Tondo's schema, each with its place, and failures.
func described(_ file: [UInt8], name: FilePath) -> String {
    guard case .book(let format) = BookFormat.recognise(file) else {
        guard case .other(let kind) = BookFormat.recognise(file) else { return "" }
        return "no book: \(kind)\n"
    }
    do throws(ContactsError) {
        let contents = try format.read(file, name: name)
        var lines = [format.word + (shape(format).map { " \($0)" } ?? "")]
        lines += contents.groups.map { "group \($0.id) | \($0.name) | \($0.online.map(String.init) ?? "?")" }
        for contact in contents.contacts {
            let place = contact.place.map { "\($0.line) \($0.bytes)" } ?? "nowhere"
            let object = TondoSchema.line(contact, photo: try photo(contact, file))
            lines.append("\(place) \(String(decoding: object, as: UTF8.self))")
        }
        lines += contents.failures.map { "failure \($0)" }
        return lines.joined(separator: "\n") + "\n"
    } catch {
        return "refused: \(error.code): \(error)\n"
    }
}

private func shape(_ format: BookFormat) -> JSONShape? {
    if case .json(let shape) = format { shape } else { nil }
}

/// The bytes of an inline photo; nil when there is none.
func photo(_ contact: Contact, _ file: [UInt8]) throws(ContactsError) -> [UInt8]? {
    guard case .inline(let photo, _) = contact.photo else { return nil }
    switch photo {
    case .bytes(let bytes): return bytes
    case .encoded(let encoded):
        let text = Array(file[encoded.bytes])
        return try text.withUnsafeBytes { bytes in
            Result { () throws(ContactsError) in try encoded.decoded(from: bytes) }
        }.get()
    }
}
