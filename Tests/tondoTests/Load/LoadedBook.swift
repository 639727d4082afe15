import Foundation
import TondoTestSupport

@testable import tondo

/// A folder with a vCard folder `book`, to be loaded into the cache `cache`.
final class LoadedBook: Sendable {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.pathString + "/book", withIntermediateDirectories: false)
    }

    static func card(_ name: String, photo: Data? = nil) -> String {
        let photo = photo.map { "PHOTO;ENCODING=b:\($0.base64EncodedString())\r\n" } ?? ""
        return "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(name)\r\nFN:\(name.capitalized)\r\n\(photo)END:VCARD\r\n"
    }

    /// A JPEG of one gray, different for each number because of a comment.
    static func photo(_ number: Int) -> Data {
        let plain = FlatJPEG.bytes(side: 32)
        return plain.prefix(2) + [0xFF, 0xFE, 0, 4, UInt8(number >> 8), UInt8(number & 255)] + plain.dropFirst(2)
    }

    func add(_ name: String, photo: Data? = nil) throws {
        try folder.write(Data(Self.card(name, photo: photo).utf8), to: "book/\(name).vcf")
    }

    /// As vdirsyncer does it.
    func replace(_ name: String, photo: Data) throws {
        try folder.write(Data(Self.card(name, photo: photo).utf8), to: "book/.new.tmp")
        _ = rename(folder.pathString + "/book/.new.tmp", folder.pathString + "/book/\(name).vcf")
    }

    /// Without initials, which need fonts.
    func load(_ words: String..., shell: String? = nil) throws -> Outcome {
        try start(words, shell: shell).finish()
    }

    func start(_ words: [String], shell: String? = nil, terminal: UInt16? = nil) throws -> RunningTondo {
        try RunningTondo(
            ["load", "book", "--size", "16", "--cache-dir", "cache", "--initials", "off"] + words, in: folder,
            shell: shell,
            terminal: terminal)
    }

    /// The names of the entries' files.
    func entries(in cache: String = "cache") throws -> [String] {
        try folder.files(below: cache + "/objects").map { String($0.suffix(68)) }.sorted()
    }
}

extension Outcome {
    /// The names of the events, in their order.
    func events() throws -> [String] { try json().compactMap { $0["event"] as? String } }
}
