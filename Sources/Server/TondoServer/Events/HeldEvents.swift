internal import DequeModule

/// Events of another instance that wait until the own books have read the same change, so that a client that reads the contact
/// after its event gets what the event says. In their order, and not for ever: a change that was followed by another one may
/// never be seen here. A value without clock and thread.
struct HeldEvents {
    typealias Instant = ContinuousClock.Instant

    private struct Held {
        let entry: SharedEventLog.Entry
        let end: Instant
    }

    private var held = Deque<Held>()
    private let longest: Duration

    init(longest: Duration) { self.longest = longest }

    var isEmpty: Bool { held.isEmpty }
    var count: Int { held.count }

    mutating func add(_ entries: [SharedEventLog.Entry], at now: Instant) {
        held += entries.map { Held(entry: $0, end: now + longest) }
    }

    /// The events that may be passed on now. `have`: whether the own books have a version. One that was overtaken counts as
    /// had: a later event about the contact waits here, and the books have that one.
    mutating func ready(at now: Instant, have: (ContactVersion) -> Bool) -> [SharedEventLog.Entry] {
        var ready: [SharedEventLog.Entry] = []
        while let first = held.first, now >= first.end || isKnown(first.entry.version, have: have) {
            ready.append(first.entry)
            held.removeFirst()
        }
        return ready
    }

    private func isKnown(_ version: ContactVersion?, have: (ContactVersion) -> Bool) -> Bool {
        guard let version, version.state != .same else { return true }
        if have(version) { return true }
        return held.dropFirst().contains { later in
            guard let other = later.entry.version, other.id == version.id, other.state != .same else { return false }
            return have(other)
        }
    }
}
