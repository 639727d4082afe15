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

    private enum Item: Sendable {
        case event(LoaderEvent)
        /// One that took room.
        case boundedEvent(LoaderEvent)
        case note(LoaderNotice)
        case call(@Sendable () -> Void)
        case end
    }

    private struct Pending {
        var items: [Item] = []
        /// A block on the queue delivers the items, and those that come meanwhile.
        var isDelivering = false
    }

    private let queue = DispatchQueue(label: "tondo.loader.events")
    private let pending = Mutex(Pending())
    private let room = DispatchSemaphore(value: 1024)
    private let isClosed = Atomic<Bool>(false)
    private let isFinished = Atomic<Bool>(false)
    private let last = Atomic<UInt64>(0)
    private let sink: Sink
    private let noteSink: NoticeSink?

    typealias NoticeSink = @Sendable (LoaderNotice) -> Void

    init(sink: @escaping Sink, note: NoticeSink? = nil) { (self.sink, noteSink) = (sink, note) }

    func send(_ note: LoaderNotice) {
        if noteSink != nil { add(.note(note)) }
    }

    /// From a thread that must not block; there are never many of them at once.
    func send(_ event: LoaderEvent) { add(.event(event)) }

    /// Blocks while too many events are pending.
    func sendWhenRoom(_ event: LoaderEvent, _ permit: BlockingPermit) {
        room.wait()
        add(.boundedEvent(event))
    }

    /// `body` is called after all earlier events were delivered, or dropped because the line is closed.
    func afterAll(_ body: @escaping @Sendable () -> Void) { add(.call(body)) }

    /// Drops the pending events.
    func close() { isClosed.store(true, ordering: .relaxed) }

    /// Delivers the end, once, after all earlier events.
    func finish() {
        if !isFinished.exchange(true, ordering: .relaxed) { add(.end) }
    }

    /// One block delivers many items: a block each costs a load of ten thousand contacts a tenth of its time.
    private func add(_ item: Item) {
        let isFirst = pending.withLock { pending in
            pending.items.append(item)
            defer { pending.isDelivering = true }
            return !pending.isDelivering
        }
        if isFirst { queue.async { self.deliverAll() } }
    }

    private func deliverAll() {
        while true {
            let items = pending.withLock { pending in
                defer { pending.items = [] }
                pending.isDelivering = !pending.items.isEmpty
                return pending.items
            }
            if items.isEmpty { return }
            for item in items { deliver(item) }
        }
    }

    private func deliver(_ item: Item) {
        switch item {
        case .event(let event): deliver(event)
        case .boundedEvent(let event):
            deliver(event)
            room.signal()
        case .note(let note): if !isClosed.load(ordering: .relaxed) { noteSink?(note) }
        case .call(let body): body()
        case .end: sink(nil)
        }
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
