internal import Dispatch
internal import Synchronization
package import TondoContacts

/// What only the house is told, in its place among the events.
package enum LoaderNote: Sendable {
    /// What of the book cannot be read now; sent when that may have changed.
    case unreadable(UnreadableParts)
    /// Everybody in the book was told.
    case read
    /// The ids of all people, in the book's order, when that is not what the events before make of it.
    case order([String])
    /// Says the same as before and lies elsewhere, and its photo with it.
    case moved(Contact)
    /// The contact's photo was looked at. `isUsable`: nil when that could not be found out now. Comes before the events of
    /// its avatars, and also when these are the same as before.
    case photoChecked(contact: String, isUsable: Bool?)
    /// The files of these contacts were read again, whether or not anything in them is different; nil: of all.
    case reread([String]?)
    /// A contact's removal, which follows, changes the numbers by so much.
    case uncounted(AvatarTally)
}

/// Events in the order they happen, one at a time, on a thread of their own. Whoever makes many of them waits for the
/// listener, so that a slow one never piles them up.
final class EventLine: Sendable {
    /// Nil: the end; nothing follows. The number of each event is greater than that of the one before.
    typealias Sink = @Sendable ((event: LoaderEvent, number: UInt64)?) -> Void

    private let queue = DispatchQueue(label: "tondo.loader.events")
    private let room = DispatchSemaphore(value: 1024)
    private let isClosed = Atomic<Bool>(false)
    private let isFinished = Atomic<Bool>(false)
    private let last = Atomic<UInt64>(0)
    private let sink: Sink
    private let noteSink: NoteSink?

    typealias NoteSink = @Sendable (LoaderNote) -> Void

    init(sink: @escaping Sink, note: NoteSink? = nil) { (self.sink, noteSink) = (sink, note) }

    func send(_ note: LoaderNote) {
        guard let noteSink else { return }
        queue.async {
            if !self.isClosed.load(ordering: .relaxed) { noteSink(note) }
        }
    }

    /// From a thread that must not wait; there are never many of them at once.
    func send(_ event: LoaderEvent) { queue.async { self.deliver(event) } }

    /// Blocks while too many wait for the listener.
    func sendWhenRoom(_ event: LoaderEvent, _ permit: BlockingPermit) {
        room.wait()
        queue.async {
            self.deliver(event)
            self.room.signal()
        }
    }

    /// `body` is called when everything before it was told, or dropped since the line is closed.
    func afterAll(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// What was not told yet is not told any more.
    func close() { isClosed.store(true, ordering: .relaxed) }

    /// Tells the end, once, when everything before it was told.
    func finish() {
        if !isFinished.exchange(true, ordering: .relaxed) { queue.async { self.sink(nil) } }
    }

    private func deliver(_ event: LoaderEvent) {
        if isClosed.load(ordering: .relaxed) { return }
        // Only ever on the serial queue.
        sink((event, last.wrappingAdd(1, ordering: .relaxed).newValue))
    }
}
