import Foundation
import Testing

/// One book of `Tests/Fixtures/contacts` and the JSON beside it that says what is in it; see the README there.
struct BookFixture: Sendable, CustomTestStringConvertible {
    struct Expectation: Decodable, Sendable {
        var contacts: [Person]
        var failures: [Failure]?
    }

    /// Only what is stated is compared.
    struct Person: Decodable, Sendable {
        var id: String?
        var kind: String?
        /// The name shown.
        var name: String?
        var given: String?
        var family: String?
        var additional: String?
        var prefix: String?
        var suffix: String?
        var nicknames: [String]?
        var organisation: [String]?
        var title: String?
        var role: String?
        var introduction: String?
        var phones: [String]?
        /// Of each phone.
        var types: [[String]]?
        /// Of each phone.
        var labels: [String?]?
        var emails: [String]?
        var emailLabels: [String?]?
        var addresses: [String]?
        var addressTypes: [[String]]?
        var addressLabels: [String?]?
        var websites: [String]?
        var websiteTypes: [[String]]?
        var websiteLabels: [String?]?
        var birthday: String?
        var messengers: [String: String]?
        var groups: [String]?
        var revision: String?
        var photo: Photo?
    }

    /// One of the three, or none of them for a contact without a picture.
    struct Photo: Decodable, Sendable {
        /// The picture's bytes, in hexadecimal.
        var inline: String?
        var file: String?
        var remote: String?
        /// x, y, width, height.
        var crop: [Int]?
    }

    struct Failure: Decodable, Equatable, Sendable {
        var line: Int
        var code: String
    }

    let file: URL

    var testDescription: String { file.lastPathComponent }

    var bytes: [UInt8] {
        get throws { [UInt8](try Data(contentsOf: file)) }
    }

    var expectation: Expectation {
        get throws {
            let json = file.deletingPathExtension().appendingPathExtension("json")
            return try JSONDecoder().decode(Expectation.self, from: Data(contentsOf: json))
        }
    }

    /// For each contact whether its photo is spoken of at all: a null means that it has none.
    var saysPhoto: [Bool] {
        get throws {
            let json = file.deletingPathExtension().appendingPathExtension("json")
            let object = try JSONSerialization.jsonObject(with: Data(contentsOf: json)) as? [String: Any]
            return (object?["contacts"] as? [[String: Any]] ?? []).map { $0["photo"] != nil }
        }
    }

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/contacts")

    /// Every vCard book of a folder. A folder that cannot be read gives none, which the count in the tests notices.
    static func all(in folder: String) -> [BookFixture] {
        let directory = root.appendingPathComponent(folder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.filter { $0.hasSuffix(".vcf") }.sorted()
            .map { BookFixture(file: directory.appendingPathComponent($0)) }
    }
}
