import Foundation
import SystemPackage

@testable import TondoAvatars

/// A folder that is gone with its last owner.
final class TemporaryFolder: Sendable {
    let path: FilePath

    init() throws {
        path = FilePath(FileManager.default.temporaryDirectory.path).appending("tondo-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path.string) }

    /// Makes the folders above, too.
    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> FilePath {
        let file = path.appending(name)
        try makeFolder(file.removingLastComponent())
        try Data(bytes).write(to: URL(fileURLWithPath: file.string))
        return file
    }

    func makeFolder(_ name: String) throws { try makeFolder(path.appending(name)) }

    private func makeFolder(_ path: FilePath) throws {
        try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path.string + "/" + name, withDestinationPath: target)
    }

    func bytes(_ name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: path.string + "/" + name)))
    }

    func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: path.string + "/" + name, toPath: path.string + "/" + other)
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path.string + "/" + name) }

    /// Everything in the folder, hidden or not.
    func names(in name: String = ".") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path.string + "/" + name).sorted()
    }
}

/// A JPEG of 41 x 41 pixels.
enum SmallPhoto {
    static let bytes: [UInt8] = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let url = root.appendingPathComponent("Fixtures/decodes-like-reference/size-41x41-444.jpg")
        return (try? [UInt8](Data(contentsOf: url))) ?? []
    }()
}

extension PhotoFile {
    var array: [UInt8] { [UInt8](bytes) }
}
