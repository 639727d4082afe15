package import Foundation
internal import Glibc
package import SystemPackage

/// A folder that is removed with its last owner.
package final class TemporaryFolder: Sendable {
    package let path: FilePath
    /// The path as text.
    package var pathString: String { path.string }

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

    package func write(_ bytes: Data, to name: String) throws { try write([UInt8](bytes), to: name) }

    /// In its place: the inode stays. `keepingTime`: as a failing disk changes bytes.
    package func overwrite(_ name: String, _ text: String, keepingTime: Bool = false) throws {
        let descriptor = open(path.string + "/" + name, O_WRONLY)
        defer { close(descriptor) }
        var status = stat()
        let bytes = Array(text.utf8)
        guard fstat(descriptor, &status) == 0, ftruncate(descriptor, 0) == 0,
            Glibc.write(descriptor, bytes, bytes.count) == bytes.count
        else { throw Errno(rawValue: errno) }
        guard keepingTime else { return }
        let times = [status.st_atim, status.st_mtim]
        if futimens(descriptor, times) != 0 { throw Errno(rawValue: errno) }
    }

    /// Returns the path of the file.
    @discardableResult
    package func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        let file = try write(Array(text.utf8), to: name).string
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        return file
    }

    /// Copies a file of the repository.
    package func add(_ source: String, as name: String) throws { try write(try Repository.data(source), to: name) }

    package func makeFolder(_ name: String) throws { try makeFolder(path.appending(name)) }

    private func makeFolder(_ path: FilePath) throws {
        try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
    }

    package func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path.string + "/" + name, withDestinationPath: target)
    }

    package func bytes(_ name: String) throws -> [UInt8] { [UInt8](try data(name)) }

    package func data(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: pathString + "/" + name))
    }

    package func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: pathString + "/" + name) }

    package func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: path.string + "/" + name, toPath: path.string + "/" + other)
    }

    package func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path.string + "/" + name) }

    /// Everything in the folder, hidden or not.
    package func names(in name: String = ".") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path.string + "/" + name).sorted()
    }

    /// Every file below, hidden or not, in order.
    package func files(below name: String = "") throws -> [String] {
        let root = name.isEmpty ? pathString : pathString + "/" + name
        return try FileManager.default.subpathsOfDirectory(atPath: root).filter { relative in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: root + "/" + relative, isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }
}
