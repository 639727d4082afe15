internal import TondoMirror

/// What a server has under the name of a card.
enum ServerCard: Equatable {
    /// `href`: the path under which it is found.
    case card([UInt8], etag: String, href: String)
    case absent

    var bytes: [UInt8]? {
        guard case .card(let bytes, _, _) = self else { return nil }
        return bytes
    }
}

/// Asks a server for one card as it is now.
struct CardLook {
    let client: DAVClient
    /// The address book.
    let url: WebURL

    /// The largest card. Bytes.
    private static let largest = 24 << 20

    /// By `addressbook-multiget`, whose ETag no proxy changes, else by GET; under all spellings of the path before the card is
    /// absent. Throws if the server says neither what it has nor that it has none. `uid`: of the card that is looked for; under
    /// another spelling there may be another one.
    func card(_ id: String, uid: String?) throws(SyncError) -> ServerCard {
        for href in [id] + DAVPath.spellings(id) {
            var found = try reported(id, href: href)
            if found == nil { found = try plain(href) }
            guard let found, let bytes = found.bytes else { continue }
            if href == id || uid == nil || VCardText.uid(bytes) == uid { return found }
        }
        // A book that is gone, or a proxy that answers for it, says nothing about a card.
        let book = try client.propfind(url, depth: 0, body: DAVBody.tag, output: { _ in })
        guard book.status == 207 else { throw book.refusal(of: "PROPFIND") }
        return .absent
    }

    /// Nil: the server does not say.
    private func reported(_ id: String, href: String) throws(SyncError) -> ServerCard? {
        let wanted = [CardFetch.Wanted(id: id, href: href, etag: "")]
        var answer = CardBatch(url: url, batch: wanted)
        let (url, empty) = (url, answer)
        let reply = try client.report(
            url, depth: 0, body: DAVBody.multiget([href]), restart: { answer = empty }, output: { answer.take($0) })
        if let card = answer.takeCards().first { return .card(card.bytes, etag: card.etag, href: href) }
        return reply.status == 207 && answer.failed[id] == .notFound ? .absent : nil
    }

    private func plain(_ href: String) throws(SyncError) -> ServerCard {
        let response = try client.get(WebURL(url.origin, path: href), limit: Self.largest)
        switch response.status {
        // Also a damaged card is one, but the page of a portal or a proxy is none.
        case 200 where CardJudgement(response.body) == .readable || VCardText.isCard(response.body):
            return .card(response.body, etag: response.headers["etag"] ?? "", href: href)
        case 404, 410: return .absent
        case 401: throw .refusal(of: response)
        default: throw .status(response.status, request: "GET")
        }
    }
}
