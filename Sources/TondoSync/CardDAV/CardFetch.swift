internal import TondoMirror

/// Fetches cards by `addressbook-multiget`, and puts them into the mirror while the next ones arrive. An answer that cannot be read is
/// halved until the card that breaks it is alone: it is left out, and its last version stays. On one thread.
final class CardFetch {
    struct Wanted: Equatable {
        let id: String
        let href: String
        /// As the listing has it; empty: unknown.
        let etag: String
    }

    private let url: WebURL
    private let client: DAVClient
    private let writer: MirrorWriter
    private let prepare: ([UInt8]) -> PreparedCard
    private let progress: (Int, Int) -> Void
    private var size = BatchSize()
    private var compression = Compression()
    private var total = 0
    private var done = 0
    /// A request of this run was answered with cards, or as having none.
    private var hasAnswer = false
    /// Cards whose answers could not be read, alone.
    private var unreadable = 0
    /// So many before the first answer end the run.
    private static let mostUnreadable = 3

    private(set) var failed: Set<String> = []

    var added: Int { writer.added }
    var changed: Int { writer.changed }

    init(
        _ url: WebURL, client: DAVClient, mirror: MirrorFolder, prepare: @escaping ([UInt8]) -> PreparedCard,
        progress: @escaping (Int, Int) -> Void
    ) {
        (self.url, self.client, self.prepare, self.progress) = (url, client, prepare, progress)
        writer = MirrorWriter(mirror)
    }

    /// The mirror has all cards that arrived once this returns or throws.
    func run(_ wanted: [Wanted]) throws(SyncError) {
        do throws(SyncError) { try fetchAll(wanted) } catch {
            do throws(MirrorError) { try writer.finish() } catch { throw .mirror(error) }
            throw error
        }
        try SyncError.converting { try writer.finish() }
    }

    private func fetchAll(_ wanted: [Wanted]) throws(SyncError) {
        total = wanted.count
        var rest = wanted[...]
        while !rest.isEmpty {
            let batch = rest.prefix(size.count)
            rest = rest.dropFirst(batch.count)
            try fetch(batch)
            done += batch.count
            progress(done, total)
        }
    }

    private func fetch(_ batch: ArraySlice<Wanted>) throws(SyncError) {
        var answer = CardBatch(url, batch)
        do throws(SyncError) {
            let (url, hrefs) = (self.url, batch.map(\.href))
            let reply = try client.report(
                url, depth: 0, DAVBody.multiget(hrefs), isCompressed: compression.isAsked,
                restart: { answer = CardBatch(url, batch) },
                { [self] response in
                    answer.take(response)
                    // Servers have cards of many megabytes.
                    if answer.size >= BatchSize.bytes { try store(&answer) }
                })
            guard reply.status == 207 else { throw .status(reply.status, request: "REPORT") }
            if !compression.isAsked { compression.note(bytes: reply.size, reply.duration) }
        } catch {
            guard error.isOfContent else { throw error }
            try store(&answer)
            let rest = batch.filter { !answer.isAnswered($0.id) }
            hasAnswer = hasAnswer || rest.count < batch.count
            if batch.count == 1 || rest.isEmpty {
                unreadable += 1
                // The fault is the server's and no card's: to ask for each card alone would be a flood of requests.
                if !hasAnswer, unreadable >= Self.mostUnreadable { throw error }
                return failed.formUnion(rest.map(\.id))
            }
            let half = (rest.count + 1) / 2
            try fetch(rest.prefix(half))
            if rest.count > half { try fetch(rest.suffix(rest.count - half)) }
            return
        }
        hasAnswer = true
        try store(&answer)
        failed.formUnion(batch.lazy.map(\.id).filter { !answer.isAnswered($0) })
    }

    private func store(_ answer: inout CardBatch) throws(SyncError) {
        size.note(cards: answer.cards.count, bytes: answer.size)
        let (cards, prepare) = (answer.takeCards(), prepare)
        failed.formUnion(answer.unusable)
        try SyncError.converting {
            try writer.put {
                cards.map { card in
                    let prepared = prepare(card.bytes)
                    return MirrorItem(
                        id: card.id, version: card.etag, name: VCardText.uid(card.bytes), bytes: prepared.bytes,
                        photos: prepared.photos)
                }
            }
        }
    }
}

/// A card as it is stored.
package struct PreparedCard: Equatable, Sendable {
    package var bytes: [UInt8]
    /// See `MirrorItem`; nil: the card was not searched for them.
    package var photos: [String: String]?

    package init(bytes: [UInt8], photos: [String: String]? = nil) { (self.bytes, self.photos) = (bytes, photos) }
}

/// The answer to one multiget, as far as it was read.
struct CardBatch {
    struct Card: Equatable {
        let id: String
        let etag: String
        let bytes: [UInt8]
    }

    private(set) var cards: [Card] = []
    /// Bytes of the cards.
    private(set) var size = 0
    /// What came as a card and is none.
    private(set) var unusable: Set<String> = []
    /// Deleted since the listing: the next run hears so from the listing.
    private var absent: Set<String> = []
    private var answered: Set<String> = []
    private let wanted: [String: CardFetch.Wanted]
    private let url: WebURL

    init(_ url: WebURL, _ batch: some Sequence<CardFetch.Wanted>) {
        self.url = url
        wanted = Dictionary(batch.map { ($0.id, $0) }) { first, _ in first }
    }

    func isAnswered(_ id: String) -> Bool { answered.contains(id) || absent.contains(id) || unusable.contains(id) }

    /// The cards that arrived since the last call.
    mutating func takeCards() -> [Card] {
        defer { (cards, size) = ([], 0) }
        return cards
    }

    /// Cards that were not asked for, and repeated ones, are ignored.
    mutating func take(_ response: DAVResponse) {
        for href in response.hrefs {
            guard let target = url.resolve(href), let item = wanted[DAVPath.id(target.path)] else { continue }
            if response.status == 404 {
                absent.insert(item.id)
            } else if let bytes = response.card, VCardText.isCard(bytes) {
                guard answered.insert(item.id).inserted else { continue }
                // The listing's ETag: a card that changed since is listed again.
                let etag = item.etag.isEmpty ? response.etag ?? "" : item.etag
                cards.append(Card(id: item.id, etag: etag, bytes: bytes))
                size += bytes.count
                unusable.remove(item.id)
            } else if !answered.contains(item.id) {
                unusable.insert(item.id)
            }
        }
    }
}

extension SyncError {
    /// The answer cannot be read because of a card in it.
    fileprivate var isOfContent: Bool {
        switch self {
        case .malformed, .http(.tooLarge): true
        // Some servers fail as a whole for one card.
        case .status(let status, _): 400...599 ~= status && ![401, 403, 404, 405, 429, 502, 503, 504].contains(status)
        default: false
        }
    }
}
