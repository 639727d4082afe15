internal import TondoMirror

extension CardFetch {
    /// Cards in a row that even a GET does not bring: so many end the attempts, since the fault is the server's.
    private static let mostFailures = 8
    /// Of a card.
    private static let largest = 24 << 20

    /// Asks once more for cards that are listed and did not arrive: by other spellings of their paths, then each by GET. Returns those
    /// that still fail. A failure here ends no run: what was fetched before is the run's.
    func rescue(
        _ wanted: [Wanted], _ failed: [String: CardFailure], _ writer: MirrorWriter
    ) throws(SyncError) -> [String: CardFailure] {
        var failed = failed
        if failed.isEmpty { return failed }
        try respell(wanted, &failed, writer)
        let rest = wanted.filter { failed[$0.id] != nil }
        var unlucky = 0
        for item in rest where unlucky < Self.mostFailures {
            guard let found = try get(item) else { break }
            switch found {
            case .card(let bytes):
                (unlucky, failed[item.id]) = (0, nil)
                try store(item, bytes, writer)
            case .failure(let failure):
                unlucky += 1
                switch failed[item.id] {
                case .notAnswered?, .refused?: failed[item.id] = failure ?? failed[item.id]
                default: break
                }
            }
        }
        return failed
    }

    private func respell(
        _ wanted: [Wanted], _ failed: inout [String: CardFailure], _ writer: MirrorWriter
    ) throws(SyncError) {
        for round in 0..<4 {
            let again = wanted.compactMap { item -> Wanted? in
                guard failed[item.id] == .notFound || failed[item.id] == .notAnswered else { return nil }
                let spellings = DAVPath.spellings(item.href)
                return round < spellings.count
                    ? Wanted(id: item.id, href: spellings[round], etag: item.etag) : nil
            }
            if again.isEmpty { return }
            do throws(SyncError) {
                let still = try lanes(Shared(url, writer, again, prepare))
                for item in again where still[item.id] == nil { failed[item.id] = nil }
            } catch {
                if error.endsRescue { throw error }
                return
            }
        }
    }

    private enum Found {
        case card([UInt8])
        /// Nil: nothing new is known.
        case failure(CardFailure?)
    }

    /// Nil: the server wants no such requests.
    private func get(_ item: Wanted) throws(SyncError) -> Found? {
        var failure: CardFailure?
        var seen: Set<String> = []
        for path in [item.href, item.id] + DAVPath.spellings(item.href).prefix(1) where seen.insert(path).inserted {
            do throws(SyncError) {
                let response = try client.get(WebURL(url.origin, path: path), limit: Self.largest)
                switch response.status {
                case 200:
                    switch CardJudgement(response.body) {
                    case .readable: return .card(response.body)
                    case .unreadable(let reason): failure = .unreadable(reason)
                    }
                case 404, 410: failure = failure ?? .notFound
                case 401, 403, 405, 429, 501, 503: return nil
                default: failure = failure ?? .refused(status: response.status)
                }
            } catch {
                if error.endsRescue { throw error }
                failure = failure ?? .broken("\(error)")
            }
        }
        return .failure(failure)
    }

    private func store(_ item: Wanted, _ bytes: [UInt8], _ writer: MirrorWriter) throws(SyncError) {
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

extension SyncError {
    /// No further request makes sense, or the mirror cannot be written.
    fileprivate var endsRescue: Bool {
        switch self {
        case .mirror, .cancelled, .secret: true
        default: false
        }
    }
}
