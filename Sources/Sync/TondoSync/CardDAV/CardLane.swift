internal import TondoMirror

/// One of the requests for cards that run at a time, on a thread of its own: it takes batches until there are none. An answer that cannot
/// be read is halved until the card that breaks it is alone: it is left out, and its last version stays.
// Only one thread calls it at a time: the one that `CardFetch` gave it to, and the fetch's own after that.
final class CardLane: @unchecked Sendable {
    private let fetch: CardFetch.Shared
    private let client: DAVClient
    private var size = BatchSize()
    private var compression = Compression()
    /// Cards in a row whose answers could not be read, alone.
    private var unreadable = 0
    /// So many before the first answer to any lane end the run; and so many that the server failed at, which are slow.
    private static let (mostUnreadable, mostFailures) = (3, 20)

    private(set) var failed: [String: CardFailure] = [:]

    init(fetch: CardFetch.Shared, client: DAVClient) {
        self.fetch = fetch
        self.client = client
    }

    var requests: Int { client.requests }
    /// How many cards the next request names.
    var batch: Int { size.count }

    /// Fetches the next batch; false if there is none.
    func step() throws(SyncError) -> Bool {
        let batch = fetch.next(size.count)
        if batch.isEmpty { return false }
        try load(batch)
        fetch.note(done: batch.count)
        return true
    }

    /// Runs the second lane until there is no more, or the other one has failed. A server may refuse or starve a second
    /// connection, and that is no failure of the run: the first one goes on alone.
    func run() -> SyncError? {
        while true {
            let batch = fetch.next(size.count)
            if batch.isEmpty { return nil }
            do throws(SyncError) {
                try load(batch)
                fetch.note(done: batch.count)
            } catch {
                guard error.isTransient else {
                    fetch.stop()
                    return error
                }
                for item in batch { failed[item.id] = nil }
                fetch.giveBack(batch)
                return nil
            }
        }
    }

    private func load(_ batch: ArraySlice<CardFetch.Wanted>) throws(SyncError) {
        if fetch.isStopped { return }
        var answer = CardBatch(url: fetch.url, batch: batch)
        do throws(SyncError) {
            let (url, hrefs) = (fetch.url, batch.map(\.href))
            let reply = try client.report(
                url, depth: 0, body: DAVBody.multiget(hrefs), isCompressed: compression.isAsked,
                restart: { answer = CardBatch(url: url, batch: batch) },
                output: { [self] response in
                    answer.take(response)
                    // Servers have cards of many megabytes.
                    if answer.size >= BatchSize.bytes { try store(&answer) }
                })
            guard reply.status == 207 else { throw reply.refusal(of: "REPORT") }
            if !compression.isAsked { compression.note(bytes: reply.size, reply.duration) }
        } catch {
            guard error.isOfContent else { throw error }
            try store(&answer)
            note(answer) { answer.isAnswered($0) }
            let rest = batch.filter { !answer.isAnswered($0.id) }
            if rest.count < batch.count { noteAnswer() }
            if batch.count == 1 || rest.isEmpty {
                unreadable += 1
                // The fault is the server's and no card's: to ask for each card alone would be a flood of requests.
                let most = fetch.hasAnswer ? error.isTransient ? Self.mostFailures : .max : Self.mostUnreadable
                if unreadable >= most { throw error }
                for item in rest { failed[item.id] = .broken("\(error)") }
                return
            }
            // One bad card of a hundred costs some fourteen requests this way.
            let half = (rest.count + 1) / 2
            if case .status(let status, _, _) = error, [504, 524].contains(status) { size.note(tooMany: batch.count) }
            try load(rest.prefix(half))
            if rest.count > half { try load(rest.suffix(rest.count - half)) }
            return
        }
        noteAnswer()
        try store(&answer)
        note(answer) { _ in true }
    }

    /// Takes the failures of an answer. `isDecided`: for which cards it was the last one.
    private func note(_ answer: CardBatch, isDecided: (String) -> Bool) {
        for (id, failure) in answer.failed where isDecided(id) { failed[id] = failure }
    }

    private func noteAnswer() {
        fetch.noteAnswer()
        unreadable = 0
    }

    private func store(_ answer: inout CardBatch) throws(SyncError) {
        size.note(cards: answer.cards.count, bytes: answer.size)
        let (cards, prepare) = (answer.takeCards(), fetch.prepare)
        try SyncError.converting {
            try fetch.writer.put {
                cards.map { card in
                    let prepared = prepare(card.bytes)
                    return MirrorItem(
                        id: card.id, version: card.etag, name: VCardText.uid(card.bytes), bytes: prepared.bytes,
                        photos: prepared.photos)
                }
            }
        }
        fetch.note(stored: cards.map(\.id))
    }
}

extension SyncError {
    /// The answer cannot be read because of a card in it.
    fileprivate var isOfContent: Bool {
        switch self {
        case .malformed, .http(.tooLarge), .status(504, _, _), .status(524, _, _): true
        // Some servers fail as a whole for one card. 504 and 524: no time for many; else from 520 on, a proxy reaches no server.
        case .status(let status, _, _): 400..<520 ~= status && ![401, 403, 404, 405, 429, 502, 503].contains(status)
        default: false
        }
    }
}
