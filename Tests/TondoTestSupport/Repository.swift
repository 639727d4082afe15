package import Foundation

/// The files of the repository that tests of several targets read.
package enum Repository {
    package static let small = "Tests/Fixtures/decodes-like-reference/size-41x41-444.jpg"
    package static let smallPNG = "Tests/Fixtures/decodes-like-reference/png-rgb-8.png"
    package static let sample = "assets/samples/ada.jpg"
    package static let bmp = "Tests/Fixtures/unsupported/bmp-called-jpg.jpg"
    package static let text = "Tests/Fixtures/unsupported/text.txt"
    package static let truncated = "Tests/Fixtures/broken/jpeg-portrait-cut-at-30.jpg"
    package static let badProfile = "Tests/Fixtures/broken/jpeg-icc-noise.jpg"

    package static func data(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }

    package static func path(_ name: String) -> String { root + "/" + name }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
}
