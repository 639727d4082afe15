internal import TondoMirror

/// Makes one change that was made in a mirror at its server. A change is on the disk as one that may have arrived before each
/// request, and the mirror has the server's card before the change is forgotten: killed at any moment, the next run asks the
/// server what it has, and goes on from there. On the mirror's thread.
struct ChangeSender {
    let client: DAVClient
    let mirror: MirrorFolder
    /// The address book.
    let url: WebURL
    let prepare: ([UInt8]) -> PreparedCard
    let shrink: OutgoingChanges.Shrink?
    let now: Int

    /// What follows from the answer to a request.
    private enum Next {
        case end(SendResult)
        /// The server has another card by now: it is asked. `isCondition`: it says that the condition is not true.
        case look(isCondition: Bool)
        /// A smaller photo of the same change is sent.
        case again(PendingChange)
    }

    /// So often one run asks for a card that changes on the server in between, and so often one is sent that the server loses.
    private static let most = 3

    /// Throws if the rest of the run makes no sense, such as for a refused password; the change waits then.
    func send(_ change: PendingChange) throws(SyncError) -> SendResult {
        var (change, server) = (change, ServerCard?.none)
        // Nothing is known about the server's card but what the mirror has from it.
        if !change.etag.isEmpty {
            server = change.before.map { .card($0, etag: change.etag, href: change.id) }
        }
        var refused: [DAVCondition] = []
        for _ in 0..<Self.most {
            let found: ServerCard
            do throws(SyncError) { found = try known(server, change) } catch { return try Self.waits(error) }
            let step: ChangeStep
            do throws(ChangeStep.Failure) {
                step = try ChangeStep(change, server: found.bytes, now: now)
            } catch {
                // What cannot be read does not become the mirror's card.
                try SyncError.converting { try mirror.abandon(change) }
                return .refused(.unreadable)
            }
            if let end = try end(change, step: step, found: found, isAsked: server == nil) { return end }
            guard let condition = Self.condition(found, beside: refused) else {
                return try giveUp(change, as: .weakTag, server: found)
            }
            let attempted = change.attempted
            guard try replace(change, by: attempted) else { return .waits(.changing) }
            change = attempted
            switch try request(change, step: step, found: found, if: condition) {
            case .end(let result): return result
            case .look(let isCondition):
                if isCondition { refused.append(condition) }
                server = nil
            case .again(let smaller):
                change = smaller
                server = found
            }
        }
        return .waits(.changing)
    }

    private func replace(_ change: PendingChange, by next: PendingChange) throws(SyncError) -> Bool {
        try SyncError.converting { try PendingChanges(mirror.layout).replace(change, by: next) }
    }

    private func known(_ server: ServerCard?, _ change: PendingChange) throws(SyncError) -> ServerCard {
        if let server { return server }
        return try look(for: change)
    }

    private func look(for change: PendingChange) throws(SyncError) -> ServerCard {
        let uid = (change.before ?? change.after).flatMap { VCardText.uid($0) }
        return try CardLook(client: client, url: url).card(change.id, uid: uid)
    }

    /// The result where nothing has to be sent; nil where something has to be. `isAsked`: `found` is what the server has now.
    private func end(
        _ change: PendingChange, step: ChangeStep, found: ServerCard, isAsked: Bool
    ) throws(SyncError) -> SendResult? {
        switch step {
        // What the mirror had before is what it has now: the server is asked all the same, since its card is stored.
        case .done: return try finish(change, found: isAsked ? found : nil, isKept: false) ?? Self.sent(change)
        case .conflict: return try giveUp(change, as: found == .absent ? .deleted : .conflict, server: found)
        case .put, .delete:
            guard case .card(_, let etag, _) = found, etag.isEmpty else { return nil }
            return .waits(.noTag)
        }
    }

    /// That the server still has `found`. A weak tag is tried as a strong one, then as it is; nil: the server refused both of this
    /// card, and would for ever. `refused`: what it said is not true.
    private static func condition(_ found: ServerCard, beside refused: [DAVCondition]) -> DAVCondition? {
        guard case .card(_, let etag, _) = found else { return .isNew }
        guard etag.hasPrefix("W/") else { return .matches(etag) }
        return [.matches(etag), .matchesLiterally(etag)].first { !refused.contains($0) }
    }

    /// Sends a step to a server that has `found`.
    private func request(
        _ change: PendingChange, step: ChangeStep, found: ServerCard, if condition: DAVCondition
    ) throws(SyncError) -> Next {
        var href = change.id
        if case .card(_, _, let path) = found { href = path }
        var card: [UInt8]?
        if case .put(let bytes) = step { card = bytes }
        let response: HTTPResponse
        do throws(SyncError) {
            response = try client.change(WebURL(url.origin, path: href), to: card, if: condition)
        } catch { return .end(try Self.waits(error)) }
        switch response.status {
        case 200..<300: return .end(try check(change, sentTo: found))
        case 404, 410: return .look(isCondition: false)
        case 412: return .look(isCondition: true)
        case 413, 507: return try fit(change)
        default: return .end(try refused(change, response))
        }
    }

    /// What a refusal that says nothing about the size means.
    private func refused(_ change: PendingChange, _ response: HTTPResponse) throws(SyncError) -> SendResult {
        switch response.status {
        case 403 where response.body.firstRange(of: Array("conflict".utf8)) != nil, 409:
            return try giveUp(change, as: .rejected, server: nil)
        case 403, 405, 501: return try giveUp(change, as: .readOnly, server: nil)
        case 400..<500 where response.status != 408 && response.status != 423 && response.status != 429:
            return try giveUp(change, as: .rejected, server: nil)
        default: return .waits(.unanswered)
        }
    }

    /// The server takes no card of this size: it gets one with a smaller photo, once.
    private func fit(_ change: PendingChange) throws(SyncError) -> Next {
        guard change.bound == nil, let shrink, let card = change.after, let picture = SentCard(card)?.picture,
            let bound = PhotoShrinker.bound(under: picture.bytes.count), let fitted = shrink(card, bound)
        else { return .end(try giveUp(change, as: .tooLarge, server: nil)) }
        var smaller = change
        smaller.after = fitted
        smaller.bound = bound
        let isReplaced = try SyncError.converting { try mirror.replace(change, by: smaller) }
        return isReplaced ? .again(smaller) : .end(.waits(.changing))
    }

    private static func sent(_ change: PendingChange) -> SendResult {
        change.bound.map { .sentSmaller($0) } ?? .sent
    }

    /// Asks the server what it made of a change: some rewrite cards, drop photos or make other ones of them, and tags in the
    /// answers to changes are missing or wrong. `former`: what it had before.
    private func check(_ change: PendingChange, sentTo former: ServerCard) throws(SyncError) -> SendResult {
        let found: ServerCard
        do throws(SyncError) { found = try look(for: change) } catch { return try Self.waits(error) }
        if isDone(change, found) { return try finish(change, found: found, isKept: false) ?? Self.sent(change) }
        // An answer from before the change says nothing about it.
        if found == .absent || Self.tag(found) == Self.tag(former) { return try waits(change, server: found) }
        let hasPhoto = found.bytes.flatMap { SentCard($0) }?.photo != SentCard.Photo.none
        return try giveUp(change, as: change.after == nil ? .conflict : hasPhoto ? .altered : .dropped, server: found)
    }

    /// The server says that it took the change, and does not have it: it may have it later.
    private func waits(_ change: PendingChange, server: ServerCard) throws(SyncError) -> SendResult {
        if change.taken + 1 >= Self.most { return try giveUp(change, as: .lost, server: server) }
        var next = change
        next.taken += 1
        _ = try replace(change, by: next)
        return .waits(.unanswered)
    }

    private func isDone(_ change: PendingChange, _ server: ServerCard) -> Bool {
        (try? ChangeStep(change, server: server.bytes, now: now)) == .done
    }

    private static func tag(_ server: ServerCard) -> String? {
        guard case .card(_, let etag, _) = server else { return nil }
        return DAVCondition.matches(etag).header.value
    }

    /// An error of the network or of a moment: the rest of the run will meet it, or not.
    private static func waits(_ error: SyncError) throws(SyncError) -> SendResult {
        switch error {
        case .cancelled, .mirror, .secret, .unauthorized, .later: throw error
        default: return .waits(.unanswered)
        }
    }
}

extension ChangeSender {
    /// The server's card comes back, and what the change made goes to the trash.
    func giveUp(
        _ change: PendingChange, as reason: SendResult.Reason, server: ServerCard?
    ) throws(SyncError) -> SendResult {
        try finish(change, found: server, isKept: true) ?? .refused(reason)
    }

    /// Stores what the server has, and forgets the change. `found`: nil: it is asked for. Returns a result only where it cannot.
    private func finish(_ change: PendingChange, found: ServerCard?, isKept: Bool) throws(SyncError) -> SendResult? {
        let server: ServerCard
        do throws(SyncError) { server = try known(found, change) } catch { return try Self.waits(error) }
        var item: MirrorItem?
        if case .card(let bytes, let etag, _) = server {
            let prepared = prepare(bytes)
            item = MirrorItem(
                id: change.id, version: etag, name: VCardText.uid(bytes), bytes: prepared.bytes,
                photos: prepared.photos)
        }
        _ = try SyncError.converting { try mirror.end(change, with: item, isKept: isKept) }
        return nil
    }
}
