internal import Synchronization

/// What lists say of the contacts of a block, as bytes: of those that were asked for. Usable from any thread.
final class ListedRows: Sendable {
    /// The bytes that are kept. A contact takes some 700, so there is a limit; beyond it, lists are written from the contacts.
    final class Budget: Sendable {
        private let used = Atomic<Int>(0)
        private let most: Int

        init(most: Int) { self.most = most }

        /// For all blocks of this process.
        static let process = Budget(most: 16 << 20)

        var bytes: Int { used.load(ordering: .relaxed) }

        fileprivate func take(_ count: Int) -> Bool {
            let fits = used.add(count, ordering: .relaxed).newValue <= most
            if !fits { giveBack(count) }
            return fits
        }

        fileprivate func giveBack(_ count: Int) { used.subtract(count, ordering: .relaxed) }
    }

    private struct Row {
        let id: String
        let json: [UInt8]
    }

    private struct Kept {
        let variant: ContactList.Variant
        /// Nil: not kept.
        var rows: [Row?]
    }

    private let kept = Mutex<[Kept]>([])
    private let budget: Budget

    /// Clients choose the order and the locale, and there are many.
    private static let mostVariants = 2

    init(budget: Budget = .process) { self.budget = budget }

    deinit {
        let size = kept.withLock { $0.reduce(0) { $0 + $1.rows.reduce(0) { $0 + ($1?.json.count ?? 0) } } }
        budget.giveBack(size)
    }

    /// Appends what is kept of the contact in this row, and returns its id. Nil: nothing is.
    func add(_ row: Int, variant: ContactList.Variant, to json: inout [UInt8]) -> String? {
        kept.withLock { kept in
            guard let found = kept.first(where: { $0.variant == variant })?.rows[row] else { return nil }
            json += found.json
            return found.id
        }
    }

    /// `id`: of the contact in this row. `count`: rows of the block.
    func keep(_ bytes: ArraySlice<UInt8>, of id: String, inRow row: Int, of count: Int, variant: ContactList.Variant) {
        guard budget.take(bytes.count) else { return }
        let isKept = kept.withLock { kept in
            if kept.count < Self.mostVariants, !kept.contains(where: { $0.variant == variant }) {
                kept.append(Kept(variant: variant, rows: Array(repeating: nil, count: count)))
            }
            // Two threads may have written the same contact.
            guard let index = kept.firstIndex(where: { $0.variant == variant }), kept[index].rows[row] == nil else {
                return false
            }
            kept[index].rows[row] = Row(id: id, json: Array(bytes))
            return true
        }
        if !isKept { budget.giveBack(bytes.count) }
    }
}
