internal import TondoMirror

/// Cards on their way into the mirror, some at a time, so that memory does not depend on the size of the directory.
final class EntryBatch {
    private let writer: MirrorWriter
    private let progress: (Int, Int) -> Void
    private var items: [MirrorItem] = []
    private var size = 0
    private var done = 0
    var added: Int { writer.added }
    var changed: Int { writer.changed }
    /// Entries without a card.
    private(set) var skipped: Set<String> = []

    /// Each is an open file while they are written.
    private static let most = 200
    private static let largest = 1 << 20

    init(mirror: MirrorFolder, progress: @escaping (Int, Int) -> Void) {
        writer = MirrorWriter(mirror: mirror)
        self.progress = progress
    }

    func add(_ entry: LDAPEntry, as id: EntryID) throws {
        let name = id.description
        guard let bytes = LDAPCard.bytes(of: entry, id: id) else {
            skipped.insert(name)
            return
        }
        // The version says only that there is a card: whether it changed, its bytes show.
        // A short file name is kept without memory of its own.
        items.append(MirrorItem(id: name, version: "1", name: id.shortName, bytes: bytes))
        size += bytes.count
        if items.count >= Self.most || size >= Self.largest { try put() }
    }

    /// The mirror has all cards once this returns.
    func flush() throws {
        try put()
        try writer.finish()
    }

    private func put() throws {
        if items.isEmpty { return }
        try writer.put { [items] in items }
        done += items.count
        items = []
        size = 0
        progress(done, 0)
    }
}
