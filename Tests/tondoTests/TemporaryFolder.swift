import Foundation

/// A folder that is gone with its last owner.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/tondo-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Copies a file of the repository, folders made.
    func add(_ source: String, as name: String) throws {
        try write(try Repository.bytes(source), to: name)
    }

    func write(_ bytes: Data, to name: String) throws {
        let url = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: url)
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: true)
    }

    func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)) }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path + "/" + name) }

    /// Every file below, hidden ones too, in order.
    func files(below name: String = "") throws -> [String] {
        let root = name.isEmpty ? path : path + "/" + name
        return try FileManager.default.subpathsOfDirectory(atPath: root).filter { relative in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: root + "/" + relative, isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }
}

/// The files that tests draw.
enum Repository {
    static let small = "Tests/Fixtures/decodes-like-reference/size-41x41-444.jpg"
    static let smallPNG = "Tests/Fixtures/decodes-like-reference/png-rgb-8.png"
    static let sample = "assets/samples/ada.jpg"
    static let webP = "Tests/Fixtures/unsupported/webp-called-jpg.jpg"
    static let text = "Tests/Fixtures/unsupported/text.txt"
    static let truncated = "Tests/Fixtures/broken/jpeg-portrait-cut-at-30.jpg"
    static let badProfile = "Tests/Fixtures/broken/jpeg-icc-noise.jpg"

    static func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }

    static func path(_ name: String) -> String { root + "/" + name }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
}
