/// By how much an event changes the numbers of avatars: the sum over all events counts no avatar twice.
package struct AvatarTally: Equatable, Sendable {
    /// Avatars that contacts have, one for each style.
    package var ready = 0
    /// Contacts whose photo gives no avatar.
    package var failed = 0

    package init(ready: Int = 0, failed: Int = 0) { (self.ready, self.failed) = (ready, failed) }
}

/// What was reported of each contact's avatars, so that nothing is reported or counted twice. Pure.
struct AvatarLedger {
    /// The avatars each contact has, as a hash of their keys; nil where that is not remembered, as every contact comes
    /// once.
    private var keys: [String: Int]?
    private var failed: Set<String> = []
    /// Without contacts and time.
    private(set) var summary = LoadSummary()
    private let styles: Int
    /// No avatars hash to this, but by an accident that costs nothing.
    private static let unreported = 0

    init(styles: Int, isRemembering: Bool) { (self.styles, keys) = (styles, isRemembering ? [:] : nil) }

    /// Gives what each avatar's event changes, in the order of the styles; nil when all of them were reported before.
    /// `isPlaceholder`: because the photo failed.
    mutating func report(_ avatars: [Face], of contact: String, isPlaceholder: Bool) -> [AvatarTally]? {
        let hash = avatars.map(\.key).hashValue
        let old = keys?.updateValue(hash, forKey: contact)
        let isMended = !isPlaceholder && failed.remove(contact) != nil
        if isMended { summary.failed -= 1 }
        // That nothing is wrong any more has to be reported, also when the placeholder stays.
        if old == hash, !isMended { return nil }
        if old == nil {
            summary.avatars += avatars.count
            summary.cached += avatars.count { $0.source == .cache }
            summary.rendered += avatars.count { $0.source == .rendered }
        }
        return avatars.indices.map { AvatarTally(ready: old == nil ? 1 : 0, failed: isMended && $0 == 0 ? -1 : 0) }
    }

    /// The contact's avatars are reported after it, also when they are the same as before.
    mutating func reportFailure(of contact: String) -> AvatarTally {
        if keys?[contact] != nil { keys?[contact] = Self.unreported }
        guard failed.insert(contact).inserted else { return AvatarTally() }
        summary.failed += 1
        return AvatarTally(failed: 1)
    }

    /// The contact is gone. Gives what that changes.
    mutating func forget(_ contact: String) -> AvatarTally {
        let wasReady = keys?.removeValue(forKey: contact) != nil
        let hadFailed = failed.remove(contact) != nil
        return AvatarTally(ready: wasReady ? -styles : 0, failed: hadFailed ? -1 : 0)
    }
}
