internal import TondoCache

/// The changes that an event makes to the counters of avatars: the sum over all events counts no avatar twice.
package struct AvatarTally: Equatable, Sendable {
    /// Avatars that contacts have, one for each style.
    package var ready = 0
    /// Contacts whose photo gives no avatar.
    package var failed = 0

    package init(ready: Int = 0, failed: Int = 0) {
        self.ready = ready
        self.failed = failed
    }
}

/// The reported avatars of each contact, so that nothing is reported or counted twice. Pure.
struct AvatarLedger {
    /// The avatars of each contact, as a hash of their keys; nil if they are not remembered, since every contact comes
    /// once.
    private var keys: [String: Int]?
    private var failed: Set<String> = []
    /// Without contacts and time.
    private(set) var summary = LoadSummary()
    private let styles: Int
    /// The hash of no avatars. If real avatars have it by chance, they are only reported once more.
    private static let unreported = 0

    init(styles: Int, tracksChanges: Bool) {
        self.styles = styles
        keys = tracksChanges ? [:] : nil
    }

    static func hash(of keys: [CacheKey]) -> Int { keys.hashValue }

    /// `hash` of the keys that were reported last; nil if none were, or they are not remembered.
    func lastKeys(of contact: String) -> Int? {
        guard let hash = keys?[contact], hash != Self.unreported, !failed.contains(contact) else { return nil }
        return hash
    }

    /// Returns the change of each avatar's event, in the order of the styles; nil if all were reported before.
    /// `isPlaceholder`: because the photo failed.
    mutating func report(_ avatars: [Avatar], of contact: String, isPlaceholder: Bool) -> [AvatarTally]? {
        let hash = Self.hash(of: avatars.map(\.key))
        let old = keys?.updateValue(hash, forKey: contact)
        let isRecovered = !isPlaceholder && failed.remove(contact) != nil
        if isRecovered { summary.failed -= 1 }
        // The end of a failure must be reported, even if the placeholder stays.
        if old == hash, !isRecovered { return nil }
        if old == nil {
            summary.avatars += avatars.count
            summary.cached += avatars.count { $0.source == .cache }
            summary.rendered += avatars.count { $0.source == .rendered }
        }
        return avatars.indices.map { AvatarTally(ready: old == nil ? 1 : 0, failed: isRecovered && $0 == 0 ? -1 : 0) }
    }

    /// The contact's next avatars are reported, even if they are the same as before.
    mutating func forgetReport(of contact: String) {
        if keys?[contact] != nil { keys?[contact] = Self.unreported }
    }

    /// The contact's avatars are reported after it, even if they are the same as before.
    mutating func reportFailure(of contact: String) -> AvatarTally {
        forgetReport(of: contact)
        guard failed.insert(contact).inserted else { return AvatarTally() }
        summary.failed += 1
        return AvatarTally(failed: 1)
    }

    /// The contact was removed. Returns the change.
    mutating func forget(_ contact: String) -> AvatarTally {
        let wasReady = keys?.removeValue(forKey: contact) != nil
        let hadFailed = failed.remove(contact) != nil
        return AvatarTally(ready: wasReady ? -styles : 0, failed: hadFailed ? -1 : 0)
    }
}
