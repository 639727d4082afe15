internal import Glibc
package import TondoMirror

/// Mirrors the address books of one CardDAV account. One request where nothing changed. On one thread.
package struct CardDAVSource {
    /// What a run did.
    package struct Report: Equatable, Sendable {
        /// Address books of the account after this run.
        package var books = 0
        /// Cards that are new in the mirror.
        package var added = 0
        /// Cards whose bytes differ from those that the mirror had; a new ETag alone is no change.
        package var changed = 0
        /// Deletions that were carried out, or that wait for a second run.
        package var outcome = MirrorOutcome()
        /// Cards that the server lists and the mirror has not, or not in this version.
        package var failed = 0
        /// The first of them by their paths.
        package var missing: [MirrorStatus.MissingCard] = []
        /// Members of answers, deletions included.
        package var listed = 0
        /// Cards that were asked for and arrived, changed or not.
        package var fetched = 0

        package init() {}

        mutating func count(_ changes: [MirrorChange]) {
            added += changes.count { $0 == .added }
            changed += changes.count { $0 == .changed }
        }
    }

    let url: WebURL
    let user: String
    /// What became of the changes that were made in the mirror; nil: they are not sent.
    let outgoing: OutgoingChanges?
    let client: DAVClient
    private let discovery: Discovery
    let mirror: MirrorFolder
    private let allowsDeletion: Bool
    /// Changes the bytes of a card before it is stored, such as the place of its photo.
    let prepare: ([UInt8]) -> PreparedCard
    let progress: (_ done: Int, _ total: Int) -> Void
    let now: Int

    /// `user`: another one at the same URL is another account. `outgoing`: gets what becomes of the changes that were made in the
    /// mirror; nil: they are not sent. `progress`: cards of the current book, done and in all.
    package init(
        url: WebURL, user: String = "", client: DAVClient, discovery: Discovery, mirror: MirrorFolder,
        allowsDeletion: Bool, outgoing: OutgoingChanges? = nil,
        prepare: @escaping ([UInt8]) -> PreparedCard = { PreparedCard(bytes: $0) },
        progress: @escaping (Int, Int) -> Void = { _, _ in },
        now: Int = time(nil)
    ) {
        self.url = url
        self.user = user
        self.client = client
        self.discovery = discovery
        self.mirror = mirror
        self.allowsDeletion = allowsDeletion
        self.outgoing = outgoing
        self.prepare = prepare
        self.progress = progress
        self.now = now
    }

    /// One run. What was fetched before an error stays, and is not fetched again.
    package func run() throws(SyncError) -> Report {
        var run = CardDAVRun(memory: CardDAVMemory(attributes: mirror.state.attributes, url: url, user: user))
        // Another server may have other cards under the same paths and tags.
        if run.memory.isOfAnotherAccount { mirror.forgetVersions() }
        do throws(SyncError) {
            try books(&run)
            return try end(run)
        } catch {
            // The state lists what arrived, so that the next run does not fetch it again.
            try SyncError.converting { try mirror.commit() }
            throw error
        }
    }

    /// Lists all books, and finds them again when one of them is gone, or a week has passed.
    private func books(_ run: inout CardDAVRun) throws(SyncError) {
        for server in run.memory.servers { client.trust(server) }
        let isFull = run.memory.isDue(now)
        if isFull || run.memory.collections.isEmpty { try discover(&run) }
        // Before the cards: these are then what the server made of the changes.
        try send(&run, isFull: isFull)
        // A book that is gone may have another URL now. Once: a server that contradicts itself would be asked forever.
        if try !synchronise(isFull: isFull, run: &run) {
            try discover(&run)
            guard try synchronise(isFull: isFull, run: &run) else { throw .noAddressBook("\(url)") }
        }
        if isFull { run.memory.full = now }
        // Of books that the account does not have any more.
        let folders = run.memory.collections.map { DAVPath.folder($0.url.path) }
        for (id, member) in mirror.state.members where !member.isPhoto {
            if !folders.contains(where: { DAVPath.isMember(id, of: $0) }) { run.gone.insert(id) }
        }
    }

    /// False: one of them is gone.
    private func synchronise(isFull: Bool, run: inout CardDAVRun) throws(SyncError) -> Bool {
        run.gone = []
        run.failures = [:]
        let memory = run.memory
        for collection in memory.collections {
            guard try synchronise(collection, isFull: isFull, run: &run) else {
                // What was found is dropped, so the tokens stay: the next attempt lists it again.
                run.memory = memory
                return false
            }
        }
        return true
    }

    func discover(_ run: inout CardDAVRun) throws(SyncError) {
        let found = try discovery.find(at: url, known: Set(run.memory.collections.map { DAVPath.folder($0.url.path) }))
        let unknown = found.unlisted.map { DAVPath.folder($0.path) }
        // Nothing is known about the books of a home that was not listed: they are as they were.
        let kept = run.memory.collections.map(\.url).filter { book in
            let folder = DAVPath.folder(book.path)
            return unknown.contains { folder.hasPrefix($0) }
                && !found.books.contains { DAVPath.folder($0.url.path) == folder }
        }
        run.memory.take(found.books.map(\.url) + kept)
        run.memory.servers = client.trusted
    }

    private func end(_ run: CardDAVRun) throws(SyncError) -> Report {
        var run = run
        run.report.books = run.memory.collections.count
        // Books that are gone take their failures along.
        let folders = run.memory.collections.map { DAVPath.folder($0.url.path) }
        run.failures = run.failures.filter { id, _ in folders.contains { id.hasPrefix($0) } || run.isElsewhere(id) }
        run.memory.failed = [:]
        for (id, failure) in run.failures where failure != .elsewhere {
            let card = run.failedCards[id]
            run.memory.failed[id] = .init(code: failure.code, href: card?.href ?? id, etag: card?.etag ?? "")
        }
        run.report.failed = run.failures.count
        run.report.missing = run.failures.sorted { $0.key < $1.key }.prefix(MirrorStatus.MissingCard.most).map {
            MirrorStatus.MissingCard(card: $0.key, code: $0.value.code, reason: $0.value.reason)
        }
        // What becomes of a card that was changed here is decided when the change is sent.
        run.gone.subtract(mirror.pending.keys)
        forgetEmptyLists(&run)
        run.report.outcome = try SyncError.converting {
            try mirror.finish(removing: run.gone, attributes: run.memory.attributes, allowsDeletion: allowsDeletion)
        }
        return run.report
    }

    /// A server that failed may have listed nothing, and its tag is that of all cards: an empty book is listed by each run.
    private func forgetEmptyLists(_ run: inout CardDAVRun) {
        // Folders of members, with their last slash: a server may have a hundred books and no card in most.
        var folders: Set<Substring> = []
        for (id, member) in mirror.state.members where !member.isPhoto && !run.gone.contains(id) {
            if let slash = id.lastIndex(of: "/") { folders.insert(id[...slash]) }
        }
        for url in run.memory.collections.map(\.url) where !folders.contains(DAVPath.folder(url.path)[...]) {
            run.memory.forgetList(of: url)
        }
    }
}

/// What one run collects.
struct CardDAVRun {
    var memory: CardDAVMemory
    var gone: Set<String> = []
    var report = CardDAVSource.Report()
    /// By the ids of cards.
    var failures: [String: CardFailure] = [:]
    /// The cards of them that the server lists as members.
    var failedCards: [String: CardFetch.Wanted] = [:]

    func isElsewhere(_ id: String) -> Bool { failures[id] == .elsewhere }
}

extension CardDAVSource {
    /// False: the collection is gone.
    private func synchronise(
        _ collection: CardDAVMemory.Collection, isFull: Bool, run: inout CardDAVRun
    ) throws(SyncError) -> Bool {
        let start = CollectionListing(of: collection.url, among: run.memory.collections.map(\.url))
        let (listing, token): (CollectionListing, String)
        var isWhole = false
        switch try changes(in: collection, from: start, isFull: isFull) {
        case .gone: return false
        case .delta(let found, let next):
            listing = found
            token = next
            run.gone.formUnion(listing.gone)
        case .full(let found, let next):
            listing = found
            token = next
            isWhole = true
            // A card that is listed elsewhere may be any of those that are missing here.
            if listing.strangers.isEmpty { run.gone.formUnion(listing.missing(among: mirror.state.members.keys)) }
        }
        // Once the server has answered: without it, nothing could be fetched again.
        if isFull { mirror.verify() }
        run.report.listed += listing.members.count + listing.gone.count
        // Members that failed are remembered by their names, and asked for again without a listing. What is listed elsewhere has no
        // name here: the token and the tag stay, so that the server lists it again.
        try fetch(listing, isWhole: isWhole, of: collection.url, run: &run)
        guard listing.strangers.isEmpty else { return true }
        run.memory.set(token, ctag: listing.ctag, hasNoReport: token.isEmpty, of: collection.url)
        return true
    }

    /// `empty`: a listing without responses.
    private func changes(
        in collection: CardDAVMemory.Collection, from empty: CollectionListing, isFull: Bool
    ) throws(SyncError) -> CollectionChanges {
        // A weekly listing does not rely on what the server remembers about tokens.
        if isFull && !collection.token.isEmpty || collection.hasNoReport {
            return try list(collection, from: empty, isFull: isFull)
        }
        var start = empty
        // The tag costs servers less than a report. It comes first: what changes in between is then seen twice, instead of
        // never. A server without a tag is asked for one no more.
        if collection.ctag != nil || collection.token.isEmpty {
            let reply = try client.propfind(collection.url, depth: 0, body: DAVBody.tag) { start.takeOwn($0) }
            if reply.status == 404 || reply.status == 410 { return .gone }
            start.ctag = CollectionTag(start.ctag)?.reliable(at: now)
            if let ctag = start.ctag, ctag == collection.ctag { return .delta(start, token: collection.token) }
        }
        return try report(collection, from: start, empty: empty, isFull: isFull)
    }

    /// The changes since the token, or all of the collection.
    private func report(
        _ collection: CardDAVMemory.Collection, from start: CollectionListing, empty: CollectionListing, isFull: Bool
    ) throws(SyncError) -> CollectionChanges {
        var listing = start
        // A server that returns an earlier token would lead in a circle.
        var (token, seen) = (collection.token, Set([collection.token]))
        while true {
            // An attempt that failed after some responses starts again.
            let before = listing
            let reply: DAVClient.Reply
            do throws(SyncError) {
                reply = try client.report(
                    collection.url, depth: 0, body: DAVBody.sync(token: token),
                    restart: {
                        listing = before
                        listing.beginPart()
                    },
                    output: { try listing.take($0) })
            } catch {
                // There are servers that fail at this report alone.
                guard case .status(500, _, _) = error else { throw error }
                return try list(collection, from: empty, isFull: isFull)
            }
            listing.settle()
            let answer = SyncAnswer(
                status: reply.status, token: token, returned: reply.syncToken, isPartial: listing.isPartial, seen: seen)
            switch answer {
            case .listed:
                let next = reply.syncToken ?? ""
                // A first report without a card: servers have answered it with the book alone, whatever is in it (Stalwart). Where a
                // listing has cards, later reports are not relied on either.
                if collection.token.isEmpty, listing.members.isEmpty, listing.strangers.isEmpty,
                    case .full(let found, _) = try list(collection, from: empty, isFull: true), !found.members.isEmpty
                {
                    return .full(found, token: "")
                }
                return collection.token.isEmpty ? .full(listing, token: next) : .delta(listing, token: next)
            case .continued(let next):
                token = next
                seen.insert(next)
            case .tokenRejected, .unsupported: return try list(collection, from: empty, isFull: isFull)
            case .refused: throw reply.refusal(of: "REPORT")
            }
        }
    }

    /// All of the collection by PROPFIND, unless its tag stands. The token comes first: changes in between are then reported once
    /// more, instead of never. `isFull`: the tag does not count.
    private func list(
        _ collection: CardDAVMemory.Collection, from empty: CollectionListing, isFull: Bool
    ) throws(SyncError) -> CollectionChanges {
        var own = empty
        let first = try client.propfind(collection.url, depth: 0, body: DAVBody.versions) { own.takeOwn($0) }
        if first.status == 404 || first.status == 410 { return .gone }
        guard first.status == 207 else { throw first.refusal(of: "PROPFIND") }
        let token = own.syncToken ?? ""
        own.ctag = CollectionTag(own.ctag)?.reliable(at: now)
        if token.isEmpty, let ctag = own.ctag, ctag == collection.ctag, !isFull { return .delta(own, token: "") }
        var start = empty
        start.takeAlias(of: own)
        var listing = start
        let reply = try client.propfind(
            collection.url, depth: 1, body: DAVBody.members, restart: { listing = start },
            output: { try listing.take($0) })
        guard reply.status == 207 else { throw reply.refusal(of: "PROPFIND") }
        listing.settle()
        guard listing.hasSelf || !listing.members.isEmpty else { throw .emptyListing(collection.url.path) }
        guard !listing.isPartial else { throw .status(507, request: "PROPFIND") }
        listing.ctag = own.ctag
        return .full(listing, token: token)
    }
}

/// What a listing found.
private enum CollectionChanges {
    /// Nothing is listed where nothing changed.
    case delta(CollectionListing, token: String)
    case full(CollectionListing, token: String)
    case gone
}
