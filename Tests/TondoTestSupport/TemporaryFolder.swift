internal import Foundation
package import SystemPackage

/// A folder that is removed with its last owner.
package final class TemporaryFolder: Sendable {
    package let path: FilePath

    package init() throws {
        path = FilePath(FileManager.default.temporaryDirectory.path).appending("tondo-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path.string) }

    /// Creates the parent folders, too.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: String) throws -> FilePath {
        let file = path.appending(name)
        try makeFolder(file.removingLastComponent())
        try Data(bytes).write(to: URL(fileURLWithPath: file.string))
        return file
    }

    package func makeFolder(_ name: String) throws { try makeFolder(path.appending(name)) }

    private func makeFolder(_ path: FilePath) throws {
        try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
    }

    package func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path.string + "/" + name, withDestinationPath: target)
    }

    package func bytes(_ name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: path.string + "/" + name)))
    }

    package func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: path.string + "/" + name, toPath: path.string + "/" + other)
    }

    package func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path.string + "/" + name) }

    /// Everything in the folder, hidden or not.
    package func names(in name: String = ".") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path.string + "/" + name).sorted()
    }
}
