import Glibc
import SystemPackage

/// Some names of a folder, at a cost that does not grow with it.
enum FolderNames {
    /// The first names in the order of the file system, hidden ones too; none of a folder that cannot be read.
    static func first(in folder: FilePath, most: Int) -> [(name: FilePath.Component, isFolder: Bool)] {
        guard let stream = folder.withPlatformString({ opendir($0) }) else { return [] }
        defer { closedir(stream) }
        var found: [(name: FilePath.Component, isFolder: Bool)] = []
        while found.count < most, let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { bytes in
                bytes.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                    FilePath.Component(platformString: $0)
                }
            }
            guard let name, name.kind == .regular else { continue }
            // Some file systems do not store the type with the name.
            let isFolder = [DT_DIR, DT_UNKNOWN].contains { Int(entry.pointee.d_type) == Int($0) }
            found.append((name, isFolder))
        }
        return found
    }
}
