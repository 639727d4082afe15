import Foundation
import TondoTestSupport

@testable import tondo

/// A folder with two photos, ada.jpg and bo.png, and the cache they were drawn through.
final class FilledCache: Sendable {
    let folder: TemporaryFolder
    /// The photos' digests differ, and so do their keys.
    let photos = ["ada.jpg", "bo.png"]

    /// `isFilled`: false leaves the cache unmade.
    init(isFilled: Bool = true) throws {
        folder = try TemporaryFolder()
        try folder.add(Repository.small, as: "ada.jpg")
        try folder.add(Repository.smallPNG, as: "bo.png")
        if isFilled { try Self.check(try convert()) }
    }

    /// What a command said that had to succeed.
    struct Unexpected: Error {
        var outcome: Outcome
    }

    private static func check(_ outcome: Outcome) throws {
        if outcome.status != 0 { throw Unexpected(outcome: outcome) }
    }

    /// Converts both photos at 16 points.
    func convert(_ words: String..., shell: String? = nil) throws -> Outcome {
        try run(["convert"] + photos + ["--size", "16", "--cache-dir", "cache"] + words, shell: shell)
    }

    func convert(only photo: String, _ words: String..., shell: String? = nil) throws -> Outcome {
        try run(["convert", photo, "--size", "16", "--cache-dir", "cache"] + words, shell: shell)
    }

    /// `tondo cache WORDS... --cache-dir cache`
    func run(_ words: String..., shell: String? = nil) throws -> Outcome {
        try run(["cache"] + words + ["--cache-dir", "cache"], shell: shell)
    }

    func run(_ words: [String], shell: String? = nil) throws -> Outcome {
        try RunningTondo(words, in: folder, shell: shell).finish()
    }

    /// Keys in the order of the photos.
    func keys() throws -> [String] {
        try photos.map { photo in
            let name = String(photo.prefix { $0 != "." })
            let outcome = try run("ls", "--contact", name, "--json")
            guard let key = try outcome.json().first?["key"] as? String else { throw Unexpected(outcome: outcome) }
            return key
        }
    }

    /// An entry's file, below the folder.
    func file(_ key: String) -> String { "cache/objects/\(key.prefix(2))/\(key).png" }

    /// Changes a byte of an entry.
    func damage(_ key: String) throws {
        var bytes = try folder.data(file(key))
        bytes[bytes.count / 2] ^= 1
        try folder.write(bytes, to: file(key))
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: folder.pathString + "/" + name) }
}

extension Outcome {
    /// Lines as words.
    var table: [[String]] { lines.map { $0.split { $0 == " " || $0 == "\t" }.map(String.init) } }

    /// The value behind a name in a block of names and values.
    func value(_ name: String) -> String? {
        lines.lazy.map { $0.trimmingCharacters(in: .whitespaces) }.first { $0.hasPrefix(name + "  ") }.map {
            $0.dropFirst(name.count).trimmingCharacters(in: .whitespaces)
        }
    }
}
