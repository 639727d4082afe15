internal import TondoMirror

extension CardDAVSource {
    /// Fetches the cards that the mirror does not have, in batches. True: the mirror has everything that is listed. Every listed card is
    /// in the mirror afterwards, or was deleted meanwhile, or is named in the failures of the run.
    /// `isWhole`: the listing is no list of changes.
    func fetch(
        _ listing: CollectionListing, isWhole: Bool, of url: WebURL, _ run: inout CardDAVRun
    ) throws(SyncError) -> Bool {
        let wanted = wanted(listing, DAVPath.folder(url.path), isWhole, run)
        var failures: [String: CardFailure] = [:]
        if !wanted.isEmpty {
            let fetch = CardFetch(url: url, client: client, mirror: mirror, prepare: prepare, progress: progress)
            let result = try fetch.run(wanted)
            run.report.added += result.added
            run.report.changed += result.changed
            run.report.fetched += wanted.count - result.failed.count
            failures = result.failed
        }
        let deleted = try deleted(failures, listing, url, run)
        for id in deleted {
            failures[id] = nil
            if mirror.version(of: id) != nil { run.gone.insert(id) }
        }
        audit(listing, &failures, without: run.gone.union(deleted))
        for id in listing.strangers { failures[id] = .elsewhere }
        run.failures.merge(failures) { _, new in new }
        return failures.isEmpty
    }

    private func wanted(
        _ listing: CollectionListing, _ folder: String, _ isWhole: Bool, _ run: CardDAVRun
    ) -> [CardFetch.Wanted] {
        var wanted = listing.wanted(mirror.version).map {
            CardFetch.Wanted(id: $0.id, href: $0.member.href, etag: $0.member.etag)
        }
        let listed = Set(wanted.map(\.id))
        // Cards that failed before, and files that another program removed or changed.
        let again = Set(run.memory.failed.keys).union(mirror.incomplete).filter { DAVPath.isMember($0, of: folder) }
        for id in again.subtracting(listed).subtracting(run.gone).sorted() {
            let member = listing.members[id]
            if isWhole, member == nil { continue }
            wanted.append(CardFetch.Wanted(id: id, href: member?.href ?? id, etag: member?.etag ?? ""))
        }
        return wanted
    }

    /// A card that is not found may have been deleted since it was listed: another listing decides. A card that was not found by the run
    /// before and is listed again is missing.
    private func deleted(
        _ failures: [String: CardFailure], _ listing: CollectionListing, _ url: WebURL, _ run: CardDAVRun
    ) throws(SyncError) -> Set<String> {
        let known = CardFailure.notFound.code
        let absent = failures.filter { id, failure in
            let isListed = listing.members[id] != nil
            return (failure == .notFound || !isListed) && !(run.memory.failed[id] == known && isListed)
        }
        if absent.isEmpty { return [] }
        var second = CollectionListing(of: url, among: run.memory.collections.map(\.url))
        second.takeAlias(of: listing)
        let start = second
        do throws(SyncError) {
            let reply = try client.propfind(
                url, depth: 1, DAVBody.members, restart: { second = start }, { try second.take($0) })
            second.settle()
            guard reply.status == 207, second.hasSelf || !second.members.isEmpty, !second.isPartial else {
                return []
            }
        } catch {
            if case .cancelled = error { throw error }
            // Nothing is known then, and the cards are missing.
            return []
        }
        return Set(absent.keys.filter { second.members[$0] == nil })
    }

    /// The promise is checked, and not only meant: what is listed is in the mirror in this version, or has failed.
    private func audit(
        _ listing: CollectionListing, _ failures: inout [String: CardFailure], without deleted: Set<String>
    ) {
        if mirror.isDry { return }
        for (id, member) in listing.members where failures[id] == nil && !deleted.contains(id) {
            let version = mirror.version(of: id)
            if version == nil || !member.etag.isEmpty && version != member.etag { failures[id] = .notAnswered }
        }
    }
}
