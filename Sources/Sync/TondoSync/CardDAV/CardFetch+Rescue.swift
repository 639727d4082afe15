internal import TondoMirror

extension CardFetch {
    /// What is left after each card was asked for alone.
    struct Rescued {
        var failed: [String: CardFailure]
        /// The last card that was asked for, if others were left out: the next run goes on behind it.
        var last: String?
        /// The server wants no such requests.
        var isRefused = false
    }

    /// Cards in a row at which the server fails: so many end the attempts, since the fault is no card's. And cards in a row that do not
    /// come, for whatever reason: the requests of one run have a limit.
    private static let (mostFailures, mostInVain) = (8, 1_000)
    /// The largest card. Bytes.
    private static let largest = 24 << 20

    /// Asks once more for cards that are listed and did not arrive: by other spellings of their paths, then each by GET. A failure here
    /// ends no run: what was fetched before is the run's.
    func rescue(_ wanted: [Wanted], failed: [String: CardFailure], writer: MirrorWriter) throws(SyncError) -> Rescued {
        var rescued = Rescued(failed: failed)
        if failed.isEmpty { return rescued }
        try respell(wanted, failed: &rescued.failed, writer: writer)
        let rest = wanted.filter { rescued.failed[$0.id] != nil }
        var row = Row()
        for (index, item) in rest.enumerated() {
            let found = try get(item)
            row.note(found)
            if case .card(let bytes) = found {
                rescued.failed[item.id] = nil
                try store(item, bytes: bytes, writer: writer)
            } else {
                rescued.note(found, as: item.id)
            }
            if row.isOver {
                rescued.last = index + 1 < rest.count ? item.id : nil
                break
            }
        }
        return rescued
    }

    /// Failures without a card in between.
    private struct Row {
        private var failures = 0
        private var inVain = 0
        private(set) var isOver = false

        mutating func note(_ found: Found) {
            switch found {
            case .card:
                failures = 0
                inVain = 0
            // The server works: what is bad is the card.
            case .bad: inVain += 1
            case .failure:
                failures += 1
                inVain += 1
            case .lost, .refused: isOver = true
            }
            if failures >= CardFetch.mostFailures || inVain >= CardFetch.mostInVain { isOver = true }
        }
    }

    private func respell(
        _ wanted: [Wanted], failed: inout [String: CardFailure], writer: MirrorWriter
    ) throws(SyncError) {
        // Four spellings of `DAVPath`, and the id.
        for round in 0..<5 {
            let again = wanted.compactMap { item -> Wanted? in
                guard failed[item.id] == .notFound || failed[item.id] == .notAnswered else { return nil }
                let spellings = item.spellings
                return round < spellings.count
                    ? Wanted(id: item.id, href: spellings[round], etag: item.etag) : nil
            }
            if again.isEmpty { return }
            do throws(SyncError) {
                let still = try lanes(Shared(url: url, writer: writer, wanted: again, prepare: prepare))
                for item in again where still[item.id] == nil { failed[item.id] = nil }
            } catch {
                if error.endsRescue { throw error }
                return
            }
        }
    }

    fileprivate enum Found {
        case card([UInt8])
        /// The card is not there, or cannot be read.
        case bad(CardFailure)
        /// The server fails at this card.
        case failure(CardFailure)
        /// The connection was lost.
        case lost(CardFailure)
        /// The server wants no such requests.
        case refused
    }

    private func get(_ item: Wanted) throws(SyncError) -> Found {
        var found: Found?
        var seen: Set<String> = []
        for path in [item.href, item.id] + DAVPath.spellings(item.href).prefix(1) where seen.insert(path).inserted {
            let next: Found
            do throws(SyncError) {
                let response = try client.get(WebURL(url.origin, path: path), limit: Self.largest)
                next = Self.found(response)
            } catch {
                if error.endsRescue { throw error }
                next = Self.found(error)
            }
            switch next {
            case .card, .lost, .refused: return next
            // It is there. Of other failures, that of the first path counts, which is the server's.
            case .bad(.unreadable): found = next
            case .bad, .failure: found = found ?? next
            }
        }
        return found ?? .bad(.notFound)
    }

    private static func found(_ response: HTTPResponse) -> Found {
        switch response.status {
        case 200:
            switch CardJudgement(response.body) {
            case .readable: .card(response.body)
            case .unreadable(let reason): .bad(.unreadable(reason))
            }
        case 404, 410: .bad(.notFound)
        // The password, the method, or the number of requests: no other card would come either. A 403 may be about one card.
        case 401, 405, 429, 501, 503: .refused
        default: .failure(.refused(status: response.status))
        }
    }

    private static func found(_ error: SyncError) -> Found {
        let failure = CardFailure.broken("\(error)")
        return switch error {
        case .http(.tooLarge), .http(.url): .bad(failure)
        case .http(.redirect), .http(.tooManyRedirects): .failure(failure)
        default: .lost(failure)
        }
    }

    private func store(_ item: Wanted, bytes: [UInt8], writer: MirrorWriter) throws(SyncError) {
        let prepare = prepare
        try SyncError.converting {
            try writer.put {
                let prepared = prepare(bytes)
                return [
                    MirrorItem(
                        id: item.id, version: item.etag, name: VCardText.uid(bytes), bytes: prepared.bytes,
                        photos: prepared.photos)
                ]
            }
        }
    }
}

extension CardFetch.Rescued {
    /// What an answer to several cards says about one of them stands, unless it says little.
    fileprivate mutating func note(_ found: CardFetch.Found, as id: String) {
        switch found {
        case .card: break
        case .refused: isRefused = true
        case .bad(let failure), .failure(let failure), .lost(let failure):
            switch failed[id] {
            case .notAnswered?, .refused?: failed[id] = failure
            default: break
            }
        }
    }
}

extension CardFetch.Wanted {
    /// Other paths under which the server may know the card.
    fileprivate var spellings: [String] {
        let spellings = DAVPath.spellings(href)
        // Behind a proxy, the path that the server writes lies in another folder.
        return href == id || spellings.contains(id) ? spellings : spellings + [id]
    }
}

extension SyncError {
    /// No further request makes sense, or the mirror cannot be written.
    fileprivate var endsRescue: Bool {
        switch self {
        case .mirror, .cancelled, .secret: true
        default: false
        }
    }
}
