internal import Dispatch
internal import Glibc
internal import Synchronization
package import TondoContacts

/// Internal notes in their order among the events.
package enum LoaderNotice: Sendable {
    /// The unreadable parts of the book; sent if they may have changed.
    case unreadable(UnreadableParts)
    /// The whole book cannot be read any more, and its contacts are kept as they were last read; nil: it can again.
    case lost(ContactsError?)
    /// The number of contacts, files and folders in the book that are broken or unreadable now, and how many of them are contacts,
    /// which the total of the book contains.
    case broken(Int, contacts: Int)
    /// All contacts of the book were reported.
    case read
    /// The contact is unchanged, but it and its photo moved to another place.
    case moved(PackedContact)
    /// The contact's photo was checked. `isUsable`: nil if that could not be determined now. Sent before the events of
    /// its avatars, and also if these are unchanged.
    case photoChecked(contact: String, isUsable: Bool?)
    /// The files of these contacts were read again, changed or not; nil: all files.
    case reread([String]?)
    /// The removal of a contact, which follows, changes the counters by this.
    case uncounted(AvatarTally)
}

/// An event on its way to the subscriber.
package struct DeliveredEvent: Sendable {
    package let event: LoaderEvent
    /// Greater than that of the event before.
    package let number: UInt64
    /// The contact of the event as the snapshot of the book keeps it, so that a subscriber that keeps it, too, needs no bytes of
    /// its own; nil without a contact or a snapshot.
    package let contact: PackedContact?
}

/// Delivers events in their order, one at a time, on a thread of its own. A producer of many events blocks until the
/// subscriber has room, so that a slow one causes no backlog.
final class EventQueue: Sendable {
    /// Nil: the end; nothing follows.
    typealias Sink = @Sendable (DeliveredEvent?) -> Void

    private enum Item: Sendable {
        case event(LoaderEvent)
        /// One that took room.
        case boundedEvent(LoaderEvent, PackedContact?)
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
    private let paused: @Sendable () -> Void

    typealias NoticeSink = @Sendable (LoaderNotice) -> Void

    /// `paused` is called after the last of the events that are there.
    init(sink: @escaping Sink, note: NoticeSink? = nil, paused: @escaping @Sendable () -> Void = {}) {
        self.sink = sink
        noteSink = note
        self.paused = paused
    }

    func send(_ note: LoaderNotice) {
        if noteSink != nil { add(.note(note)) }
    }

    /// From a thread that must not block; there are never many of them at once.
    func send(_ event: LoaderEvent) { add(.event(event)) }

    /// Blocks while too many events are pending. `contact`: see `DeliveredEvent`.
    func sendWhenRoom(_ event: LoaderEvent, contact: PackedContact? = nil, _ permit: BlockingPermit) {
        room.wait()
        add(.boundedEvent(event, contact))
    }

    /// `body` is called after all earlier events were delivered, or dropped because the line is closed.
    func afterAll(_ body: @escaping @Sendable () -> Void) { add(.call(body)) }

    /// Drops the pending events.
    func close() { isClosed.store(true, ordering: .relaxed) }

    /// Delivers the end, once, after all earlier events.
    func finish() {
        if !isFinished.exchange(true, ordering: .relaxed) { add(.end) }
    }

    /// Events that were appended under a lock of the caller.
    struct Appended {
        fileprivate let waiting: EventQueue?

        /// Delivers them; call it without the lock, since waking a thread takes a while.
        func deliver() {
            guard let waiting else { return }
            waiting.queue.async { waiting.deliverAll() }
        }
    }

    func append(_ events: some Collection<LoaderEvent>, after note: LoaderNotice? = nil) -> Appended {
        let notes = noteSink == nil ? [] : [note].compactMap(\.self).map { Item.note($0) }
        return append(items: notes + events.map { .event($0) })
    }

    private func add(_ item: Item) { append(items: CollectionOfOne(item)).deliver() }

    /// One block delivers many items: a block each costs a load of ten thousand contacts a tenth of its time.
    private func append(items: some Collection<Item>) -> Appended {
        pending.withLock { pending in
            pending.items += items
            defer { pending.isDelivering = true }
            return Appended(waiting: pending.isDelivering ? nil : self)
        }
    }

    /// Microseconds for which the thread waits for more events before it is released. Waking it costs each event of a load
    /// more than its delivery does; no user sees that an event right after another one comes this much later.
    private static let linger: UInt32 = 500

    private func deliverAll() {
        var isLingering = false
        while true {
            let items = pending.withLock { pending in
                defer { pending.items = [] }
                pending.isDelivering = !pending.items.isEmpty || !isLingering
                return pending.items
            }
            for item in items { deliver(item) }
            if !items.isEmpty {
                isLingering = isFinished.load(ordering: .relaxed)
            } else if isLingering {
                return paused()
            } else {
                isLingering = true
                usleep(Self.linger)
            }
        }
    }

    private func deliver(_ item: Item) {
        switch item {
        case .event(let event): deliver(event)
        case .boundedEvent(let event, let contact):
            deliver(event, contact)
            room.signal()
        case .note(let note): if !isClosed.load(ordering: .relaxed) { noteSink?(note) }
        case .call(let body): body()
        case .end: sink(nil)
        }
    }

    private func deliver(_ event: LoaderEvent, _ contact: PackedContact? = nil) {
        if isClosed.load(ordering: .relaxed) { return }
        // Used only on the serial queue.
        let number = last.wrappingAdd(1, ordering: .relaxed).newValue
        sink(DeliveredEvent(event: event, number: number, contact: contact))
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
