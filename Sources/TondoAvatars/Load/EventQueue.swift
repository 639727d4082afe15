internal import Dispatch
internal import Synchronization
package import TondoContacts

/// Internal notes in their order among the events.
package enum LoaderNotice: Sendable {
    /// The unreadable parts of the book; sent if they may have changed.
    case unreadable(UnreadableParts)
    /// All contacts of the book were reported.
    case read
    /// The ids of all contacts in the book's order, if it does not follow from the events.
    case order([String], changed: [Contact])
    /// The contact is unchanged, but it and its photo moved to another place.
    case moved(Contact)
    /// The contact's photo was checked. `isUsable`: nil if that could not be determined now. Sent before the events of
    /// its avatars, and also if these are unchanged.
    case photoChecked(contact: String, isUsable: Bool?)
    /// The files of these contacts were read again, changed or not; nil: all files.
    case reread([String]?)
    /// The removal of a contact, which follows, changes the counters by this.
    case uncounted(AvatarTally)
}

/// Delivers events in their order, one at a time, on a thread of its own. A producer of many events blocks until the
/// subscriber has room, so that a slow one causes no backlog.
final class EventQueue: Sendable {
    /// Nil: the end; nothing follows. Every number is greater than that of the event before.
    typealias Sink = @Sendable ((event: LoaderEvent, number: UInt64)?) -> Void

    private let queue = DispatchQueue(label: "tondo.loader.events")
    private let room = DispatchSemaphore(value: 1024)
    private let isClosed = Atomic<Bool>(false)
    private let isFinished = Atomic<Bool>(false)
    private let last = Atomic<UInt64>(0)
    private let sink: Sink
    private let noteSink: NoticeSink?

    typealias NoticeSink = @Sendable (LoaderNotice) -> Void

    init(sink: @escaping Sink, note: NoticeSink? = nil) { (self.sink, noteSink) = (sink, note) }

    func send(_ note: LoaderNotice) {
        guard let noteSink else { return }
        queue.async {
            if !self.isClosed.load(ordering: .relaxed) { noteSink(note) }
        }
    }

    /// From a thread that must not block; there are never many of them at once.
    func send(_ event: LoaderEvent) { queue.async { self.deliver(event) } }

    /// Blocks while too many events are pending.
    func sendWhenRoom(_ event: LoaderEvent, _ permit: BlockingPermit) {
        room.wait()
        queue.async {
            self.deliver(event)
            self.room.signal()
        }
    }

    /// `body` is called after all earlier events were delivered, or dropped because the line is closed.
    func afterAll(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// Drops the pending events.
    func close() { isClosed.store(true, ordering: .relaxed) }

    /// Delivers the end, once, after all earlier events.
    func finish() {
        if !isFinished.exchange(true, ordering: .relaxed) { queue.async { self.sink(nil) } }
    }

    private func deliver(_ event: LoaderEvent) {
        if isClosed.load(ordering: .relaxed) { return }
        // Used only on the serial queue.
        sink((event, last.wrappingAdd(1, ordering: .relaxed).newValue))
    }
}

/// The permission to block until a subscriber has room. Only code on the queue that reads a book can have it, and no
/// `@Sendable` closure can capture it. So completions, which run on threads that must not block, cannot block.
struct BlockingPermit {
    /// Traps anywhere but on this serial queue.
    init(on queue: DispatchQueue) { dispatchPrecondition(condition: .onQueue(queue)) }
}

@available(*, unavailable)
extension BlockingPermit: Sendable {}
