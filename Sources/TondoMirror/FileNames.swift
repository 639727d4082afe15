internal import Crypto
internal import TondoText

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
        let digest = Hex.text(SHA256.hash(data: Array(item.id.utf8)).prefix(16))
        let base = item.name.flatMap { Self.isSafe($0) ? $0 : nil } ?? digest
        var candidate = Self.file(base, item.place)
        var attempt = 0
        while taken.contains(candidate.lowercased().hashValue) {
            let suffix = attempt == 0 ? String(digest.prefix(8)) : "\(digest.prefix(8))-\(attempt)"
            candidate = Self.file("\(base)-\(suffix)", item.place)
            attempt += 1
        }
        reserve(candidate)
        return candidate
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

    private static func file(_ base: String, _ place: MirrorItem.Place) -> String {
        switch place {
        case .card: "\(base).vcf"
        case .photo(let type): "\(MirrorLayout.photoFolder)/\(base).\(type)"
        }
    }
}
