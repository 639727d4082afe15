internal import Glibc
package import SystemPackage

/// The files below a folder, in the order of their names' bytes, so that every run sees the same order.
package struct FolderListing {
    /// Relative to the folder.
    package private(set) var files: [FilePath] = []
    /// Sub-folders that could not be read.
    package private(set) var failures: [FileError] = []
    /// Sub-folders that were not entered without `recursive`.
    package private(set) var unentered = 0
    private var visited: Set<FileIdentity> = []
    private let followsLinks: Bool

    /// Leaves out hidden files and folders, and everything that is neither file nor folder. Links are followed, but no
    /// folder is entered twice. `excluding`: folders that are not entered.
    package init(
        _ folder: FilePath, recursive: Bool, excluding: Set<FileIdentity> = [], followsLinks: Bool = true
    ) {
        visited = excluding
        self.followsLinks = followsLinks
        list(folder, below: FilePath(""), recursive: recursive)
    }

    private mutating func list(_ folder: FilePath, below relative: FilePath, recursive: Bool) {
        guard let identity = FileIdentity(folder), visited.insert(identity).inserted else { return }
        guard let stream = folder.withPlatformString({ opendir($0) }) else {
            return failures.append(FileError(.list, folder, Errno(rawValue: errno)))
        }
        let (names, failure) = Self.names(in: stream)
        // Closed before the sub-folders are entered: deep trees would exhaust the descriptors.
        closedir(stream)
        if let failure { failures.append(FileError(.list, folder, failure)) }
        for name in names {
            let path = folder.appending(name)
            if !followsLinks, FileStatus.isLink(path) { continue }
            switch FileStatus(path)?.kind {
            case .regular: files.append(relative.appending(name))
            case .folder where recursive: list(path, below: relative.appending(name), recursive: true)
            case .folder: unentered += 1
            default: break
            }
        }
    }

    /// The names sorted by their bytes, and the error if the folder could not be read completely.
    private static func names(in stream: OpaquePointer) -> (names: [FilePath.Component], failure: Errno?) {
        var names: [(bytes: [UInt8], component: FilePath.Component)] = []
        errno = 0
        while let entry = readdir(stream) {
            let component = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { FilePath.Component(platformString: $0) }
            }
            if let component {
                let bytes = component.withPlatformString {
                    [UInt8](UnsafeRawBufferPointer(start: $0, count: strlen($0)))
                }
                if bytes.first != UInt8(ascii: ".") { names.append((bytes, component)) }
            }
            errno = 0
        }
        let failure = errno == 0 ? nil : Errno(rawValue: errno)
        return (names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map(\.component), failure)
    }
}
