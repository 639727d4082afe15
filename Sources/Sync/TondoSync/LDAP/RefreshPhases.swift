/// What a synchronisation (RFC 4533, mode refreshOnly) says about the entries of a mirror. Pure: messages in, entries to
/// delete out.
///
/// In a present phase the server names every unchanged entry, so that those it does not name are gone; in a delete phase it
/// names those that are gone. The end states which of both it was, and only a successful end counts.
package struct RefreshPhases: Sendable {
    /// The number in a Sync State Control (RFC 4533 section 2.2).
    package enum State: Int32, Sendable { case present, add, modify, delete }

    /// What the server says about identities, with entries or between them (RFC 4533 section 2.5).
    package enum Message: Equatable, Sendable {
        /// With an entry of its own.
        case entry(EntryID, State)
        case identifiers([EntryID], deletes: Bool)
        /// A phase of its kind ends, another one may follow.
        case presentPhaseEnds
        case deletePhaseEnds
    }

    /// Entries of the present phase, and changed ones.
    private var named: Set<EntryID> = []
    private var deleted: Set<EntryID> = []
    /// Set at the end of a present phase: unnamed entries are gone, also if a delete phase follows.
    private var isPresentPhaseOver = false

    package init() {}

    /// Messages count in the order of their arrival: an entry may be deleted and come back.
    package mutating func take(_ message: Message) {
        switch message {
        case .entry(let id, .delete): delete(id)
        case .entry(let id, _): keep(id)
        case .identifiers(let ids, deletes: true): for id in ids { delete(id) }
        case .identifiers(let ids, deletes: false): for id in ids { keep(id) }
        case .presentPhaseEnds: isPresentPhaseOver = true
        case .deletePhaseEnds: break
        }
    }

    private mutating func keep(_ id: EntryID) {
        named.insert(id)
        deleted.remove(id)
    }

    private mutating func delete(_ id: EntryID) {
        named.remove(id)
        deleted.insert(id)
    }

    /// Whether an entry of the mirror is gone. `refreshDeletes`: of the successful end.
    package func isGone(_ id: EntryID, refreshDeletes: Bool) -> Bool {
        if deleted.contains(id) { return true }
        return (isPresentPhaseOver || !refreshDeletes) && !named.contains(id)
    }
}
