package import Foundation

/// One file of `Tests/Fixtures` and what its folder's `expect.json` says of it; see the README there.
package struct Fixture: Sendable {
    package struct Expectation: Decodable, Sendable {
        package var outcome: Outcomes?
        package var says: String?
        package var warning: Bool?
        package var expected: String?
        package var mae: Double?
        package var psnr: Double?
        package var srgb: [Double]?
        package var tolerance: Double?

        /// One outcome or a list of them.
        package struct Outcomes: Decodable, Sendable {
            package var values: [String]

            package init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                values = try (try? container.decode([String].self)) ?? [container.decode(String.self)]
            }
        }

        fileprivate func over(_ base: Expectation?) -> Expectation {
            Expectation(
                outcome: outcome ?? base?.outcome, says: says ?? base?.says, warning: warning ?? base?.warning,
                expected: expected ?? base?.expected, mae: mae ?? base?.mae, psnr: psnr ?? base?.psnr,
                srgb: srgb ?? base?.srgb, tolerance: tolerance ?? base?.tolerance)
        }
    }

    private struct Table: Decodable {
        var `default`: Expectation?
        var files: [String: Expectation]?
    }

    package let file: URL
    package let expectation: Expectation

    package var name: String { file.lastPathComponent }

    package var bytes: [UInt8] {
        get throws { [UInt8](try Data(contentsOf: file)) }
    }

    /// The picture to compare with, if there is one.
    package var expectedImage: URL? {
        let named = expectation.expected.map { file.deletingLastPathComponent().appendingPathComponent($0) }
        let beside = file.deletingPathExtension().appendingPathExtension("expected.png")
        let url = named ?? beside
        return FileManager.default.fileExists(atPath: url.path) ? url : nil
    }

    package static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures")

    /// Every fixture of a folder. A folder that cannot be read is a mistake of the tests and gives none, which the
    /// count in `FixtureTests` notices.
    package static func all(in folder: String) -> [Fixture] {
        let directory = root.appendingPathComponent(folder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        let table = (try? Data(contentsOf: directory.appendingPathComponent("expect.json")))
            .flatMap { try? JSONDecoder().decode(Table.self, from: $0) }
        return names.sorted().filter { !$0.hasSuffix(".expected.png") && $0 != "README.md" && $0 != "expect.json" }
            .map { name in
                let own = table?.files?[name] ?? Expectation()
                return Fixture(
                    file: directory.appendingPathComponent(name), expectation: own.over(table?.default))
            }
    }
}
