package import TondoMirror

/// The changes of a mirror that a run sends, and what became of them; also of a run that fails after some of them. On one thread.
package final class OutgoingChanges {
    /// Makes the photo of a card smaller that the server does not take, to a number of bytes at most; nil: it cannot.
    package typealias Shrink = (_ card: [UInt8], _ bound: Int) -> [UInt8]?

    /// False: nothing is sent, and what waits from before is given up.
    let isWritable: Bool
    let shrink: Shrink?
    /// How many the server has now.
    package private(set) var sent = 0
    /// Those of them whose photos were made smaller.
    package private(set) var fitted: [MirrorStatus.Change] = []
    /// Those that were given up.
    package private(set) var refused: [MirrorStatus.Change] = []
    /// Why others wait, by the ids of their cards.
    package private(set) var waiting: [String: SendResult.Reason] = [:]
    /// The server asked for a pause: what was not sent before waits.
    package var isPaused = false

    /// Why a change waits that has not been given up.
    func reason(_ id: String) -> SendResult.Reason { waiting[id] ?? (isPaused ? .pause : .unanswered) }

    /// `shrink`: nil: photos stay as they are.
    package init(isWritable: Bool = true, shrink: Shrink? = nil) {
        self.isWritable = isWritable
        self.shrink = shrink
    }

    func note(_ result: SendResult, of change: PendingChange, now: Int) {
        switch result {
        case .sent: sent += 1
        case .sentSmaller(let bound):
            sent += 1
            fitted.append(.init(name: change.name, code: "fitted", reason: SendResult.text(bound: bound), time: now))
        case .waits(let reason): waiting[change.id] = reason
        case .refused(let reason):
            refused.append(
                .init(
                    name: change.name, code: reason.rawValue, reason: reason.text, time: now, id: change.id,
                    isKept: change.after != nil))
        }
    }
}
