internal import Glibc
internal import SystemPackage

/// The entries of one folder, in no order. Links are not followed.
enum FolderEntries {
    /// `path` ends with a zero.
    static func list(_ path: [CChar]) throws(Errno) -> [WatchTree.Entry] {
        let folder = try Folder(unlinked: path)
        var entries: [WatchTree.Entry] = []
        try folder.forEachNameOnce { name, type in
            let kind = kind(type, name, in: folder)
            let bytes = [UInt8](UnsafeRawBufferPointer(start: name, count: strlen(name)))
            entries.append(.init(name: bytes, isFolder: kind == .folder, isLink: kind == .link))
        }
        return entries
    }

    /// Some file systems do not store the kind with the name.
    private static func kind(_ type: UInt8, _ name: UnsafePointer<CChar>, in folder: Folder) -> FileStatus.Kind? {
        switch Int(type) {
        case DT_DIR: .folder
        case DT_LNK: .link
        case DT_UNKNOWN: try? folder.status(name)?.kind
        default: .other
        }
    }
}
