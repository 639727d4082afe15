internal import Glibc
internal import SystemPackage
internal import TondoContacts
internal import TondoFiles

/// A scan of the touched files of a vCard folder alone, where that shows the same as a listing: the names lead to regular
/// files without second names, or to nothing, in folders that were listed and hold no links.
struct BookGlance {
    let changes: [FilePath: BookSnapshot.FileChange]
    /// See `BookRescan`.
    let doubtful: Set<FilePath>
    /// The files that were read.
    let files: [FilePath]

    /// Nil if the book must be listed. Blocks. Throws an `unreadable` error if the system lacked resources: then the scan
    /// is void. `former`: of the last scan, which are accepted now.
    init?(
        folder: FilePath, touched: [FilePath], among neighbours: BookSnapshot.Neighbours,
        doubtful former: Set<FilePath>
    ) throws(ContactsError) {
        if neighbours.isOnly { return nil }
        var changes: [FilePath: BookSnapshot.FileChange] = [:]
        var files: [FilePath] = []
        for name in Set(touched).union(neighbours.unread) {
            switch Self.kind(of: name, in: folder, listed: neighbours.folders) {
            case .file: files.append(name)
            case .missing: changes[name] = .gone
            case .noItem: break
            case .unclear: return nil
            }
        }
        let read = BookSnapshot.Parts(reading: files, of: AddressBook(folder: folder, files: files))
        let accepted = neighbours.read.union(touched).union(former)
        var doubtful: Set<FilePath> = []
        for file in files {
            let part = read.parts[file] ?? BookSnapshot.Part()
            if let shortage = part.failures.first(where: { $0.error.isShortage }) { throw shortage.error }
            // Its contacts stay as they were last read, which a scan of the whole book sees to.
            if part.isEmpty, part.failures.contains(where: \.isUnreadablePart) { return nil }
            let isDoubtful = !part.failures.isEmpty && !accepted.contains(file)
            if isDoubtful { doubtful.insert(file) }
            changes[file] = isDoubtful ? .unread : .read(part)
        }
        self.changes = changes
        self.doubtful = doubtful
        self.files = files.filter { !doubtful.contains($0) }
    }

    private enum Kind {
        case file, missing
        /// No item, under any name.
        case noItem
        case unclear
    }

    private static func kind(of name: FilePath, in folder: FilePath, listed folders: Set<FilePath>) -> Kind {
        guard folders.contains(name.removingLastComponent()), !folders.contains(name),
            let last = name.lastComponent?.string
        else { return .unclear }
        let isItem = VDir.isItem(name) && !last.hasPrefix(".")
        guard let status = FileStatus(folder.pushing(name), followingLinks: false) else {
            return errno == ENOENT ? isItem ? .missing : .noItem : .unclear
        }
        guard status.kind == .regular, status.links == 1 else { return .unclear }
        return isItem ? .file : .noItem
    }
}
