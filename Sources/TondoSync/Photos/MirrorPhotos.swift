package import TondoMirror

/// The remote photos of a mirror's cards: stored in the mirror by their content, and named by its cards. So a card changes exactly
/// when its photo does.
package struct MirrorPhotos {
    private let mirror: MirrorFolder
    private let store: PhotoStore

    package init(_ mirror: MirrorFolder, _ store: PhotoStore) { (self.mirror, self.store) = (mirror, store) }

    /// Cards that are open at once.
    private static let most = 100

    /// The URLs that cards name. Reads all cards.
    package func urls() -> Set<String> {
        var urls: Set<String> = []
        for (id, member) in mirror.state.members where !member.isPhoto {
            if let card = mirror.bytes(of: id) { urls.formUnion(CardPhotos.urls(in: card)) }
        }
        return urls
    }

    /// The card as it is stored: with the photos that the mirror has.
    package func prepare(_ card: [UInt8]) -> [UInt8] {
        CardPhotos.rewritten(card) { url in
            guard let picture = store.picture(of: url) else { return nil }
            return mirror.state.members[Self.id(picture)]?.file
        }
    }

    /// Stores the photos that were fetched, then the cards that name them, then removes photos that no card names. Returns the
    /// number of changed cards. Throws a `MirrorError`.
    package func apply() throws -> Int {
        var (named, cards, changed) = (Set<String>(), [MirrorItem](), 0)
        // Sorted, so that a run that was interrupted goes on alike.
        for (id, member) in mirror.state.members.sorted(by: { $0.key < $1.key }) where !member.isPhoto {
            guard let card = mirror.bytes(of: id) else { continue }
            for url in CardPhotos.urls(in: card) {
                guard let picture = store.picture(of: url), try add(picture, of: url) else { continue }
                named.insert(Self.id(picture))
            }
            let prepared = prepare(card)
            if prepared == card { continue }
            cards.append(MirrorItem(id: id, version: member.version, name: nil, bytes: prepared))
            changed += 1
            if cards.count >= Self.most { try flush(&cards) }
        }
        try flush(&cards)
        let unnamed = Set(mirror.state.members.lazy.filter { $1.isPhoto }.map(\.key)).subtracting(named)
        if unnamed.isEmpty {
            try mirror.commit()
        } else {
            try mirror.remove(photos: unnamed)
        }
        return changed
    }

    private func flush(_ cards: inout [MirrorItem]) throws {
        if !cards.isEmpty { try mirror.put(cards) }
        cards = []
    }

    /// False: its file is lost; the next run fetches it again.
    private func add(_ picture: PhotoState.Picture, of url: String) throws -> Bool {
        let id = Self.id(picture)
        if mirror.state.members[id] != nil, !mirror.missing.contains(id) { return true }
        guard let bytes = store.bytes(of: url) else { return false }
        try mirror.put([
            MirrorItem(
                id: id, version: picture.digest, name: picture.digest, place: .photo(picture.kind.fileExtension),
                bytes: bytes)
        ])
        return true
    }

    private static func id(_ picture: PhotoState.Picture) -> String {
        "photo:\(picture.digest).\(picture.kind.fileExtension)"
    }
}
