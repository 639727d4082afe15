/// How the numbers of shared events go on when an instance becomes their publisher. Pure.
enum EventRange: Equatable {
    /// The books were quiet, so that both publishers would have published the same: no client notices.
    case goesOn(next: UInt64)
    /// Events may be missing between the last publisher and this one: clients get `reset`.
    case begins(first: UInt64)

    /// Without any event for so long, the last publisher has published all that this instance has read.
    static let quiet = Duration.seconds(10)

    /// `last`: the number of the last event in the stream; 0 if there is none. `known`: of the last event that this instance
    /// has passed on. `silence`: the time since an event was seen in the books or in the stream; nil: this instance has not
    /// read its books yet. `clock`: a number above that of every earlier event, see `EventBroadcaster.firstByClock`.
    init(last: UInt64, known: UInt64, silence: Duration?, clock: UInt64, quiet: Duration = Self.quiet) {
        if let silence, silence > quiet, last == known, last > 0 {
            self = .goesOn(next: last + 1)
        } else {
            self = .begins(first: max(clock, last + 1, known + 1))
        }
    }
}
