internal import TondoMirror

extension CardDAVSource {
    /// Fetches the cards that the mirror does not have, in batches. Every listed card is in the mirror afterwards, or was deleted
    /// meanwhile, or is named in the failures of the run.
    /// `isWhole`: the listing is no list of changes.
    func fetch(_ listing: CollectionListing, isWhole: Bool, of url: WebURL, run: inout CardDAVRun) throws(SyncError) {
        let wanted = wanted(listing, of: url, isWhole: isWhole, run: run)
        var failures: [String: CardFailure] = [:]
        if !wanted.isEmpty {
            let fetch = CardFetch(url: url, client: client, mirror: mirror, prepare: prepare, progress: progress)
            let result = try fetch.run(wanted)
            run.report.added += result.added
            run.report.changed += result.changed
            run.report.fetched += wanted.count - result.failed.count
            failures = result.failed
            run.memory.set(lastAlone: result.lastAlone, of: url)
        }
        let deleted = try deleted(failures, listing: listing, url: url, run: run)
        for id in deleted {
            failures[id] = nil
            if mirror.version(of: id) != nil { run.gone.insert(id) }
        }
        audit(listing, fetched: wanted, noting: &failures, without: run.gone.union(deleted))
        for item in wanted where failures[item.id] != nil { run.failedCards[item.id] = item }
        for id in listing.strangers { failures[id] = .elsewhere }
        run.failures.merge(failures) { _, new in new }
    }

    private func wanted(
        _ listing: CollectionListing, of url: WebURL, isWhole: Bool, run: CardDAVRun
    ) -> [CardFetch.Wanted] {
        let folder = DAVPath.folder(url.path)
        // What is listed elsewhere may be any of the cards that failed.
        let isAll = isWhole && listing.strangers.isEmpty
        var wanted = listing.wanted(mirror.version).map {
            CardFetch.Wanted(id: $0.id, href: $0.member.href, etag: $0.member.etag)
        }
        let listed = Set(wanted.map(\.id))
        // Cards that failed before, and files that another program removed or changed.
        let again = Set(run.memory.failed.keys).union(mirror.incomplete).filter { DAVPath.isMember($0, of: folder) }
        for id in again.subtracting(listed).subtracting(run.gone).sorted() {
            let member = listing.members[id]
            if isAll, member == nil { continue }
            let failed = run.memory.failed[id]
            wanted.append(
                CardFetch.Wanted(
                    id: id, href: member?.href ?? failed?.href ?? id, etag: member?.etag ?? failed?.etag ?? ""))
        }
        // Cards that were changed here stay until the server has the change.
        wanted.removeAll { mirror.isPending($0.id) }
        let last = run.memory.collections.first { $0.url == url }?.lastAlone
        return Self.ordered(wanted, failed: run.memory.failed, after: last)
    }

    /// Cards that failed in the last run come last, so that they keep no other card out; first among them are those that it did not come
    /// to, which are behind `last`.
    private static func ordered(
        _ wanted: [CardFetch.Wanted], failed: [String: CardDAVMemory.Failed], after last: String?
    ) -> [CardFetch.Wanted] {
        let again = wanted.filter { failed[$0.id] != nil }.sorted { $0.id < $1.id }
        if again.isEmpty { return wanted }
        let start = last.flatMap { last in again.firstIndex { $0.id > last } } ?? 0
        return wanted.filter { failed[$0.id] == nil } + again[start...] + again[..<start]
    }

    /// A card that is not found may have been deleted since it was listed: another listing decides. A card that was not found by the run
    /// before is missing: that run has looked, and since then the server would have listed its deletion.
    private func deleted(
        _ failures: [String: CardFailure], listing: CollectionListing, url: WebURL, run: CardDAVRun
    ) throws(SyncError) -> Set<String> {
        let known = CardFailure.notFound.code
        let absent = failures.filter { $0.value == .notFound && run.memory.failed[$0.key]?.code != known }
        if absent.isEmpty { return [] }
        var second = CollectionListing(of: url, among: run.memory.collections.map(\.url))
        second.takeAlias(of: listing)
        let start = second
        do throws(SyncError) {
            let reply = try client.propfind(
                url, depth: 1, body: DAVBody.members, restart: { second = start }, output: { try second.take($0) })
            second.settle()
            guard reply.status == 207, second.hasSelf || !second.members.isEmpty, !second.isPartial,
                second.strangers.isEmpty
            else { return [] }
        } catch {
            if case .cancelled = error { throw error }
            // Nothing is known then, and the cards are missing.
            return []
        }
        return Set(absent.keys.filter { second.members[$0] == nil })
    }

    /// The promise is checked, and not only meant: what is listed is in the mirror in this version, or has failed.
    private func audit(
        _ listing: CollectionListing, fetched wanted: [CardFetch.Wanted], noting failures: inout [String: CardFailure],
        without deleted: Set<String>
    ) {
        if mirror.isDry { return }
        // Cards of an earlier listing, too.
        for item in wanted where failures[item.id] == nil && !deleted.contains(item.id) {
            if !isStored(item.id, etag: item.etag) { failures[item.id] = .notAnswered }
        }
        for (id, member) in listing.members
        where failures[id] == nil && !deleted.contains(id) && !mirror.isPending(id) {
            if !isStored(id, etag: member.etag) { failures[id] = .notAnswered }
        }
    }

    /// `etag`: empty for any version.
    private func isStored(_ id: String, etag: String) -> Bool {
        guard let version = mirror.version(of: id), !mirror.isIncomplete(id) else { return false }
        return etag.isEmpty || version == etag
    }
}
