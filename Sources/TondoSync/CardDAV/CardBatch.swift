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
