package import TondoMirror

/// What became of the changes that a run sent; also of a run that fails after some of them. On one thread.
package final class OutgoingChanges {
    /// How many the server has now.
    package private(set) var sent = 0
    /// Those that were given up.
    package private(set) var refused: [MirrorStatus.Change] = []
    /// Why others wait, by the ids of their cards.
    package private(set) var waiting: [String: SendResult.Reason] = [:]

    package init() {}

    func note(_ result: SendResult, of change: PendingChange, now: Int) {
        switch result {
        case .sent: sent += 1
        case .waits(let reason): waiting[change.id] = reason
        case .refused(let reason):
            refused.append(.init(name: change.name, code: reason.rawValue, reason: reason.text, time: now))
        }
    }
}
