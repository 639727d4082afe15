internal import Glibc
internal import SystemPackage
package import TondoMirror

/// A contact of a book on this machine.
package struct DesktopCard {
    /// Its name in the book, for as long as it exists.
    package let id: String
    /// Its vCard in the order of preference: the first one that can be read is mirrored. None: it cannot be read.
    package var versions: [() -> [UInt8]] = []
    /// Why there is no version: a part of a sentence.
    package var reason = ""

    /// Without a version yet.
    package init(id: String) { self.id = id }
}

/// A book of another program on this machine.
package protocol DesktopBook {
    /// Hands all contacts over, each once. What it throws says that the answer is not complete.
    func read(_ take: (DesktopCard) throws -> Void) throws
}

/// Mirrors a book of another program on this machine: all cards are read in each run, and written if their bytes differ. On one
/// thread.
package struct DesktopSource {
    /// What a run did.
    package struct Report: Sendable {
        /// Cards that are new in the mirror.
        package var added = 0
        /// Cards whose bytes differ from those that the mirror had.
        package var changed = 0
        /// Cards that cannot be read; the first are named.
        package var failed = 0
        /// The first of them.
        package var missing: [MirrorStatus.MissingCard] = []
        /// Deletions that were carried out, or that wait for a second run.
        package var outcome = MirrorOutcome()
    }

    private let book: any DesktopBook
    private let mirror: MirrorFolder
    private let allowsDeletion: Bool
    private let prepare: ([UInt8]) -> PreparedCard
    private let progress: (_ done: Int, _ total: Int) -> Void
    private let now: Int

    /// Each is an open file while they are written.
    private static let most = 200
    private static let largest = 1 << 20
    private static let week = 7 * 86_400

    /// `prepare`: see `MirrorPhotos`.
    package init(
        book: any DesktopBook, mirror: MirrorFolder, allowsDeletion: Bool = false,
        prepare: @escaping ([UInt8]) -> PreparedCard = { PreparedCard(bytes: $0) },
        progress: @escaping (Int, Int) -> Void = { _, _ in }, now: Int = time(nil)
    ) {
        self.book = book
        self.mirror = mirror
        self.allowsDeletion = allowsDeletion
        self.prepare = prepare
        self.progress = progress
        self.now = now
    }

    /// One run. What arrived before an error stays, and nothing is deleted then.
    package func run() throws -> Report {
        var (report, items, size, found) = (Report(), [MirrorItem](), 0, Set<String>())
        let full = isDue ? now : lastFull
        do {
            try book.read { card in
                if Interrupt.isRequested { throw SyncError.cancelled }
                if found.isEmpty, isDue { mirror.verify() }
                found.insert(card.id)
                guard let item = item(card, report: &report) else { return }
                items.append(item)
                size += item.bytes.count
                if items.count < Self.most, size < Self.largest { return }
                try put(&items, report: &report)
                size = 0
                progress(found.count, 0)
            }
            try put(&items, report: &report)
            let gone = mirror.state.members.filter { !$1.isPhoto && !found.contains($0) }.keys
            report.outcome = try mirror.finish(
                removing: Set(gone), attributes: ["full": "\(full)"], allowsDeletion: allowsDeletion)
            return report
        } catch {
            try put(&items, report: &report)
            try mirror.commit()
            throw error
        }
    }

    /// When all files of the mirror were read last, in seconds since 1970.
    private var lastFull: Int { mirror.state.attributes["full"].flatMap { Int($0) } ?? 0 }

    /// A clock that went back is no reason to wait longer.
    private var isDue: Bool { now - lastFull >= Self.week || now < lastFull }

    private func put(_ items: inout [MirrorItem], report: inout Report) throws {
        let changes = try mirror.put(items)
        report.added += changes.count { $0 == .added }
        report.changed += changes.count { $0 == .changed }
        items = []
    }

    /// Nil: the card is missing, which is counted.
    private func item(_ card: DesktopCard, report: inout Report) -> MirrorItem? {
        var reason = card.reason
        for version in card.versions {
            let bytes = version()
            let prepared = prepare(bytes)
            // What the mirror wrote was read before.
            let isKnown = mirror.state.members[card.id]?.digest == FileDigest(prepared.bytes)
            switch isKnown ? .readable : CardJudgement(prepared.bytes) {
            case .readable:
                // The version says only that there is a card: whether it changed, its bytes show.
                return MirrorItem(
                    id: card.id, version: "1", name: VCardText.uid(bytes) ?? card.id, bytes: prepared.bytes,
                    photos: prepared.photos)
            case .unreadable(let problem): if reason.isEmpty { reason = problem }
            }
        }
        report.failed += 1
        if report.missing.count < MirrorStatus.MissingCard.most {
            report.missing.append(.init(card: card.id, code: "unreadable", reason: reason))
        }
        return nil
    }
}
