internal import TondoDigest

/// The file names of a mirror: safe in a shell, a URL and on every file system, and unique under case folding, since a
/// mirror may be copied to a file system that folds.
struct FileNames {
    /// Hashes of lower-case names that are in use, by this mirror or by others: the names of 100,000 cards would take ten
    /// megabytes. Two names with one hash only cost one of them a suffix.
    private var taken: Set<Int> = []

    mutating func reserve(_ file: String) { taken.insert(file.lowercased().hashValue) }

    mutating func release(_ file: String) { taken.remove(file.lowercased().hashValue) }

    /// Reserves a name for an item. UIDs that are file names are kept, so that a person can find a card.
    mutating func choose(for item: MirrorItem) -> String {
        let candidates = Candidates(item)
        var attempt = 0
        while taken.contains(candidates.name(attempt).lowercased().hashValue) { attempt += 1 }
        let name = candidates.name(attempt)
        reserve(name)
        return name
    }

    /// The names that a mirror may have given this item before, the surest first: one holds a digest of the item's id.
    static func former(of item: MirrorItem) -> [String] {
        let candidates = Candidates(item)
        return [candidates.name(1), candidates.name(0)]
    }

    private struct Candidates {
        private let digest: String
        private let base: String
        private let kind: MirrorItem.Kind

        init(_ item: MirrorItem) {
            digest = String(SHA256Digest(of: item.id.utf8).hexadecimal.prefix(32))
            base = item.name.flatMap { FileNames.isSafe($0) ? $0 : nil } ?? digest
            kind = item.kind
        }

        func name(_ attempt: Int) -> String {
            switch attempt {
            case 0: FileNames.file(base, in: kind)
            case 1: FileNames.file("\(base)-\(digest.prefix(8))", in: kind)
            default: FileNames.file("\(base)-\(digest.prefix(8))-\(attempt - 1)", in: kind)
            }
        }
    }

    /// Letters, digits, `-`, `_`, `.` and `@`, no hidden name, at most 100 bytes.
    static func isSafe(_ name: String) -> Bool {
        guard 1...100 ~= name.utf8.count, name.utf8.first != UInt8(ascii: "."), name.utf8.first != UInt8(ascii: "-")
        else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x40, 0x5F: true
            default: false
            }
        }
    }

    private static func file(_ base: String, in kind: MirrorItem.Kind) -> String {
        switch kind {
        case .card: "\(base).vcf"
        case .photo(let type): "\(MirrorLayout.photoFolder)/\(base).\(type)"
        }
    }
}
