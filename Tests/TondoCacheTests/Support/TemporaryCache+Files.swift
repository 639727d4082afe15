import Foundation
import Glibc
import SystemPackage
import TondoFiles

@testable import TondoCache

/// What others may do to a cache's folder.
extension TemporaryCache {
    /// A folder beside the cache, made when first asked for; nothing may ever be written there.
    func outside(_ name: String) throws -> URL {
        let url = URL(fileURLWithPath: path.removingLastComponent().appending("outside").string)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url.appendingPathComponent(name)
    }

    /// What is in that folder now.
    func outside() throws -> [String: Data] {
        let root = try outside("")
        return try FileManager.default.contentsOfDirectory(atPath: root.path).reduce(into: [:]) {
            $0[$1] = try Data(contentsOf: root.appendingPathComponent($1))
        }
    }

    func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
        try makeParent(of: name)
        try Data(bytes).write(to: url(name))
    }

    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: url(name))) }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(at: url(name), withIntermediateDirectories: true)
    }

    func makeLink(_ name: String, to target: String) throws {
        try makeParent(of: name)
        try FileManager.default.createSymbolicLink(atPath: url(name).path, withDestinationPath: target)
    }

    func makeFIFO(_ name: String) throws {
        try makeParent(of: name)
        guard mkfifo(url(name).path, 0o600) == 0 else { throw Errno(rawValue: errno) }
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(at: url(name)) }

    /// Whether there is something of this name, a link without a target too.
    func exists(_ name: String) -> Bool { (try? state(name)) != nil }

    /// Links are not followed.
    func state(_ name: String) throws -> FileStatus {
        var raw = stat()
        guard lstat(url(name).path, &raw) == 0 else { throw Errno(rawValue: errno) }
        return FileStatus(raw)
    }

    func setMode(_ mode: mode_t, of name: String) throws {
        guard chmod(url(name).path, mode) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Below the cache's folder, as in `objects/ab/KEY.png`.
    func name(of key: CacheKey) -> String { "objects/\(key.hexadecimal.prefix(2))/\(key).png" }

    /// Every name below the cache's folder with its state, to detect changes.
    func contents() throws -> [String: String] {
        var contents: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path.string) {
            let state = try state(name)
            let text = state.kind == .regular ? try Data(contentsOf: url(name)).base64EncodedString() : ""
            contents[name] = "\(state.kind) \(state.mode) \(text)"
        }
        return contents
    }

    /// Descriptors of this process that lead below the cache's folder.
    func openDescriptors() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }.filter { $0.hasPrefix(path.string) }
    }

    private func makeParent(of name: String) throws {
        try FileManager.default.createDirectory(
            at: url(name).deletingLastPathComponent(), withIntermediateDirectories: true)
    }
}

extension TestImage {
    /// The file as the cache would write it.
    func entryFile(contacts: [String] = [], created: Date = Date(milliseconds: 1), cost: Double = 1) throws -> [UInt8] {
        let trailer = EntryTrailer(created: created, cost: cost, contacts: contacts)
        guard let file = file.withUnsafeBytes({ trailer.file(appendedTo: $0, key: key) }) else {
            throw Errno.invalidArgument
        }
        return file
    }
}
