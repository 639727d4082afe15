internal import Glibc
package import TondoMirror

/// Mirrors the people of a directory. Entries are written as they arrive. On one thread.
///
/// A server with synchronisation (RFC 4533) reports changes and deletions since the last run. Of others, the changes are
/// searched by their time, and the identifiers of all entries are compared. An answer that ends with another result than 0
/// deletes nothing.
package struct LDAPSource {
    /// What a run did.
    package struct Report: Equatable, Sendable {
        /// Cards that are new in the mirror.
        package var added = 0
        /// Cards whose bytes differ from those that the mirror had.
        package var changed = 0
        /// Deletions that were carried out, or that wait for a second run.
        package var outcome = MirrorOutcome()
        /// Entries without a card, such as groups.
        package var skipped = 0

        package init() {}

        init(cards: EntryBatch, outcome: MirrorOutcome) {
            added = cards.added
            changed = cards.changed
            skipped = cards.skipped.count
            self.outcome = outcome
        }
    }

    private let url: LDAPURL
    private let user: String?
    private let client: LDAPClient
    private let mirror: MirrorFolder
    private let allowsDeletion: Bool
    private let progress: (_ done: Int, _ total: Int) -> Void
    private let now: Int

    /// `user`: the identity at the server; another one may see other people.
    package init(
        url: LDAPURL, user: String?, client: LDAPClient, mirror: MirrorFolder, allowsDeletion: Bool = false,
        progress: @escaping (Int, Int) -> Void = { _, _ in }, now: Int = time(nil)
    ) {
        self.url = url
        self.user = user
        self.client = client
        self.mirror = mirror
        self.allowsDeletion = allowsDeletion
        self.progress = progress
        self.now = now
    }

    /// The entries of a page; Active Directory refuses more than 1,000.
    static let page = 500
    /// The most entries that one filter names.
    private static let named = 50
    /// Changes are searched from so many seconds before the latest one: clocks of controllers differ, and an entry may
    /// change twice within a second.
    private static let overlap = 600

    /// One run. What arrived before an error stays.
    package func run() throws -> Report {
        var memory = LDAPMemory(attributes: mirror.state.attributes, source: url, user: user)
        let cards = EntryBatch(mirror: mirror, progress: progress)
        do {
            let gone = try read(&memory, into: cards)
            try fetch(mirror.incomplete.subtracting(gone).compactMap { EntryID($0) }, into: cards, memory: &memory)
            try cards.flush()
            // An entry that is no person any more loses its card.
            let outcome = try mirror.finish(
                removing: gone.union(cards.skipped.filter { mirror.version(of: $0) != nil }),
                attributes: memory.attributes, allowsDeletion: allowsDeletion)
            return Report(cards: cards, outcome: outcome)
        } catch {
            try cards.flush()
            try mirror.commit()
            throw error
        }
    }

    /// Returns the entries that are gone.
    private func read(_ memory: inout LDAPMemory, into cards: EntryBatch) throws -> Set<String> {
        let isFull = memory.isDue(now)
        if isFull {
            memory.cookie = []
            memory.since = nil
        }
        var gone = client.features.synchronises ? try synchronise(&memory, cards: cards) : nil
        if gone == nil { gone = memory.since == nil ? try readAll(&memory, cards) : try compare(&memory, cards: cards) }
        if isFull {
            memory.full = now
            // What arrived again was compared; a file whose size and time are those of before was not read.
            mirror.verify()
        }
        return gone ?? []
    }

    private var filter: String { url.filter ?? client.features.people }

    private func search(_ filter: String, method: LDAPSearch.Method? = nil) -> LDAPSearch {
        let chosen = url.attributes.isEmpty ? LDAPCard.attributes : url.attributes
        let usual = client.features.pages ? LDAPSearch.Method.paged(Self.page) : .plain
        return LDAPSearch(
            base: url.base, scope: url.scope, filter: filter,
            attributes: chosen + LDAPCard.identity + [client.features.changeTime], method: method ?? usual)
    }

    private func take(_ entry: LDAPEntry, id: EntryID, into cards: EntryBatch, latest: inout GeneralizedTime?) throws {
        if let time = changeTime(of: entry) { latest = max(latest ?? time, time) }
        try cards.add(entry, as: id)
    }

    /// Nil: the server does not have it, or does not show it.
    private func changeTime(of entry: LDAPEntry) -> GeneralizedTime? {
        entry.text(client.features.changeTime.lowercased()).flatMap { GeneralizedTime($0) }
    }

    private func members(where isGone: (EntryID) -> Bool) -> Set<String> {
        var gone: Set<String> = []
        for (id, member) in mirror.state.members where !member.isPhoto && EntryID(id).map(isGone) ?? true {
            gone.insert(id)
        }
        return gone
    }
}

extension LDAPSource {
    /// Nil: the server cannot do it here.
    private func synchronise(_ memory: inout LDAPMemory, cards: EntryBatch) throws -> Set<String>? {
        var phases = RefreshPhases()
        // Nothing of an empty mirror can be gone, and the names of 100,000 entries take some megabytes.
        let isEmpty = mirror.state.members.isEmpty
        var latest: GeneralizedTime?
        let answer: LDAPAnswer
        do {
            answer = try client.search(search(filter, method: .sync(cookie: memory.cookie))) {
                if !isEmpty { phases.take($0) }
            } entry: {
                try take($0, id: $1, into: cards, latest: &latest)
            }
        } catch LDAPError.result(LDAPCode.syncRefreshRequired, _) where !memory.cookie.isEmpty {
            // The server does not remember that time.
            memory.cookie = []
            return try synchronise(&memory, cards: cards)
        } catch LDAPError.result(let code, _)
            where [LDAPCode.unavailableCriticalExtension, LDAPCode.unwillingToPerform].contains(code)
        {
            return nil
        }
        // Another server than the root entry's may have answered, without the control.
        guard let refreshDeletes = answer.refreshDeletes else { return nil }
        // Without a cookie all entries were sent; OpenLDAP then claims to name what is deleted.
        let namesDeleted = refreshDeletes && !memory.cookie.isEmpty
        // Servers may leave it out where nothing changed.
        if !answer.cookie.isEmpty { memory.cookie = answer.cookie }
        try cards.flush()
        return isEmpty ? [] : members { phases.isGone($0, refreshDeletes: namesDeleted) }
    }

    private func readAll(_ memory: inout LDAPMemory, _ cards: EntryBatch) throws -> Set<String> {
        var (found, latest) = (Set<EntryID>(), nil as GeneralizedTime?)
        let isEmpty = mirror.state.members.isEmpty
        var hasTimes = true
        _ = try client.search(search(filter)) {
            if !isEmpty { found.insert($1) }
            hasTimes = hasTimes && changeTime(of: $0) != nil
            try take($0, id: $1, into: cards, latest: &latest)
        }
        // A search by time would not find the changes of entries without one.
        memory.since = hasTimes ? latest : nil
        try cards.flush()
        return isEmpty ? [] : members { !found.contains($0) }
    }

    private func compare(_ memory: inout LDAPMemory, cards: EntryBatch) throws -> Set<String> {
        let features = client.features
        var latest = memory.since
        let start = GeneralizedTime(seconds: (latest?.seconds ?? 0) - Self.overlap)
        let since = start.text(fraction: features.isActiveDirectory)
        var changed: Set<EntryID> = []
        do {
            _ = try client.search(search("(&\(filter)(\(features.changeTime)>=\(since)))")) {
                changed.insert($1)
                try take($0, id: $1, into: cards, latest: &latest)
            }
        } catch let error as LDAPError {
            // Small servers compare no times.
            guard case .result = error, !error.isTransient else { throw error }
            return try readAll(&memory, cards)
        }
        try cards.flush()
        memory.since = latest
        var found: Set<EntryID> = []
        var keys = search(filter)
        keys.attributes = LDAPCard.identity
        _ = try client.search(keys) { found.insert($1) }
        // Entries that came into view without a change, such as by rights of the user.
        let unknown = found.subtracting(changed).filter { mirror.version(of: $0.description) == nil }
        try fetch(unknown.sorted { $0.description < $1.description }, into: cards, memory: &memory)
        return members { !found.contains($0) }
    }

    private func fetch(_ ids: [EntryID], into cards: EntryBatch, memory: inout LDAPMemory) throws {
        if ids.isEmpty { return }
        var (rest, missing) = (ids[...], Set(ids))
        while !rest.isEmpty {
            let names = rest.prefix(Self.named).map { client.features.isActiveDirectory ? $0.guidFilter : $0.filter }
            rest = rest.dropFirst(Self.named)
            _ = try client.search(search("(&\(filter)(|\(names.joined())))")) {
                missing.remove($1)
                try cards.add($0, as: $1)
            }
        }
        // No filter finds an entry whose identity is made of its name.
        if !missing.isEmpty {
            _ = try client.search(search(filter)) { if missing.remove($1) != nil { try cards.add($0, as: $1) } }
        }
        try cards.flush()
    }
}

extension EntryID {
    /// Finds the entry by the identifier that servers keep under one of these names.
    fileprivate var filter: String {
        let digits = description.filter { $0 != "-" }
        let parts = stride(from: 0, to: 32, by: 8).map { String(digits.dropFirst($0).prefix(8)) }
        return "(entryUUID=\(self))(nsUniqueId=\(parts.joined(separator: "-")))(ipaUniqueID=\(self))"
    }

    fileprivate var guidFilter: String { "(objectGUID=\(LDAPSearch.octets(guid)))" }
}
