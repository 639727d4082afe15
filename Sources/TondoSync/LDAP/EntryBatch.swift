internal import TondoMirror

/// Cards on their way into the mirror, some at a time, so that memory does not depend on the size of the directory.
final class EntryBatch {
    private let mirror: MirrorFolder
    private let progress: (Int, Int) -> Void
    private var items: [MirrorItem] = []
    private var size = 0
    private var done = 0
    private(set) var added = 0
    private(set) var changed = 0
    /// Entries without a card.
    private(set) var skipped: Set<String> = []

    /// Each is an open file while they are written.
    private static let most = 200
    private static let largest = 4 << 20

    init(_ mirror: MirrorFolder, _ progress: @escaping (Int, Int) -> Void) {
        (self.mirror, self.progress) = (mirror, progress)
    }

    func add(_ entry: LDAPEntry, _ id: EntryID) throws {
        let name = id.description
        guard let bytes = LDAPCard.bytes(of: entry, id: id) else {
            skipped.insert(name)
            return
        }
        // The version says only that there is a card: whether it changed, its bytes show.
        // A short file name is kept without memory of its own.
        items.append(MirrorItem(id: name, version: "1", name: id.shortName, bytes: bytes))
        size += bytes.count
        if items.count >= Self.most || size >= Self.largest { try flush() }
    }

    func flush() throws {
        let changes = try mirror.put(items)
        done += items.count
        (items, size) = ([], 0)
        added += changes.count { $0 == .added }
        changed += changes.count { $0 == .changed }
        progress(done, 0)
    }
}
