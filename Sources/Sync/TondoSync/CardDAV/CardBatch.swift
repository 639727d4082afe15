/// A card as it is stored.
package struct PreparedCard: Equatable, Sendable {
    /// The vCard for the mirror's file: the server's bytes, but for the lines of photos that the mirror has.
    package var bytes: [UInt8]
    /// See `MirrorItem`; nil: the card was not searched for them.
    package var photos: [String: String]?

    package init(bytes: [UInt8], photos: [String: String]? = nil) {
        self.bytes = bytes
        self.photos = photos
    }
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
    /// What was answered, but not with a card that can be read.
    private var failures: [String: CardFailure] = [:]
    private var answered: Set<String> = []
    private let wanted: [String: CardFetch.Wanted]
    private let ids: [String]
    private let url: WebURL

    init(url: WebURL, batch: some Collection<CardFetch.Wanted>) {
        self.url = url
        ids = batch.map(\.id)
        // Servers answer with the path that was asked for, or with another spelling of it.
        wanted = Dictionary(batch.flatMap { [(DAVPath.id($0.href), $0), ($0.id, $0)] }) { first, _ in first }
    }

    func isAnswered(_ id: String) -> Bool { answered.contains(id) || failures[id] != nil }

    /// The cards of the batch that did not arrive.
    var failed: [String: CardFailure] {
        var failed: [String: CardFailure] = [:]
        for id in ids where !answered.contains(id) { failed[id] = failures[id] ?? .notAnswered }
        return failed
    }

    /// The cards that arrived since the last call.
    mutating func takeCards() -> [Card] {
        defer {
            cards = []
            size = 0
        }
        return cards
    }

    /// Cards that were not asked for, and repeated ones, are ignored.
    mutating func take(_ response: DAVResponse) {
        for href in response.hrefs {
            // The second spelling: see `CollectionListing`.
            let spellings = [href, "/\(href)"].compactMap { url.resolve(member: $0).map { DAVPath.id($0.path) } }
            guard let item = spellings.compactMap({ wanted[$0] }).first, !answered.contains(item.id) else { continue }
            guard let bytes = response.card else {
                failures[item.id] = Self.failure(of: response)
                continue
            }
            switch CardJudgement(bytes) {
            case .readable: add(item, response: response, bytes: bytes)
            case .unreadable(let reason): failures[item.id] = .unreadable(reason)
            }
        }
    }

    private mutating func add(_ item: CardFetch.Wanted, response: DAVResponse, bytes: [UInt8]) {
        answered.insert(item.id)
        failures[item.id] = nil
        // The listing's ETag: a card that changed since is listed again.
        let etag = item.etag.isEmpty ? response.etag ?? "" : item.etag
        cards.append(Card(id: item.id, etag: etag, bytes: bytes))
        size += bytes.count
    }

    private static func failure(of response: DAVResponse) -> CardFailure {
        switch response.resourceStatus {
        case 404, 410: .notFound
        case let status? where !(200..<300 ~= status): .refused(status: status)
        default: .notAnswered
        }
    }
}
