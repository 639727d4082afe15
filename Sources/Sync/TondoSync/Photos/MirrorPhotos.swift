package import TondoMirror

/// The remote photos of a mirror's cards: stored in the mirror by their content, and named by its cards. So a card changes exactly
/// when its photo does.
package struct MirrorPhotos {
    private let mirror: MirrorFolder
    private let store: PhotoStore

    /// Calls use the mirror on their own thread, so no other thread may use it meanwhile.
    package init(_ mirror: MirrorFolder, store: PhotoStore) {
        self.mirror = mirror
        self.store = store
    }

    /// Cards that are open at once.
    private static let most = 100

    /// The URLs that cards name. Reads the cards of which that is not known yet.
    package func urls() -> Set<String> {
        var urls: Set<String> = []
        for (id, member) in mirror.state.members where !member.isPhoto { urls.formUnion(files(of: id).keys) }
        return urls
    }

    private func files(of id: String) -> [String: String] {
        if let photos = mirror.state.photos[id] { return photos }
        guard let card = mirror.bytes(of: id) else { return [:] }
        let files = CardPhotos.files(in: card)
        mirror.note(photos: files, of: id)
        return files
    }

    /// The card as it is stored: with the photos that the mirror has.
    package func prepare(_ card: [UInt8]) -> PreparedCard {
        let bytes = CardPhotos.rewritten(card) { url in
            guard let picture = store.picture(of: url) else { return nil }
            return mirror.state.members[Self.id(picture)]?.file
        }
        return PreparedCard(bytes: bytes, photos: CardPhotos.files(in: bytes))
    }

    /// Stores the photos that were fetched, then the cards that name them, then removes photos that no card names. Returns the
    /// number of changed cards. Throws a `MirrorError`.
    package func apply() throws -> Int {
        var (named, cards, changed) = (Set<String>(), [MirrorItem](), 0)
        // Sorted, so that a run that was interrupted goes on alike.
        for (id, member) in mirror.state.members.sorted(by: { $0.key < $1.key }) where !member.isPhoto {
            var isCurrent = true
            for (url, file) in files(of: id) {
                var wanted = ""
                if let picture = store.picture(of: url), try add(picture, of: url) {
                    named.insert(Self.id(picture))
                    wanted = mirror.state.members[Self.id(picture)]?.file ?? ""
                }
                if wanted != file { isCurrent = false }
            }
            // Only cards whose photos changed are read.
            guard !isCurrent, let card = mirror.bytes(of: id) else { continue }
            let prepared = prepare(card)
            if prepared.bytes != card { changed += 1 }
            cards.append(
                MirrorItem(
                    id: id, version: member.version, name: nil, bytes: prepared.bytes, photos: prepared.photos))
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
        if mirror.state.members[id] != nil, !mirror.isIncomplete(id) { return true }
        guard let bytes = store.bytes(of: url) else { return false }
        try mirror.put([
            MirrorItem(
                id: id, version: picture.digest, name: picture.digest, kind: .photo(picture.kind.fileExtension),
                bytes: bytes)
        ])
        return true
    }

    private static func id(_ picture: PhotoState.Picture) -> String {
        "photo:\(picture.digest).\(picture.kind.fileExtension)"
    }
}
