internal import SystemPackage
internal import TondoFiles

/// Files that are about to appear in a mirror, new or in the place of others, and are not in its state yet. An entry is on the
/// disk before its file gets its name, and holds the digest of the file, so that after a kill the file is known as the
/// mirror's, and a file of another program with the same name is not.
struct MirrorJournal {
    struct Entry: Equatable {
        let id: String
        /// With its digest.
        let member: MirrorState.Member
    }

    private let path: FilePath
    private var descriptor: FileDescriptor?

    init(path: FilePath) { self.path = path }

    mutating func append(_ entries: [Entry]) throws {
        let file =
            try descriptor
            ?? FileDescriptor.open(
                path, .writeOnly, options: [.create, .append, .closeOnExec, .noFollow], permissions: .ownerReadWrite)
        // The end of a line that a kill cut off.
        let start = descriptor == nil ? [UInt8(ascii: "\n")] : []
        descriptor = file
        let lines = entries.flatMap {
            MirrorState.line([$0.member.file, $0.member.version, $0.id, $0.member.digest.text, "."])
        }
        _ = try file.writeAll(start + lines)
        try AtomicFile.synchroniseBytes(file)
    }

    /// The entries of a run that was killed; a line that was cut off is none, nor is one of a file outside of the mirror.
    func entries() -> [Entry] {
        guard let text = try? MirrorFile.read(path) else { return [] }
        return text.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let words = MirrorState.words(line)
            guard words.count == 5, words[4] == ".", MirrorState.isInside(words[0]), let digest = FileDigest(words[3])
            else { return nil }
            return Entry(id: words[2], member: .init(file: words[0], version: words[1], digest: digest))
        }
    }

    mutating func remove() {
        close()
        AtomicFile.remove(path)
    }

    mutating func close() {
        try? descriptor?.close()
        descriptor = nil
    }
}
