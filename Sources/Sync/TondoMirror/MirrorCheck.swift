internal import SystemPackage
internal import TondoFiles

/// Compares the files of a mirror with its state when a run begins: by their sizes, times and inodes, so that only files are
/// read of which these differ.
struct MirrorCheck {
    /// Members without a file.
    var missing: Set<String> = []
    /// Members whose bytes are not those that the mirror wrote.
    var damaged: Set<String> = []
    /// New stamps of members whose bytes are.
    var stamps: [String: UInt64] = [:]

    init(state: MirrorState, layout: MirrorLayout) throws(MirrorError) {
        // A dry run, of a mirror that does not exist.
        guard FileStatus(layout.cards) != nil else {
            missing = Set(state.members.keys)
            return
        }
        try MirrorError.converting(.list, at: layout.cards) {
            let folder = try Folder(layout.cards)
            for (id, member) in state.members {
                let status = member.file.withCString { (try? folder.status($0)) ?? nil }
                guard let status else {
                    missing.insert(id)
                    continue
                }
                // What an earlier version wrote is only known once it was fetched again.
                if status.stamp == member.stamp || !member.digest.isKnown { continue }
                if status.kind == .regular, Self.digest(of: member, in: layout) == member.digest {
                    stamps[id] = status.stamp
                } else {
                    damaged.insert(id)
                }
            }
        }
    }

    /// Nil: the file cannot be read.
    static func digest(of member: MirrorState.Member, in layout: MirrorLayout) -> FileDigest? {
        FileDigest(ofFileAt: layout.cards.pushing(FilePath(member.file)))
    }

    /// Calls `body` with each name in the mirror, that of a photo with its folder.
    static func forEachName(in layout: MirrorLayout, _ body: (String) -> Void) throws(MirrorError) {
        for (folder, prefix) in [(layout.cards, ""), (layout.photos, "\(MirrorLayout.photoFolder)/")] {
            guard FileStatus(folder)?.kind == .folder else { continue }
            try MirrorError.converting(.list, at: folder) {
                try Folder(folder).forEachNameOnce { name, _ in body(prefix + String(cString: name)) }
            }
        }
    }

    /// Whether a name is one of a book: hidden files and those of writers that rename are not.
    static func isVisible(_ name: String) -> Bool {
        let last = name.split(separator: "/").last ?? ""
        return !last.hasPrefix(".") && !last.lowercased().hasSuffix(".tmp") && name != MirrorLayout.photoFolder
    }
}
